/* SPDX-License-Identifier: BSD-3-Clause */
/* What causality/ costs a record, and what it keeps, for kinds of program and growing numbers of
 * ranks; CSV on stdout. alternatives_scale [millions of records [program [ranks]]]; times are
 * processor time. bytes_per_rank: after the first round of the program; bytes_per_record: of those
 * after it. "exact" and "scalar" keep all that the alternatives need (ns_per_alternative: to
 * list up to 10,000 of them), "summary" is races.h with exact clocks. */
#include "bench/lazy_clocks.h"
#include "order/causality/races.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "alternatives_scale: %s failed\n", what);
    exit(EXIT_FAILURE);
}

struct run {
    struct ork_causality *causality; /* or */
    struct ork_races *races;
    uint32_t ranks;
    uint64_t records;
};

static void put(struct run *x, uint32_t rank, struct ork_record record)
{
    check((x->races != NULL ? ork_races_feed(x->races, rank, &record, 1)
                            : ork_causality_feed(x->causality, rank, &record, 1)) == ORK_OK,
          "feed");
    x->records++;
}

static void put_send(struct run *x, uint32_t rank, uint32_t to)
{
    put(x, rank, (struct ork_record){.kind = ORK_KIND_SEND, .peer = (int32_t)to, .bytes = 8});
}

/* A blocking receive, by its source or from any. */
static void put_receive(struct run *x, uint32_t rank, uint32_t from, bool any)
{
    put(x, rank,
        (struct ork_record){
            .kind = ORK_KIND_RECV, .peer = any ? ORK_ANY_SOURCE : (int32_t)from, .bytes = 8});
    if (any)
        put(x, rank, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = (int32_t)from, .extra = 1});
}

static void ring(struct run *x, bool any)
{
    for (uint32_t r = 0; r < x->ranks; r++)
        put_send(x, r, (r + 1) % x->ranks);
    for (uint32_t r = 0; r < x->ranks; r++)
        put_receive(x, r, (r + x->ranks - 1) % x->ranks, any);
}

static void ring_named(struct run *x)
{
    ring(x, false);
}

static void ring_any(struct run *x)
{
    ring(x, true);
}

/* Rank 0 gives each other rank a task when it returns one. */
static void farm(struct run *x)
{
    for (uint32_t r = 1; r < x->ranks; r++) {
        put_send(x, r, 0);
        put_receive(x, 0, r, true);
        put_send(x, 0, r);
        put_receive(x, r, 0, false);
    }
}

/* The same, and an allreduce of all ranks. */
static void farm_and_reduce(struct run *x)
{
    farm(x);
    for (uint32_t r = 0; r < x->ranks; r++)
        put(x, r,
            (struct ork_record){.kind = ORK_KIND_COLL,
                                .mode = ORK_COLL_ALLREDUCE,
                                .peer = ORK_NO_PEER,
                                .bytes = 8});
}

static const struct program {
    const char *name;
    void (*round)(struct run *x);
    uint32_t most; /* ranks with exact clocks */
} program[] = {
    {"ring", ring_named, UINT32_MAX},
    {"ring_any", ring_any, 1024},
    {"farm", farm, UINT32_MAX},
    {"farm_and_reduce", farm_and_reduce, UINT32_MAX},
};

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double in_use(void)
{
    struct mallinfo2 m = mallinfo2();

    return (double)m.uordblks + (double)m.hblkhd;
}

/* What is kept. */
struct memory {
    double start, first; /* before, and after the first round */
    uint64_t records;    /* of the first round */
};

/* Feed so many records. */
static struct memory feed(struct run *x, const struct program *p, uint64_t records, double start)
{
    struct memory m = {.start = start};

    p->round(x);
    m.first = in_use();
    m.records = x->records;
    while (x->records < records)
        p->round(x);
    return m;
}

static void print_memory(const struct run *x, const struct memory *m)
{
    uint64_t later = x->records - m->records;

    printf(",%.0f,%.0f", (m->first - m->start) / x->ranks,
           later > 0 ? (in_use() - m->first) / (double)later : 0);
}

static bool count(void *context, const struct ork_alternative *a)
{
    (void)a;
    return ++*(uint64_t *)context < 10000;
}

static void measure_summary(const struct program *p, uint32_t ranks, uint64_t records)
{
    struct run x = {.ranks = ranks};
    double before = in_use();

    check(ork_races_create(ranks, &x.races) == ORK_OK, "create");
    double start = now_ns();
    struct memory m = feed(&x, p, records, before);
    printf("%s,%u,summary,%" PRIu64 ",%.0f", p->name, ranks, x.records,
           (now_ns() - start) / (double)x.records);
    print_memory(&x, &m);
    printf(",0,0\n");
    fflush(stdout);
    ork_races_destroy(x.races);
}

static void measure(const struct program *p, uint32_t ranks, const struct clocks *clocks,
                    uint64_t records)
{
    struct run x = {.ranks = ranks};
    uint64_t alternatives = 0;
    double before = in_use();

    check(ork_causality_create_with(ranks, clocks, &x.causality) == ORK_OK, "create");
    double start = now_ns();
    struct memory m = feed(&x, p, records, before);
    double fed = now_ns();
    printf("%s,%u,%s,%" PRIu64 ",%.0f", p->name, ranks,
           clocks == &ork_clocks_exact ? "exact" : "scalar", x.records,
           (fed - start) / (double)x.records);
    print_memory(&x, &m);
    fed = now_ns();
    check(ork_causality_alternatives(x.causality, count, &alternatives) == ORK_OK, "search");
    double searched = now_ns();
    printf(",%" PRIu64 ",%.0f\n", alternatives,
           alternatives > 0 ? (searched - fed) / (double)alternatives : 0);
    fflush(stdout);
    ork_causality_destroy(x.causality);
}

int main(int argc, char **argv)
{
    uint64_t records = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 1000000;
    const char *only = argc > 2 ? argv[2] : NULL;
    uint32_t ranks = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;

    printf(
        "program,ranks,clocks,records,ns_per_record,bytes_per_rank,bytes_per_record,alternatives,"
        "ns_per_alternative\n");
    for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++) {
        for (uint32_t n = 64; n <= 16384; n *= 4) {
            if ((only != NULL && strcmp(only, program[i].name) != 0) || (ranks != 0 && ranks != n))
                continue;
            if (n <= program[i].most) {
                measure(&program[i], n, &ork_clocks_exact, records);
                measure_summary(&program[i], n, records);
            }
            measure(&program[i], n, &scalar_clocks, records);
        }
    }
    return 0;
}
