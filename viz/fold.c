/* SPDX-License-Identifier: BSD-3-Clause */
/* Twins and colour refinement by hashing: O((nodes + arcs) log arcs) a round, at most MAX_ROUNDS
 * rounds. */
#include "viz/fold.h"

#include "viz/drawing.h"
#include "viz/hash.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: a chain of ranks gains two classes a round, so that this many rounds fill
 * ORK_FOLD_BOXES. */
#define MAX_ROUNDS (ORK_FOLD_BOXES / 2)

struct colored {
    uint64_t color;
    uint32_t index;
};

/* One end of an arc as its other end sees it. */
struct seen {
    uint32_t node;
    uint64_t color; /* of the partner, the arc's direction and label */
};

struct fold {
    const struct ork_graph *graph;
    const struct ork_link *link;
    uint32_t num_links;
    uint64_t *words;        /* per node: kind, flags, label */
    uint64_t *color;        /* per node, of the present round */
    uint64_t *next;         /* per node, of the next one */
    uint64_t *arc_label;    /* per link */
    struct colored *sorted; /* scratch, per node */
    struct seen *seen;      /* scratch, two per link */
};

static uint64_t hash_words(const struct ork_graph_node *node)
{
    uint64_t h = ork_hash_text(node->kind, node->label);

    h = ork_hash_add(h, node->is_or);
    h = ork_hash_add(h, node->deadlocked);
    h = ork_hash_add(h, node->root);
    return ork_hash_add(h, node->core);
}

static int compare_colored(const void *a, const void *b)
{
    const struct colored *x = a;
    const struct colored *y = b;

    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int compare_seen(const void *a, const void *b)
{
    const struct seen *x = a;
    const struct seen *y = b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->color > y->color) - (x->color < y->color);
}

static void sort_colors(struct fold *f, const uint64_t *color)
{
    uint32_t n = f->graph->num_nodes;

    for (uint32_t i = 0; i < n; i++)
        f->sorted[i] = (struct colored){.color = color[i], .index = i};
    qsort(f->sorted, n, sizeof(*f->sorted), compare_colored);
}

static uint32_t count_colors(struct fold *f, const uint64_t *color)
{
    uint32_t count = 0;

    sort_colors(f, color);
    for (uint32_t i = 0; i < f->graph->num_nodes; i++)
        count += i == 0 || f->sorted[i].color != f->sorted[i - 1].color;
    return count;
}

/* What a node is to a partner, before its own hash: as the target of an arc, or as its source. */
static uint64_t hash_partner(uint64_t partner, uint64_t arc_label, uint64_t direction)
{
    return ork_hash_add(ork_hash_add(partner, arc_label), direction);
}

/* Colours of the twin step: a rank's is made of its partners' numbers. With `closed`, ranks that
 * wait for each other (and have the same partners otherwise) come out equal; without, those that do
 * not. Other nodes stay alone. */
static void color_twins(struct fold *f, bool closed, uint64_t *color)
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
        color[i] = ork_hash_add(f->words[i] + closed, rank ? color[i] : ork_hash_add(4, i));
    }
}

/* Index behind the nodes that have the colour of f->sorted[i]. */
static uint32_t color_end(const struct fold *f, uint32_t i)
{
    uint32_t end = i + 1;

    while (end < f->graph->num_nodes && f->sorted[end].color == f->sorted[i].color)
        end++;
    return end;
}

/* Twins into f->color: open ones first; who has none may have closed ones. Two ranks that wait for
 * each other stay two: that is the picture everybody knows. */
static void find_twins(struct fold *f)
{
    uint32_t n = f->graph->num_nodes;

    color_twins(f, false, f->color);
    color_twins(f, true, f->next);
    sort_colors(f, f->color);
    for (uint32_t i = 0, end; i < n; i = end) {
        end = color_end(f, i);
        if (end - i == 1)
            f->color[f->sorted[i].index] = f->next[f->sorted[i].index];
    }
    sort_colors(f, f->color);
    for (uint32_t i = 0, end; i < n; i = end) {
        end = color_end(f, i);
        uint32_t first = f->sorted[i].index;
        if (end - i == 2 && f->color[first] == f->next[first])
            f->color[first] = ork_hash_add(5, first);
    }
}

