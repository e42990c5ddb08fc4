/* SPDX-License-Identifier: BSD-3-Clause */
/* overlay/leaf/leaf.h with queues instead of rings. */
#include "bench/feed.h"

#include "overlay/leaf/leaf.h"
#include "overlay/stream/aggregate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 512, ROUNDS_MAX = 64, COMMS_MAX = 1 << 12, FIRST = 64 };
/* As overlay/leaf/leaf.c. */
#define HOLD_NS UINT64_C(20000000)

struct rank {
    struct ork_record *queue; /* a circle of `cap` places */
    uint64_t head, tail;
    uint32_t cap;
    bool attached, left, gone;
    uint32_t *colls; /* collective calls so far, by communicator */
    uint32_t num_comms;
};

struct ork_leaf {
    const struct ork_up *up;
    uint32_t number;
    struct ork_aggregate *join;
    struct ork_record batch[BATCH];
};

static struct {
    struct rank *rank;
    uint32_t ranks, leaf_ranks;
    uint64_t backlog;
} feed;

/* At least HOLD_NS. RATIONALE: processor time, so that no call is let go because other processes
 * had the processor. */
static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return HOLD_NS + (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- ranks ---- */

bool feed_begin(const char *session, uint32_t ranks, uint32_t leaf_ranks, bool repeats)
{
    (void)repeats;
    (void)session;
    feed.rank = calloc(ranks, sizeof(*feed.rank));
    feed.ranks = ranks;
    feed.leaf_ranks = leaf_ranks;
    feed.backlog = 0;
    return feed.rank != NULL;
}

void feed_end(void)
{
    for (uint32_t r = 0; r < feed.ranks; r++) {
        free(feed.rank[r].queue);
        free(feed.rank[r].colls);
    }
    free(feed.rank);
    feed.rank = NULL;
    feed.ranks = 0;
}

/* A rank that writes more than others has a longer queue. */
static bool reserve(struct rank *r, size_t n)
{
    uint32_t cap = r->cap == 0 ? FIRST : r->cap * 2;

    if (r->head - r->tail + n <= r->cap)
        return true;
    if (cap > ORK_RING_RECORDS)
        return false;
    struct ork_record *bigger = malloc(cap * sizeof(*bigger));
    if (bigger == NULL)
        return false;
    for (uint64_t i = r->tail; i < r->head; i++)
        bigger[i % cap] = r->queue[i % r->cap];
    free(r->queue);
    r->queue = bigger;
    r->cap = cap;
    return true;
}

bool feed_put(uint32_t rank, const struct ork_record *record, size_t n)
{
    struct rank *r = &feed.rank[rank];

    if (!reserve(r, n))
        return false;
    for (size_t i = 0; i < n; i++)
        r->queue[r->head++ % r->cap] = record[i];
    feed.backlog += n;
    return true;
}

void feed_leave(uint32_t rank)
{
    feed.rank[rank].left = true;
}

uint64_t feed_backlog(void)
{
    return feed.backlog;
}

/* ---- the leaf ---- */

enum ork_status ork_leaf_create(const char *session, const char *token, uint32_t number,
                                const struct ork_up *up, struct ork_leaf **out)
{
    struct ork_leaf *leaf = calloc(1, sizeof(*leaf));

    (void)session;
    (void)token;
    if (leaf == NULL)
        return ORK_NOMEM;
    leaf->up = up;
    leaf->number = number;
    enum ork_status status = ork_aggregate_create(up, &leaf->join);
    if (status != ORK_OK) {
        free(leaf);
        return status;
    }
    *out = leaf;
    return ORK_OK;
}

void ork_leaf_set_clock(struct ork_leaf *leaf, const struct ork_clock *clock)
{
    (void)leaf;
    (void)clock;
}

/* The run is over when each rank has ended, and that is the last of its stream. */
bool ork_leaf_is_silent(const struct ork_leaf *leaf)
{
    (void)leaf;
    return false;
}

bool ork_leaf_has_sent_last(const struct ork_leaf *leaf)
{
    (void)leaf;
    return true;
}

void ork_leaf_destroy(struct ork_leaf *leaf)
{
    if (leaf == NULL)
        return;
    ork_aggregate_destroy(leaf->join);
    free(leaf);
}

static uint32_t first_rank(const struct ork_leaf *leaf)
{
    return leaf->number * feed.leaf_ranks;
}

static uint32_t end_rank(const struct ork_leaf *leaf)
{
    uint64_t end = (uint64_t)first_rank(leaf) + feed.leaf_ranks;

    return end < feed.ranks ? (uint32_t)end : feed.ranks;
}

static uint32_t *calls_on(struct rank *r, uint32_t comm)
{
    if (comm >= r->num_comms) {
        uint32_t *bigger = realloc(r->colls, (comm + 4) * sizeof(*bigger));
        if (bigger == NULL)
            return NULL;
        memset(bigger + r->num_comms, 0, (comm + 4 - r->num_comms) * sizeof(*bigger));
        r->colls = bigger;
        r->num_comms = comm + 4;
    }
    return &r->colls[comm];
}

static enum ork_status count_call(struct rank *r, const struct ork_record *rec)
{
    if (rec->kind != ORK_KIND_COLL || rec->comm >= COMMS_MAX)
        return ORK_OK;
    uint32_t *calls = calls_on(r, rec->comm);
    if (calls == NULL)
        return ORK_NOMEM;
    ++*calls;
    return ORK_OK;
}

static void take_from(struct rank *r, uint32_t n)
{
    r->tail += n;
    feed.backlog -= n;
}

/* Up to the next call that is to be joined with that of others. */
static enum ork_status pass(struct ork_leaf *leaf, uint32_t rank, size_t credit, uint32_t *passed)
{
    struct rank *r = &feed.rank[rank];
    enum ork_status status = ORK_OK;
    uint32_t n = 0;

    while (n < BATCH && n < credit && r->tail + n != r->head) {
        leaf->batch[n] = r->queue[(r->tail + n) % r->cap];
        if (ork_aggregate_takes(&leaf->batch[n]))
            break;
        n++;
    }
    *passed = n;
    take_from(r, n);
    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = count_call(r, &leaf->batch[i]);
    return status != ORK_OK || n == 0
               ? status
               : ork_up_deliver(leaf->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                              .rank = rank,
                                                              .records = {leaf->batch, n}});
}

