/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/fold.h"

#include "common/text.h"
#include "report/fold_classes.h"
#include "report/fold_distance.h"
#include "report/fold_runs.h"

#include <stdlib.h>
#include <string.h>

#define TWIN_ARCS    80u /* half of what is not folded: this is drawn anew anyway */
#define SUMMARY_ARCS 60u

/* The common properties of the nodes of a class. */
struct common {
    uint32_t first; /* the first of them */
    uint32_t ranks; /* end of its ranks in folding.rank */
    bool distance;  /* they wait for ranks at the same distances */
    bool target;    /* they wait for the same ranks */
    bool around;    /* one of these distances wraps around */
};

struct folding {
    const struct ork_graph *graph;
    struct ork_link *link;
    uint32_t num_links;
    uint32_t *class_;      /* per node */
    uint64_t *distance;    /* per node, see fold_distance.h */
    uint64_t *target;      /* per node */
    uint32_t *rank;        /* all ranks, class by class */
    struct common *common; /* per class */
    struct ork_graph *out;
};

bool ork_graph_is_readable(const struct ork_graph *graph)
{
    if (graph->num_nodes <= ORK_FOLD_NODES && graph->num_arcs <= ORK_FOLD_ARCS)
        return true;
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        if (graph->node[i].count > 1)
            return true;
    return false;
}

enum ork_status ork_graph_is_repetitive(const struct ork_graph *graph, bool *repetitive)
{
    struct ork_link *link = NULL;
    uint32_t num_links, alike;
    enum ork_status status = ork_arc_index_make(graph, &link, &num_links);

    *repetitive = false;
    if (status == ORK_OK)
        status = ork_fold_count_alike(graph, link, num_links, &alike);
    if (status == ORK_OK)
        *repetitive = alike > ORK_FOLD_ALIKE;
    free(link);
    return status;
}

/* *to becomes NULL if the two differ. */
static void keep_common(char **to, const char *other)
{
    if (*to == NULL || (other != NULL && strcmp(*to, other) == 0))
        return;
    free(*to);
    *to = NULL;
}

static bool is_line_end(char c)
{
    return c == '\0' || c == '\n';
}

/* Keep the lines that both begin with. */
static void keep_common_lines(char *to, const char *other)
{
    size_t common = 0;
    size_t i = 0;

    for (; to[i] != '\0' && to[i] == other[i]; i++)
        if (to[i] == '\n')
            common = i;
    if (is_line_end(to[i]) && is_line_end(other[i]))
        common = i;
    to[common] = '\0';
}

static bool copy_node(struct ork_graph_node *to, const struct ork_graph_node *from, uint32_t id)
{
    *to = (struct ork_graph_node){.id = id,
                                  .kind = from->kind,
                                  .is_or = from->is_or,
                                  .rank = from->rank,
                                  .deadlocked = from->deadlocked,
                                  .root = from->root,
                                  .core = from->core,
                                  .count = 1};
    return ork_text_copy(&to->label, from->label != NULL ? from->label : "") &&
           ork_text_copy(&to->comm, from->comm) && ork_text_copy(&to->place, from->place) &&
           ork_text_copy(&to->towards, from->towards);
}

static void join_node(struct ork_graph_node *to, const struct ork_graph_node *from)
{
    to->count++;
    keep_common(&to->comm, from->comm);
    keep_common(&to->place, from->place);
    keep_common(&to->towards, from->towards);
    keep_common_lines(to->label, from->label != NULL ? from->label : "");
    to->rank = from->rank < to->rank ? from->rank : to->rank;
}

static enum ork_status fold_nodes(struct folding *f)
{
    for (uint32_t i = 0; i < f->graph->num_nodes; i++) {
        struct ork_graph_node *to = &f->out->node[f->class_[i]];
        struct common *common = &f->common[f->class_[i]];
        if (to->count > 0) {
            join_node(to, &f->graph->node[i]);
            common->distance &= f->distance[i] == f->distance[common->first];
            common->target &= f->target[i] == f->target[common->first];
            continue;
        }
        *common = (struct common){
            .first = i, .distance = f->distance[i] != 0, .target = f->target[i] != 0};
        if (!copy_node(to, &f->graph->node[i], f->class_[i]))
            return ORK_NOMEM;
    }
    return ORK_OK;
}

/* Calls without a common line get no label. */
static enum ork_status name_mixtures(struct folding *f)
{
    for (uint32_t c = 0; c < f->out->num_nodes; c++) {
        struct ork_graph_node *n = &f->out->node[c];
        const char *first = f->graph->node[f->common[c].first].label;
        if (n->label[0] != '\0' || first == NULL || first[0] == '\0')
            continue;
        free(n->label);
        n->label = strdup("several calls");
        if (n->label == NULL)
            return ORK_NOMEM;
    }
    return ORK_OK;
}

/* Hubs have no ranks. */
static enum ork_status fold_ranks(struct folding *f)
{
    uint32_t at = 0;