/* One round of refinement, f->color to f->next: the set (not the number) of the partners' classes
 * counts. */
static void refine(struct fold *f)
{
    uint32_t m = 0;

    for (uint32_t i = 0; i < f->num_links; i++) {
        uint32_t from = f->link[i].from;
        uint32_t to = f->link[i].to;
        f->seen[m++] = (struct seen){from, hash_partner(f->color[to], f->arc_label[i], 0)};
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

/* Classes into f->color. Invariant: f->color has `count` colours, more than in the round before. */
static void find_classes(struct fold *f)
{
    memcpy(f->color, f->words, f->graph->num_nodes * sizeof(*f->color));
    uint32_t count = count_colors(f, f->color);

    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        refine(f);
        uint32_t finer = count_colors(f, f->next);
        if (finer == count || finer > ORK_FOLD_BOXES)
            return;
        count = finer;
        uint64_t *done = f->color;
        f->color = f->next;
        f->next = done;
    }
}

/* Number the colours in the order of their first nodes. */
static uint32_t number_colors(struct fold *f, uint32_t *class_)
{
    uint32_t n = f->graph->num_nodes;
    uint32_t count = 0;

    sort_colors(f, f->color);
    for (uint32_t i = 0; i < n; i++) { /* first node of the same colour */
        bool same = i > 0 && f->sorted[i].color == f->sorted[i - 1].color;
        class_[f->sorted[i].index] = same ? class_[f->sorted[i - 1].index] : f->sorted[i].index;
    }
    for (uint32_t i = 0; i < n; i++) /* the first node comes before all others of its colour */
        class_[i] = class_[i] == i ? count++ : class_[class_[i]];
    return count;
}

static void fold_release(struct fold *f)
{
    free(f->words);
    free(f->color);
    free(f->next);
    free(f->arc_label);
    free(f->sorted);
    free(f->seen);
}

static enum ork_status fold_init(struct fold *f, const struct ork_graph *graph,
                                 const struct ork_link *link, uint32_t num_links)
{
    size_t n = (size_t)graph->num_nodes + 1;
    size_t m = (size_t)num_links + 1;

    *f = (struct fold){
        .graph = graph,
        .link = link,
        .num_links = num_links,
        .words = malloc(n * sizeof(*f->words)),
        .color = malloc(n * sizeof(*f->color)),
        .next = malloc(n * sizeof(*f->next)),
        .arc_label = malloc(m * sizeof(*f->arc_label)),
        .sorted = malloc(n * sizeof(*f->sorted)),
        .seen = malloc(2 * m * sizeof(*f->seen)),
    };
    if (f->words == NULL || f->color == NULL || f->next == NULL || f->arc_label == NULL ||
        f->sorted == NULL || f->seen == NULL) {
        fold_release(f);
        return ORK_NOMEM;
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        f->words[i] = hash_words(&graph->node[i]);
    for (uint32_t i = 0; i < num_links; i++)
        f->arc_label[i] = ork_hash_text(3, link[i].label);
    return ORK_OK;
}

static bool is_small(const struct ork_graph *graph)
{
    uint32_t ranks = 0;

    for (uint32_t i = 0; i < graph->num_nodes; i++)
        ranks += graph->node[i].kind == ORK_NODE_RANK;
    return ranks <= ORK_FOLD_RANKS;
}

enum ork_status ork_fold(const struct ork_graph *graph, const struct ork_link *link,
                         uint32_t num_links, uint32_t *class_, uint32_t *num_classes)
{
    struct fold f;

    if (is_small(graph)) {
        for (uint32_t i = 0; i < graph->num_nodes; i++)
            class_[i] = i;
        *num_classes = graph->num_nodes;
        return ORK_OK;
    }
    enum ork_status status = fold_init(&f, graph, link, num_links);
    if (status != ORK_OK)
        return status;
    find_twins(&f);
    if (count_colors(&f, f.color) > ORK_FOLD_BOXES)
        find_classes(&f);
    *num_classes = number_colors(&f, class_);
    fold_release(&f);
    return ORK_OK;
}
