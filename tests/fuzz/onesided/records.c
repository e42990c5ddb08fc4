/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/ranges/words.h"
#include "record/access.h"
#include "tests/fuzz/onesided/program.h"

#include <string.h>

enum { FIRST_WINDOW = 2 };

static uint32_t put(struct ork_record *record, uint32_t n, struct ork_record r)
{
    record[n] = r;
    return n + 1;
}

static uint32_t put_list(struct ork_record *record, uint32_t n, struct ork_record r,
                         const uint32_t *word, uint32_t words)
{
    r.count = words;
    n = put(record, n, r);
    for (uint32_t done = 0; done < words; done += ORK_CONT_WORDS) {
        uint32_t now = words - done < ORK_CONT_WORDS ? words - done : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)now};
        memcpy(cont.word, word + done, now * sizeof(uint32_t));
        memcpy(&record[n++], &cont, sizeof(cont));
    }
    return n;
}

/* The gaps of one side of an access. Returns the number of words. */
static uint32_t put_pattern(const struct event *e, uint32_t *word, uint32_t room)
{
    struct ork_byteset set = {0};
    struct ork_span span;
    uint32_t words = 0;

    if (ork_byteset_add_block(&set, 0, e->length) && ork_byteset_finish(&set) &&
        ork_span_of_layout(&span, &set, 0, e->copies, e->stride))
        words = ork_span_to_words(&span, word, room);
    ork_byteset_reset(&set);
    return words;
}

static uint32_t put_window(struct ork_record *record, uint32_t n, uint32_t w,
                           const struct program *p)
{
    n = put(record, n,
            (struct ork_record){
                .kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER});
    n = put(record, n,
            (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                .flags = ORK_F_SAME_GROUP,
                                .comm = FIRST_WINDOW + w,
                                .mode = ORK_COLL_WIN_CREATE,
                                .extra = 100 + w});
    return put(record, n,
               (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                                   .comm = FIRST_WINDOW + w,
                                   .mode = ORK_COLL_WIN_CREATE,
                                   .arg = 1,
                                   .arg2 = (p->has_touches ? ORK_WINDOW_TOUCHED : 0) |
                                           (p->is_separate ? ORK_WINDOW_PORTABLE : 0),
                                   .bytes = SIZE,
                                   .extra = BASE});
}

static uint32_t put_access(struct ork_record *record, uint32_t n, const struct event *e)
{
    bool has_result = e->kind == ORK_ACCESS_FETCH || e->kind == ORK_ACCESS_SWAP;
    uint64_t own = e->origin >= 0 ? BASE + (uint64_t)e->origin : 1;
    uint64_t size = (uint64_t)event_extent(e);
    struct ork_access_list list = {.target_size = size,
                                   .origin = has_result ? 1 : own,
                                   .origin_size = size,
                                   .result = own,
                                   .result_size = has_result ? size : 0};
    uint32_t word[ORK_ACCESS_WORDS + ORK_SIDES * 20], words = ORK_ACCESS_WORDS;

    for (unsigned i = 0; i < ORK_SIDES && e->copies > 1; i++) {
        if (i == ORK_SIDE_RESULT && !has_result)
            continue;
        list.gaps |= (uint64_t)ORK_HAS_PATTERN << i;
        words += put_pattern(e, word + words, 20);
    }
    memcpy(word, &list, sizeof(list));
    return put_list(record, n,
                    (struct ork_record){.kind = ORK_KIND_ACCESS,
                                        .flags = e->request >= 0 ? ORK_F_NONBLOCKING : 0,
                                        .request = (uint32_t)e->request,
                                        .mode = e->kind,
                                        .site = (uint32_t)e->site,
                                        .comm = FIRST_WINDOW + (uint32_t)e->window,
                                        .peer = e->peer,
                                        .arg = (uint32_t)e->op,
                                        .arg2 = 1,
                                        .extra = (uint64_t)e->offset},
                    word, words);
}

static uint32_t put_touch(struct ork_record *record, uint32_t n, const struct event *e)
{
    struct ork_touch_list list = {.loops = 1,
                                  .loop = {{.stride = e->stride, .count = (uint64_t)e->copies}}};
    struct ork_record r = {.kind = ORK_KIND_TOUCH,
                           .mode = e->is_store ? ORK_TOUCH_IS_STORE : ORK_TOUCH_IS_LOAD,
                           .site = (uint32_t)e->site,
                           .comm = FIRST_WINDOW + (uint32_t)e->window,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER,
                           .bytes = (uint64_t)e->length,
                           .extra = BASE + (uint64_t)e->offset};
    uint32_t word[ORK_TOUCH_WORDS];

    memcpy(word, &list, sizeof(list));
    return e->copies == 1 ? put(record, n, r) : put_list(record, n, r, word, ORK_TOUCH_WORDS);
}

