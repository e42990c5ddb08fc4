/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/arbiter/script.h"

#include <stdarg.h>

enum { WORDS_MAX = 64 };

struct ork_arbiter *create(uint32_t nprocs)
{
    struct ork_arbiter *a = NULL;

    assert_int_equal(ork_arbiter_create(nprocs, &a), ORK_OK);
    return a;
}

void feed(struct ork_arbiter *a, uint32_t rank, struct ork_record record)
{
    assert_int_equal(ork_arbiter_feed(a, rank, &record, 1), ORK_OK);
}

void feed_list(struct ork_arbiter *a, uint32_t rank, struct ork_record record, ...)
{
    uint32_t word[WORDS_MAX];
    va_list words;

    va_start(words, record);
    for (record.count = 0; record.count < WORDS_MAX; record.count++) {
        word[record.count] = va_arg(words, uint32_t);
        if (word[record.count] == END_OF_LIST)
            break;
    }
    va_end(words);
    feed(a, rank, record);
    for (uint32_t done = 0; done < record.count; done += ORK_CONT_WORDS) {
        uint32_t left = record.count - done;
        struct ork_cont cont = {.kind = ORK_KIND_CONT,
                                .words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS)};
        struct ork_record raw;
        memcpy(cont.word, word + done, cont.words * sizeof(uint32_t));
        memcpy(&raw, &cont, sizeof(raw));
        feed(a, rank, raw);
    }
}

void send(struct ork_arbiter *a, uint32_t rank, int32_t to, int32_t tag)
{
    feed(a, rank, (struct ork_record){.kind = ORK_KIND_SEND, .peer = to, .tag = tag});
}

void isend(struct ork_arbiter *a, uint32_t rank, int32_t to, int32_t tag, uint32_t request)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_SEND,
                             .flags = ORK_F_NONBLOCKING,
                             .peer = to,
                             .tag = tag,
                             .request = request});
}

void recv(struct ork_arbiter *a, uint32_t rank, int32_t from, int32_t tag)
{
    feed(a, rank, (struct ork_record){.kind = ORK_KIND_RECV, .peer = from, .tag = tag});
}

void irecv(struct ork_arbiter *a, uint32_t rank, int32_t from, int32_t tag, uint32_t request)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_RECV,
                             .flags = ORK_F_NONBLOCKING,
                             .peer = from,
                             .tag = tag,
                             .request = request});
}

void returned(struct ork_arbiter *a, uint32_t rank, int32_t from, int32_t tag)
{
    feed(a, rank, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = from, .tag = tag});
}

void go_on(struct ork_arbiter *a, uint32_t rank)
{
    send(a, rank, ORK_PROC_NULL, 0);
}

void coll(struct ork_arbiter *a, uint32_t rank, enum ork_coll what)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_COLL, .mode = (uint16_t)what, .peer = 0, .bytes = 8});
}

void finalize(struct ork_arbiter *a, uint32_t rank)
{
    feed(a, rank, (struct ork_record){.kind = ORK_KIND_FINALIZE});
}

typedef enum ork_status decider(struct ork_arbiter *, uint32_t *, struct ork_decision *);

static void expect_of(struct ork_arbiter *a, decider *next, uint32_t rank, struct ork_decision want)
{
    struct ork_decision decision;
    uint32_t of = UINT32_MAX;

    assert_int_equal(next(a, &of, &decision), ORK_OK);
    assert_int_equal(of, rank);
    assert_int_equal(decision.decided, want.decided);
    assert_int_equal(decision.number, want.number);
    assert_int_equal(decision.source, want.source);
    assert_int_equal(decision.tag, want.tag);
}

void expect(struct ork_arbiter *a, uint32_t rank, enum ork_decided decided, uint32_t number,
            int32_t source, int32_t tag)
{
    expect_of(a, ork_arbiter_decide, rank, (struct ork_decision){decided, number, source, tag});
}

void expect_break(struct ork_arbiter *a, uint32_t rank, enum ork_decided decided, uint32_t number,
                  int32_t source, int32_t tag)
{
    expect_nothing_yet(a);
    expect_of(a, ork_arbiter_break, rank, (struct ork_decision){decided, number, source, tag});
}

void expect_nothing_yet(struct ork_arbiter *a)
{
    struct ork_decision decision;
    uint32_t rank;

    assert_int_equal(ork_arbiter_decide(a, &rank, &decision), ORK_NOTFOUND);
}

void expect_nothing(struct ork_arbiter *a)
{
    struct ork_decision decision;
    uint32_t rank;

    expect_nothing_yet(a);
    assert_int_equal(ork_arbiter_break(a, &rank, &decision), ORK_NOTFOUND);
}
