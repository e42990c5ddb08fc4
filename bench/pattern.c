/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/pattern.h"

#include <stdbool.h>
#include <string.h>

enum { ROW = 16, GROUP = 8, COMM_ROW = 2, SHIFTS_MAX = 3, TAGS = 1000, PLANES = 4 };

static const struct {
    const char *name;
    uint32_t records, skew;
} patterns[NUM_PATTERNS] = {
    [PATTERN_HALO] = {"halo", 10, 4},
    [PATTERN_RING] = {"ring", 1, 8},
    [PATTERN_ALL_TO_ALL] = {"all-to-all", 1, 8},
    [PATTERN_FARM] = {"farm", 5, 4},
    [PATTERN_COLLECTIVES] = {"collectives", 1, 1},
    [PATTERN_RANDOM] = {"random", 4, 4},
    [PATTERN_HALO_SUM] = {"halo-sum", 11, 1},
    [PATTERN_WAVEFRONT] = {"wavefront", 8 * PLANES, 1},
    [PATTERN_ROW_SUMS] = {"row-sums", 20, 4},
};

const char *pattern_name(enum pattern pattern)
{
    return pattern < NUM_PATTERNS ? patterns[pattern].name : NULL;
}

enum pattern pattern_of_name(const char *name)
{
    unsigned p = 0;

    while (p < NUM_PATTERNS && strcmp(patterns[p].name, name) != 0)
        p++;
    return (enum pattern)p;
}

uint32_t pattern_records(enum pattern pattern)
{
    return patterns[pattern].records;
}

uint32_t pattern_skew(enum pattern pattern)
{
    return patterns[pattern].skew;
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
uint64_t pattern_mix(uint64_t seed, uint64_t number)
{
    uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* ---- records ---- */

static void put(struct step *s, struct ork_record record)
{
    s->record[s->count++] = record;
}

/* `record` and its list, which fits into one continuation. */
static void put_list(struct step *s, struct ork_record record, const uint32_t *word, uint32_t count)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)count};

    record.count = count;
    put(s, record);
    memcpy(cont.word, word, count * sizeof(*word));
    memcpy(&s->record[s->count++], &cont, sizeof(cont));
}

static struct ork_record started(enum ork_kind kind, uint32_t site, int32_t peer, int32_t tag,
                                 uint32_t request)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .flags = ORK_F_NONBLOCKING,
                               .site = site,
                               .peer = peer,
                               .tag = tag,
                               .request = request,
                               .bytes = 1024};
}

static struct ork_record blocking(enum ork_kind kind, uint32_t site, int32_t peer, int32_t tag)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .site = site,
                               .peer = peer,
                               .tag = tag,
                               .request = ORK_REQUEST_NULL,
                               .bytes = 8};
}

static void put_wait(struct step *s, uint32_t site, uint32_t count)
{
    uint32_t request[ORK_CONT_WORDS];

    for (uint32_t i = 0; i < count; i++)
        request[i] = i;
    put_list(
        s,
        (struct ork_record){
            .kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ALL, .site = site, .request = ORK_REQUEST_NULL},
        request, count);
}

static void put_sendrecv(struct step *s, uint32_t site, uint32_t to, uint32_t from, int32_t tag)
{
    put(s, (struct ork_record){.kind = ORK_KIND_SENDRECV,
                               .site = site,
                               .peer = (int32_t)to,
                               .tag = tag,
                               .peer2 = (int32_t)from,
                               .tag2 = tag,
                               .request = ORK_REQUEST_NULL,
                               .bytes = 1024});
}

static void put_coll(struct step *s, uint32_t site, uint32_t comm, enum ork_coll coll, int32_t root)
{
    put(s, (struct ork_record){.kind = ORK_KIND_COLL,
                               .mode = (uint16_t)coll,
                               .site = site,
                               .comm = comm,
                               .peer = root,
                               .request = ORK_REQUEST_NULL,
                               .arg = coll == ORK_COLL_ALLREDUCE || coll == ORK_COLL_REDUCE,
                               .bytes = 8});
}