/* ---- messages and collective calls ---- */

/* The gaps between these bytes, which begin with bit 0. Returns the number of words; 0: there are
 * none. */
static uint32_t put_gaps(unsigned bytes, uint32_t *word, uint32_t room)
{
    struct ork_byteset set = {0};
    struct ork_span span;
    uint32_t words = 0;
    bool good = true;

    if ((bytes & (bytes + 1)) == 0)
        return 0;
    for (int i = 0; bytes >> i != 0; i++) {
        if ((bytes >> i & 1) != 0)
            good = good && ork_byteset_add_block(&set, i, 1);
    }
    if (good && ork_byteset_finish(&set) && ork_span_of_layout(&span, &set, 0, 1, 0))
        words = ork_span_to_words(&span, word, room);
    ork_byteset_reset(&set);
    return words;
}

static uint32_t put_use(struct ork_record *record, uint32_t n, const struct event *e,
                        const struct use *use)
{
    unsigned mode = use->is_written ? ORK_TOUCH_IS_STORE : ORK_TOUCH_IS_LOAD;
    unsigned first = (unsigned)__builtin_ctz(use->bytes), bytes = use->bytes >> first;
    uint32_t word[40], words = put_gaps(bytes, word, 40);

    return put_list(record, n,
                    (struct ork_record){.kind = ORK_KIND_TOUCH,
                                        .call = 1,
                                        .mode = (uint16_t)(ORK_TOUCH_IS_BUFFER | mode),
                                        .site = (uint32_t)e->site,
                                        .comm = FIRST_WINDOW,
                                        .request = (uint32_t)e->request,
                                        .peer = ORK_NO_PEER,
                                        .bytes = 32 - (unsigned)__builtin_clz(bytes),
                                        .extra = BASE + first},
                    word, words);
}

static uint32_t put_uses(struct ork_record *record, uint32_t n, const struct program *p, int rank,
                         int index, enum use_time when)
{
    struct use use[USES_MAX];
    int count = program_uses(p, rank, index, use);

    for (int i = 0; i < count; i++) {
        if (use[i].when == when)
            n = put_use(record, n, &p->event[rank][index], &use[i]);
    }
    return n;
}

static uint32_t put_message(struct ork_record *record, uint32_t n, const struct event *e)
{
    bool is_send = e->type == EVENT_SEND || e->type == EVENT_SSEND;

    n = put(record, n,
            (struct ork_record){.kind = is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                                .flags = event_is_pending(e) ? ORK_F_NONBLOCKING : 0,
                                .mode = e->type == EVENT_SSEND ? ORK_SEND_SYNCHRONOUS : 0,
                                .request = (uint32_t)e->request,
                                .peer = e->type == EVENT_RECV_ANY ? ORK_ANY_SOURCE : e->peer,
                                .tag = e->tag,
                                .bytes = 4});
    if (e->type == EVENT_RECV_ANY && !event_is_pending(e))
        n = put(
            record, n,
            (struct ork_record){.kind = ORK_KIND_EXIT, .peer = e->peer, .tag = e->tag, .extra = 1});
    return n;
}

static uint32_t put_collective(struct ork_record *record, uint32_t n, const struct event *e)
{
    static const uint8_t mode[] = {
        [EVENT_BARRIER] = ORK_COLL_BARRIER,     [EVENT_BCAST] = ORK_COLL_BCAST,
        [EVENT_REDUCE] = ORK_COLL_REDUCE,       [EVENT_ALLREDUCE] = ORK_COLL_ALLREDUCE,
        [EVENT_GATHER] = ORK_COLL_GATHER,       [EVENT_SCATTER] = ORK_COLL_SCATTER,
        [EVENT_ALLGATHER] = ORK_COLL_ALLGATHER, [EVENT_ALLTOALL] = ORK_COLL_ALLTOALL,
        [EVENT_FENCE] = ORK_COLL_WIN_FENCE};

    return put(record, n,
               (struct ork_record){.kind = ORK_KIND_COLL,
                                   .flags = event_is_pending(e) ? ORK_F_NONBLOCKING : 0,
                                   .mode = mode[e->type],
                                   .comm = e->type == EVENT_FENCE
                                               ? FIRST_WINDOW + (uint32_t)e->window
                                               : ORK_COMM_WORLD,
                                   .request = (uint32_t)e->request,
                                   .peer = e->peer < 0 ? ORK_NO_PEER : e->peer,
                                   .bytes = 4});
}

