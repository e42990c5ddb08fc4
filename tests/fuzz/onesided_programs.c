/* SPDX-License-Identifier: BSD-3-Clause */
/* Random one-sided programs: the conflicts are exactly those of the graph of events, and what is
 * told of them is the same, whatever the order in which the records arrive. Programs with locks may
 * have fewer, because data may order accesses there. fuzz_onesided_programs [SEED [PROGRAMS]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/onesided/feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD_MAX = 1024 };
struct found {
    bool conflict[SITES_MAX][SITES_MAX];
    uint32_t count;
    struct ork_conflict told[TOLD_MAX];
};

static bool take(void *context, const struct ork_conflict *c)
{
    struct found *f = context;

    f->conflict[c->first.site][c->second.site] = f->conflict[c->second.site][c->first.site] = true;
    if (f->count == TOLD_MAX)
        abort();
    f->told[f->count++] = *c;
    return true;
}

static bool is_same_access(const struct ork_touched *x, const struct ork_touched *y)
{
    return x->rank == y->rank && x->site == y->site && x->call == y->call && x->touch == y->touch &&
           x->epoch == y->epoch && x->is_exclusive == y->is_exclusive && x->is_over == y->is_over &&
           x->is_read == y->is_read && x->op == y->op && x->type == y->type && x->low == y->low &&
           x->high == y->high && x->is_address == y->is_address && x->has_gaps == y->has_gaps;
}

/* The same conflicts with the same examples, in the same order. */
static bool is_same(const struct found *f, const struct found *g)
{
    bool same = f->count == g->count;

    for (uint32_t i = 0; same && i < f->count; i++) {
        const struct ork_conflict *x = &f->told[i], *y = &g->told[i];
        same = is_same_access(&x->first, &y->first) && is_same_access(&x->second, &y->second) &&
               x->target == y->target && x->window == y->window && x->kind == y->kind &&
               x->is_portable == y->is_portable && x->is_second_earlier == y->is_second_earlier;
    }
    return same;
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
    memset(f, 0, sizeof(*f));
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

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)) && bad < 3; i++) {
        static struct program p;
        static struct expected e;
        static struct found f, again;
        uint64_t before = random;
        unsigned missed = 0, wrong = 0;
        program_generate(&p, &random, i % 4 == 3);
        p.never_waits = i % 2 == 1;
        program_conflicts(&p, &e);
        separate += p.is_separate;
        run(&p, &random, &f);
        run(&p, &random, &again);
        bool differs = !p.has_locks && !is_same(&f, &again);
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
        if (wrong == 0 && (missed == 0 || p.has_locks) && !differs)
            continue;
        bad++;
        printf("program %" PRIu64 " (seed %" PRIu64 "): %u wrong, %u missed%s\n", i, before, wrong,
               missed, differs ? ", not always told in the same way" : "");
        program_print(&p);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " with the separate memory model, %" PRIu64
           " conflicts, %" PRIu64 " that data may order, %" PRIu64 " bad\n",
           programs, separate, conflicts, excused, bad);
    return bad > 0;
}