static void put_any_receive(struct step *s, uint32_t site, uint32_t source, int32_t tag)
{
    put(s, blocking(ORK_KIND_RECV, site, ORK_ANY_SOURCE, tag));
    put(s, blocking(ORK_KIND_EXIT, site, (int32_t)source, tag));
}

/* ---- patterns ---- */

static uint32_t right_of(const struct program *p, uint32_t rank, uint32_t distance)
{
    return (rank + distance) % p->ranks;
}

static uint32_t left_of(const struct program *p, uint32_t rank, uint32_t distance)
{
    return (rank + p->ranks - distance) % p->ranks;
}

static void halo(const struct program *p, uint32_t rank, struct step *s)
{
    const uint32_t peer[4] = {right_of(p, rank, 1), left_of(p, rank, 1), right_of(p, rank, 2),
                              left_of(p, rank, 2)};

    for (uint32_t i = 0; i < 4; i++)
        put(s, started(ORK_KIND_RECV, 1, (int32_t)peer[i], 0, i));
    for (uint32_t i = 0; i < 4; i++)
        put(s, started(ORK_KIND_SEND, 2, (int32_t)peer[i], 0, 4 + i));
    put_wait(s, 3, 8);
}

/* The smallest number whose square is not below the number of ranks. */
static uint32_t columns_of(const struct program *p)
{
    uint32_t columns = 1;

    while (columns * columns < p->ranks)
        columns++;
    return columns;
}

/* Planes from the neighbours `from`, changed and sent to those in `to`; -1: there is none. */
static void sweep(const int32_t from[2], const int32_t to[2], uint32_t site, struct step *s)
{
    for (int plane = 0; plane < PLANES; plane++) {
        for (uint32_t i = 0; i < 2; i++) {
            if (from[i] >= 0)
                put(s, blocking(ORK_KIND_RECV, site + i, from[i], 0));
        }
        for (uint32_t i = 0; i < 2; i++) {
            if (to[i] >= 0)
                put(s, blocking(ORK_KIND_SEND, site + 2 + i, to[i], 0));
        }
    }
}

static void wavefront(const struct program *p, uint32_t rank, struct step *s)
{
    const uint32_t columns = columns_of(p), column = rank % columns;
    const bool has_east = column + 1 < columns && rank + 1 < p->ranks;
    const int32_t before[2] = {rank >= columns ? (int32_t)(rank - columns) : -1,
                               column > 0 ? (int32_t)rank - 1 : -1};
    const int32_t after[2] = {rank + columns < p->ranks ? (int32_t)(rank + columns) : -1,
                              has_east ? (int32_t)rank + 1 : -1};

    sweep(before, after, 1, s);
    sweep(after, before, 5, s);
}

static void exchange(uint32_t site, uint32_t other, struct step *s)
{
    const uint32_t request = 0;

    put(s, started(ORK_KIND_RECV, site, (int32_t)other, 0, request));
    put(s, blocking(ORK_KIND_SEND, site + 1, (int32_t)other, 0));
    put_list(s,
             (struct ork_record){.kind = ORK_KIND_WAIT,
                                 .mode = ORK_WAIT_ONE,
                                 .site = site + 2,
                                 .request = ORK_REQUEST_NULL},
             &request, 1);
}

static void row_sums(const struct program *p, uint32_t rank, struct step *s)
{
    for (uint32_t bit = 1; bit < ROW; bit *= 2) {
        if ((rank ^ bit) < p->ranks)
            exchange(1, rank ^ bit, s);
    }
    if (p->ranks - 1 - rank != rank)
        exchange(4, p->ranks - 1 - rank, s);
}

static void all_to_all(const struct program *p, uint32_t rank, uint64_t number, struct step *s)
{
    uint32_t distance = 1 + (uint32_t)(number % (p->ranks - 1));

    put_sendrecv(s, 1, right_of(p, rank, distance), left_of(p, rank, distance), 0);
}

