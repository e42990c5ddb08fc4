/* SPDX-License-Identifier: BSD-3-Clause */
#include "brute.h"

#include <stdlib.h>

static uint32_t bit(uint32_t node)
{
    return UINT32_C(1) << node;
}

/* What `from` reaches inside `mask` in one step or more. */
static uint32_t reach(const struct brute *b, const uint32_t *next, uint32_t from, uint32_t mask)
{
    uint32_t seen = next[from] & mask;
    uint32_t before = 0;

    while (seen != before) {
        before = seen;
        for (uint32_t v = 0; v < b->num_nodes; v++) {
            if ((before & bit(v)) != 0)
                seen |= next[v] & mask;
        }
    }
    return seen;
}

bool brute_is_knot(const struct brute *b, uint32_t mask)
{
    uint32_t first = 0;

    if (mask == 0)
        return false;
    for (uint32_t v = 0; v < b->num_nodes; v++) {
        if ((mask & bit(v)) != 0 && b->is_or[v] && (b->succ[v] & ~mask) != 0)
            return false;
    }
    while ((mask & bit(first)) == 0)
        first++;
    return reach(b, b->succ, first, mask) == mask && reach(b, b->pred, first, mask) == mask;
}

static uint32_t never_released(const struct brute *b)
{
    uint32_t dead = bit(b->num_nodes) - 1;
    uint32_t before = 0;

    while (dead != before) {
        before = dead;
        for (uint32_t v = 0; v < b->num_nodes; v++) {
            bool stuck = b->is_or[v] ? (b->succ[v] & ~dead) == 0 : (b->succ[v] & dead) != 0;
            if (!stuck)
                dead &= ~bit(v);
        }
    }
    return dead;
}

void brute_init(struct brute *b, const struct ork_wfg *wfg)
{
    b->num_nodes = ork_wfg_num_nodes(wfg);
    b->num_knots = 0;
    if (b->num_nodes > BRUTE_NODES)
        abort();
    for (uint32_t v = 0; v < b->num_nodes; v++)
        b->succ[v] = b->pred[v] = 0;
    for (uint32_t v = 0; v < b->num_nodes; v++) {
        b->is_or[v] = ork_wfg_node(wfg, v).op == ORK_WFG_OR;
        for (uint32_t i = 0; i < ork_wfg_num_arcs(wfg, v); i++) {
            uint32_t to = ork_wfg_arc(wfg, v, i).to;
            b->succ[v] |= bit(to);
            b->pred[to] |= bit(v);
        }
    }
    b->dead = never_released(b);
    for (uint32_t mask = 1; mask < bit(b->num_nodes); mask++) {
        if (brute_is_knot(b, mask))
            b->knot[b->num_knots++] = mask;
    }
}

uint32_t brute_mask(struct ork_wfg_knot knot)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < knot.count; i++)
        mask |= bit(knot.node[i]);
    return mask;
}

static bool is_maximal(const struct brute *b, uint32_t mask)
{
    for (uint32_t i = 0; i < b->num_knots; i++) {
        if (b->knot[i] != mask && (b->knot[i] & mask) == mask)
            return false;
    }
    return true;
}

/* A knot from which no arc leads to another node that is never released. */
static bool is_bottom(const struct brute *b, uint32_t mask)
{
    for (uint32_t v = 0; v < b->num_nodes; v++) {
        if ((mask & bit(v)) != 0 && (b->succ[v] & b->dead & ~mask) != 0)
            return false;
    }
    return true;
}

static bool is_ascending(struct ork_wfg_knot knot)
{
    for (uint32_t i = 1; i < knot.count; i++) {
        if (knot.node[i - 1] >= knot.node[i])
            return false;
    }
    return knot.count > 0;
}

static const char *compare_dead(const struct brute *b, const struct ork_wfg *wfg)
{
    uint32_t processes = 0;

    for (uint32_t v = 0; v < b->num_nodes; v++) {
        bool dead = (b->dead & bit(v)) != 0;
        if (ork_wfg_is_deadlocked(wfg, v) != dead)
            return "a node is deadlocked here and not there";
        processes += dead && ork_wfg_node(wfg, v).kind == ORK_WFG_PROCESS;
    }
    if (ork_wfg_num_deadlocked(wfg) != processes)
        return "the number of deadlocked processes is wrong";
    return (processes > 0) == (b->num_knots > 0)
               ? NULL
               : "a deadlock without knot or a knot without deadlock";
}

static const char *compare_bottom(const struct brute *b, const struct ork_wfg *wfg)
{
    uint32_t expected = 0;

    for (uint32_t i = 0; i < b->num_knots; i++)
        expected += is_bottom(b, b->knot[i]);
    if (ork_wfg_num_bottom(wfg) != expected)
        return "the number of bottom knots is wrong";
    for (uint32_t i = 0, all = 0; i < expected; i++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(wfg, i);
        uint32_t mask = brute_mask(knot);
        if (!is_ascending(knot) || !knot.bottom || (mask & all) != 0)
            return "a bottom knot is not in order";
        if (!brute_is_knot(b, mask) || !is_bottom(b, mask))
            return "a bottom knot is none";
        all |= mask;
    }
    return NULL;
}

static const char *compare_maximal(const struct brute *b, const struct ork_wfg *wfg)
{
    uint32_t expected = 0;

    for (uint32_t i = 0; i < b->num_knots; i++)
        expected += is_maximal(b, b->knot[i]);
    if (ork_wfg_num_maximal(wfg) != expected)
        return "the number of maximal knots is wrong";
    for (uint32_t i = 0, all = 0; i < expected; i++) {
        struct ork_wfg_knot knot = ork_wfg_maximal(wfg, i);
        uint32_t mask = brute_mask(knot);
        if (!is_ascending(knot) || (mask & all) != 0)
            return "maximal knots are not disjoint or not in order";
        if (!brute_is_knot(b, mask) || !is_maximal(b, mask))
            return "a maximal knot is none";
        if (knot.bottom != is_bottom(b, mask))
            return "a maximal knot is wrongly called a bottom one";
        all |= mask;
    }
    return NULL;
}

/* Giving up the highest node that can be spared, again and again, leaves the knot whose mask is the
 * least number. */
static const char *compare_core(const struct brute *b, const struct ork_wfg *wfg, uint32_t i)
{
    uint32_t whole = brute_mask(ork_wfg_bottom(wfg, i));
    uint32_t node[BRUTE_NODES];
    uint32_t count = 0;
    uint32_t least = 0;

    if (ork_wfg_core(wfg, i, node, &count) != ORK_OK)
        return "no core";
    struct ork_wfg_knot core = {.node = node, .count = count};
    uint32_t mask = brute_mask(core);
    while (least < b->num_knots && (b->knot[least] & ~whole) != 0)
        least++;
    if (!is_ascending(core) || least == b->num_knots || mask != b->knot[least])
        return "the core is not the least knot";
    for (uint32_t k = 0; k < b->num_knots; k++) {
        if (b->knot[k] != mask && (b->knot[k] & ~mask) == 0)
            return "the core is not minimal";
    }
    return NULL;
}

const char *brute_compare(const struct brute *b, const struct ork_wfg *wfg)
{
    const char *wrong = compare_dead(b, wfg);

    if (wrong == NULL)
        wrong = compare_bottom(b, wfg);
    if (wrong == NULL)
        wrong = compare_maximal(b, wfg);
    for (uint32_t i = 0; wrong == NULL && i < ork_wfg_num_bottom(wfg); i++)
        wrong = compare_core(b, wfg, i);
    return wrong;
}
