/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_release.h"

#include <stdlib.h>

struct ork_release {
    const struct ork_wfg *graph;
    uint32_t nodes;
    uint32_t *begin, *from; /* arcs backwards: those to v are from[begin[v]..begin[v + 1] - 1] */
    uint32_t *open;         /* how many more of its arcs must be satisfied; 0: released before */
    uint32_t *left;         /* the same in run number `run` */
    uint64_t *seen;         /* run in which left[v] was set */
    uint64_t run, work;
    uint32_t *queue, queued;
};

static uint32_t needed(const struct ork_wfg *g, uint32_t v)
{
    uint32_t n = 0;

    if (!ork_wfg_is_deadlocked(g, v))
        return 0;
    if (ork_wfg_node(g, v).op == ORK_WFG_OR)
        return 1;
    for (uint32_t i = 0; i < ork_wfg_num_arcs(g, v); i++)
        n += ork_wfg_is_deadlocked(g, ork_wfg_arc(g, v, i).to);
    return n;
}

static bool turn_arcs(struct ork_release *r)
{
    const struct ork_wfg *g = r->graph;

    for (uint32_t v = 0; v < r->nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(g, v); i++)
            r->begin[ork_wfg_arc(g, v, i).to + 2]++;
    }
    for (uint32_t v = 0; v < r->nodes; v++)
        r->begin[v + 2] += r->begin[v + 1];
    r->from = malloc(((size_t)r->begin[r->nodes + 1] + 1) * sizeof(*r->from));
    if (r->from == NULL)
        return false;
    for (uint32_t v = 0; v < r->nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(g, v); i++)
            r->from[r->begin[ork_wfg_arc(g, v, i).to + 1]++] = v;
    }
    return true;
}

enum ork_status ork_release_create(const struct ork_wfg *graph, struct ork_release **out)
{
    struct ork_release *r = calloc(1, sizeof(*r));
    size_t n = ork_wfg_num_nodes(graph);

    if (r == NULL)
        return ORK_NOMEM;
    r->graph = graph;
    r->nodes = (uint32_t)n;
    r->begin = calloc(n + 2, sizeof(*r->begin));
    r->open = calloc(n + 1, sizeof(*r->open));
    r->left = calloc(n + 1, sizeof(*r->left));
    r->seen = calloc(n + 1, sizeof(*r->seen));
    r->queue = calloc(n + 1, sizeof(*r->queue));
    if (r->begin == NULL || r->open == NULL || r->left == NULL || r->seen == NULL ||
        r->queue == NULL || !turn_arcs(r)) {
        ork_release_destroy(r);
        return ORK_NOMEM;
    }
    for (uint32_t v = 0; v < r->nodes; v++)
        r->open[v] = needed(graph, v);
    *out = r;
    return ORK_OK;
}

void ork_release_destroy(struct ork_release *r)
{
    if (r == NULL)
        return;
    free(r->begin);
    free(r->from);
    free(r->open);
    free(r->left);
    free(r->seen);
    free(r->queue);
    free(r);
}

/* One more arc of v is satisfied. */
static void satisfy(struct ork_release *r, uint32_t v)
{
    r->work++;
    if (r->open[v] == 0)
        return;
    if (r->seen[v] != r->run) {
        r->seen[v] = r->run;
        r->left[v] = r->open[v];
    }
    if (r->left[v] > 0 && --r->left[v] == 0)
        r->queue[r->queued++] = v;
}

uint32_t ork_release_without(struct ork_release *r, uint32_t node, uint32_t arc)
{
    uint32_t processes = 0;

    r->run++;
    r->queued = 0;
    if (ork_wfg_is_deadlocked(r->graph, ork_wfg_arc(r->graph, node, arc).to))
        satisfy(r, node);
    for (uint32_t i = 0; i < r->queued; i++) { /* nodes before i have been propagated */
        uint32_t v = r->queue[i];
        processes += ork_wfg_node(r->graph, v).kind == ORK_WFG_PROCESS;
        for (uint32_t k = r->begin[v]; k < r->begin[v + 1]; k++)
            satisfy(r, r->from[k]);
    }
    return processes;
}

const uint32_t *ork_release_nodes(const struct ork_release *r, uint32_t *count)
{
    *count = r->queued;
    return r->queue;
}

uint64_t ork_release_work(const struct ork_release *r)
{
    return r->work;
}
