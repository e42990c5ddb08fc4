/* SPDX-License-Identifier: BSD-3-Clause */
/* OR-knots (section IV-C of the SC12 paper, reachability taken inside the knot): a set X is an
 * OR-knot if the subgraph that it induces is strongly connected with at least one arc, and no OR
 * arc leaves X. With AND nodes as choices of a player and OR nodes as chance, OR-knots are the end
 * components of a Markov decision process. The maximal ones follow from its decomposition: restrict
 * to what supports itself, split into components, repeat with each. Linear except for contrived
 * graphs, never worse than nodes times arcs. */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

/* Sets are ranges of node[]; the id of a set is the index where its range begins. */
struct decomposition {
    const struct ork_digraph *g;
    struct ork_prune prune;
    struct ork_scc scc;
    uint32_t *node;
    uint32_t *work; /* pending ranges, two numbers each; they are disjoint and not empty */
    uint32_t num_work;
};

static void decomposition_release(struct decomposition *d)
{
    ork_prune_release(&d->prune);
    ork_scc_release(&d->scc);
    free(d->node);
    free(d->work);
}

static enum ork_status decomposition_init(struct decomposition *d, const struct ork_digraph *g)
{
    *d = (struct decomposition){.g = g};
    d->node = ork_array_create(g->num_nodes, sizeof(*d->node));
    d->work = ork_array_create((uint64_t)g->num_nodes * 2, sizeof(*d->work));
    if (d->node != NULL && d->work != NULL && ork_prune_init(&d->prune, g->num_nodes) == ORK_OK &&
        ork_scc_init(&d->scc, g->num_nodes) == ORK_OK)
        return ORK_OK;
    decomposition_release(d);
    return ORK_NOMEM;
}

static void knots_release(struct ork_knots *k)
{
    free(k->start);
    free(k->node);
    free(k->of);
    free(k->place);
    *k = (struct ork_knots){0};
}

static enum ork_status knots_init(struct ork_knots *k, uint32_t num_nodes)
{
    *k = (struct ork_knots){
        .start = ork_array_create((uint64_t)num_nodes + 1, sizeof(*k->start)),
        .node = ork_array_create(num_nodes, sizeof(*k->node)),
        .of = ork_array_create(num_nodes, sizeof(*k->of)),
        .place = ork_array_create(num_nodes, sizeof(*k->place)),
    };
    if (k->start == NULL || k->node == NULL || k->of == NULL || k->place == NULL) {
        knots_release(k);
        return ORK_NOMEM;
    }
    for (uint32_t v = 0; v < num_nodes; v++)
        k->of[v] = ORK_NONE;
    return ORK_OK;
}

static void add_knot(struct ork_knots *k, const uint32_t *node, uint32_t lo, uint32_t hi)
{
    ORK_ASSERT(lo < hi && k->of[node[lo]] == ORK_NONE); /* the sets are disjoint */
    for (uint32_t i = lo; i < hi; i++)
        k->of[node[i]] = lo;
}

/* So far of[] holds an arbitrary number for each knot. Assign the knots their final numbers, in the
 * order of their first members, and list the members in ascending order. `number` is scratch, one
 * element per node. */
static void order_knots(struct ork_knots *k, uint32_t num_nodes, uint32_t *number)
{
    for (uint32_t v = 0; v < num_nodes; v++)
        number[v] = ORK_NONE;
    for (uint32_t v = 0; v < num_nodes; v++) {
        uint32_t any = k->of[v];
        if (any == ORK_NONE)
            continue;
        if (number[any] == ORK_NONE)
            number[any] = k->count++;
        k->of[v] = number[any];
        k->place[v] = k->start[k->of[v] + 1]++; /* start[i + 1] counts the members of knot i */
    }
    for (uint32_t i = 0; i < k->count; i++)
        k->start[i + 1] += k->start[i];
    for (uint32_t v = 0; v < num_nodes; v++) {
        if (k->of[v] != ORK_NONE)
            k->node[k->start[k->of[v]] + k->place[v]] = v;
    }
}

static void push(struct decomposition *d, uint32_t lo, uint32_t hi)
{
    ORK_ASSERT(lo < hi && d->num_work < d->g->num_nodes);
    d->work[2 * d->num_work] = lo;
    d->work[2 * d->num_work + 1] = hi;
    d->num_work++;
}

/* node[0..count) are the nodes that are never released. One of their components is an OR-knot if no
 * arc leads from it to another component, as its OR nodes have no released successor. No larger
 * OR-knot contains it, and none exists without such a component below it. */
static void find_bottom(struct decomposition *d, uint32_t count, struct ork_results *out)
{
    uint32_t *set = d->prune.set;

    ork_scc_split(&d->scc, d->g, set, d->node, 0, count);
    for (uint32_t lo = 0, hi; lo < count; lo = hi) {
        hi = ork_scc_end(set, d->node, lo, count);
        if (ork_scc_is_bottom(d->g, set, d->node, lo, hi)) {
            add_knot(&out->bottom, d->node, lo, hi);
            add_knot(&out->maximal, d->node, lo, hi);
        } else {
            push(d, lo, hi);
        }
    }
}

/* Invariant: every maximal OR-knot has been found or is inside one of the pending ranges, each of
 * which is strongly connected. */
static void find_maximal(struct decomposition *d, struct ork_results *out)
{
    uint32_t *set = d->prune.set;

    while (d->num_work > 0) {
        d->num_work--;
        uint32_t begin = d->work[2 * d->num_work];
        uint32_t end = d->work[2 * d->num_work + 1];
        ORK_ASSERT(begin < end && set[d->node[begin]] == begin);
        uint32_t stay = ork_prune_restrict(&d->prune, d->g, begin, d->node + begin, end - begin);
        if (begin + stay == end) {
            add_knot(&out->maximal, d->node, begin, end);
            continue;
        }
        end = begin + stay;
        ork_scc_split(&d->scc, d->g, set, d->node, begin, end);
        for (uint32_t lo = begin, hi; lo < end; lo = hi) {
            hi = ork_scc_end(set, d->node, lo, end);
            push(d, lo, hi);
        }
    }
}

static void find_all(struct decomposition *d, struct ork_results *out)
{
    uint32_t n = d->g->num_nodes;

    for (uint32_t v = 0; v < n; v++)
        d->node[v] = v; /* and set[v] is 0: one range with all nodes */
    uint32_t count = ork_prune_restrict(&d->prune, d->g, 0, d->node, n);
    for (uint32_t i = 0; i < count; i++)
        out->dead[d->node[i]] = true;
    find_bottom(d, count, out);
    find_maximal(d, out);
    order_knots(&out->bottom, n, d->scc.number);
    order_knots(&out->maximal, n, d->scc.number);
}

enum ork_status ork_find_knots(const struct ork_digraph *g, struct ork_results *out)
{
    struct decomposition d;

    *out = (struct ork_results){.dead = ork_array_create(g->num_nodes, sizeof(*out->dead))};
    if (out->dead == NULL || knots_init(&out->bottom, g->num_nodes) != ORK_OK ||
        knots_init(&out->maximal, g->num_nodes) != ORK_OK || decomposition_init(&d, g) != ORK_OK) {
        ork_results_release(out);
        return ORK_NOMEM;
    }
    find_all(&d, out);
    decomposition_release(&d);
    return ORK_OK;
}

void ork_results_release(struct ork_results *results)
{
    free(results->dead);
    knots_release(&results->bottom);
    knots_release(&results->maximal);
    results->dead = NULL;
}
