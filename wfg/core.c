/* SPDX-License-Identifier: BSD-3-Clause */
/* The least OR-knot inside an OR-knot: remove one node after the other, from the highest number, as
 * long as a set that supports itself remains. The result cannot lose another node, so it is one of
 * its own bottom components and therefore an OR-knot. The cost of a successful deletion is covered
 * once by the arcs that it removes. A failed one costs up to all arcs, so nodes known to be in
 * every remaining knot are not tried: a known OR node requires all of its successors, a known AND
 * node its last one. */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

enum { FREE, KEPT, FOLLOWED }; /* FOLLOWED: kept, and so are the successors it needs */

struct core {
    const struct ork_digraph *g;
    struct ork_prune prune; /* set 0: the remaining nodes */
    struct ork_scc scc;
    uint32_t size;
    uint8_t *keep;
    uint32_t *todo; /* nodes just kept */
    uint32_t num_todo;
};

static void core_release(struct core *c)
{
    ork_prune_release(&c->prune);
    ork_scc_release(&c->scc);
    free(c->keep);
    free(c->todo);
}

static enum ork_status core_init(struct core *c, const struct ork_digraph *g)
{
    *c = (struct core){.g = g, .size = g->num_nodes};
    c->keep = ork_array_create(g->num_nodes, sizeof(*c->keep));
    c->todo = ork_array_create(g->num_nodes, sizeof(*c->todo));
    if (c->keep != NULL && c->todo != NULL && ork_prune_init(&c->prune, g->num_nodes) == ORK_OK &&
        ork_scc_init(&c->scc, g->num_nodes) == ORK_OK)
        return ORK_OK;
    core_release(c);
    return ORK_NOMEM;
}

static void keep_node(struct core *c, uint32_t v)
{
    if (c->keep[v] != FREE)
        return;
    ORK_ASSERT(c->num_todo < c->g->num_nodes);
    c->keep[v] = KEPT;
    c->todo[c->num_todo++] = v;
}

/* Keep the successors that the kept node v requires. */
static void follow(struct core *c, uint32_t v)
{
    const struct ork_digraph *g = c->g;

    if (c->keep[v] != KEPT || (!g->is_or[v] && c->prune.left[v] > 1))
        return;
    c->keep[v] = FOLLOWED;
    for (uint32_t a = g->start[v]; a < g->start[v + 1]; a++) {
        if (c->prune.set[g->to[a]] == 0)
            keep_node(c, g->to[a]);
    }
}

static void follow_all(struct core *c)
{
    while (c->num_todo > 0)
        follow(c, c->todo[--c->num_todo]);
}

/* Kept AND nodes that were left with one successor now need it. */
static void follow_losers(struct core *c)
{
    const struct ork_digraph *g = c->g;

    for (uint32_t i = 0; i < c->prune.num_gone; i++) {
        uint32_t w = c->prune.gone[i];
        for (uint32_t a = g->pred_start[w]; a < g->pred_start[w + 1]; a++) {
            if (c->prune.set[g->pred[a]] == 0)
                follow(c, g->pred[a]);
        }
    }
    follow_all(c);
}

/* Remove v if something remains without it. Returns the number of arcs examined without success. */
static uint64_t try_without(struct core *c, uint32_t v)
{
    c->prune.num_gone = 0;
    c->prune.num_spread = 0;
    ork_prune_drop(&c->prune, v);
    if (ork_prune_spread(&c->prune, c->g, 0, c->keep) && c->prune.num_gone < c->size) {
        c->size -= c->prune.num_gone;
        follow_losers(c);
        return 0;
    }
    uint64_t arcs = ork_prune_undo(&c->prune, c->g, 0);
    keep_node(c, v);
    follow_all(c);
    return arcs;
}

static void shrink(struct core *c, uint64_t budget)
{
    uint64_t spent = 0;

    for (uint32_t v = c->g->num_nodes; v > 0 && spent <= budget; v--) {
        if (c->prune.set[v - 1] == 0 && c->keep[v - 1] == FREE)
            spent += try_without(c, v - 1);
    }
}

/* If the budget ran out, more than one component may remain. A component from which no other is
 * reachable is a knot, and the first component found is of this kind. */
static void take_knot(struct core *c, uint32_t *out, uint32_t *count)
{
    uint32_t *set = c->prune.set;
    uint32_t *node = c->todo;
    uint32_t n = 0;

    for (uint32_t v = 0; v < c->g->num_nodes; v++) {
        if (set[v] == 0)
            node[n++] = v;
    }
    ork_scc_split(&c->scc, c->g, set, node, 0, n);
    *count = 0;
    for (uint32_t v = 0; v < c->g->num_nodes; v++) {
        if (set[v] == 0)
            out[(*count)++] = v;
    }
    ORK_ASSERT(*count > 0 && *count <= c->size);
}

enum ork_status ork_core_find(const struct ork_digraph *g, uint64_t budget, uint32_t *out,
                              uint32_t *count)
{
    struct core c;

    if (core_init(&c, g) != ORK_OK)
        return ORK_NOMEM;
    for (uint32_t v = 0; v < g->num_nodes; v++)
        c.todo[v] = v;
    ork_prune_count(&c.prune, g, 0, c.todo, g->num_nodes);
    shrink(&c, budget);
    take_knot(&c, out, count);
    core_release(&c);
    return ORK_OK;
}

/* The subgraph induced by bottom knot i, with its nodes numbered in the same order. It has all OR
 * arcs, as none leaves the knot. */
static enum ork_status induce(const struct ork_wfg *wfg, uint32_t i, struct ork_digraph *out)
{
    const struct ork_digraph *g = &wfg->graph.d;
    const struct ork_knots *k = &wfg->results.bottom;
    const uint32_t *node = k->node + k->start[i];
    uint32_t n = k->start[i + 1] - k->start[i];
    uint32_t arcs = 0;

    for (uint32_t j = 0; j < n; j++)
        arcs += g->start[node[j] + 1] - g->start[node[j]];
    if (ork_digraph_init(out, n, arcs) != ORK_OK)
        return ORK_NOMEM;
    arcs = 0;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t a = g->start[node[j]]; a < g->start[node[j] + 1]; a++) {
            if (k->of[g->to[a]] == i)
                out->to[arcs++] = k->place[g->to[a]];
        }
        out->start[j + 1] = arcs;
        out->is_or[j] = g->is_or[node[j]];
    }
    ork_digraph_reverse(out);
    return ORK_OK;
}

enum ork_status ork_wfg_core(const struct ork_wfg *wfg, uint32_t i, uint32_t *out, uint32_t *count)
{
    struct ork_digraph knot;

    if (i >= wfg->results.bottom.count)
        return ORK_INVALID;
    if (induce(wfg, i, &knot) != ORK_OK)
        return ORK_NOMEM;
    enum ork_status status = ork_core_find(&knot, ORK_CORE_BUDGET, out, count);
    ork_digraph_release(&knot);
    if (status == ORK_OK) {
        for (uint32_t j = 0; j < *count; j++)
            out[j] = ork_wfg_bottom(wfg, i).node[out[j]];
    }
    return status;
}
