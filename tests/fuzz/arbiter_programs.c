/* SPDX-License-Identifier: BSD-3-Clause */
/* Random small MPI programs under the arbiter: all runs of one program, in random orders, have the
 * same outcome, and a run stops only where the program itself cannot go on. The same programs
 * without decisions differ from run to run. The same in every run of this test. arbiter_programs
 * [first seed [programs [runs]]] */
#include "tests/fuzz/arbiter/run.h"
#include "tests/fuzz/budget.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PROGRAMS = 600, RUNS = 30 };

struct tally {
    uint64_t programs, stopped, is_known, decisions, breaks, free_differ;
};

static const char *check(const struct program *p, uint64_t runs, struct tally *tally)
{
    struct outcome first, other;
    bool free_differ = false;

    for (uint64_t i = 0; i < runs; i++) {
        struct outcome *out = i == 0 ? &first : &other;
        run_program(p, i, false, out);
        if (out->problem != NULL)
            return out->problem;
        if (i > 0 && !outcome_is_same(p, &first, &other))
            return "two runs differ";
    }
    tally->programs++;
    tally->stopped += first.stopped;
    tally->is_known += first.is_known;
    tally->decisions += first.decisions;
    tally->breaks += first.breaks;
    for (uint64_t i = 0; i < runs && !free_differ; i++) {
        run_program(p, i, true, i == 0 ? &first : &other);
        free_differ = i > 0 && !outcome_is_same(p, &first, &other);
    }
    tally->free_differ += free_differ;
    return NULL;
}

/* Leave out steps as long as it still fails in the same way. */
static void shrink(struct program *p, uint64_t runs, const char *problem)
{
    struct tally ignored = {0};

    for (uint32_t r = 0; r < p->ranks; r++) {
        for (uint32_t i = 0; i < p->steps[r]; i++) {
            struct program less = *p;
            for (uint32_t k = i + 1; k < p->steps[r]; k++)
                less.step[r][k - 1] = less.step[r][k];
            less.steps[r]--;
            if (check(&less, runs, &ignored) != problem)
                continue;
            *p = less;
            r = 0;
            i = UINT32_MAX; /* from the beginning */
        }
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs = wfg_random_argument(argc, argv, 2, PROGRAMS);
    uint64_t runs = wfg_random_argument(argc, argv, 3, RUNS);
    struct tally tally = {0};

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        struct program p;
        program_random(seed + i, &p);
        const char *problem = check(&p, runs, &tally);
        if (problem == NULL)
            continue;
        printf("seed %" PRIu64 ": %s; what is left when steps are left out:\n", seed + i, problem);
        shrink(&p, runs, problem);
        printf("%s\n", check(&p, runs, &tally));
        program_print(&p, stdout);
        return EXIT_FAILURE;
    }
    printf("%" PRIu64 " programs, %" PRIu64 " decisions, %" PRIu64
           " of them in quiescent states; %" PRIu64 " programs stop, %" PRIu64
           " of them too early for a known reason; without decisions %" PRIu64
           " have several outcomes\n",
           tally.programs, tally.decisions, tally.breaks, tally.stopped, tally.is_known,
           tally.free_differ);
    /* without races, the test would show nothing */
    return tally.free_differ * 10 >= tally.programs ? EXIT_SUCCESS : EXIT_FAILURE;
}
