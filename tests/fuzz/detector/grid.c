/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/grid.h"

#include <string.h>

enum { ROW = 2, COLUMN = 3, DUPLICATE = 4, MAX_PHASES = 14 };

struct maker {
    struct grid *g;
    struct wfg_random *random;
    uint32_t site; /* of the phase */
    bool has_duplicate;
};

static void put(struct maker *m, uint32_t rank, struct ork_record rec)
{
    if (m->g->count[rank] == GRID_RECORDS)
        return;
    if (rec.site == 0)
        rec.site = m->site;
    m->g->record[rank][m->g->count[rank]++] = rec;
}

/* A record with a list of up to 15 words. */
static void put_list(struct maker *m, uint32_t rank, struct ork_record rec, uint32_t count,
                     const uint32_t *list)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)count};
    struct ork_record raw;

    rec.count = count;
    memcpy(cont.word, list, count * sizeof(*list));
    memcpy(&raw, &cont, sizeof(raw));
    raw.site = count > 0 ? raw.site : 0;
    put(m, rank, rec);
    if (m->g->count[rank] < GRID_RECORDS)
        m->g->record[rank][m->g->count[rank]++] = raw;
}

static struct ork_record collective(enum ork_coll coll, uint32_t comm, int32_t root)
{
    return (struct ork_record){.kind = ORK_KIND_COLL,
                               .mode = (uint16_t)coll,
                               .comm = comm,
                               .peer = root,
                               .request = ORK_REQUEST_NULL,
                               .bytes = 8};
}

static struct ork_record message(enum ork_kind kind, int32_t peer, int32_t tag)
{
    return (struct ork_record){
        .kind = (uint8_t)kind, .peer = peer, .tag = tag, .request = ORK_REQUEST_NULL, .bytes = 8};
}

static struct ork_record started(enum ork_kind kind, int32_t peer, int32_t tag, uint32_t request)
{
    struct ork_record rec = message(kind, peer, tag);

    rec.flags = ORK_F_NONBLOCKING;
    rec.request = request;
    return rec;
}

static void put_wait(struct maker *m, uint32_t rank, uint32_t request)
{
    put_list(m, rank,
             (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ALL, .peer = ORK_NO_PEER},
             1, &request);
}

/* ---- communicators ---- */

static void define(struct maker *m, uint32_t rank, uint32_t comm, uint32_t first, uint32_t stride,
                   uint32_t count)
{
    const uint32_t run[3] = {first, stride, count};
    struct ork_record def = {
        .kind = ORK_KIND_COMM_DEF, .mode = ORK_COLL_COMM_SPLIT, .comm = comm, .arg2 = 1};

    put(m, rank, collective(ORK_COLL_COMM_SPLIT, ORK_COMM_WORLD, ORK_NO_PEER));
    put_list(m, rank, def, 3, run);
}

static void split(struct maker *m)
{
    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        define(m, r, ROW, r / GRID_COLUMNS * GRID_COLUMNS, 1, GRID_COLUMNS);
        define(m, r, COLUMN, r % GRID_COLUMNS, GRID_COLUMNS, GRID_ROWS);
    }
}

static void duplicate(struct maker *m)
{
    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        put(m, r, collective(ORK_COLL_COMM_DUP, ORK_COMM_WORLD, ORK_NO_PEER));
        put(m, r,
            (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                .flags = ORK_F_SAME_GROUP,
                                .mode = ORK_COLL_COMM_DUP,
                                .comm = DUPLICATE});
    }
    m->has_duplicate = true;
}

static void free_duplicate(struct maker *m)
{
    for (uint32_t r = 0; r < GRID_RANKS; r++)
        put(m, r, collective(ORK_COLL_COMM_FREE, DUPLICATE, ORK_NO_PEER));
    m->has_duplicate = false;
}

/* ---- phases ---- */

static uint32_t position_in(uint32_t comm, uint32_t rank)
{
    return comm == ROW ? rank % GRID_COLUMNS : comm == COLUMN ? rank / GRID_COLUMNS : rank;
}

