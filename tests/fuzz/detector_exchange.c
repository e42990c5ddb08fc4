/* SPDX-License-Identifier: BSD-3-Clause */
/* Random collective calls, whose ranks pass amounts that fit each other or not, against a
 * comparison of every pair of ranks. The same in every run. detector_exchange [first seed [calls]]
 */
#include "bytes/datatype/basic.h"
#include "detector/detector.h"
#include "detector/issues.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 80000, RANKS = 6, EDGES = 2 * RANKS, WORDS = 4 * EDGES };

#define INT   ((uint32_t)ORK_BASIC_MPI_INT << 8 | 4)
#define FLOAT ((uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4)

struct amount {
    uint32_t count, type;
};

/* sent[i][j]: from rank i to rank j; received[j][i]: what rank j expects of rank i. */
struct call {
    enum ork_coll op;
    uint8_t edges[RANKS][RANKS]; /* in a topology: their numbers */
    uint32_t ranks, root;
    bool in_place, has_request;
    struct amount sent[RANKS][RANKS], received[RANKS][RANKS];
};

static const enum ork_coll ops[] = {
    ORK_COLL_BCAST,
    ORK_COLL_GATHER,
    ORK_COLL_GATHERV,
    ORK_COLL_SCATTER,
    ORK_COLL_SCATTERV,
    ORK_COLL_ALLGATHER,
    ORK_COLL_ALLGATHERV,
    ORK_COLL_ALLTOALL,
    ORK_COLL_ALLTOALLV,
    ORK_COLL_ALLTOALLW,
    ORK_COLL_ALLREDUCE,
    ORK_COLL_REDUCE_SCATTER,
    ORK_COLL_NEIGHBOR_ALLGATHER,
    ORK_COLL_NEIGHBOR_ALLGATHERV,
    ORK_COLL_NEIGHBOR_ALLTOALL,
    ORK_COLL_NEIGHBOR_ALLTOALLV,
    ORK_COLL_NEIGHBOR_ALLTOALLW,
};

static bool has(const struct call *c, unsigned trait)
{
    return ork_coll_has(c->op, trait);
}

static bool is_among_neighbors(const struct call *c)
{
    return ork_coll_exchange(c->op) == ORK_EXCHANGE_AMONG_NEIGHBORS;
}

/* ---- a random call ---- */

static struct amount random_amount(struct wfg_random *random)
{
    return (struct amount){wfg_random_below(random, 3),
                           wfg_random_percent(random, 80) ? INT : FLOAT};
}

/* What one rank passes has one type, and one count if there is no array of counts. */
static void make_row(struct amount row[RANKS], bool has_counts, bool has_types)
{
    for (uint32_t j = 1; j < RANKS; j++) {
        row[j].count = has_counts ? row[j].count : row[0].count;
        row[j].type = has_types ? row[j].type : row[0].type;
    }
}

static void random_edges(struct wfg_random *random, struct call *c)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        for (uint32_t j = 0; j < RANKS; j++)
            c->edges[i][j] =
                wfg_random_percent(random, 40) ? (uint8_t)wfg_random_percent(random, 20) + 1 : 0;
    }
}

static void random_call(struct wfg_random *random, struct call *c)
{
    struct amount base = random_amount(random);
    bool is_regular;

    memset(c, 0, sizeof(*c));
    c->op = ops[wfg_random_below(random, sizeof(ops) / sizeof(*ops))];
    c->ranks = 1 + wfg_random_below(random, RANKS);
    c->root = wfg_random_below(random, c->ranks);
    c->in_place = wfg_random_percent(random, 20);
    c->has_request = wfg_random_percent(random, 30);
    random_edges(random, c);
    is_regular = !has(c, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED);
    for (uint32_t i = 0; i < RANKS; i++) {
        for (uint32_t j = 0; j < RANKS; j++) {
            c->sent[i][j] = base;
            if (!is_regular && c->op != ORK_COLL_REDUCE_SCATTER)
                c->sent[i][j].count = wfg_random_below(random, 3);
            if (!is_regular && c->op == ORK_COLL_REDUCE_SCATTER)
                c->sent[i][j].count = i == 0 ? wfg_random_below(random, 3) : c->sent[0][j].count;
        }
        make_row(c->sent[i], has(c, ORK_COUNTS_SENT), has(c, ORK_HAS_TYPES));
    }
    for (uint32_t i = 0; i < RANKS; i++) {
        for (uint32_t j = 0; j < RANKS; j++)
            c->received[j][i] = c->sent[i][j];
    }
    if (c->op == ORK_COLL_BCAST) {
        for (uint32_t j = 0; j < RANKS; j++)
            c->sent[j][0] = base;
    }
    for (uint32_t n = wfg_random_below(random, 3); n > 0; n--) { /* mistakes, or the same again */
        struct amount *row = wfg_random_percent(random, 50)
                                 ? c->sent[wfg_random_below(random, c->ranks)]
                                 : c->received[wfg_random_below(random, c->ranks)];
        row[wfg_random_below(random, c->ranks)] = random_amount(random);
    }
    for (uint32_t i = 0; i < RANKS; i++) {
        make_row(c->sent[i], has(c, ORK_COUNTS_SENT), has(c, ORK_HAS_TYPES));
        make_row(c->received[i], has(c, ORK_COUNTS_RECEIVED), has(c, ORK_HAS_TYPES));
    }
}

