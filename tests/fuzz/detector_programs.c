/* SPDX-License-Identifier: BSD-3-Clause */
/* Random small MPI programs: the detector against an exhaustive simulation. The same in every run.
 * detector_programs [first seed [programs [runs of each]]]; the environment variable
 * ORK_FUZZ_PROGRAMS is another number of programs. */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector/check.h"

#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PROGRAMS = 10000, RUNS = 3, SHRINK_RUNS = 60 };

/* Drop steps as long as the program still fails. */
static void shrink(struct program *p)
{
    struct tally ignored = {0};
    bool smaller;

    do {
        smaller = false;
        for (unsigned r = 0; r < p->ranks; r++) {
            for (unsigned i = 0; i < p->steps[r]; i++) {
                struct program less = *p;
                if (!program_drop(&less, r, i) ||
                    check_program(&less, SHRINK_RUNS, &ignored, NULL) == NULL)
                    continue;
                *p = less;
                smaller = true;
            }
        }
    } while (smaller);
}

static void report(const struct program *p)
{
    struct tally ignored = {0};
    struct program small = *p;

    printf("seed %" PRIu64 " fails; the program:\n", p->seed);
    program_print(p, stdout);
    shrink(&small);
    puts("what is left of it when steps are dropped:");
    program_print(&small, stdout);
    check_program(&small, SHRINK_RUNS, &ignored, stdout);
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROGRAMS");
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);
    uint64_t runs = wfg_random_argument(argc, argv, 3, RUNS);
    struct tally tally = {0};

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        struct program p;
        program_random(seed + i, &p);
        if (check_program(&p, (unsigned)runs, &tally, NULL) != NULL) {
            report(&p);
            return EXIT_FAILURE;
        }
    }
    printf("%" PRIu64 " programs (%" PRIu64 " too large), %" PRIu64 " cuts, %" PRIu64
           " reports, %" PRIu64 " of them checked, %" PRIu64 " ends compared, %" PRIu64
           " runs probed, %" PRIu64 " of them could deadlock, %" PRIu64
           " times the history began anew\n",
           tally.programs, tally.too_large, tally.cuts, tally.reports, tally.real_checks,
           tally.exact_checks, tally.foresights, tally.foreseen, tally.renewals);
    return EXIT_SUCCESS;
}
