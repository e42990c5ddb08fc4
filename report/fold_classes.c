/* SPDX-License-Identifier: BSD-3-Clause */
/* Twins, else colour refinement by hashing: O((nodes + arcs) log arcs) a round, each round except
 * the last with more classes, for each of a few levels. */
#include "report/fold_classes.h"

#include "common/hash.h"
#include "report/fold_distance.h"

#include <stdlib.h>
#include <string.h>

/* A distance counts if at least 1/COMMON_PART of the nodes with the same properties have it. */
#define COMMON_PART 16u

/* The properties that distinguish nodes, besides their kind. */
enum { BY_CALL = 1, BY_PLACE = 2, BY_COMM = 4, BY_DISTANCE = 8 };

/* RATIONALE: from the finest to the coarsest. Communicators are dropped before places: each row of
 * a grid may have one, and they differ in a number only. */
static const unsigned level[] = {
    BY_CALL | BY_PLACE | BY_COMM | BY_DISTANCE,
    BY_CALL | BY_PLACE | BY_COMM,
    BY_CALL | BY_PLACE | BY_DISTANCE,
    BY_CALL | BY_PLACE,
    BY_CALL,
    0,
};
#define LEVELS (sizeof(level) / sizeof(level[0]))

struct colored {
    uint64_t color;
    uint64_t distance; /* for equal colours, only if wanted; else 0 */
    uint32_t index;
};

/* One end of an arc, seen from its other end. */
struct seen {
    uint32_t node;
    uint64_t color; /* of the partner, the arc's direction and label */
};

struct classes {
    const struct ork_graph *graph;
    const struct ork_link *link;
    uint32_t num_links;
    struct ork_fold_limits limits;
    uint64_t *color;        /* per node, of the present round */
    uint64_t *next;         /* per node, of the next one */
    uint64_t *first;        /* per node, before the first round */
    uint64_t *distance;     /* per node, see fold_distance.h */
    uint64_t *arc_label;    /* per link */
    struct colored *sorted; /* scratch, per node */
    struct seen *seen;      /* scratch, two per link */
    uint64_t *pair;         /* scratch, per link */
};

/* A hub's second line is a communicator, too. */
static uint64_t hash_label(uint64_t h, const struct ork_graph_node *node, unsigned by)
{
    if (node->kind != ORK_NODE_HUB || (by & BY_COMM) != 0 || node->label == NULL)
        return ork_hash_text(h, node->label);
    for (const char *c = node->label; *c != '\0' && *c != '\n'; c++)
        h = ork_hash_add(h, (unsigned char)*c);
    return h;
}