/* ---- every pair ---- */

static bool is_root(const struct call *c, uint32_t rank)
{
    return rank == c->root;
}

static bool sends(const struct call *c, uint32_t rank)
{
    enum ork_coll_exchange exchange = ork_coll_exchange(c->op);

    if (exchange == ORK_EXCHANGE_FROM_ROOT)
        return is_root(c, rank);
    return exchange != ORK_EXCHANGE_TO_ROOT || !is_root(c, rank) || !c->in_place;
}

static bool receives(const struct call *c, uint32_t rank)
{
    enum ork_coll_exchange exchange = ork_coll_exchange(c->op);

    if (exchange == ORK_EXCHANGE_TO_ROOT)
        return is_root(c, rank);
    return exchange != ORK_EXCHANGE_FROM_ROOT || !is_root(c, rank) ||
           (!c->in_place && c->op != ORK_COLL_BCAST);
}

static bool is_among_all(const struct call *c)
{
    return ork_coll_exchange(c->op) == ORK_EXCHANGE_AMONG_ALL;
}

/* Which block of several edges is for which is not defined. */
static bool is_compared(const struct call *c, uint32_t from, uint32_t to)
{
    if (is_among_neighbors(c))
        return c->edges[from][to] == 1 ||
               (c->edges[from][to] > 1 && !has(c, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED));
    return sends(c, from) && receives(c, to);
}

static struct amount sent(const struct call *c, uint32_t from, uint32_t to)
{
    if (c->in_place && is_among_all(c))
        return c->received[from][c->op == ORK_COLL_ALLGATHERV ? from : to];
    return c->sent[from][to];
}

static struct amount received(const struct call *c, uint32_t by, uint32_t from)
{
    return c->op == ORK_COLL_BCAST ? c->sent[by][0] : c->received[by][from];
}

static bool differ(struct amount a, struct amount b)
{
    return a.count != b.count || (a.type != b.type && a.count > 0);
}

static bool is_wrong(const struct call *c)
{
    bool is_combined = ork_coll_exchange(c->op) == ORK_EXCHANGE_COMBINED;

    for (uint32_t i = 0; i < c->ranks; i++) {
        for (uint32_t j = 0; j < c->ranks; j++) {
            for (uint32_t k = 0; k < c->ranks && is_combined; k++) {
                if (differ(c->sent[i][k], c->sent[j][k]))
                    return true;
            }
            if (!is_combined && is_compared(c, i, j) && differ(sent(c, i, j), received(c, j, i)))
                return true;
        }
    }
    return false;
}

/* ---- records ---- */

/* The ranks that a rank sends to, or receives from, in a fixed order; an edge is one. */
static uint32_t others_of(const struct call *c, uint32_t rank, bool is_received,
                          uint32_t other[EDGES])
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < c->ranks; k++) {
        uint32_t i = is_received && is_among_neighbors(c) ? c->ranks - 1 - k : k;
        uint32_t times = !is_among_neighbors(c) ? 1
                         : is_received          ? c->edges[i][rank]
                                                : c->edges[rank][i];
        while (times-- > 0)
            other[n++] = i;
    }
    return n;
}

static void put_side(const struct call *c, uint32_t rank, bool is_received, uint32_t *list,
                     uint32_t *count)
{
    const struct amount *row = is_received ? c->received[rank] : c->sent[rank];
    uint32_t other[EDGES];
    uint32_t n = others_of(c, rank, is_received, other);

    for (uint32_t i = 0; i < n; i++) {
        list[(*count)++] = row[other[i]].count * (has(c, ORK_HAS_TYPES) ? 4 : 1);
        if (has(c, ORK_HAS_TYPES))
            list[(*count)++] = row[other[i]].type;
    }
}

static struct ork_record record_of(const struct call *c, uint32_t rank, uint32_t list[WORDS])
{
    uint64_t blocks = c->op == ORK_COLL_ALLTOALL ? c->ranks : 1;
    bool has_root = ork_coll_exchange(c->op) == ORK_EXCHANGE_FROM_ROOT ||
                    ork_coll_exchange(c->op) == ORK_EXCHANGE_TO_ROOT;
    bool is_sent = (sends(c, rank) || c->op == ORK_COLL_BCAST) && !(c->in_place && is_among_all(c));
    bool is_received = receives(c, rank) && c->op != ORK_COLL_BCAST &&
                       ork_coll_exchange(c->op) != ORK_EXCHANGE_COMBINED;
    struct ork_record r = {.kind = ORK_KIND_COLL,
                           .mode = (uint16_t)c->op,
                           .peer = has_root ? (int32_t)c->root : ORK_NO_PEER,
                           .request = c->has_request ? 0 : ORK_REQUEST_NULL};

