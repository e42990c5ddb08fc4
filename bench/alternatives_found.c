/* SPDX-License-Identifier: BSD-3-Clause */
/* What exact, scalar (LLCP) and lazy vector clocks (LVCP) find: random programs are run by all
 * alternatives, and compared with an exhaustive search; CSV on stdout. alternatives_found [programs
 * [seed]] */
#include "bench/lazy_clocks.h"
#include "tests/unit/causality/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct total {
    uint64_t programs, open, ends, runs, missing, missed, impossible, diverged;
};

static uint64_t num_lacking(const struct states *of, const struct states *in)
{
    uint64_t n = 0;

    for (size_t i = 0; i < of->count; i++)
        n += !states_have(in, &of->item[i]);
    return n;
}

static void try_program(const struct program *p, const struct states *ends,
                        const struct clocks *clocks, uint64_t limit, uint64_t seed, struct total *t)
{
    struct explored e = {0};

    if (explore(p, clocks, limit, &seed, &e)) {
        uint64_t missed = num_lacking(ends, &e.ends);
        t->programs++;
        t->open += ends->count > 1;
        t->ends += ends->count;
        t->runs += e.runs;
        t->missed += missed;
        t->missing += missed > 0;
        t->impossible += num_lacking(&e.ends, ends) > 0;
        t->diverged += e.diverged > 0;
    }
    states_release(&e.ends);
}

/* Only calls of which lazy clocks were defined: sends, receives from any source, waits, barriers.
 */
static bool is_basic(const struct program *p)
{
    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r]; k++) {
            const struct op *o = &p->op[r][k];
            bool receives = o->type == RECV || o->type == IRECV;
            if (o->type == PROBE || o->type == WAITANY || (receives && o->tag == ANY))
                return false;
        }
    }
    return true;
}

/* `limit`: bytes; with one byte, vectors are replaced after the first choice. */
static const struct {
    const struct clocks *clocks;
    uint64_t limit;
    const char *name;
} kinds[] = {{&ork_clocks_exact, 0, "exact"},
             {&ork_clocks_exact, 1, "sums"},
             {&scalar_clocks, 0, "scalar"},
             {&vector_clocks, 0, "vector"}};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void print(const char *calls, const struct total total[KINDS])
{
    for (unsigned i = 0; i < KINDS; i++) {
        const struct total *t = &total[i];
        printf("%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
               ",%" PRIu64 ",%" PRIu64 "\n",
               calls, kinds[i].name, t->programs, t->open, t->ends, t->runs, t->missing, t->missed,
               t->impossible, t->diverged);
    }
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : 30000;
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 99;
    struct total all[KINDS] = {{0}}, basic[KINDS] = {{0}};

    for (uint64_t i = 0; i < programs; i++) {
        struct program p = program_generate(&random);
        struct states ends = {0};
        bool is_small = program_ends(&p, &ends);
        for (unsigned k = 0; k < KINDS && is_small; k++) {
            try_program(&p, &ends, kinds[k].clocks, kinds[k].limit, i, &all[k]);
            if (is_basic(&p))
                try_program(&p, &ends, kinds[k].clocks, kinds[k].limit, i, &basic[k]);
        }
        states_release(&ends);
    }
    printf("calls,clocks,programs,with_several_ends,ends,runs,programs_with_missed_ends,"
           "missed_ends,programs_with_impossible_ends,programs_with_diverged_runs\n");
    print("all", all);
    print("basic", basic);
    return 0;
}