static uint64_t hash_words(const struct ork_graph_node *node, unsigned by)
{
    uint64_t h = ork_hash_add(node->kind, node->is_or);

    h = ork_hash_add(h, node->deadlocked);
    h = ork_hash_add(h, node->root);
    h = ork_hash_add(h, node->core);
    if ((by & BY_CALL) != 0)
        h = hash_label(h, node, by);
    if ((by & BY_COMM) != 0)
        h = ork_hash_text(h, node->comm);
    if ((by & BY_PLACE) != 0)
        h = ork_hash_text(h, node->place);
    return h;
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_colored(const void *a, const void *b)
{
    const struct colored *x = a;
    const struct colored *y = b;
    int by_color = compare_u64(x->color, y->color);
    int by_distance = compare_u64(x->distance, y->distance);

    if (by_color != 0)
        return by_color;
    return by_distance != 0 ? by_distance : compare_u64(x->index, y->index);
}

static int compare_seen(const void *a, const void *b)
{
    const struct seen *x = a;
    const struct seen *y = b;

    return x->node != y->node ? compare_u64(x->node, y->node) : compare_u64(x->color, y->color);
}

static void sort_colors(struct classes *f, const uint64_t *color, const uint64_t *distance)
{
    uint32_t n = f->graph->num_nodes;

    for (uint32_t i = 0; i < n; i++)
        f->sorted[i] = (struct colored){
            .color = color[i], .distance = distance != NULL ? distance[i] : 0, .index = i};
    qsort(f->sorted, n, sizeof(*f->sorted), compare_colored);
}

static uint32_t count_colors(struct classes *f, const uint64_t *color)
{
    uint32_t count = 0;

    sort_colors(f, color, NULL);
    for (uint32_t i = 0; i < f->graph->num_nodes; i++)
        count += i == 0 || f->sorted[i].color != f->sorted[i - 1].color;
    return count;
}

/* Index after the nodes that have the colour of f->sorted[i]. */
static uint32_t color_end(const struct classes *f, uint32_t i)
{
    uint32_t end = i + 1;

    while (end < f->graph->num_nodes && f->sorted[end].color == f->sorted[i].color)
        end++;
    return end;
}

/* A node's role for a partner, before its own hash: target or source of an arc. */
static uint64_t hash_partner(uint64_t partner, uint64_t arc_label, uint64_t direction)
{
    return ork_hash_add(ork_hash_add(partner, arc_label), direction);
}

/* ---- twins: the same properties, and the same partners node by node ---- */

/* With `closed`, ranks that wait for each other (and have the same partners otherwise) become
 * equal; without, those that do not. Nodes that are no ranks stay separate. */
static void color_twins(struct classes *f, bool closed, uint64_t *color)
{
    uint32_t n = f->graph->num_nodes;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t self = ork_hash_add(2, i);
        color[i] = closed ? hash_partner(self, ork_hash_text(3, NULL), 0) +
                                hash_partner(self, ork_hash_text(3, NULL), 1)
                          : 0;
    }
    for (uint32_t i = 0; i < f->num_links; i++) {
        uint32_t from = f->link[i].from;
        uint32_t to = f->link[i].to;
        color[from] += hash_partner(ork_hash_add(2, to), f->arc_label[i], 0);
        color[to] += hash_partner(ork_hash_add(2, from), f->arc_label[i], 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        bool rank = f->graph->node[i].kind == ORK_NODE_RANK;
        color[i] = ork_hash_add(hash_words(&f->graph->node[i], level[0]) + closed,
                                rank ? color[i] : ork_hash_add(4, i));
    }
}

/* First open twins; a node without any may have closed ones. Two ranks that wait for each other
 * stay two nodes: that is the familiar picture. */
static void find_twins(struct classes *f)
{
    uint32_t n = f->graph->num_nodes;

    color_twins(f, false, f->color);
    color_twins(f, true, f->next);
    sort_colors(f, f->color, NULL);
    for (uint32_t i = 0, end; i < n; i = end) {
        end = color_end(f, i);
        if (end - i == 1)
            f->color[f->sorted[i].index] = f->next[f->sorted[i].index];
    }
    sort_colors(f, f->color, NULL);
    for (uint32_t i = 0, end; i < n; i = end) {
        end = color_end(f, i);
        uint32_t first = f->sorted[i].index;
        if (end - i == 2 && f->color[first] == f->next[first])
            f->color[first] = ork_hash_add(5, first);
    }
}

/* ---- classes ---- */

/* Of the nodes f->sorted[from..to-1], which have one colour in f->first, separate those whose
 * distances are common. */
static void split_by_distance(struct classes *f, uint32_t from, uint32_t to)
{
    for (uint32_t i = from, end; i < to; i = end) {
        for (end = i; end < to && f->sorted[end].distance == f->sorted[i].distance; end++)
            ;
        if (end - i < 2 || (uint64_t)(end - i) * COMMON_PART < to - from)
            continue;
        for (uint32_t k = i; k < end; k++)
            f->first[f->sorted[k].index] =
                ork_hash_add(f->sorted[k].color, ork_hash_add(8, f->sorted[k].distance));
    }
}

static void color_first(struct classes *f, unsigned by)
{
    uint32_t n = f->graph->num_nodes;

    for (uint32_t i = 0; i < n; i++)
        f->first[i] = hash_words(&f->graph->node[i], by);
    if ((by & BY_DISTANCE) == 0)
        return;
    sort_colors(f, f->first, f->distance);
    for (uint32_t i = 0, end; i < n; i = end) {
        end = color_end(f, i);
        split_by_distance(f, i, end);
    }
}

/* One round, f->color to f->next: the set (not the number) of the partners' classes counts, with
 * `both` also of those that wait for the node. */
static void refine(struct classes *f, bool both)
{
    uint32_t m = 0;

    for (uint32_t i = 0; i < f->num_links; i++) {
        uint32_t from = f->link[i].from;
        uint32_t to = f->link[i].to;
        f->seen[m++] = (struct seen){from, hash_partner(f->color[to], f->arc_label[i], 0)};
        if (both)
            f->seen[m++] = (struct seen){to, hash_partner(f->color[from], f->arc_label[i], 1)};
    }
    qsort(f->seen, m, sizeof(*f->seen), compare_seen);
    memcpy(f->next, f->color, f->graph->num_nodes * sizeof(*f->next));
    for (uint32_t i = 0; i < m; i++) {
        if (i > 0 && compare_seen(&f->seen[i], &f->seen[i - 1]) == 0)
            continue;
        f->next[f->seen[i].node] = ork_hash_add(f->next[f->seen[i].node], f->seen[i].color);
    }
}

/* Refine until nothing changes any more. Invariant: f->color has `count` colours, more than in the
 * round before. false: too many. */
static bool settle(struct classes *f, uint32_t count, bool both)
{
    for (;;) {
        refine(f, both);
        uint32_t finer = count_colors(f, f->next);
        if (finer == count)
            return true;
        if (finer > f->limits.nodes)
            return false;
        count = finer;
        uint64_t *done = f->color;
        f->color = f->next;
        f->next = done;
    }
}

static int compare_pairs(const void *a, const void *b)
{
    return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Arcs between the classes of f->color. */
static uint32_t count_arcs(struct classes *f)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->num_links; i++)
        f->pair[i] =
            hash_partner(f->color[f->link[i].from], f->color[f->link[i].to], f->arc_label[i]);
    qsort(f->pair, f->num_links, sizeof(*f->pair), compare_pairs);
    for (uint32_t i = 0; i < f->num_links; i++)
        count += i == 0 || f->pair[i] != f->pair[i - 1];
    return count;
}

