/* SPDX-License-Identifier: BSD-3-Clause */
/* How the search for deadlocks grows with the number of processes: building, searching and the
 * core, in CSV on stdout. wfg_scale [repetitions]; each figure is the median. */
#include "wfg/wfg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_REPETITIONS = 101, DEFAULT_REPETITIONS = 11 };

static void wait_for_hub(struct ork_wfg *wfg, uint32_t process, uint32_t hub)
{
    ork_wfg_begin(wfg, process);
    ork_wfg_hub(wfg, hub, 0);
    ork_wfg_end(wfg);
}

static void wait_for_process(struct ork_wfg *wfg, uint32_t process, uint32_t other)
{
    ork_wfg_begin(wfg, process);
    ork_wfg_atom(wfg, other, 0);
    ork_wfg_end(wfg);
}

/* All in a wildcard receive: one OR hub. */
static void all_wildcard(struct ork_wfg *wfg, uint32_t nprocs)
{
    uint32_t any = ork_wfg_add_hub(wfg, ORK_WFG_OR, 0);

    for (uint32_t p = 0; p < nprocs; p++) {
        ork_wfg_add_member(wfg, any, p);
        wait_for_hub(wfg, p, any);
    }
}

/* Odd ones in a wildcard receive, even ones in a barrier that the odd ones have not reached. */
static void half_half(struct ork_wfg *wfg, uint32_t nprocs)
{
    uint32_t any = ork_wfg_add_hub(wfg, ORK_WFG_OR, 0);
    uint32_t missing = ork_wfg_add_hub(wfg, ORK_WFG_AND, 0);

    for (uint32_t p = 0; p < nprocs; p++) {
        ork_wfg_add_member(wfg, any, p);
        if (p % 2 == 1)
            ork_wfg_add_member(wfg, missing, p);
        wait_for_hub(wfg, p, p % 2 == 1 ? any : missing);
    }
}

/* All in a barrier but the last one, which receives from the first. */
static void barrier_minus_one(struct ork_wfg *wfg, uint32_t nprocs)
{
    uint32_t missing = ork_wfg_add_hub(wfg, ORK_WFG_AND, 0);

    ork_wfg_add_member(wfg, missing, nprocs - 1);
    for (uint32_t p = 0; p + 1 < nprocs; p++)
        wait_for_hub(wfg, p, missing);
    wait_for_process(wfg, nprocs - 1, 0);
}

/* Even ones in one barrier, odd ones in another. */
static void two_barriers(struct ork_wfg *wfg, uint32_t nprocs)
{
    ork_wfg_add_hub(wfg, ORK_WFG_AND, 0);
    ork_wfg_add_hub(wfg, ORK_WFG_AND, 0);
    for (uint32_t p = 0; p < nprocs; p++) {
        ork_wfg_add_member(wfg, 1 - p % 2, p);
        wait_for_hub(wfg, p, p % 2);
    }
}

static void ring(struct ork_wfg *wfg, uint32_t nprocs)
{
    for (uint32_t p = 0; p < nprocs; p++)
        wait_for_process(wfg, p, (p + 1) % nprocs);
}

/* Each waits for any of the four before it; the first one runs, so all are released. */
static void released(struct ork_wfg *wfg, uint32_t nprocs)
{
    for (uint32_t p = 1; p < nprocs; p++) {
        ork_wfg_begin(wfg, p);
        ork_wfg_open(wfg, ORK_WFG_OR, 0);
        for (uint32_t distance = 1; distance <= 4; distance++)
            ork_wfg_atom(wfg, (p + nprocs - distance) % nprocs, distance);
        ork_wfg_close(wfg);
        ork_wfg_end(wfg);
    }
}

struct shape {
    const char *name;
    void (*build)(struct ork_wfg *wfg, uint32_t nprocs);
};

static const struct shape shapes[] = {
    {"all-wildcard", all_wildcard},
    {"half-wildcard-half-barrier", half_half},
    {"barrier-minus-one", barrier_minus_one},
    {"two-barriers", two_barriers},
    {"ring", ring},
    {"no-deadlock", released},
};

enum step { BUILD, SEARCH, CORE, NUM_STEPS };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what)
{
    fprintf(stderr, "wfg_scale: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static uint64_t count_arcs(const struct ork_wfg *wfg)
{
    uint64_t arcs = 0;

    for (uint32_t v = 0; v < ork_wfg_num_nodes(wfg); v++)
        arcs += ork_wfg_num_arcs(wfg, v);
    return arcs;
}

static double time_core(const struct ork_wfg *wfg)
{
    uint32_t count = 0;

    if (ork_wfg_num_bottom(wfg) == 0)
        return 0;
    uint32_t *node = calloc(ork_wfg_bottom(wfg, 0).count, sizeof(*node));
    if (node == NULL)
        die("memory");
    double begin = now();
    if (ork_wfg_core(wfg, 0, node, &count) != ORK_OK)
        die("core");
    double end = now();
    free(node);
    return end - begin;
}

/* One run; returns the number of arcs. */
static uint64_t run(const struct shape *shape, uint32_t nprocs, double seconds[NUM_STEPS])
{
    struct ork_wfg *wfg = NULL;
    double begin = now();

    if (ork_wfg_create(nprocs, &wfg) != ORK_OK)
        die("memory");
    shape->build(wfg, nprocs);
    double built = now();
    if (ork_wfg_search(wfg) != ORK_OK)
        die("search");
    double searched = now();
    seconds[BUILD] = built - begin;
    seconds[SEARCH] = searched - built;
    seconds[CORE] = time_core(wfg);
    uint64_t arcs = count_arcs(wfg);
    ork_wfg_destroy(wfg);
    return arcs;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const struct shape *shape, uint32_t nprocs, int repetitions)
{
    static double sample[NUM_STEPS][MAX_REPETITIONS];
    double seconds[NUM_STEPS];
    double median[NUM_STEPS];
    uint64_t arcs = 0;

    for (int i = 0; i < repetitions; i++) {
        arcs = run(shape, nprocs, seconds);
        for (int step = 0; step < NUM_STEPS; step++)
            sample[step][i] = seconds[step];
    }
    for (int step = 0; step < NUM_STEPS; step++) {
        qsort(sample[step], (size_t)repetitions, sizeof(double), compare_doubles);
        median[step] = sample[step][repetitions / 2];
    }
    printf("%s,%" PRIu32 ",%" PRIu64 ",%.4f,%.4f,%.4f,%.1f\n", shape->name, nprocs, arcs,
           1e3 * median[BUILD], 1e3 * median[SEARCH], 1e3 * median[CORE],
           1e9 * median[SEARCH] / (double)arcs);
}

int main(int argc, char **argv)
{
    long repetitions = argc > 1 ? strtol(argv[1], NULL, 10) : DEFAULT_REPETITIONS;

    if (repetitions < 1 || repetitions > MAX_REPETITIONS) {
        fprintf(stderr, "usage: wfg_scale [repetitions 1..%d]\n", MAX_REPETITIONS);
        return EXIT_FAILURE;
    }
    printf("shape,processes,arcs,build_ms,search_ms,core_ms,search_ns_per_arc\n");
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        for (uint32_t nprocs = 1000; nprocs <= 100000; nprocs *= 10)
            measure(&shapes[i], nprocs, (int)repetitions);
    }
    return EXIT_SUCCESS;
}
