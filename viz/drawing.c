/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/drawing.h"

#include "viz/fold.h"
#include "viz/ranks.h"

#include <stdlib.h>
#include <string.h>

#define LABELS_MAX 3u /* different labels between two boxes; more say nothing */

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
    uint32_t low = 0;

    for (uint32_t high = count; low < high;) { /* all below low have lower ids, none from high on */
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sorted[low].id == id ? sorted[low].index : UINT32_MAX;
}

/* Arcs between indices, those with an end that is no node dropped. NULL: no memory. */
static struct ork_link *resolve_arcs(const struct ork_graph *graph, uint32_t *num_links)
{
    struct numbered *sorted = malloc(((size_t)graph->num_nodes + 1) * sizeof(*sorted));
    struct ork_link *link = malloc(((size_t)graph->num_arcs + 1) * sizeof(*link));

    if (sorted == NULL || link == NULL) {
        free(sorted);
        free(link);
        return NULL;
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        sorted[i] = (struct numbered){.id = graph->node[i].id, .index = i};
    qsort(sorted, graph->num_nodes, sizeof(*sorted), compare_numbered);
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->num_arcs; i++) {
        uint32_t from = find_node(sorted, graph->num_nodes, graph->arc[i].from);
        uint32_t to = find_node(sorted, graph->num_nodes, graph->arc[i].to);
        if (from != UINT32_MAX && to != UINT32_MAX)
            link[count++] = (struct ork_link){from, to, graph->arc[i].label};
    }
    free(sorted);
    *num_links = count;
    return link;
}

/* Give each box its ranks: a part of drawing->rank, sorted and without doubles. */
static void fill_ranks(struct ork_drawing *d, const struct ork_graph *graph, const uint32_t *class_)
{
    uint32_t *slot = d->rank;

    for (uint32_t b = 0; b < d->num_boxes; b++) {
        d->box[b].rank = slot;
        slot += d->box[b].folded;
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        struct ork_box *box = &d->box[class_[i]];
        if (graph->node[i].kind != ORK_NODE_HUB)
            d->rank[(box->rank - d->rank) + box->num_ranks++] = graph->node[i].rank;
    }
    for (uint32_t b = 0; b < d->num_boxes; b++) {
        struct ork_box *box = &d->box[b];
        uint32_t *rank = d->rank + (box->rank - d->rank);
        uint32_t kept = 0;
        qsort(rank, box->num_ranks, sizeof(*rank), ork_rank_compare);
        for (uint32_t i = 0; i < box->num_ranks; i++)
            if (i == 0 || rank[i] != rank[kept - 1])
                rank[kept++] = rank[i];
        box->num_ranks = kept;
    }
}

static void fill_boxes(struct ork_drawing *d, const struct ork_graph *graph, const uint32_t *class_)
{
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        struct ork_box *box = &d->box[class_[i]];
        if (box->folded++ == 0)
            box->node = &graph->node[i];
    }
    fill_ranks(d, graph, class_);
}

