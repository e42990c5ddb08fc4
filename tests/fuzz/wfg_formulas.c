/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems of nested conditions with shared hubs: the search against evaluating the formulas
 * themselves until nothing changes, the graph with hubs against the graph without, and small ones
 * against all subsets. wfg_formulas [seed [systems]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/wfg_random.h"
#include "tests/unit/wfg/brute.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAX_PROCESSES = 6, HUBS = 4, MAX_PARTS = 128, SYSTEMS = 60000, BRUTE_LIMIT = 11 };
enum part_kind { PART_AND, PART_OR, PART_CLOSE, PART_ATOM, PART_HUB, PART_TRUE };

struct part {
    enum part_kind kind;
    uint32_t value;
    uint32_t label;
};

struct formula {
    struct part part[MAX_PARTS];
    uint32_t num_parts; /* 0: the process runs */
    bool done;
};

struct system {
    uint32_t num_processes;
    struct formula formula[MAX_PROCESSES];
    uint32_t member[HUBS]; /* bit masks; even hubs are OR, odd ones AND */
};

static void add_part(struct formula *f, enum part_kind kind, uint32_t value, uint32_t label)
{
    if (f->num_parts == MAX_PARTS)
        abort();
    f->part[f->num_parts++] = (struct part){kind, value, label};
}

/* At most 1 + 4 + 16 terms, each with a closing part, and 64 leaves. */
static void random_part(struct wfg_random *r, struct formula *f, uint32_t nprocs, uint32_t depth)
{
    uint32_t dice = wfg_random_below(r, 100);

    if (depth > 0 && dice < 60) {
        uint32_t label = wfg_random_percent(r, 30) ? 1 + wfg_random_below(r, 9) : 0;
        add_part(f, wfg_random_percent(r, 60) ? PART_AND : PART_OR, 0, label);
        for (uint32_t n = wfg_random_below(r, 5); n > 0; n--)
            random_part(r, f, nprocs, depth - 1);
        add_part(f, PART_CLOSE, 0, 0);
    } else if (dice < 63) {
        add_part(f, PART_TRUE, 0, 0);
    } else if (dice < 80) {
        add_part(f, PART_HUB, wfg_random_below(r, HUBS), 0);
    } else {
        add_part(f, PART_ATOM, wfg_random_below(r, nprocs), wfg_random_below(r, 3));
    }
}

static void random_system(struct wfg_random *r, struct system *s)
{
    s->num_processes = 2 + wfg_random_below(r, MAX_PROCESSES - 1);
    for (uint32_t h = 0; h < HUBS; h++)
        s->member[h] = wfg_random_below(r, UINT32_C(1) << s->num_processes);
    for (uint32_t p = 0; p < s->num_processes; p++) {
        struct formula *f = &s->formula[p];
        f->num_parts = 0;
        f->done = wfg_random_percent(r, 5);
        if (!f->done && wfg_random_percent(r, 85))
            random_part(r, f, s->num_processes, wfg_random_below(r, 4));
    }
}

static bool is_or_hub(uint32_t hub)
{
    return hub % 2 == 0;
}

/* Is the part at *at satisfied when the processes of `released` can act? Moves *at behind it. */
static bool evaluate(const struct system *s, const struct formula *f, uint32_t *at,
                     uint32_t released)
{
    const struct part *part = &f->part[(*at)++];
    bool any = false;
    bool all = true;

    switch (part->kind) {
    case PART_TRUE:
        return true;
    case PART_ATOM:
        return (released >> part->value & 1) != 0;
    case PART_HUB:
        any = (s->member[part->value] & released) != 0;
        all = (s->member[part->value] & ~released) == 0;
        return is_or_hub(part->value) ? any : all;
    case PART_AND:
    case PART_OR:
        while (f->part[*at].kind != PART_CLOSE) {
            bool holds = evaluate(s, f, at, released);
            any = any || holds;
            all = all && holds;
        }
        break;
    case PART_CLOSE:
        abort();
    }
    ++*at;
    return part->kind == PART_OR ? any : all;
}

static uint32_t deadlocked_by_formulas(const struct system *s)
{
    uint32_t released = 0;
    uint32_t before;

    do {
        before = released;
        for (uint32_t p = 0; p < s->num_processes; p++) {
            const struct formula *f = &s->formula[p];
            uint32_t at = 0;
            if (!f->done && (f->num_parts == 0 || evaluate(s, f, &at, released)))
                released |= UINT32_C(1) << p;
        }
    } while (released != before);
    return ((UINT32_C(1) << s->num_processes) - 1) & ~released;
}

static void build_hub(struct ork_wfg *wfg, const struct system *s, uint32_t hub, bool expand)
{
    if (!expand) {
        ork_wfg_hub(wfg, hub, 0);
        return;
    }
    ork_wfg_open(wfg, is_or_hub(hub) ? ORK_WFG_OR : ORK_WFG_AND, 0);
    for (uint32_t p = 0; p < s->num_processes; p++) {
        if ((s->member[hub] >> p & 1) != 0)
            ork_wfg_atom(wfg, p, 0);
    }
    ork_wfg_close(wfg);
}

static void build_part(struct ork_wfg *wfg, const struct system *s, const struct part *part,
                       bool expand)
{
    switch (part->kind) {
    case PART_AND:
        ork_wfg_open(wfg, ORK_WFG_AND, part->label);
        break;
    case PART_OR:
        ork_wfg_open(wfg, ORK_WFG_OR, part->label);
        break;
    case PART_CLOSE:
        ork_wfg_close(wfg);
        break;
    case PART_ATOM:
        ork_wfg_atom(wfg, part->value, part->label);
        break;
    case PART_HUB:
        build_hub(wfg, s, part->value, expand);
        break;
    case PART_TRUE:
        ork_wfg_true(wfg);
        break;
    }
}

/* Members of the hubs are added behind the conditions, in both orders of building. */
static struct ork_wfg *build(const struct system *s, bool expand)
{
    struct ork_wfg *wfg = NULL;

    if (ork_wfg_create(s->num_processes, &wfg) != ORK_OK)
        abort();
    for (uint32_t h = 0; h < HUBS; h++)
        ork_wfg_add_hub(wfg, is_or_hub(h) ? ORK_WFG_OR : ORK_WFG_AND, 0);
    for (uint32_t p = 0; p < s->num_processes; p++) {
        const struct formula *f = &s->formula[p];
        if (f->done)
            ork_wfg_set_done(wfg, p);
        if (f->num_parts == 0)
            continue;
        ork_wfg_begin(wfg, p);
        for (uint32_t i = 0; i < f->num_parts; i++)
            build_part(wfg, s, &f->part[i], expand);
        ork_wfg_end(wfg);
    }
    for (uint32_t bit = 0; bit < HUBS * MAX_PROCESSES; bit++) {
        if ((s->member[bit / MAX_PROCESSES] >> bit % MAX_PROCESSES & 1) != 0)
            ork_wfg_add_member(wfg, bit / MAX_PROCESSES, bit % MAX_PROCESSES);
    }
    if (ork_wfg_search(wfg) != ORK_OK)
        abort();
    return wfg;
}

static uint32_t deadlocked(const struct ork_wfg *wfg, uint32_t nprocs)
{
    uint32_t mask = 0;

    for (uint32_t p = 0; p < nprocs; p++)
        mask |= (uint32_t)ork_wfg_is_deadlocked(wfg, p) << p;
    return mask;
}

static uint32_t processes_of(struct ork_wfg_knot knot, uint32_t nprocs)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < knot.count && knot.node[i] < nprocs; i++)
        mask |= UINT32_C(1) << knot.node[i];
    return mask;
}