static void put_collective(const struct program *p, uint64_t number, uint32_t comm, struct step *s)
{
    static const enum ork_coll without[] = {ORK_COLL_BARRIER, ORK_COLL_ALLREDUCE,
                                            ORK_COLL_ALLGATHER, ORK_COLL_ALLTOALL};
    static const enum ork_coll rooted[] = {ORK_COLL_BCAST, ORK_COLL_REDUCE, ORK_COLL_GATHER};
    uint64_t draw = pattern_mix(p->seed, number);
    uint32_t root = (uint32_t)(draw >> 32) % (comm == ORK_COMM_WORLD ? p->ranks : ROW);

    if (draw % 2 == 0)
        put_coll(s, 10 + (uint32_t)(draw / 2 % 4), comm, without[draw / 2 % 4], ORK_NO_PEER);
    else
        put_coll(s, 20 + (uint32_t)(draw / 2 % 3), comm, rooted[draw / 2 % 3], (int32_t)root);
}

/* Every fourth is of the rows, if they all have as many ranks. */
static void collectives(const struct program *p, uint64_t number, struct step *s)
{
    bool of_rows = p->ranks % ROW == 0 && number % 4 == 3;

    put_collective(p, number, of_rows ? COMM_ROW : ORK_COMM_WORLD, s);
}

/* Up to three neighbours at distances that change. */
static void random_halo(const struct program *p, uint32_t rank, uint64_t draw, int32_t tag,
                        struct step *s)
{
    uint32_t shifts = 1 + (uint32_t)(draw % SHIFTS_MAX);
    uint32_t distance[SHIFTS_MAX];

    for (uint32_t i = 0; i < shifts; i++) {
        distance[i] = 1 + (uint32_t)(pattern_mix(draw, i) % (p->ranks - 1));
        put(s, started(ORK_KIND_RECV, 30, (int32_t)left_of(p, rank, distance[i]), tag, i));
    }
    for (uint32_t i = 0; i < shifts; i++)
        put(s,
            started(ORK_KIND_SEND, 31, (int32_t)right_of(p, rank, distance[i]), tag, shifts + i));
    put_wait(s, 32, 2 * shifts);
}

/* Pairs whose numbers differ in one bit; the lower one sends first. */
static void random_pairs(const struct program *p, uint32_t rank, uint64_t draw, int32_t tag,
                         struct step *s)
{
    uint32_t other = rank ^ (1u << draw % 14);

    if (other >= p->ranks)
        return;
    for (int turn = 0; turn < 2; turn++) {
        bool sends = (turn == 0) == (rank < other);
        put(s,
            blocking(sends ? ORK_KIND_SEND : ORK_KIND_RECV, sends ? 33 : 34, (int32_t)other, tag));
    }
}

/* The first of each group takes a message of each other one, of any source, in any order. */
static void random_gather(const struct program *p, uint32_t rank, uint64_t draw, int32_t tag,
                          struct step *s)
{
    uint32_t first = rank / GROUP * GROUP;
    uint32_t members = p->ranks - first < GROUP ? p->ranks - first : GROUP;
    uint32_t turn = (uint32_t)(pattern_mix(draw, first) % GROUP);

    if (rank != first) {
        put(s, blocking(ORK_KIND_SEND, 35, (int32_t)first, tag));
        return;
    }
    for (uint32_t i = 0; i + 1 < members; i++)
        put_any_receive(s, 36, first + 1 + (i + turn) % (members - 1), tag);
}

/* A message to the right, of which the receiver asks from whom it is only when it has it. */
static void random_wildcard(const struct program *p, uint32_t rank, int32_t tag, struct step *s)
{
    const uint32_t taken[3] = {0, left_of(p, rank, 1), (uint32_t)tag};
    const uint32_t request = 0;

    put(s, started(ORK_KIND_RECV, 37, ORK_ANY_SOURCE, tag, request));
    put(s, blocking(ORK_KIND_SEND, 38, (int32_t)right_of(p, rank, 1), tag));
    put_list(
        s,
        (struct ork_record){
            .kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE, .site = 39, .request = ORK_REQUEST_NULL},
        &request, 1);
    put_list(s, blocking(ORK_KIND_EXIT, 39, 0, 0), taken, 3);
}

