/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/arc_index.h"

#include "common/lower_bound.h"

#include <stdlib.h>
#include <string.h>

#define LABELS_MAX 3u /* different labels between two nodes; more are not shown */

struct numbered {
    uint32_t id;
    uint32_t index;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *x = a;
    const struct numbered *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The first node with this id; UINT32_MAX: none. */
static uint32_t find_node(const struct numbered *sorted, uint32_t count, uint32_t id)
{
    ORK_LOWER_BOUND(low, count, i, sorted[i].id < id);
    return low < count && sorted[low].id == id ? sorted[low].index : UINT32_MAX;
}

enum ork_status ork_arc_index_make(const struct ork_graph *graph, struct ork_link **link,
                                   uint32_t *num_links)
{
    struct numbered *sorted = malloc(((size_t)graph->num_nodes + 1) * sizeof(*sorted));
    struct ork_link *out = malloc(((size_t)graph->num_arcs + 1) * sizeof(*out));
    uint32_t count = 0;

    if (sorted == NULL || out == NULL) {
        free(sorted);
        free(out);
        return ORK_NOMEM;
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        sorted[i] = (struct numbered){.id = graph->node[i].id, .index = i};
    qsort(sorted, graph->num_nodes, sizeof(*sorted), compare_numbered);
    for (uint32_t i = 0; i < graph->num_arcs; i++) {
        uint32_t from = find_node(sorted, graph->num_nodes, graph->arc[i].from);
        uint32_t to = find_node(sorted, graph->num_nodes, graph->arc[i].to);
        if (from != UINT32_MAX && to != UINT32_MAX)
            out[count++] = (struct ork_link){from, to, graph->arc[i].label};
    }
    free(sorted);
    *link = out;
    *num_links = count;
    return ORK_OK;
}

static int compare_labels(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_ends(const struct ork_link *x, const struct ork_link *y)
{
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static int compare_links(const void *a, const void *b)
{
    const struct ork_link *x = a;
    const struct ork_link *y = b;
    int ends = compare_ends(x, y);

    return ends != 0 ? ends : compare_labels(x->label, y->label);
}

uint32_t ork_arc_index_tidy(struct ork_link *link, uint32_t num_links)
{
    uint32_t kept = 0;

    qsort(link, num_links, sizeof(*link), compare_links);
    for (uint32_t i = 0, end; i < num_links; i = end) {
        uint32_t first = kept;
        for (end = i; end < num_links && compare_ends(&link[end], &link[i]) == 0; end++)
            if (kept == first || compare_labels(link[end].label, link[kept - 1].label) != 0)
                link[kept++] = link[end];
        if (kept - first > LABELS_MAX) {
            link[first].label = NULL;
            kept = first + 1;
        }
    }
    return kept;
}
