/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a run has a potential deadlock depends on its order of messages alone, not on when
 * records come, sources are known, and searches are made; and a run whose choices some strict
 * execution can make, to its end, has none. The same in every run. detector_timing [first seed
 * [programs]]; the environment variable ORK_FUZZ_PROGRAMS is another number of programs.
 *
 * Left out is what is known to depend on time (docs/explanation/detector.md): receives that are
 * cancelled, and Tests of several operations that share a handle. */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector/explore.h"
#include "tests/fuzz/detector/timing.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PROGRAMS = 10000, TIMES = 8 };

static struct {
    uint64_t programs, runs, deadlocks, clean, uncertain;
} tally;

static bool is_wanted(const struct program *p)
{
    for (unsigned r = 0; r < p->ranks; r++) {
        if (p->ending[r] != ENDING_FINALIZE)
            return false;
        for (unsigned i = 0; i < p->steps[r]; i++) {
            enum verb verb = p->step[r][i].verb;
            bool guesses = verb == VERB_TEST || verb == VERB_WAITANY || verb == VERB_WAITSOME ||
                           verb == VERB_FREE;
            if (verb == VERB_CANCEL || (p->shared && guesses))
                return false;
        }
    }
    return true;
}

static bool is_over(const struct run *run)
{
    bool over = true;

    for (unsigned r = 0; r < run->model.p->ranks; r++)
        over &= run->stream[r].is_over;
    return over;
}

/* Does some strict execution make the choices of the run, and end? */
static bool can_be_strict(const struct run *run)
{
    const struct program *p = run->model.p;
    unsigned all[MAX_RANKS];
    struct model strict;
    struct known known;
    struct outcomes after;
    bool any = false;

    for (unsigned r = 0; r < p->ranks; r++)
        all[r] = run->stream[r].count + 1;
    run_known(run, all, &known);
    known.is_strict = true;
    if (!model_init(&strict, p, false, false))
        return false;
    explore(&strict, &known, &after);
    for (unsigned i = 0; i < after.count && !any; i++) {
        any = true;
        for (unsigned r = 0; r < p->ranks; r++)
            any &= after.item[i].pc[r] == p->steps[r];
    }
    free(after.item);
    return any;
}

/* NULL: all is well. */
static const char *check_run(const struct run *run, struct wfg_random *random)
{
    static const unsigned percent[] = {0, 5, 20, 100};
    struct outcome_of_timing first = timing_play(run, &(struct timing){0}, random);
    bool strict = can_be_strict(run);

    tally.runs++;
    tally.deadlocks += first.has_deadlock;
    tally.clean += strict;
    for (unsigned i = 0; i < TIMES; i++) {
        struct timing timing = {percent[i % 4], i < 4 ? 0 : 50};
        struct outcome_of_timing other = timing_play(run, &timing, random);
        if (strict && other.has_deadlock)
            return "a deadlock of a run that strict semantics allows";
        if (other.has_deadlock == first.has_deadlock)
            continue;
        if (!first.depends_on_buffering && !other.depends_on_buffering)
            return "the same order has a deadlock or not, depending on times";
        tally.uncertain++;
    }
    return strict && first.has_deadlock ? "a deadlock of a run that strict semantics allows" : NULL;
}

static const char *check(uint64_t seed)
{
    static struct run run;
    struct wfg_random random = {seed};
    struct program p;

    program_random(seed, &p);
    if (!is_wanted(&p) || !run_random(&p, &random, &run) || !is_over(&run))
        return NULL;
    tally.programs++;
    const char *problem = check_run(&run, &random);
    if (problem == NULL)
        return NULL;
    printf("seed %" PRIu64 ": %s\n", seed, problem);
    program_print(&p, stdout);
    run_print(&run, stdout);
    return problem;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROGRAMS");
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        if (check(seed + i) != NULL)
            return EXIT_FAILURE;
    }
    printf("%" PRIu64 " of %" PRIu64 " programs, %" PRIu64 " with a deadlock, %" PRIu64
           " that strict semantics allows; %" PRIu64 " times uncertain\n",
           tally.programs, programs, tally.deadlocks, tally.clean, tally.uncertain);
    return EXIT_SUCCESS;
}
