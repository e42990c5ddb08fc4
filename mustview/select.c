/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/select.h"

#include "report/arc_index.h"
#include "report/fold_runs.h"
#include "report/ranks.h"

#include <stdlib.h>

static bool has_core(const struct ork_graph *graph)
{
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        if (graph->node[i].core)
            return true;
    return false;
}

static void keep_knot(const struct ork_graph *graph, bool *keep)
{
    bool core = has_core(graph);

    for (uint32_t i = 0; i < graph->num_nodes; i++)
        keep[i] = core ? graph->node[i].core : graph->node[i].root;
}

struct chain {
    const struct ork_link *link;
    uint32_t *first; /* by node: the latest link to it; UINT32_MAX: none */
    uint32_t *next;  /* by link: another one to the same node */
};

static void make_chain(struct chain *chain, uint32_t num_nodes, uint32_t num_links)
{
    for (uint32_t n = 0; n < num_nodes; n++)
        chain->first[n] = UINT32_MAX;
    for (uint32_t i = 0; i < num_links; i++) {
        chain->next[i] = chain->first[chain->link[i].to];
        chain->first[chain->link[i].to] = i;
    }
}

/* Also keep every node with a path to a kept node. `stack` has room for all nodes. */
static void spread(const struct chain *chain, uint32_t num_nodes, uint32_t *stack, bool *keep)
{
    uint32_t depth = 0;

    for (uint32_t n = 0; n < num_nodes; n++)
        if (keep[n])
            stack[depth++] = n;
    while (depth > 0) {
        uint32_t n = stack[--depth];
        for (uint32_t i = chain->first[n]; i != UINT32_MAX; i = chain->next[i]) {
            uint32_t from = chain->link[i].from;
            if (keep[from])
                continue;
            keep[from] = true;
            stack[depth++] = from;
        }
    }
}

static enum ork_status keep_waiters(const struct ork_graph *graph, bool *keep)
{
    struct ork_link *link = NULL;
    uint32_t num_links = 0;
    size_t n = (size_t)graph->num_nodes + 1;

    enum ork_status status = ork_arc_index_make(graph, &link, &num_links);
    if (status != ORK_OK)
        return status;
    uint32_t *stack = malloc(n * sizeof(*stack));
    struct chain chain = {.link = link,
                          .first = malloc(n * sizeof(*chain.first)),
                          .next = malloc(((size_t)num_links + 1) * sizeof(*chain.next))};
    bool ready = stack != NULL && chain.first != NULL && chain.next != NULL;
    if (ready) {
        make_chain(&chain, graph->num_nodes, num_links);
        spread(&chain, graph->num_nodes, stack, keep);
    }
    free(link);
    free(stack);
    free(chain.first);
    free(chain.next);
    return ready ? ORK_OK : ORK_NOMEM;
}

/* A sorted set of numbers: ids of nodes, or ranks. */
struct set {
    uint32_t *item;
    uint32_t count;
};

static void fill_sets(const struct ork_graph *graph, const bool *keep, struct set *ids,
                      struct set *ranks)
{
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        const struct ork_graph_node *n = &graph->node[i];
        if (!keep[i])
            continue;
        ids->item[ids->count++] = n->id;
        if (n->kind != ORK_NODE_HUB && n->num_runs == 0)
            ranks->item[ranks->count++] = n->rank;
    }
    qsort(ids->item, ids->count, sizeof(*ids->item), ork_rank_compare);
    qsort(ranks->item, ranks->count, sizeof(*ranks->item), ork_rank_compare);
}

/* Is it the rank of a kept node? */
static bool is_shown(const struct ork_graph *graph, const struct set *ranks, uint32_t rank)
{
    if (ork_rank_in(ranks->item, ranks->count, rank))
        return true;
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        if (ork_runs_contain(graph->node[i].run, graph->node[i].num_runs, rank))
            return true;
    return false;
}

static void drop_nodes(struct ork_graph *graph, const bool *keep)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        if (keep[i])
            graph->node[kept++] = graph->node[i];
        else
            ork_graph_node_release(&graph->node[i]);
    }
    graph->num_nodes = kept;
}

static void drop_arcs(struct ork_graph *graph, const struct set *ids)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < graph->num_arcs; i++) {
        struct ork_graph_arc *arc = &graph->arc[i];
        if (ork_rank_in(ids->item, ids->count, arc->from) &&
            ork_rank_in(ids->item, ids->count, arc->to))
            graph->arc[kept++] = *arc;
        else
            free(arc->label);
    }
    graph->num_arcs = kept;
}

static void drop_waits(struct ork_finding *finding, const struct set *ranks)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < finding->num_waits; i++) {
        if (is_shown(&finding->graph, ranks, finding->waits[i].rank))
            finding->waits[kept++] = finding->waits[i];
        else
            ork_rank_row_release(&finding->waits[i]);
    }
    finding->num_waits = kept;
}

enum ork_status ork_finding_select(struct ork_finding *finding, enum ork_show show)
{
    struct ork_graph *graph = &finding->graph;
    size_t room = (size_t)graph->num_nodes + 1;

    if (show == ORK_SHOW_ALL || graph->num_nodes == 0)
        return ORK_OK;
    bool *keep = calloc(room, sizeof(*keep));
    struct set ids = {.item = malloc(room * sizeof(*ids.item))};
    struct set ranks = {.item = malloc(room * sizeof(*ranks.item))};
    enum ork_status status = ORK_NOMEM;
    if (keep != NULL && ids.item != NULL && ranks.item != NULL) {
        keep_knot(graph, keep);
        status = show == ORK_SHOW_WAITERS ? keep_waiters(graph, keep) : ORK_OK;
    }
    if (status == ORK_OK) {
        fill_sets(graph, keep, &ids, &ranks);
        drop_nodes(graph, keep);
        drop_arcs(graph, &ids);
        drop_waits(finding, &ranks);
    }
    free(keep);
    free(ids.item);
    free(ranks.item);
    return status;
}