static enum ork_status join(struct ork_leaf *leaf, uint32_t rank)
{
    struct rank *r = &feed.rank[rank];
    const struct ork_span span = {.first = rank, .count = 1};
    const struct ork_group_record group_record = {
        .call = r->queue[r->tail % r->cap], .span = &span, .num_spans = 1};
    uint32_t *calls = calls_on(r, group_record.call.comm);

    if (calls == NULL)
        return ORK_NOMEM;
    take_from(r, 1);
    return ork_aggregate_arrive(leaf->join, rank - first_rank(leaf),
                                &(struct ork_wave){.index = (*calls)++,
                                                   .group_record = &group_record,
                                                   .num_group_records = 1},
                                now());
}

static enum ork_status drain(struct ork_leaf *leaf, uint32_t rank, size_t *moved)
{
    const struct rank *r = &feed.rank[rank];
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && r->tail != r->head &&
           !ork_aggregate_buffers(leaf->join, rank - first_rank(leaf))) {
        size_t credit = ork_up_credit(leaf->up);
        uint32_t n;
        if (credit == 0)
            break;
        status = pass(leaf, rank, credit, &n);
        *moved += n;
        if (status != ORK_OK || n > 0)
            continue;
        status = join(leaf, rank);
        *moved += 1;
    }
    return status;
}

static enum ork_status visit(struct ork_leaf *leaf, uint32_t rank, size_t *moved)
{
    struct rank *r = &feed.rank[rank];
    enum ork_status status = ORK_OK;

    if (r->gone || ork_up_credit(leaf->up) == 0)
        return ORK_OK;
    if (!r->attached) {
        r->attached = true;
        *moved += 1;
        status = ork_up_deliver(leaf->up, &(struct ork_event){.kind = ORK_EVENT_ATTACH,
                                                              .rank = rank,
                                                              .attached = {.pid = rank + 1}});
    }
    if (status == ORK_OK)
        status = drain(leaf, rank, moved);
    if (status != ORK_OK || !r->left || r->tail != r->head ||
        ork_aggregate_buffers(leaf->join, rank - first_rank(leaf)) || ork_up_credit(leaf->up) == 0)
        return status;
    r->gone = true;
    *moved += 1;
    return ork_up_deliver(
        leaf->up, &(struct ork_event){.kind = ORK_EVENT_END,
                                      .rank = rank,
                                      .ending = &(struct ork_ending){.how = ORK_DEATH_FINISHED}});
}

