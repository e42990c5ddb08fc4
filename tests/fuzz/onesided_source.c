/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a random one-sided program as C to standard output, and to standard error what is expected
 * of it: "ranks N", "touches" if it has loads and stores of its own, "buffers" if messages
 * are in the memory of windows, "separate" if it is meant for that memory model, and for each
 * conflict "conflict LINE LINE", or "excused LINE LINE" if data may order the two, or
 * "perhaps LINE LINE" if that depends on the order in which records arrive; and for buffers of one
 * rank that are in use at the same time "overlap LINE LINE".
 * fuzz_onesided_source SEED */
#include "tests/fuzz/onesided/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 16 };

static bool found[SITES_MAX][SITES_MAX];
static int times[SITES_MAX][SITES_MAX]; /* in how many orders */

static bool take(void *context, const struct ork_conflict *c)
{
    (void)context;
    found[c->first.site][c->second.site] = found[c->second.site][c->first.site] = true;
    return true;
}

/* What onesided/ says of the program's records. RATIONALE: data may order accesses in passive
 * epochs, which reachability does not show; fuzz_onesided_programs compares the two. */
static void find(const struct program *p, uint64_t *random)
{
    struct ork_onesided *o;

    if (ork_onesided_create((uint32_t)p->ranks, &o) != ORK_OK)
        abort();
    program_feed(o, p, random);
    if (ork_onesided_conflicts(o, take, NULL) != ORK_OK || ork_onesided_lost(o) != NULL)
        abort();
    ork_onesided_destroy(o);
}

int main(int argc, char **argv)
{
    static struct program p;
    static struct expected e, overlaps;
    uint64_t random = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int line[SITES_MAX] = {0};

    program_generate_real(&p, &random);
    p.never_waits = true;
    program_conflicts(&p, &e);
    program_overlaps(&p, &overlaps);
    for (int i = 0; i < ORDERS; i++) {
        memset(found, 0, sizeof(found));
        p.never_waits = i % 2 == 1; /* the tool finds out from the code: both are right */
        find(&p, &random);
        for (int a = 0; a < SITES_MAX; a++) {
            for (int b = 0; b < SITES_MAX; b++)
                times[a][b] += found[a][b];
        }
    }
    program_write(&p, stdout, line);
    fprintf(stderr, "ranks %d\n%s%s%s", p.ranks, p.has_touches ? "touches\n" : "",
            p.has_buffers ? "buffers\n" : "", p.is_separate ? "separate\n" : "");
    for (int a = 0; a < SITES_MAX; a++) {
        for (int b = 0; b < SITES_MAX; b++) {
            if (overlaps.conflict[a][b])
                fprintf(stderr, "overlap %d %d\n", line[a], line[b]);
        }
        for (int b = 0; b <= a; b++) {
            if (e.conflict[a][b])
                fprintf(stderr, "%s %d %d\n",
                        times[a][b] == ORDERS ? "conflict"
                        : times[a][b] == 0    ? "excused"
                                              : "perhaps",
                        line[b], line[a]);
        }
    }
    return fclose(stdout) != 0;
}