enum depth { IN_BOTH_DIRECTIONS, BY_TARGETS, NEIGHBOURS, NO_NEIGHBOURS, DEPTHS };

/* RATIONALE: a chain of ranks or the distance from the edge of a grid gives ever more classes; then
 * only the direct neighbours are distinguished, or not even these. */
static bool try_depth(struct classes *f, uint32_t count, enum depth depth)
{
    memcpy(f->color, f->first, f->graph->num_nodes * sizeof(*f->color));
    switch (depth) {
    case IN_BOTH_DIRECTIONS:
        return settle(f, count, true) && count_arcs(f) <= f->limits.class_arcs;
    case BY_TARGETS:
        return settle(f, count, false) && count_arcs(f) <= f->limits.class_arcs;
    case NEIGHBOURS:
        refine(f, true);
        memcpy(f->color, f->next, f->graph->num_nodes * sizeof(*f->color));
        return count_colors(f, f->color) <= f->limits.nodes &&
               count_arcs(f) <= f->limits.class_arcs;
    case NO_NEIGHBOURS:
        return count_arcs(f) <= f->limits.class_arcs;
    case DEPTHS:
        break;
    }
    return false;
}

/* Classes into f->color: the finest that are few enough, or else the coarsest. */
static void find_classes(struct classes *f)
{
    for (size_t i = 0; i < LEVELS; i++) {
        color_first(f, level[i]);
        uint32_t count = count_colors(f, f->first);
        if (count > f->limits.nodes && i + 1 < LEVELS)
            continue;
        for (unsigned depth = 0; depth < DEPTHS; depth++)
            if (try_depth(f, count, (enum depth)depth))
                return;
    }
}