static enum ork_status let_go(struct ork_leaf *leaf, size_t *moved)
{
    uint32_t held = ork_aggregate_num_buffered(leaf->join);

    if (held == 0 || ork_up_credit(leaf->up) == 0)
        return ORK_OK;
    enum ork_status status =
        ork_aggregate_flush(leaf->join, *moved == 0 ? UINT64_MAX : now() - HOLD_NS);
    *moved += held - ork_aggregate_num_buffered(leaf->join);
    return status;
}

/* No rank has critical sections. */
int ork_leaf_make_sections(void)
{
    return -1;
}

void ork_leaf_share_sections(struct ork_leaf *leaf, int sections)
{
    (void)leaf;
    (void)sections;
}

/* Nothing is replayed here. */
void ork_leaf_set_replay(struct ork_leaf *leaf, const struct ork_order_file *file)
{
    (void)leaf;
    (void)file;
}

enum ork_status ork_leaf_go_on(struct ork_leaf *leaf, size_t *moved)
{
    enum ork_status status = ORK_OK;
    unsigned round = 0;
    size_t before;

    *moved = 0;
    do {
        before = *moved;
        for (uint32_t r = first_rank(leaf); r < end_rank(leaf) && status == ORK_OK; r++)
            status = visit(leaf, r, moved);
    } while (status == ORK_OK && *moved > before && ++round < ROUNDS_MAX);
    return status;
}

enum ork_status ork_leaf_step(struct ork_leaf *leaf, size_t *moved)
{
    enum ork_status status = ork_leaf_go_on(leaf, moved);

    return status == ORK_OK ? let_go(leaf, moved) : status;
}

const struct pollfd *ork_leaf_fds(const struct ork_leaf *leaf, nfds_t *count)
{
    (void)leaf;
    *count = 0;
    return NULL;
}

/* RATIONALE: there are no processes beside which the tool could be placed. */
uint32_t ork_leaf_num_attached(const struct ork_leaf *leaf)
{
    (void)leaf;
    return 0;
}

void ork_leaf_pids(const struct ork_leaf *leaf, uint32_t *pid, uint32_t room)
{
    (void)leaf;
    (void)pid;
    (void)room;
}

/* ---- from above ---- */

static enum ork_status collect(struct ork_leaf *leaf, uint32_t round)
{
    enum ork_status status = ORK_OK;

    for (uint32_t r = first_rank(leaf); r < end_rank(leaf) && status == ORK_OK; r++) {
        const struct rank *rank = &feed.rank[r];
        const struct ork_snapshot s = {
            .head = rank->head,
            .threads = 1,
            .word = {rank->head << 8 | (rank->left ? ORK_STATE_DONE : ORK_STATE_RUNNING)}};
        if (rank->attached && !rank->gone)
            status = ork_up_deliver(
                leaf->up,
                &(struct ork_event){.kind = ORK_EVENT_SNAPSHOT, .rank = r, .snapshot = &s});
    }
    return status == ORK_OK
               ? ork_up_deliver(leaf->up,
                                &(struct ork_event){.kind = ORK_EVENT_COLLECTED, .round = round})
               : status;
}

static enum ork_status follow_order(void *context, const struct ork_order *order)
{
    switch (order->kind) {
    case ORK_ORDER_COLLECT:
        return collect(context, order->round);
    case ORK_ORDER_ASK: /* all sources are told */
    case ORK_ORDER_RELEASE:
    case ORK_ORDER_EXPIRE:
    case ORK_ORDER_DECISION:
    case ORK_ORDER_WATCH:
    case ORK_ORDER_HOLD:
    case ORK_ORDER_FOLD: /* each record comes */
    case ORK_ORDER_NUMBER:
    case ORK_ORDER_STACK: /* there are no processes */
    case ORK_ORDER_LATEST:
    case ORK_ORDER_LAST:
    case ORK_ORDER_KILL:
        return ORK_OK;
    case ORK_ORDER_CREDIT:
    case ORK_ORDER_ALIVE:
    case ORK_ORDER_END:
        break;
    }
    return ORK_INVALID;
}

struct ork_down ork_leaf_down(struct ork_leaf *leaf)
{
    return (struct ork_down){.context = leaf, .send = follow_order};
}
