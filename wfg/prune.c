/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of nodes supports itself if each AND node in it has a successor in it, and each OR node has
 * all its successors in it. The nodes that have to leave a set until it supports itself are exactly
 * those that release propagation releases: one worklist serves both. */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

enum ork_status ork_prune_init(struct ork_prune *p, uint32_t num_nodes)
{
    *p = (struct ork_prune){
        .set = ork_array_create(num_nodes, sizeof(*p->set)),
        .left = ork_array_create(num_nodes, sizeof(*p->left)),
        .gone = ork_array_create(num_nodes, sizeof(*p->gone)),
    };
    if (p->set != NULL && p->left != NULL && p->gone != NULL)
        return ORK_OK;
    ork_prune_release(p);
    return ORK_NOMEM;
}

void ork_prune_release(struct ork_prune *p)
{
    free(p->set);
    free(p->left);
    free(p->gone);
    *p = (struct ork_prune){0};
}

void ork_prune_count(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                     const uint32_t *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = nodes[i];
        uint32_t left = 0;
        for (uint32_t a = g->start[v]; a < g->start[v + 1]; a++)
            left += p->set[g->to[a]] == id;
        p->left[v] = left;
    }
    p->num_gone = 0;
    p->num_spread = 0;
}

void ork_prune_drop(struct ork_prune *p, uint32_t node)
{
    ORK_ASSERT(p->set[node] != ORK_NONE);
    p->set[node] = ORK_NONE;
    p->gone[p->num_gone++] = node;
}

/* Invariant: left[v] counts, for each v of the set, its successors that are in the set or in
 * gone[num_spread..num_gone). Counts of nodes outside the set decrease too: they are never read,
 * and ork_prune_undo() can add without a check. */
bool ork_prune_spread(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                      const uint8_t *keep)
{
    bool kept = true;

    while (kept && p->num_spread < p->num_gone) {
        uint32_t w = p->gone[p->num_spread++];
        for (uint32_t a = g->pred_start[w]; a < g->pred_start[w + 1]; a++) {
            uint32_t v = g->pred[a];
            p->left[v]--;
            if (p->set[v] != id || (!g->is_or[v] && p->left[v] > 0))
                continue;
            ork_prune_drop(p, v);
            if (keep != NULL && keep[v] != 0)
                kept = false;
        }
    }
    return kept;
}

uint64_t ork_prune_undo(struct ork_prune *p, const struct ork_digraph *g, uint32_t id)
{
    uint64_t arcs = 0;

    ORK_ASSERT(p->num_spread <= p->num_gone);
    for (uint32_t i = 0; i < p->num_spread; i++) {
        uint32_t w = p->gone[i];
        for (uint32_t a = g->pred_start[w]; a < g->pred_start[w + 1]; a++)
            p->left[g->pred[a]]++;
        arcs += g->pred_start[w + 1] - g->pred_start[w];
    }
    for (uint32_t i = 0; i < p->num_gone; i++)
        p->set[p->gone[i]] = id;
    p->num_gone = 0;
    p->num_spread = 0;
    return arcs;
}

uint32_t ork_prune_restrict(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                            uint32_t *nodes, uint32_t count)
{
    uint32_t stay = 0;

    ork_prune_count(p, g, id, nodes, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = nodes[i];
        if (p->left[v] == 0 || (g->is_or[v] && p->left[v] < g->start[v + 1] - g->start[v]))
            ork_prune_drop(p, v);
    }
    ork_prune_spread(p, g, id, NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (p->set[nodes[i]] == id)
            nodes[stay++] = nodes[i];
    }
    ORK_ASSERT(stay + p->num_gone == count);
    return stay;
}
