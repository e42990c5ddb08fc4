/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

enum ork_status ork_digraph_init(struct ork_digraph *g, uint32_t num_nodes, uint32_t num_arcs)
{
    *g = (struct ork_digraph){
        .num_nodes = num_nodes,
        .start = ork_array_create((uint64_t)num_nodes + 1, sizeof(*g->start)),
        .to = ork_array_create(num_arcs, sizeof(*g->to)),
        .pred_start = ork_array_create((uint64_t)num_nodes + 1, sizeof(*g->pred_start)),
        .pred = ork_array_create(num_arcs, sizeof(*g->pred)),
        .is_or = ork_array_create(num_nodes, sizeof(*g->is_or)),
    };
    if (g->start != NULL && g->to != NULL && g->pred_start != NULL && g->pred != NULL &&
        g->is_or != NULL)
        return ORK_OK;
    ork_digraph_release(g);
    return ORK_NOMEM;
}

void ork_digraph_release(struct ork_digraph *g)
{
    free(g->start);
    free(g->to);
    free(g->pred_start);
    free(g->pred);
    free(g->is_or);
    *g = (struct ork_digraph){0};
}

void ork_digraph_reverse(struct ork_digraph *g)
{
    uint32_t n = g->num_nodes;
    uint32_t num_arcs = g->start[n];

    for (uint32_t v = 0; v <= n; v++)
        g->pred_start[v] = 0;
    for (uint32_t a = 0; a < num_arcs; a++)
        g->pred_start[g->to[a] + 1]++;
    for (uint32_t v = 0; v < n; v++)
        g->pred_start[v + 1] += g->pred_start[v];
    ORK_ASSERT(g->pred_start[n] == num_arcs);
    /* Filling moves each start to its row's end, which is the next row's start: shift back
     * afterwards. */
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t a = g->start[v]; a < g->start[v + 1]; a++)
            g->pred[g->pred_start[g->to[a]]++] = v;
    }
    for (uint32_t v = n; v > 0; v--)
        g->pred_start[v] = g->pred_start[v - 1];
    g->pred_start[0] = 0;
}