static int compare_labels(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_ends(const struct ork_line *x, const struct ork_line *y)
{
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static int compare_lines(const void *a, const void *b)
{
    const struct ork_line *x = a;
    const struct ork_line *y = b;
    int ends = compare_ends(x, y);

    return ends != 0 ? ends : compare_labels(x->label, y->label);
}

/* Sort the lines; between two boxes keep one for each label, or one without if there are too many.
 */
static void tidy_lines(struct ork_drawing *d)
{
    struct ork_line *line = d->line;
    uint32_t kept = 0;

    qsort(line, d->num_lines, sizeof(*line), compare_lines);
    for (uint32_t i = 0, end; i < d->num_lines; i = end) {
        uint32_t first = kept;
        for (end = i; end < d->num_lines && compare_ends(&line[end], &line[i]) == 0; end++)
            if (kept == first || compare_labels(line[end].label, line[kept - 1].label) != 0)
                line[kept++] = line[end];
        if (kept - first > LABELS_MAX) {
            line[first].label = NULL;
            kept = first + 1;
        }
    }
    d->num_lines = kept;
}

static enum ork_status draw(struct ork_drawing *d, const struct ork_graph *graph,
                            const struct ork_link *link, uint32_t num_links, uint32_t *class_)
{
    enum ork_status status = ork_fold(graph, link, num_links, class_, &d->num_boxes);

    if (status != ORK_OK)
        return status;
    d->box = calloc((size_t)d->num_boxes + 1, sizeof(*d->box));
    d->line = malloc(((size_t)num_links + 1) * sizeof(*d->line));
    d->rank = malloc(((size_t)graph->num_nodes + 1) * sizeof(*d->rank));
    if (d->box == NULL || d->line == NULL || d->rank == NULL)
        return ORK_NOMEM;
    fill_boxes(d, graph, class_);
    for (uint32_t i = 0; i < num_links; i++)
        d->line[i] = (struct ork_line){class_[link[i].from], class_[link[i].to], link[i].label};
    d->num_lines = num_links;
    tidy_lines(d);
    return ORK_OK;
}

enum ork_status ork_drawing_init(struct ork_drawing *drawing, const struct ork_graph *graph)
{
    uint32_t num_links = 0;
    struct ork_link *link = resolve_arcs(graph, &num_links);
    uint32_t *class_ = malloc(((size_t)graph->num_nodes + 1) * sizeof(*class_));

    memset(drawing, 0, sizeof(*drawing));
    enum ork_status status = ORK_NOMEM;
    if (link != NULL && class_ != NULL)
        status = draw(drawing, graph, link, num_links, class_);
    free(link);
    free(class_);
    if (status != ORK_OK)
        ork_drawing_release(drawing);
    return status;
}

void ork_drawing_release(struct ork_drawing *drawing)
{
    free(drawing->box);
    free(drawing->line);
    free(drawing->rank);
    memset(drawing, 0, sizeof(*drawing));
}

/* 0 for what must be seen first. */
static unsigned importance(const struct ork_box *box)
{
    if (box->node->core)
        return 0;
    if (box->node->root)
        return 1;
    return box->node->deadlocked ? 2 : 3;
}

/* New numbers of the boxes to keep, UINT32_MAX for the others; returns how many are kept. */
static uint32_t choose_boxes(const struct ork_drawing *d, uint32_t max, uint32_t *number)
{
    uint32_t room = max;
    uint32_t kept = 0;

    for (uint32_t b = 0; b < d->num_boxes; b++)
        number[b] = UINT32_MAX;
    for (unsigned level = 0; level < 4; level++)
        for (uint32_t b = 0; b < d->num_boxes && room > 0; b++)
            if (importance(&d->box[b]) == level) {
                number[b] = 0;
                room--;
            }
    for (uint32_t b = 0; b < d->num_boxes; b++)
        if (number[b] == 0)
            number[b] = kept++;
    return kept;
}

enum ork_status ork_drawing_limit(struct ork_drawing *drawing, uint32_t boxes, uint32_t lines)
{
    uint32_t *number = malloc(((size_t)drawing->num_boxes + 1) * sizeof(*number));

    if (number == NULL)
        return ORK_NOMEM;
    uint32_t kept_boxes = choose_boxes(drawing, boxes, number);
    uint32_t kept_lines = 0;
    for (uint32_t b = 0; b < drawing->num_boxes; b++)
        if (number[b] != UINT32_MAX)
            drawing->box[number[b]] = drawing->box[b];
    for (uint32_t i = 0; i < drawing->num_lines && kept_lines < lines; i++) {
        struct ork_line line = drawing->line[i];
        if (number[line.from] == UINT32_MAX || number[line.to] == UINT32_MAX)
            continue;
        line.from = number[line.from];
        line.to = number[line.to];
        drawing->line[kept_lines++] = line;
    }
    free(number);
    drawing->left_out_boxes += drawing->num_boxes - kept_boxes;
    drawing->left_out_lines += drawing->num_lines - kept_lines;
    drawing->num_boxes = kept_boxes;
    drawing->num_lines = kept_lines;
    return ORK_OK;
}