    for (uint32_t c = 0; c < f->out->num_nodes; c++) {
        f->common[c].ranks = at;
        at += f->out->node[c].count;
    }
    for (uint32_t i = 0; i < f->graph->num_nodes; i++)
        f->rank[f->common[f->class_[i]].ranks++] = f->graph->node[i].rank;
    for (uint32_t c = 0; c < f->out->num_nodes; c++) {
        struct ork_graph_node *n = &f->out->node[c];
        uint32_t *rank = f->rank + (f->common[c].ranks - n->count);
        if (n->kind == ORK_NODE_HUB || n->count == 1)
            continue;
        enum ork_status status = ork_runs_make(rank, n->count, &n->run, &n->num_runs);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

static enum ork_status fold_relations(struct folding *f)
{
    uint64_t modulus = ork_distance_modulus(f->graph);

    for (uint32_t i = 0; i < f->num_links; i++)
        f->common[f->class_[f->link[i].from]].around |=
            ork_distance_is_around(f->graph, &f->link[i], modulus);
    for (uint32_t c = 0; c < f->out->num_nodes; c++) {
        const struct common *common = &f->common[c];
        struct ork_relation relation = {
            .node = common->first, .same_distance = !common->target, .around = common->around};
        if (f->out->node[c].count == 1 || (!common->distance && !common->target))
            continue;
        enum ork_status status = ork_relation_words(f->graph, f->link, f->num_links, &relation,
                                                    &f->out->node[c].relation);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

/* RATIONALE: arcs within a class are drawn as loops, whose labels would overlap: keep one, without
 * a label. */
static enum ork_status fold_arcs(struct folding *f)
{
    for (uint32_t i = 0; i < f->num_links; i++) {
        f->link[i].from = f->class_[f->link[i].from];
        f->link[i].to = f->class_[f->link[i].to];
        if (f->link[i].from == f->link[i].to && f->out->node[f->link[i].from].count > 1)
            f->link[i].label = NULL;
    }
    uint32_t count = ork_arc_index_tidy(f->link, f->num_links);
    f->out->arc = calloc((size_t)count + 1, sizeof(*f->out->arc));
    if (f->out->arc == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < count; i++) {
        struct ork_graph_arc *arc = &f->out->arc[f->out->num_arcs++];
        arc->from = f->link[i].from;
        arc->to = f->link[i].to;
        if (!ork_text_copy(&arc->label, f->link[i].label))
            return ORK_NOMEM;
    }
    return ORK_OK;
}

/* RATIONALE: in a small graph only similar nodes are worth folding. */
static enum ork_status find_limits(const struct folding *f, struct ork_fold_limits *limits)
{
    uint32_t alike;

    *limits = (struct ork_fold_limits){
        .nodes = ORK_FOLD_NODES, .twin_arcs = TWIN_ARCS, .class_arcs = SUMMARY_ARCS};
    if (!ork_graph_is_readable(f->graph))
        return ORK_OK;
    enum ork_status status = ork_fold_count_alike(f->graph, f->link, f->num_links, &alike);
    if (status != ORK_OK)
        return status;
    limits->nodes = f->graph->num_nodes - alike + ORK_FOLD_ALIKE;
    limits->twin_arcs = limits->class_arcs = ORK_FOLD_ARCS;
    return ORK_OK;
}

static enum ork_status fold_all(struct folding *f)
{
    struct ork_fold_limits limits;
    uint32_t classes = 0;
    enum ork_status status = find_limits(f, &limits);

    if (status == ORK_OK)
        status = ork_fold_classes(f->graph, f->link, f->num_links, &limits, f->class_, &classes);

    if (status != ORK_OK)
        return status;
    f->common = calloc((size_t)classes + 1, sizeof(*f->common));
    f->out->node = calloc((size_t)classes + 1, sizeof(*f->out->node));
    if (f->common == NULL || f->out->node == NULL)
        return ORK_NOMEM;
    f->out->num_nodes = classes;
    ork_distance_hash(f->graph, f->link, f->num_links, f->distance, f->target);
    status = fold_nodes(f);
    if (status == ORK_OK)
        status = name_mixtures(f);
    if (status == ORK_OK)
        status = fold_ranks(f);
    if (status == ORK_OK)
        status = fold_relations(f);
    return status == ORK_OK ? fold_arcs(f) : status;
}

enum ork_status ork_graph_fold(const struct ork_graph *graph, struct ork_graph *out)
{
    size_t room = (size_t)graph->num_nodes + 1;
    struct folding f = {
        .graph = graph,
        .class_ = malloc(room * sizeof(*f.class_)),
        .distance = malloc(room * sizeof(*f.distance)),
        .target = malloc(room * sizeof(*f.target)),
        .rank = malloc(room * sizeof(*f.rank)),
        .out = out,
    };
    enum ork_status status = ORK_NOMEM;

    *out = (struct ork_graph){0};
    if (f.class_ != NULL && f.distance != NULL && f.target != NULL && f.rank != NULL)
        status = ork_arc_index_make(graph, &f.link, &f.num_links);
    if (status == ORK_OK)
        status = fold_all(&f);
    if (status != ORK_OK)
        ork_graph_release(out);
    free(f.link);
    free(f.class_);
    free(f.distance);
    free(f.target);
    free(f.rank);
    free(f.common);
    return status;
}
