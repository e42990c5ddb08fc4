/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/drawing.h"

#include "report/fold.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: dot's layout would take a second for a graph that is unreadable anyway. */
#define NODES_MAX 100u
#define LINES_MAX 250u

static enum ork_status draw(struct ork_drawing *d, const struct ork_graph *graph)
{
    enum ork_status status = ork_arc_index_make(graph, &d->line, &d->num_lines);

    if (status != ORK_OK)
        return status;
    d->num_lines = ork_arc_index_tidy(d->line, d->num_lines);
    d->node = malloc(((size_t)graph->num_nodes + 1) * sizeof(*d->node));
    if (d->node == NULL)
        return ORK_NOMEM;
    d->num_nodes = graph->num_nodes;
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        d->node[i] = &graph->node[i];
    return ORK_OK;
}

enum ork_status ork_drawing_init(struct ork_drawing *drawing, const struct ork_graph *graph)
{
    bool readable = ork_graph_is_readable(graph), repetitive = false;
    enum ork_status status = ORK_OK;

    memset(drawing, 0, sizeof(*drawing));
    if (readable)
        status = ork_graph_is_repetitive(graph, &repetitive);
    readable = readable && !repetitive;
    if (status == ORK_OK && !readable)
        status = ork_graph_fold(graph, &drawing->folded);
    if (status == ORK_OK)
        status = draw(drawing, readable ? graph : &drawing->folded);
    if (status != ORK_OK)
        ork_drawing_release(drawing);
    return status;
}

void ork_drawing_release(struct ork_drawing *drawing)
{
    free(drawing->node);
    free(drawing->line);
    ork_graph_release(&drawing->folded);
    memset(drawing, 0, sizeof(*drawing));
}

/* 0 for what must be shown first. */
static unsigned importance(const struct ork_graph_node *node)
{
    if (node->core)
        return 0;
    if (node->root)
        return 1;
    return node->deadlocked ? 2 : 3;
}

/* New numbers of the nodes to keep, UINT32_MAX for the others; returns how many are kept. */
static uint32_t choose_nodes(const struct ork_drawing *d, uint32_t max, uint32_t *number)
{
    uint32_t room = max;
    uint32_t kept = 0;

    for (uint32_t n = 0; n < d->num_nodes; n++)
        number[n] = UINT32_MAX;
    for (unsigned level = 0; level < 4; level++)
        for (uint32_t n = 0; n < d->num_nodes && room > 0; n++)
            if (importance(d->node[n]) == level) {
                number[n] = 0;
                room--;
            }
    for (uint32_t n = 0; n < d->num_nodes; n++)
        if (number[n] == 0)
            number[n] = kept++;
    return kept;
}

enum ork_status ork_drawing_limit(struct ork_drawing *drawing, uint32_t nodes, uint32_t lines)
{
    uint32_t *number = malloc(((size_t)drawing->num_nodes + 1) * sizeof(*number));

    if (number == NULL)
        return ORK_NOMEM;
    uint32_t kept_nodes = choose_nodes(drawing, nodes, number);
    uint32_t kept_lines = 0;
    for (uint32_t n = 0; n < drawing->num_nodes; n++)
        if (number[n] != UINT32_MAX)
            drawing->node[number[n]] = drawing->node[n];
    for (uint32_t i = 0; i < drawing->num_lines && kept_lines < lines; i++) {
        struct ork_link line = drawing->line[i];
        if (number[line.from] == UINT32_MAX || number[line.to] == UINT32_MAX)
            continue;
        line.from = number[line.from];
        line.to = number[line.to];
        drawing->line[kept_lines++] = line;
    }
    free(number);
    drawing->left_out_nodes += drawing->num_nodes - kept_nodes;
    drawing->left_out_lines += drawing->num_lines - kept_lines;
    drawing->num_nodes = kept_nodes;
    drawing->num_lines = kept_lines;
    return ORK_OK;
}

enum ork_status ork_drawing_init_limited(struct ork_drawing *drawing, const struct ork_graph *graph)
{
    enum ork_status status = ork_drawing_init(drawing, graph);

    if (status == ORK_OK)
        status = ork_drawing_limit(drawing, NODES_MAX, LINES_MAX);
    if (status != ORK_OK)
        ork_drawing_release(drawing);
    return status;
}
