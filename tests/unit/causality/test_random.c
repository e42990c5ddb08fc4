/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs, half of them with synchronous sends, half of them with Waitsome, Testany and
 * Testsome, half of them with single tests and probes, half of them with window locks: the runs to
 * which the alternatives lead are exactly those that are possible. If the vectors do not fit in
 * memory, none is impossible, but some may be missed. test_random [PROGRAMS [SEED]] */
#include "tests/unit/causality/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned num_lacking(const struct states *of, const struct states *in)
{
    unsigned n = 0;

    for (size_t i = 0; i < of->count; i++)
        n += !states_have(in, &of->item[i]);
    return n;
}

/* With so little memory that most runs need more. */
enum { LIMIT_MAX = 300 };

struct limited {
    uint64_t programs, runs, replaced, ends, missed, bad;
};

static void check_limited(const struct program *p, const struct states *ends, uint64_t *random,
                          struct limited *sum)
{
    struct explored e = {0};

    if (explore(p, &ork_clocks_exact, 1 + draw(random, LIMIT_MAX), random, &e)) {
        sum->programs++;
        sum->runs += e.runs;
        sum->replaced += e.limited;
        sum->ends += ends->count;
        sum->missed += num_lacking(ends, &e.ends);
        unsigned impossible = num_lacking(&e.ends, ends);
        if (impossible + e.diverged > 0 && sum->bad++ < 3) {
            printf("with little memory: %u ends impossible, %u of %u runs diverged\n", impossible,
                   e.diverged, e.runs);
            program_print(p);
        }
    }
    states_release(&e.ends);
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000;
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct limited limited = {0};
    uint64_t tried = 0, open = 0, ends_total = 0, runs = 0, bad = 0;

    for (uint64_t i = 0; i < programs; i++) {
        struct program p = program_generate(&random);
        if (i % 2 != 0)
            program_synchronise(&p, &random);
        if (i / 2 % 2 != 0)
            program_vary(&p, &random, true);
        if (i / 4 % 2 != 0)
            program_poll(&p, &random);
        if (i / 8 % 2 != 0)
            program_lock(&p, &random);
        struct states ends = {0};
        struct explored e = {0};
        if (program_ends(&p, &ends) && explore(&p, &ork_clocks_exact, 0, &random, &e)) {
            unsigned missed = num_lacking(&ends, &e.ends);
            unsigned impossible = num_lacking(&e.ends, &ends);
            tried++;
            open += ends.count > 1;
            ends_total += ends.count;
            runs += e.runs;
            if (missed + impossible + e.diverged > 0 && bad++ < 3) {
                printf("program %" PRIu64 ": %zu ends, %u missed, %u impossible, %u of %u runs "
                       "diverged\n",
                       i, ends.count, missed, impossible, e.diverged, e.runs);
                program_print(&p);
            }
            if (i / 16 % 4 == 0)
                check_limited(&p, &ends, &random, &limited);
        }
        states_release(&ends);
        states_release(&e.ends);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " with several ends, %" PRIu64 " ends, %" PRIu64
           " runs; %" PRIu64 " programs are wrong\n",
           tried, open, ends_total, runs, bad);
    printf("with little memory: %" PRIu64 " programs, %" PRIu64 " ends, %" PRIu64
           " of them missed, %" PRIu64 " runs, %" PRIu64 " of them without vectors; %" PRIu64
           " programs are wrong\n",
           limited.programs, limited.ends, limited.missed, limited.runs, limited.replaced,
           limited.bad);
    return bad + limited.bad == 0 && open > 0 && limited.replaced > 0 ? 0 : 1;
}