static void call_together(struct maker *m)
{
    static const enum ork_coll coll[] = {ORK_COLL_BARRIER, ORK_COLL_BCAST, ORK_COLL_ALLREDUCE,
                                         ORK_COLL_REDUCE, ORK_COLL_NEIGHBOR_ALLTOALLW};
    enum ork_coll which = coll[wfg_random_below(m->random, 5)];
    uint32_t comm = m->has_duplicate && wfg_random_percent(m->random, 30)
                        ? DUPLICATE
                        : wfg_random_below(m->random, 4); /* MPI_COMM_SELF too */
    bool rooted = which == ORK_COLL_BCAST || which == ORK_COLL_REDUCE;
    uint32_t root = rooted ? wfg_random_below(m->random, comm == ORK_COMM_SELF ? 1 : GRID_ROWS) : 0;
    bool differs = wfg_random_percent(m->random, 5); /* rank 0 makes another call */
    uint32_t alone =
        wfg_random_percent(m->random, 20) ? wfg_random_below(m->random, 3) : UINT32_MAX;

    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        struct ork_record rec = collective(which, comm, rooted ? (int32_t)root : ORK_NO_PEER);
        if (rooted && position_in(comm, r) == root)
            rec.site = m->site + 1000;
        if (which == ORK_COLL_ALLREDUCE)
            rec.arg = r % 5 == 0 ? 0 : 3;
        if (differs && r == 0)
            rec.mode = ORK_COLL_SCAN;
        if (comm != ROW || alone == UINT32_MAX || r / GRID_COLUMNS == alone)
            put(m, r, rec);
    }
}

static void shift(struct maker *m)
{
    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        struct ork_record rec =
            message(ORK_KIND_SENDRECV, (int32_t)((r + 1) % GRID_RANKS), (int32_t)m->site);
        rec.peer2 = (int32_t)((r + GRID_RANKS - 1) % GRID_RANKS);
        rec.tag2 = (int32_t)m->site;
        put(m, r, rec);
    }
}

/* Messages that are under way during a collective call. */
static void overlap(struct maker *m)
{
    bool any = wfg_random_percent(m->random, 30);
    bool late = wfg_random_percent(m->random, 50);

    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        int32_t to = (int32_t)((r + 1) % GRID_RANKS);
        int32_t from = any ? ORK_ANY_SOURCE : (int32_t)((r + GRID_RANKS - 1) % GRID_RANKS);
        put(m, r, started(ORK_KIND_RECV, from, (int32_t)m->site, 0));
        if (!late)
            put(m, r, started(ORK_KIND_SEND, to, (int32_t)m->site, 1));
    }
    call_together(m);
    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        if (late)
            put(m, r, started(ORK_KIND_SEND, (int32_t)((r + 1) % GRID_RANKS), (int32_t)m->site, 1));
        put_wait(m, r, 0);
        if (any) {
            const uint32_t outcome[3] = {0, (r + GRID_RANKS - 1) % GRID_RANKS, m->site};
            put_list(m, r, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER}, 3,
                     outcome);
        }
        put_wait(m, r, 1);
    }
}

/* All send to rank 0, which takes them in some order. */
static void collect(struct maker *m)
{
    uint32_t first = wfg_random_below(m->random, GRID_RANKS);

    for (uint32_t i = 0; i < GRID_RANKS; i++) {
        uint32_t r = (first + i) % GRID_RANKS;
        if (r == 0)
            continue;
        put(m, r, message(ORK_KIND_SEND, 0, 1));
        put(m, 0, message(ORK_KIND_RECV, ORK_ANY_SOURCE, 1));
        put(m, 0, message(ORK_KIND_EXIT, (int32_t)r, 1));
    }
}

static void start_barrier(struct maker *m)
{
    for (uint32_t r = 0; r < GRID_RANKS; r++) {
        struct ork_record rec = collective(ORK_COLL_BARRIER, ROW, ORK_NO_PEER);
        rec.flags = ORK_F_NONBLOCKING;
        rec.request = 2;
        put(m, r, rec);
    }
    if (wfg_random_percent(m->random, 50))
        call_together(m);
    for (uint32_t r = 0; r < GRID_RANKS; r++)
        put_wait(m, r, 2);
}

