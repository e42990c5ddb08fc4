/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include "tests/unit/detector/unit.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 1024, WORDS_MAX = 15 };

struct script script_begin(void)
{
    struct script s = {0};

    assert_int_equal(ork_causality_create(RANKS, &s.causality), ORK_OK);
    return s;
}

void script_put(struct script *s, uint32_t rank, struct ork_record record)
{
    assert_int_equal(ork_causality_feed(s->causality, rank, &record, 1), ORK_OK);
}

void script_put_list(struct script *s, uint32_t rank, struct ork_record record,
                     const uint32_t *word, uint32_t count)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)count};
    struct ork_record raw;

    assert_true(count > 0 && count <= WORDS_MAX);
    record.count = count;
    memcpy(cont.word, word, count * sizeof(*word));
    memcpy(&raw, &cont, sizeof(raw));
    script_put(s, rank, record);
    script_put(s, rank, raw);
}
void script_send(struct script *s, uint32_t rank, int32_t to)
{
    script_put(s, rank, (struct ork_record){.kind = ORK_KIND_SEND, .peer = to});
}

void script_irecv(struct script *s, uint32_t rank, int32_t from, uint32_t request)
{
    script_put(
        s, rank,
        (struct ork_record){
            .kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .peer = from, .request = request});
}

static bool print(void *context, const struct ork_alternative *a)
{
    static const char *const kind[] = {"receive", "probe", "test", "wait", "cancel", "lock"};
    static const char *const polls[] = {"",       " fewer",    " one more",
                                        " again", " given up", " all given up"};
    char *text = context;
    size_t used = strlen(text);

    used += (size_t)snprintf(text + used, TEXT - used, "%u:%u %s%s", a->choice.rank,
                             (unsigned)a->choice.number, kind[a->choice.kind], polls[a->polls]);
    if (a->polls == ORK_POLLS_FEWER)
        used += (size_t)snprintf(text + used, TEXT - used, " %u", (unsigned)a->poll.polls);
    if (a->polls == ORK_POLLS_AGAIN)
        used += (size_t)snprintf(text + used, TEXT - used, " %d as %u", (int)a->poll.polls,
                                 (unsigned)a->poll.first);
    if (a->choice.kind <= ORK_CHOICE_PROBE)
        used += (size_t)snprintf(text + used, TEXT - used, " %d", a->source);
    for (uint32_t i = 0; i < a->count; i++)
        used += (size_t)snprintf(text + used, TEXT - used, " [%u]", a->index[i]);
    used += (size_t)snprintf(text + used, TEXT - used, " keep");
    for (uint32_t r = 0; r < RANKS; r++)
        used += (size_t)snprintf(text + used, TEXT - used, " %u", (unsigned)a->keep[r]);
    for (uint32_t r = 0; r < RANKS; r++) {
        if (a->keep_polls[r] != 0)
            used += (size_t)snprintf(text + used, TEXT - used, " failed %u:%d", r,
                                     (int)a->keep_polls[r]);
    }
    for (uint32_t i = 0; i < a->num_ahead; i++)
        used += (size_t)snprintf(text + used, TEXT - used, " ahead %u:%u=%d", a->ahead[i].rank,
                                 (unsigned)a->ahead[i].post, a->ahead[i].source);
    snprintf(text + used, TEXT - used, "\n");
    return true;
}

void script_check(struct script *s, const char *expected)
{
    char text[TEXT] = "";

    for (uint32_t r = 0; r < RANKS; r++) {
        script_put(s, r, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        ork_causality_end(s->causality, r, ORK_CAUSAL_OWN);
    }
    for (uint32_t r = 0; r < RANKS; r++)
        assert_null(ork_causality_lost(s->causality, r));
    assert_int_equal(ork_causality_alternatives(s->causality, print, text), ORK_OK);
    assert_string_equal(text, expected);
    ork_causality_destroy(s->causality);
}