/* Number the colours in the order of their first nodes. */
static uint32_t number_colors(struct classes *f, uint32_t *class_)
{
    uint32_t n = f->graph->num_nodes;
    uint32_t count = 0;

    sort_colors(f, f->color, NULL);
    for (uint32_t i = 0; i < n; i++) { /* first node of the same colour */
        bool same = i > 0 && f->sorted[i].color == f->sorted[i - 1].color;
        class_[f->sorted[i].index] = same ? class_[f->sorted[i - 1].index] : f->sorted[i].index;
    }
    for (uint32_t i = 0; i < n; i++) /* the first node comes before all others of its colour */
        class_[i] = class_[i] == i ? count++ : class_[class_[i]];
    return count;
}

static void release(struct classes *f)
{
    free(f->color);
    free(f->next);
    free(f->first);
    free(f->distance);
    free(f->arc_label);
    free(f->sorted);
    free(f->seen);
    free(f->pair);
}

static enum ork_status init(struct classes *f)
{
    size_t n = (size_t)f->graph->num_nodes + 1;
    size_t m = (size_t)f->num_links + 1;

    f->color = malloc(n * sizeof(*f->color));
    f->next = malloc(n * sizeof(*f->next));
    f->first = malloc(n * sizeof(*f->first));
    f->distance = malloc(n * sizeof(*f->distance));
    f->arc_label = malloc(m * sizeof(*f->arc_label));
    f->sorted = malloc(n * sizeof(*f->sorted));
    f->seen = malloc(2 * m * sizeof(*f->seen));
    f->pair = malloc(m * sizeof(*f->pair));
    if (f->color == NULL || f->next == NULL || f->first == NULL || f->distance == NULL ||
        f->arc_label == NULL || f->sorted == NULL || f->seen == NULL || f->pair == NULL) {
        release(f);
        return ORK_NOMEM;
    }
    for (uint32_t i = 0; i < f->num_links; i++)
        f->arc_label[i] = ork_hash_text(3, f->link[i].label);
    ork_distance_hash(f->graph, f->link, f->num_links, f->distance, f->first);
    return ORK_OK;
}

/* Of the ranks with an equal value in `by`, not 0. */
static uint32_t largest_group(struct classes *f, const uint64_t *by)
{
    uint32_t largest = 0;

    for (uint32_t i = 0; i < f->graph->num_nodes; i++) {
        const struct ork_graph_node *node = &f->graph->node[i];
        bool counts = node->kind == ORK_NODE_RANK && by[i] != 0;
        f->color[i] = counts ? ork_hash_add(hash_words(node, level[0]), by[i]) : ork_hash_add(4, i);
    }
    sort_colors(f, f->color, NULL);
    for (uint32_t i = 0, end; i < f->graph->num_nodes; i = end) {
        end = color_end(f, i);
        largest = end - i > largest ? end - i : largest;
    }
    return largest;
}

enum ork_status ork_fold_count_alike(const struct ork_graph *graph, const struct ork_link *link,
                                     uint32_t num_links, uint32_t *count)
{
    struct classes f = {.graph = graph, .link = link, .num_links = num_links};

    enum ork_status status = init(&f);
    if (status != ORK_OK)
        return status;
    uint32_t near = largest_group(&f, f.distance); /* f.first contains the targets */
    uint32_t same = largest_group(&f, f.first);
    *count = near > same ? near : same;
    release(&f);
    return ORK_OK;
}

enum ork_status ork_fold_classes(const struct ork_graph *graph, const struct ork_link *link,
                                 uint32_t num_links, const struct ork_fold_limits *limits,
                                 uint32_t *class_, uint32_t *num_classes)
{
    struct classes f = {.graph = graph, .link = link, .num_links = num_links, .limits = *limits};

    enum ork_status status = init(&f);
    if (status != ORK_OK)
        return status;
    find_twins(&f);
    if (count_colors(&f, f.color) > limits->nodes || count_arcs(&f) > limits->twin_arcs)
        find_classes(&f);
    *num_classes = number_colors(&f, class_);
    release(&f);
    return ORK_OK;
}