static void second_thread(struct maker *m)
{
    uint32_t rank = wfg_random_below(m->random, GRID_RANKS);
    struct ork_record rec = collective(ORK_COLL_BARRIER, ORK_COMM_SELF, ORK_NO_PEER);

    rec.thread = 1;
    put(m, rank, rec);
}

static void fail_once(struct maker *m)
{
    uint32_t rank = wfg_random_below(m->random, GRID_RANKS);

    put(m, rank,
        (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR, .peer = ORK_NO_PEER});
}

static void phase(struct maker *m)
{
    m->site++;
    switch (wfg_random_below(m->random, 40)) {
    case 0:
    case 1:
    case 2:
        shift(m);
        break;
    case 3:
    case 4:
    case 5:
        overlap(m);
        break;
    case 6:
        collect(m);
        break;
    case 7:
    case 8:
        start_barrier(m);
        break;
    case 9:
    case 10:
    case 11:
        if (m->has_duplicate)
            free_duplicate(m);
        else
            duplicate(m);
        break;
    case 12:
        if (wfg_random_percent(m->random, 20))
            second_thread(m);
        break;
    case 13:
        fail_once(m);
        break;
    default:
        call_together(m);
        break;
    }
}

/* The same calls at the same places, again and again. */
static void loop(struct maker *m)
{
    const uint32_t laps = 2 + wfg_random_below(m->random, 3);
    const struct wfg_random begin = *m->random;
    const uint32_t site = m->site;

    for (uint32_t i = 0; i < laps; i++) {
        *m->random = begin;
        m->site = site;
        uint32_t phases = 1 + wfg_random_below(m->random, 3);
        for (uint32_t k = 0; k < phases; k++)
            phase(m);
    }
}

/* ---- disturbances ---- */

static void drop_one(struct maker *m)
{
    uint32_t r = wfg_random_below(m->random, GRID_RANKS);
    struct ork_record *rec = m->g->record[r];
    unsigned at = wfg_random_below(m->random, m->g->count[r]);

    memmove(rec + at, rec + at + 1, (m->g->count[r] - at - 1) * sizeof(*rec));
    m->g->count[r]--;
}

static void change_one(struct maker *m)
{
    static const uint32_t value[] = {0, 1, 2, 3, 4, 5, 11, 12, UINT32_MAX, UINT32_MAX - 1};
    uint32_t r = wfg_random_below(m->random, GRID_RANKS);
    struct ork_record *rec = &m->g->record[r][wfg_random_below(m->random, m->g->count[r])];
    uint32_t which = wfg_random_below(m->random, 18);
    uint32_t to = value[wfg_random_below(m->random, sizeof(value) / sizeof(*value))];
    uint32_t field = 0;

#define ORK_FIELD(type, name)                                                                      \
    if (field++ == which)                                                                          \
        rec->name = (type)to;
#include "record/fields.def"
#undef ORK_FIELD
}

void grid_random(struct wfg_random *random, struct grid *g)
{
    struct maker m = {.g = g, .random = random};
    uint32_t phases = 1 + wfg_random_below(random, MAX_PHASES);

    memset(g->count, 0, sizeof(g->count));
    for (uint32_t r = 0; r < GRID_RANKS; r++)
        put(&m, r, (struct ork_record){.kind = ORK_KIND_INIT});
    split(&m);
    for (uint32_t i = 0; i < phases; i++) {
        if (wfg_random_percent(random, 20))
            loop(&m);
        else
            phase(&m);
    }
    m.site++;
    for (uint32_t r = 0; r < GRID_RANKS; r++)
        put(&m, r, (struct ork_record){.kind = ORK_KIND_FINALIZE});
    if (wfg_random_percent(random, 15))
        drop_one(&m);
    if (wfg_random_percent(random, 15))
        change_one(&m);
}
