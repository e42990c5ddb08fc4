/* SPDX-License-Identifier: BSD-3-Clause */
/* The search, and the results for the caller. Until a search has succeeded, graph and results are
 * empty. */
#include "common/assert.h"
#include "wfg/wfg_internal.h"

enum ork_status ork_wfg_search(struct ork_wfg *wfg)
{
    if (wfg->searched)
        return ORK_INVALID;
    wfg->searched = true;
    if (wfg->error != ORK_OK)
        return wfg->error;
    if (wfg->inside)
        return ORK_INVALID;
    if (ork_transform(&wfg->conditions, &wfg->graph) != ORK_OK)
        return ORK_NOMEM;
    if (ork_find_knots(&wfg->graph.d, &wfg->results) != ORK_OK) {
        ork_wfg_graph_release(&wfg->graph);
        return ORK_NOMEM;
    }
    for (uint32_t p = 0; p < wfg->conditions.num_processes; p++)
        wfg->num_deadlocked += wfg->results.dead[p];
    /* A node that is never released is in a knot or waits for one, and every knot has a process. */
    ORK_ASSERT((wfg->num_deadlocked > 0) == (wfg->results.bottom.count > 0));
    ORK_ASSERT(wfg->results.bottom.count <= wfg->results.maximal.count);
    ork_conditions_release(&wfg->conditions);
    return ORK_OK;
}

bool ork_wfg_is_deadlocked(const struct ork_wfg *wfg, uint32_t node)
{
    return node < wfg->graph.d.num_nodes && wfg->results.dead[node];
}

uint32_t ork_wfg_num_deadlocked(const struct ork_wfg *wfg)
{
    return wfg->num_deadlocked;
}

static struct ork_wfg_knot get_knot(const struct ork_knots *k, uint32_t i)
{
    if (i >= k->count)
        return (struct ork_wfg_knot){0};
    return (struct ork_wfg_knot){
        .node = k->node + k->start[i],
        .count = k->start[i + 1] - k->start[i],
    };
}

uint32_t ork_wfg_num_bottom(const struct ork_wfg *wfg)
{
    return wfg->results.bottom.count;
}

struct ork_wfg_knot ork_wfg_bottom(const struct ork_wfg *wfg, uint32_t i)
{
    struct ork_wfg_knot knot = get_knot(&wfg->results.bottom, i);

    knot.bottom = knot.count > 0;
    return knot;
}

uint32_t ork_wfg_num_maximal(const struct ork_wfg *wfg)
{
    return wfg->results.maximal.count;
}

struct ork_wfg_knot ork_wfg_maximal(const struct ork_wfg *wfg, uint32_t i)
{
    struct ork_wfg_knot knot = get_knot(&wfg->results.maximal, i);

    /* Maximal knots are disjoint and each bottom knot is one of them. */
    knot.bottom = knot.count > 0 && wfg->results.bottom.of[knot.node[0]] != ORK_NONE;
    return knot;
}

uint32_t ork_wfg_num_nodes(const struct ork_wfg *wfg)
{
    return wfg->graph.d.num_nodes;
}

struct ork_wfg_node ork_wfg_node(const struct ork_wfg *wfg, uint32_t node)
{
    if (node >= wfg->graph.d.num_nodes)
        return (struct ork_wfg_node){0};
    return wfg->graph.node[node];
}

uint32_t ork_wfg_num_arcs(const struct ork_wfg *wfg, uint32_t node)
{
    if (node >= wfg->graph.d.num_nodes)
        return 0;
    return wfg->graph.d.start[node + 1] - wfg->graph.d.start[node];
}

struct ork_wfg_arc ork_wfg_arc(const struct ork_wfg *wfg, uint32_t node, uint32_t i)
{
    if (i >= ork_wfg_num_arcs(wfg, node))
        return (struct ork_wfg_arc){0};
    uint32_t arc = wfg->graph.d.start[node] + i;
    return (struct ork_wfg_arc){.to = wfg->graph.d.to[arc], .label = wfg->graph.arc_label[arc]};
}