/* The wait also says which message a receive from any source has taken. */
static uint32_t put_wait(struct ork_record *record, uint32_t n, const struct program *p, int rank,
                         int index)
{
    const uint32_t request = (uint32_t)p->event[rank][index].request;

    n = put_list(record, n, (struct ork_record){.kind = ORK_KIND_WAIT}, &request, 1);
    for (int i = 0; i < index; i++) {
        const struct event *e = &p->event[rank][i];
        const uint32_t outcome[] = {0, (uint32_t)e->peer, (uint32_t)e->tag};
        if (e->type == EVENT_RECV_ANY && (uint32_t)e->request == request)
            n = put_list(record, n, (struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}, outcome,
                         3);
    }
    return n;
}

/* ---- the whole ---- */

/* A lock of one target is a choice. RATIONALE: how many sections there were before orders nothing
 * here, so its number is not known. */
static uint32_t put_epoch(struct ork_record *record, uint32_t n, const struct event *e)
{
    static const uint8_t kind[] = {
        [EVENT_POST] = ORK_KIND_WIN_POST,         [EVENT_START] = ORK_KIND_WIN_START,
        [EVENT_COMPLETE] = ORK_KIND_WIN_COMPLETE, [EVENT_WAIT_WINDOW] = ORK_KIND_WIN_WAIT,
        [EVENT_LOCK] = ORK_KIND_WIN_LOCK,         [EVENT_LOCK_ALL] = ORK_KIND_WIN_LOCK,
        [EVENT_UNLOCK] = ORK_KIND_WIN_UNLOCK,     [EVENT_FLUSH] = ORK_KIND_WIN_FLUSH,
        [EVENT_FLUSH_LOCAL] = ORK_KIND_WIN_FLUSH, [EVENT_SYNC] = ORK_KIND_WIN_FLUSH};
    uint16_t mode = e->type == EVENT_FLUSH_LOCAL ? ORK_FLUSH_ORIGIN
                    : e->type == EVENT_SYNC      ? ORK_FLUSH_SYNC
                                                 : e->is_exclusive;
    bool has_group = e->type == EVENT_POST || e->type == EVENT_START;
    bool is_tested = e->type == EVENT_WAIT_WINDOW && e->with % 2 == 1; /* a choice, too */
    const uint32_t group[] = {(uint32_t)e->peer, 1, 1};
    struct ork_record r = {.kind = is_tested ? ORK_KIND_WIN_TESTED : kind[e->type],
                           .extra = is_tested,
                           .mode = mode,
                           .comm = FIRST_WINDOW + (uint32_t)e->window,
                           .request = ORK_REQUEST_NULL,
                           .peer = e->peer < 0 || has_group ? ORK_NO_PEER : e->peer};

    n = has_group ? put_list(record, n, r, group, 3) : put(record, n, r);
    if (e->type != EVENT_LOCK)
        return n;
    return put(
        record, n,
        (struct ork_record){
            .kind = ORK_KIND_EXIT, .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER, .extra = 1});
}

static uint32_t put_call(struct ork_record *record, uint32_t n, const struct program *p, int rank,
                         int index)
{
    const struct event *e = &p->event[rank][index];

    if (e->type <= EVENT_RECV_ANY)
        return put_message(record, n, e);
    if (e->type <= EVENT_FENCE)
        return put_collective(record, n, e);
    if (e->type == EVENT_WAIT_REQUEST)
        return put_wait(record, n, p, rank, index);
    if (e->type == EVENT_ACCESS)
        return put_access(record, n, e);
    return e->type == EVENT_TOUCH ? put_touch(record, n, e) : put_epoch(record, n, e);
}

static uint32_t put_event(struct ork_record *record, uint32_t n, const struct program *p, int rank,
                          int index)
{
    n = put_uses(record, n, p, rank, index, AT_BEGIN);
    n = put_call(record, n, p, rank, index);
    n = put_uses(record, n, p, rank, index, AT_END);
    return put_uses(record, n, p, rank, index, WHILE_PENDING);
}

/* Loads and stores have no call. */
static void name_calls(struct ork_record *record, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (record[i].kind != ORK_KIND_CONT && record[i].kind != ORK_KIND_TOUCH)
            record[i].call = 1;
    }
}

uint32_t program_records(const struct program *p, int rank, struct ork_record *record)
{
    uint32_t n = 0;

    for (uint32_t w = 0; w < WINDOWS; w++)
        n = put_window(record, n, w, p);
    for (int i = 0; i < p->events[rank]; i++)
        n = put_event(record, n, p, rank, i);
    n = put(record, n, (struct ork_record){.kind = ORK_KIND_FINALIZE});
    name_calls(record, n);
    return n;
}
