/* SPDX-License-Identifier: BSD-3-Clause */
/* Random wait-for graphs: the search against the enumeration of all subsets. wfg_knots [seed
 * [graphs]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/wfg_random.h"
#include "tests/unit/wfg/brute.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAX_PROCESSES = 7, GRAPHS = 150000 };

struct totals {
    uint64_t graphs, deadlocked, several, independent, core_smaller;
};

static void add_process(struct ork_wfg *wfg, struct wfg_random *r, uint32_t process,
                        uint32_t nprocs, uint32_t density)
{
    enum ork_wfg_op op = wfg_random_percent(r, 50) ? ORK_WFG_OR : ORK_WFG_AND;

    if (wfg_random_percent(r, 10))
        return; /* runs */
    if (wfg_random_percent(r, 5)) {
        ork_wfg_set_done(wfg, process);
        return;
    }
    ork_wfg_begin(wfg, process);
    ork_wfg_open(wfg, op, 0);
    for (uint32_t to = 0; to < nprocs; to++) {
        if ((to != process || wfg_random_percent(r, 30)) && wfg_random_percent(r, density))
            ork_wfg_atom(wfg, to, 0);
    }
    if (wfg_random_percent(r, 15)) { /* a term, sometimes */
        ork_wfg_open(wfg, op == ORK_WFG_OR ? ORK_WFG_AND : ORK_WFG_OR, 0);
        ork_wfg_atom(wfg, wfg_random_below(r, nprocs), 0);
        ork_wfg_atom(wfg, wfg_random_below(r, nprocs), 0);
        ork_wfg_close(wfg);
    }
    ork_wfg_close(wfg);
    ork_wfg_end(wfg);
}

static struct ork_wfg *random_graph(struct wfg_random *r)
{
    static const uint32_t densities[] = {12, 15, 25, 35, 50, 70};
    uint32_t density = densities[wfg_random_below(r, sizeof(densities) / sizeof(*densities))];
    uint32_t nprocs = 2 + wfg_random_below(r, MAX_PROCESSES - 1);
    struct ork_wfg *wfg = NULL;

    if (ork_wfg_create(nprocs, &wfg) != ORK_OK)
        abort();
    for (uint32_t p = 0; p < nprocs; p++)
        add_process(wfg, r, p, nprocs, density);
    if (ork_wfg_search(wfg) != ORK_OK)
        abort();
    return wfg;
}

static void count(struct totals *t, const struct ork_wfg *wfg)
{
    uint32_t room[BRUTE_NODES];
    uint32_t size = 0;
    uint32_t bottom = ork_wfg_num_bottom(wfg);

    t->graphs++;
    t->deadlocked += bottom > 0;
    t->several += ork_wfg_num_maximal(wfg) > 1;
    t->independent += ork_wfg_num_maximal(wfg) > bottom;
    if (bottom > 0 && ork_wfg_core(wfg, 0, room, &size) == ORK_OK)
        t->core_smaller += size < ork_wfg_bottom(wfg, 0).count;
}

int main(int argc, char **argv)
{
    static struct brute b;
    uint64_t seed = wfg_random_argument(argc, argv, 1, 12345);
    uint64_t graphs = wfg_random_argument(argc, argv, 2, GRAPHS);
    struct totals t = {0};

    for (uint64_t i = 0; i < (graphs = within_budget(i, graphs)); i++) {
        struct wfg_random r = {.state = seed + i};
        struct ork_wfg *wfg = random_graph(&r);
        brute_init(&b, wfg);
        const char *wrong = brute_compare(&b, wfg);
        if (wrong != NULL) {
            printf("wfg_knots %" PRIu64 " 1: %s\n", seed + i, wrong);
            return EXIT_FAILURE;
        }
        count(&t, wfg);
        ork_wfg_destroy(wfg);
    }
    printf("%" PRIu64 " graphs agree: %" PRIu64 " deadlocked, %" PRIu64 " with several maximal "
           "knots, %" PRIu64 " with one that is no root, %" PRIu64
           " with a core smaller than its knot\n",
           t.graphs, t.deadlocked, t.several, t.independent, t.core_smaller);
    /* A generator that makes no such graphs would prove nothing. */
    bool telling = t.deadlocked > 0 && t.independent > 0 && t.core_smaller > 0;
    return telling || graphs < GRAPHS ? EXIT_SUCCESS : EXIT_FAILURE;
}
