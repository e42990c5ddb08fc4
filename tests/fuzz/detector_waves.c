/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs whose collective calls are fed as waves, against the same records fed rank by
 * rank. The same in every run. detector_waves [first seed [programs]]; the environment variable
 * ORK_FUZZ_PROGRAMS is another number of programs. */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector/grid.h"
#include "tests/fuzz/detector/run.h"
#include "tests/fuzz/detector/twins.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS = 400 };

static uint64_t random_history(struct wfg_random *random)
{
    switch (wfg_random_below(random, 3)) {
    case 0:
        return 0;
    case 1:
        return 8 + wfg_random_below(random, 300);
    default:
        return UINT64_MAX;
    }
}

/* Of a small program, as its run wrote them. */
static void take_run(struct twins *t, const struct program *p, const struct run *run)
{
    for (uint32_t r = 0; r < p->ranks; r++)
        t->stream[r] = (struct twins_stream){.record = run->stream[r].record,
                                             .count = run->stream[r].count,
                                             .is_over = run->stream[r].is_over,
                                             .end = p->ending[r] == ENDING_EXIT ? ORK_END_EXITED
                                                                                : ORK_END_FINISHED};
}

static void take_grid(struct twins *t, const struct grid *g)
{
    for (uint32_t r = 0; r < GRID_RANKS; r++)
        t->stream[r] = (struct twins_stream){
            .record = g->record[r], .count = g->count[r], .is_over = true, .end = ORK_END_FINISHED};
}

static const char *check(uint64_t seed, uint64_t *at_once)
{
    static struct run run;
    static struct grid grid;
    struct wfg_random random = {seed};
    struct program p;
    struct twins t;
    bool is_grid = wfg_random_percent(&random, 50);

    if (is_grid) {
        grid_random(&random, &grid);
        twins_init(&t, GRID_RANKS, random_history(&random), &random);
        take_grid(&t, &grid);
    } else {
        program_random(seed, &p);
        if (!run_random(&p, &random, &run))
            return NULL;
        twins_init(&t, p.ranks, random_history(&random), &random);
        take_run(&t, &p, &run);
    }
    const char *problem = twins_run(&t);
    *at_once += ork_detector_counts(t.joint).at_once;
    twins_release(&t);
    return problem;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROGRAMS");
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);
    uint64_t at_once = 0;

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        const char *problem = check(seed + i, &at_once);
        if (problem != NULL) {
            printf("seed %" PRIu64 ": fed as waves, %s\n", seed + i, problem);
            return EXIT_FAILURE;
        }
    }
    printf("%" PRIu64 " programs, %" PRIu64 " collective calls at once\n", programs, at_once);
    return at_once > programs / 4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