    r.flags =
        (uint8_t)((c->has_request ? ORK_F_NONBLOCKING : 0) | (c->in_place ? ORK_F_IN_PLACE : 0) |
                  (is_sent ? ORK_F_SENDS : 0) | (is_received ? ORK_F_RECEIVES : 0));
    if (is_sent) {
        r.arg2 = c->sent[rank][0].type;
        r.bytes = c->sent[rank][0].count * 4 * blocks;
        r.tag = has(c, ORK_COUNTS_SENT) ? 4 : 0;
    }
    if (is_received) {
        r.peer2 = (int32_t)c->received[rank][0].type;
        r.extra = c->received[rank][0].count * 4 * blocks;
        r.tag2 = has(c, ORK_COUNTS_RECEIVED) ? 4 : 0;
    }
    if (is_sent && has(c, ORK_COUNTS_SENT))
        put_side(c, rank, false, list, &r.count);
    if (is_received && has(c, ORK_COUNTS_RECEIVED))
        put_side(c, rank, true, list, &r.count);
    return r;
}

/* With its list. */
static bool feed_record(struct ork_detector *d, uint32_t rank, const struct ork_record *first,
                        const uint32_t *list)
{
    struct ork_record record[1 + (WORDS + ORK_CONT_WORDS - 1) / ORK_CONT_WORDS];
    size_t n = 1;

    record[0] = *first;
    for (uint32_t done = 0; done < record[0].count; done += ORK_CONT_WORDS) {
        uint32_t left = record[0].count - done;
        struct ork_cont cont = {.kind = ORK_KIND_CONT,
                                .words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS)};
        memcpy(cont.word, list + done, cont.words * sizeof(*list));
        memcpy(&record[n++], &cont, sizeof(cont));
    }
    return ork_detector_feed(d, rank, record, n) == ORK_OK;
}

static bool feed_neighbors(struct ork_detector *d, const struct call *c, uint32_t rank)
{
    uint32_t list[2 * EDGES];
    uint32_t sources = others_of(c, rank, true, list);
    uint32_t destinations = others_of(c, rank, false, list + sources);
    struct ork_record r = {
        .kind = ORK_KIND_NEIGHBORS, .arg = sources, .count = sources + destinations};

    return feed_record(d, rank, &r, list);
}

static bool feed(struct ork_detector *d, const struct call *c, uint32_t rank)
{
    uint32_t list[WORDS];
    struct ork_record r = record_of(c, rank, list);

    return feed_record(d, rank, &r, list);
}

/* All at once, as an inner node of the tree passes them on. */
static bool feed_bulk(struct ork_detector *d, const struct call *c)
{
    struct ork_group_record group[RANKS];
    struct ork_span span[RANKS];
    uint32_t list[WORDS];

    for (uint32_t i = 0; i < c->ranks; i++) {
        span[i] = (struct ork_span){i, 1};
        group[i] = (struct ork_group_record){record_of(c, i, list), &span[i], 1};
    }
    return ork_detector_feed_bulk(d, group, c->ranks) == ORK_OK;
}

static bool feed_all(struct ork_detector *d, const struct call *c, struct wfg_random *random)
{
    uint32_t first = wfg_random_below(random, c->ranks);
    uint32_t step = c->ranks > 1 && wfg_random_percent(random, 50) ? c->ranks - 1 : 1;

    for (uint32_t i = 0; i < c->ranks && is_among_neighbors(c); i++) {
        if (!feed_neighbors(d, c, i))
            return false;
    }
    if (!c->has_request && !has(c, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED) &&
        wfg_random_percent(random, 40))
        return feed_bulk(d, c);
    for (uint32_t i = 0; i < c->ranks; i++) {
        if (!feed(d, c, (first + i * step) % c->ranks))
            return false;
    }
    return true;
}

static const char *check(uint64_t seed, uint64_t *wrong)
{
    struct wfg_random random = {seed};
    struct ork_detector *d;
    struct call c;
    const char *problem = NULL;

    random_call(&random, &c);
    if (ork_detector_create(c.ranks, &d) != ORK_OK)
        return "out of memory";
    if (!feed_all(d, &c, &random))
        problem = "the records were refused";
    else if (is_wrong(&c) && ork_detector_num_issues(d) == 0)
        problem = "a difference was missed";
    else if (!is_wrong(&c) && ork_detector_num_issues(d) > 0)
        problem = "a difference was found where there is none";
    *wrong += is_wrong(&c);
    ork_detector_destroy(d);
    if (problem != NULL)
        printf("%s, %u ranks, root %u%s%s: ", ork_coll_name(c.op), c.ranks, c.root,
               c.in_place ? ", in place" : "", c.has_request ? ", nonblocking" : "");
    return problem;
}

int main(int argc, char **argv)
{
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t calls = wfg_random_argument(argc, argv, 2, CALLS);
    uint64_t wrong = 0;

    for (uint64_t i = 0; i < (calls = within_budget(i, calls)); i++) {
        const char *problem = check(seed + i, &wrong);
        if (problem != NULL) {
            printf("%s (seed %" PRIu64 ")\n", problem, seed + i);
            return 1;
        }
    }
    printf("%" PRIu64 " calls, %" PRIu64 " of them wrong\n", calls, wrong);
    return wrong > 0 && wrong < calls ? 0 : 1;
}