static void any_of_these(const struct program *p, uint32_t rank, uint64_t number, struct step *s)
{
    uint64_t draw = pattern_mix(p->seed, number);
    int32_t tag = 1 + (int32_t)(number % TAGS); /* 0: of all_to_all() */

    switch (draw % 6) {
    case 0:
        random_halo(p, rank, draw / 6, tag, s);
        break;
    case 1:
        random_pairs(p, rank, draw / 6, tag, s);
        break;
    case 2:
        random_gather(p, rank, draw / 6, tag, s);
        break;
    case 3:
        random_wildcard(p, rank, tag, s);
        break;
    case 4:
        all_to_all(p, rank, draw / 6, s);
        break;
    default:
        put_collective(p, number, ORK_COMM_WORLD, s);
        break;
    }
}

/* ---- one step ---- */

static void make_rows(uint32_t rank, struct step *s)
{
    const uint32_t run[3] = {rank / ROW * ROW, 1, ROW};

    put_coll(s, 2, ORK_COMM_WORLD, ORK_COLL_COMM_SPLIT, ORK_NO_PEER);
    put_list(s,
             (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                 .mode = ORK_COLL_COMM_SPLIT,
                                 .site = 2,
                                 .comm = COMM_ROW,
                                 .arg = ORK_COMM_WORLD,
                                 .arg2 = 1,
                                 .tag2 = (int32_t)(rank / ROW)},
             run, 3);
}

void pattern_open(const struct program *p, uint32_t rank, struct step *s)
{
    s->count = 0;
    put(s, (struct ork_record){.kind = ORK_KIND_JOB,
                               .request = ORK_REQUEST_NULL,
                               .peer = (int32_t)rank,
                               .arg2 = p->ranks});
    put(s, (struct ork_record){.kind = ORK_KIND_INIT,
                               .request = ORK_REQUEST_NULL,
                               .site = 1,
                               .peer = (int32_t)rank,
                               .arg2 = p->ranks,
                               .bytes = rank + 1});
    if (p->pattern == PATTERN_COLLECTIVES && p->ranks % ROW == 0)
        make_rows(rank, s);
}

void pattern_step(const struct program *p, uint32_t rank, uint64_t number, struct step *s)
{
    s->count = 0;
    switch (p->pattern) {
    case PATTERN_HALO:
        halo(p, rank, s);
        break;
    case PATTERN_HALO_SUM:
        halo(p, rank, s);
        put_coll(s, 4, ORK_COMM_WORLD, ORK_COLL_ALLREDUCE, ORK_NO_PEER);
        break;
    case PATTERN_WAVEFRONT:
        wavefront(p, rank, s);
        break;
    case PATTERN_ROW_SUMS:
        row_sums(p, rank, s);
        break;
    case PATTERN_RING:
        put_sendrecv(s, 1, right_of(p, rank, 1), left_of(p, rank, 1), 0);
        break;
    case PATTERN_ALL_TO_ALL:
        all_to_all(p, rank, number, s);
        break;
    case PATTERN_COLLECTIVES:
        collectives(p, number, s);
        break;
    case PATTERN_RANDOM:
        any_of_these(p, rank, number, s);
        break;
    case PATTERN_FARM:
    case NUM_PATTERNS:
        break;
    }
}

void pattern_close(struct step *s)
{
    s->count = 0;
    put(s, (struct ork_record){.kind = ORK_KIND_FINALIZE, .request = ORK_REQUEST_NULL, .site = 3});
}

void pattern_work(struct step *s)
{
    s->count = 0;
    put(s, blocking(ORK_KIND_SEND, 1, 0, 1));
    put(s, blocking(ORK_KIND_RECV, 2, 0, 2));
}

void pattern_serve(uint32_t worker, struct step *s)
{
    s->count = 0;
    put_any_receive(s, 1, worker, 1);
    put(s, blocking(ORK_KIND_SEND, 2, (int32_t)worker, 2));
}
