/* SPDX-License-Identifier: BSD-3-Clause */
/* Random one-sided programs: the conflicts are exactly those of the graph of events, whatever the
 * order in which the records arrive. Programs with locks may have fewer, because data may order
 * accesses there. fuzz_onesided_programs [SEED [PROGRAMS]] */
#include "tests/fuzz/onesided/feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct found {
    bool conflict[SITES_MAX][SITES_MAX];
    uint64_t count;
};

static bool take(void *context, const struct ork_conflict *c)
{
    struct found *f = context;

    f->conflict[c->first.site][c->second.site] = f->conflict[c->second.site][c->first.site] = true;
    f->count++;
    return true;
}

static void check(enum ork_status status)
{
    if (status != ORK_OK)
        abort();
}

static void run(const struct program *p, uint64_t *random, struct found *f)
{
    struct ork_onesided *o;

    check(ork_onesided_create((uint32_t)p->ranks, &o));
    program_feed(o, p, random);
    *f = (struct found){0};
    check(ork_onesided_conflicts(o, take, f));
    if (ork_onesided_lost(o) != NULL) {
        printf("lost: %s\n", ork_onesided_lost(o));
        program_print(p);
        fflush(stdout);
        abort();
    }
    ork_onesided_destroy(o);
}

int main(int argc, char **argv)
{
    uint64_t random = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t programs = argc > 2 ? strtoull(argv[2], NULL, 10) : 3000;
    uint64_t conflicts = 0, separate = 0, excused = 0, bad = 0;

    for (uint64_t i = 0; i < programs && bad < 3; i++) {
        static struct program p;
        static struct expected e;
        static struct found f;
        uint64_t before = random;
        unsigned missed = 0, wrong = 0;
        program_generate(&p, &random, i % 4 == 3);
        program_conflicts(&p, &e);
        separate += p.is_separate;
        run(&p, &random, &f);
        for (int a = 0; a < SITES_MAX; a++) {
            for (int b = 0; b <= a; b++) {
                conflicts += f.conflict[a][b];
                wrong += f.conflict[a][b] && !e.conflict[a][b];
                missed += !f.conflict[a][b] && e.conflict[a][b];
                if (f.conflict[a][b] != e.conflict[a][b] && bad < 3 &&
                    (!p.has_locks || f.conflict[a][b]))
                    printf("sites %d and %d: found %d, expected %d\n", a, b, f.conflict[a][b],
                           e.conflict[a][b]);
            }
        }
        excused += p.has_locks ? missed : 0;
        if (wrong == 0 && (missed == 0 || p.has_locks))
            continue;
        bad++;
        printf("program %" PRIu64 " (seed %" PRIu64 "): %u wrong, %u missed\n", i, before, wrong,
               missed);
        program_print(&p);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " with the separate memory model, %" PRIu64
           " conflicts, %" PRIu64 " that data may order, %" PRIu64 " bad\n",
           programs, separate, conflicts, excused, bad);
    return bad > 0;
}