/* Knots stand in the order of their first members, which are processes: the lists can be compared
 * one by one. */
static bool equal_knots(const struct ork_wfg *a, const struct ork_wfg *b, uint32_t nprocs)
{
    if (ork_wfg_num_bottom(a) != ork_wfg_num_bottom(b) ||
        ork_wfg_num_maximal(a) != ork_wfg_num_maximal(b))
        return false;
    for (uint32_t i = 0; i < ork_wfg_num_bottom(a); i++) {
        if (processes_of(ork_wfg_bottom(a, i), nprocs) !=
            processes_of(ork_wfg_bottom(b, i), nprocs))
            return false;
    }
    for (uint32_t i = 0; i < ork_wfg_num_maximal(a); i++) {
        uint32_t mask = processes_of(ork_wfg_maximal(a, i), nprocs);
        if (mask == 0 || mask != processes_of(ork_wfg_maximal(b, i), nprocs))
            return false;
    }
    return true;
}

/* NULL or what is wrong. */
static const char *check(const struct system *s, uint64_t *num_deadlocked, uint64_t *num_brute)
{
    static struct brute b;
    uint32_t n = s->num_processes;
    uint32_t truth = deadlocked_by_formulas(s);
    struct ork_wfg *hubs = build(s, false);
    struct ork_wfg *expanded = build(s, true);
    const char *wrong = NULL;

    *num_deadlocked += truth != 0;
    if (deadlocked(hubs, n) != truth)
        wrong = "the graph with hubs deadlocks other processes than the formulas";
    else if (deadlocked(expanded, n) != truth)
        wrong = "the expanded graph deadlocks other processes than the formulas";
    else if (!equal_knots(hubs, expanded, n))
        wrong = "knots differ with and without hubs";
    if (wrong == NULL && ork_wfg_num_nodes(hubs) <= BRUTE_LIMIT) {
        brute_init(&b, hubs);
        wrong = brute_compare(&b, hubs);
        ++*num_brute;
    }
    ork_wfg_destroy(hubs);
    ork_wfg_destroy(expanded);
    return wrong;
}

int main(int argc, char **argv)
{
    static struct system s;
    uint64_t seed = wfg_random_argument(argc, argv, 1, 7);
    uint64_t systems = wfg_random_argument(argc, argv, 2, SYSTEMS);
    uint64_t num_deadlocked = 0;
    uint64_t num_brute = 0;

    for (uint64_t i = 0; i < (systems = within_budget(i, systems)); i++) {
        struct wfg_random r = {.state = seed + i};
        random_system(&r, &s);
        const char *wrong = check(&s, &num_deadlocked, &num_brute);
        if (wrong != NULL) {
            printf("wfg_formulas %" PRIu64 " 1: %s\n", seed + i, wrong);
            return EXIT_FAILURE;
        }
    }
    printf("%" PRIu64 " systems agree: %" PRIu64 " deadlocked, %" PRIu64
           " checked by all subsets\n",
           systems, num_deadlocked, num_brute);
    bool telling = num_deadlocked > 0 && num_deadlocked < systems && num_brute > 0;
    return telling || systems < SYSTEMS ? EXIT_SUCCESS : EXIT_FAILURE;
}
