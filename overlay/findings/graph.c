/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/graph.h"

#include "overlay/findings/job_phrase.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "report/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The process that a part of a call waits for, if it is one; else UINT32_MAX. */
static uint32_t target_of(const struct ork_search *s, uint32_t label)
{
    uint32_t owner = s->term[label - 1].rank;

    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, owner); i++) {
        struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, owner, i);
        struct ork_wfg_node to = ork_wfg_node(s->wfg, arc.to);
        if (to.kind == ORK_WFG_TERM && to.label == label && ork_wfg_num_arcs(s->wfg, arc.to) == 1)
            arc = ork_wfg_arc(s->wfg, arc.to, 0);
        else if (arc.label != label)
            continue;
        return ork_wfg_node(s->wfg, arc.to).kind == ORK_WFG_PROCESS ? arc.to : UINT32_MAX;
    }
    return UINT32_MAX;
}

/* "from 1, tag 3", "to 0 of the remote group (rank 3), tag 3" */
static char *partner_words(const struct ork_detector *d, const struct ork_search *s, uint32_t label)
{
    const struct ork_term *t = &s->term[label - 1];
    uint32_t target = target_of(s, label);
    bool remote = t->peer >= 0 && ork_detector_comm(d, t->comm).inter;
    char *peer = ork_phrase_peer(t->peer);
    char *tag = ork_phrase_tag(t->tag);
    char rank[32] = "";
    char *text = NULL;

    if (target != UINT32_MAX && t->peer >= 0 && (remote || target != (uint32_t)t->peer))
        snprintf(rank, sizeof(rank), " (rank %u)", target);
    if (peer != NULL && tag != NULL)
        text = ork_text("%s %s%s%s, tag %s", t->kind == ORK_KIND_SEND ? "to" : "from", peer,
                        remote ? " of the remote group" : "", rank, tag);
    free(peer);
    free(tag);
    return text;
}

/* "with root 0, MPI_SUM" */
static char *reduction_words(const struct ork_term *t)
{
    const char *op = ork_phrase_reduction(t->op);
    char root[32] = "";

    if (t->peer >= 0)
        snprintf(root, sizeof(root), " with root %d", t->peer);
    return ork_text("%s%s%s", root, op != NULL ? ", " : "", op != NULL ? op : "");
}

static char *started_words(const struct ork_detector *d, struct ork_call_sites *sites,
                           const struct ork_term *t)
{
    struct ork_where where;
    char *comm = t->comm == ORK_COMM_WORLD ? strdup("") : ork_phrase_comm(d, sites, t->comm);
    char *place = NULL, *text = NULL;

    if (ork_call_sites_find(sites, t->rank, t->site, &where) == ORK_OK) {
        place = ork_phrase_in_call("", &where);
        ork_where_release(&where);
    }
    if (comm != NULL && place != NULL)
        text = ork_text("%s%s%s", comm[0] != '\0' ? " on " : "", comm, place);
    free(comm);
    free(place);
    return text;
}

char *ork_finding_graph_term_words(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_search *s, uint32_t label)
{
    const struct ork_term *t = &s->term[label - 1];
    bool coll = t->kind == ORK_KIND_COLL;
    char *what = coll ? reduction_words(t) : partner_words(d, s, label);
    char *started = started_words(d, sites, t);
    char index[32] = "";
    char *text = NULL;

    if (t->index != UINT32_MAX)
        snprintf(index, sizeof(index), "request[%u]: ", t->index);
    if (what != NULL && started != NULL)
        text =
            ork_text("%s%s%s%s%s", index, ork_call_name(t->call), coll ? "" : " ", what, started);
    free(what);
    free(started);
    return text;
}

char *ork_finding_graph_half_words(const struct ork_detector *d, const struct ork_search *s,
                                   uint32_t label)
{
    const struct ork_term *t = &s->term[label - 1];
    char *what = partner_words(d, s, label);
    char *text = what == NULL
                     ? NULL
                     : ork_text("%s %s%s", t->kind == ORK_KIND_SEND ? "send" : "receive", what,
                                ork_finding_graph_is_open(s, label) ? "" : " (done)");

    free(what);
    return text;
}

bool ork_finding_graph_is_open(const struct ork_search *s, uint32_t label)
{
    uint32_t owner = s->term[label - 1].rank;
    uint32_t arcs = ork_wfg_num_arcs(s->wfg, owner);

    if (ork_wfg_node(s->wfg, owner).label == label)
        return true;
    for (uint32_t i = 0; i < arcs; i++) {
        struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, owner, i);
        struct ork_wfg_node to = ork_wfg_node(s->wfg, arc.to);
        if (arc.label == label || (to.kind == ORK_WFG_TERM && to.label == label))
            return true;
    }
    return false;
}

static char *term_label(const struct ork_term *t)
{
    if (t->index != UINT32_MAX)
        return ork_text("request[%u]\n%s", t->index, ork_call_name(t->call));
    return strdup(t->kind == ORK_KIND_SEND   ? "send"
                  : t->kind == ORK_KIND_RECV ? "receive"
                                             : ork_call_name(t->call));
}

static char *hub_label(const struct ork_detector *d, struct ork_call_sites *sites,
                       const struct ork_hub_view *h)
{
    char *comm = ork_phrase_comm(d, sites, h->comm);
    char *text = NULL;

    if (comm == NULL)
        return NULL;
    if (h->any)
        text = ork_text("any of\n%s", comm);
    else if (h->coll == ORK_COLL_NONE)
        text = strdup("not yet in\nMPI_Finalize");
    else
        text = ork_text("not yet in\nMPI_%s", ork_coll_name(h->coll));
    free(comm);
    return text;
}

static char *node_label(const struct ork_detector *d, struct ork_call_sites *sites,
                        const struct ork_search *s, uint32_t v)
{
    struct ork_wfg_node n = ork_wfg_node(s->wfg, v);

    if (n.kind == ORK_WFG_HUB)
        return n.process < s->num_hubs ? hub_label(d, sites, &s->hub[n.process]) : strdup("");
    if (n.kind == ORK_WFG_TERM)
        return n.label > 0 && n.label <= s->num_terms ? term_label(&s->term[n.label - 1])
                                                      : strdup(n.op == ORK_WFG_OR ? "any" : "all");
    struct ork_rank_view view = ork_search_rank(d, s, v);
    if (view.status == ORK_RANK_DONE)
        return strdup(view.end == ORK_END_FINISHED ? "finalized" : "ended");
    uint32_t job = ork_job_of(d, v);
    return job == 0 ? strdup(ork_call_name(view.call.call))
                    : ork_text("%s\njob %u", ork_call_name(view.call.call), job + 1);
}

/* ---- text beside the call ---- */

static const char *towards(uint8_t kind)
{
    if (kind == ORK_KIND_SEND)
        return "to";
    return kind == ORK_KIND_RECV || kind == ORK_KIND_PROBE ? "from" : NULL;
}

static enum ork_status fill_place(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                  struct ork_graph_node *n)
{
    struct ork_where where;
    enum ork_status status = ork_call_sites_find(sites, rank, site, &where);

    if (status != ORK_OK)
        return status;
    if (where.file != NULL) {
        const char *slash = strrchr(where.file, '/');
        n->place = ork_text("%s:%u", slash != NULL ? slash + 1 : where.file, where.line);
        status = n->place != NULL ? ORK_OK : ORK_NOMEM;
    }
    ork_where_release(&where);
    return status;
}

/* The common text of a term and of a rank's call: kind, communicator, call site. */
static enum ork_status fill_words(const struct ork_detector *d, struct ork_call_sites *sites,
                                  const struct ork_term *t, bool has_comm, struct ork_graph_node *n)
{
    const char *word = towards(t->kind);

    if (word != NULL && (n->towards = strdup(word)) == NULL)
        return ORK_NOMEM;
    if (has_comm && (n->comm = ork_phrase_comm(d, sites, t->comm)) == NULL)
        return ORK_NOMEM;
    return fill_place(sites, t->rank, t->site, n);
}

static enum ork_status fill_rank(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_search *s, uint32_t rank,
                                 struct ork_graph_node *n)
{
    struct ork_rank_view v = ork_search_rank(d, s, rank);
    uint8_t kind = v.call.kind;
    const struct ork_term t = {.rank = rank, .kind = kind, .site = v.call.site, .comm = v.comm};
    bool has_comm = kind == ORK_KIND_COLL || kind == ORK_KIND_SENDRECV || towards(kind) != NULL;

    if (v.status == ORK_RANK_DONE || v.status == ORK_RANK_RUNNING || kind == ORK_KIND_CONT)
        return ORK_OK;
    return fill_words(d, sites, &t, has_comm, n);
}

static enum ork_status fill_circumstances(const struct ork_detector *d,
                                          struct ork_call_sites *sites, const struct ork_search *s,
                                          uint32_t v, struct ork_graph_node *n)
{
    struct ork_wfg_node node = ork_wfg_node(s->wfg, v);

    if (node.kind == ORK_WFG_PROCESS)
        return fill_rank(d, sites, s, v, n);
    if (node.kind == ORK_WFG_TERM && node.label > 0 && node.label <= s->num_terms)
        return fill_words(d, sites, &s->term[node.label - 1], true, n);
    return ORK_OK;
}

static bool fill_node(const struct ork_detector *d, struct ork_call_sites *sites,
                      const struct ork_search *s, uint32_t v, struct ork_graph_node *n)
{
    struct ork_wfg_node node = ork_wfg_node(s->wfg, v);

    n->id = v;
    n->kind = node.kind == ORK_WFG_PROCESS ? ORK_NODE_RANK
              : node.kind == ORK_WFG_TERM  ? ORK_NODE_TERM
                                           : ORK_NODE_HUB;
    n->is_or = node.op == ORK_WFG_OR;
    n->rank = node.kind == ORK_WFG_HUB ? 0 : node.process;
    n->deadlocked = ork_wfg_is_deadlocked(s->wfg, v);
    n->label = node_label(d, sites, s, v);
    return n->label != NULL && fill_circumstances(d, sites, s, v, n) == ORK_OK;
}

static bool fill_arcs(const struct ork_search *s, const bool *mark, uint32_t v, struct ork_graph *g)
{
    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++) {
        struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, v, i);
        if (!mark[arc.to])
            continue;
        struct ork_graph_arc *a = &g->arc[g->num_arcs++];
        *a = (struct ork_graph_arc){.from = v, .to = arc.to};
        if (arc.label > 0 && arc.label <= s->num_terms) {
            a->label = term_label(&s->term[arc.label - 1]);
            if (a->label == NULL)
                return false;
        }
    }
    return true;
}

/* Roots and the minimal core of each. `at` is the index of each node in the graph. */
static enum ork_status mark_knots(const struct ork_search *s, const bool *mark, const uint32_t *at,
                                  struct ork_graph *g)
{
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        uint32_t count = 0;
        if (knot.count == 0 || !mark[knot.node[0]])
            continue;
        for (uint32_t i = 0; i < knot.count; i++)
            g->node[at[knot.node[i]]].root = true;
        uint32_t *core = malloc(knot.count * sizeof(*core));
        if (core == NULL || ork_wfg_core(s->wfg, k, core, &count) != ORK_OK) {
            free(core);
            return ORK_NOMEM;
        }
        for (uint32_t i = 0; i < count; i++)
            g->node[at[core[i]]].core = true;
        free(core);
    }
    return ORK_OK;
}

/* ---- hubs with one rank only are parts of its call, as in Fig. 6(d) of the MUST paper ---- */

enum { NO_ARC = UINT32_MAX };

struct use {
    uint32_t arcs_in, arcs_out;
    uint32_t arc;  /* the latest incoming arc */
    uint32_t into; /* the rank that this hub became */
};

static struct use *count_uses(const struct ork_graph *g, uint32_t ids)
{
    struct use *use = calloc(ids + 1, sizeof(*use));

    for (uint32_t v = 0; use != NULL && v < ids; v++)
        use[v].into = v;
    for (uint32_t i = 0; use != NULL && i < g->num_arcs; i++) {
        use[g->arc[i].from].arcs_out++;
        use[g->arc[i].to].arcs_in++;
        use[g->arc[i].to].arc = i;
    }
    return use;
}

/* The arc to the hub has the request's label: move it to the node. */
static void make_term(struct ork_graph_node *hub, struct ork_graph_arc *arc)
{
    hub->kind = ORK_NODE_TERM;
    hub->rank = arc->from;
    free(hub->label);
    hub->label = arc->label;
    arc->label = NULL;
}

/* The rank waits for nothing else: it takes over the arcs of the hub. */
static void absorb(struct ork_graph_node *rank, struct ork_graph_node *hub,
                   struct ork_graph_arc *arc, struct use *use)
{
    rank->is_or = hub->is_or;
    use[hub->id].into = rank->id;
    free(arc->label);
    *arc = (struct ork_graph_arc){.from = NO_ARC};
    ork_graph_node_release(hub);
    *hub = (struct ork_graph_node){.id = hub->id};
}

static void drop_absorbed(struct ork_graph *g, const struct use *use)
{
    uint32_t arcs = 0;
    uint32_t nodes = 0;

    for (uint32_t i = 0; i < g->num_arcs; i++) {
        if (g->arc[i].from == NO_ARC)
            continue;
        g->arc[arcs] = g->arc[i];
        g->arc[arcs++].from = use[g->arc[i].from].into;
    }
    g->num_arcs = arcs;
    for (uint32_t n = 0; n < g->num_nodes; n++) {
        if (g->node[n].label != NULL)
            g->node[nodes++] = g->node[n];
    }
    g->num_nodes = nodes;
}

static enum ork_status fold_single_hubs(struct ork_graph *g, const uint32_t *at, uint32_t ids)
{
    struct use *use = count_uses(g, ids);

    if (use == NULL)
        return ORK_NOMEM;
    for (uint32_t n = 0; n < g->num_nodes; n++) {
        struct ork_graph_node *hub = &g->node[n];
        struct use *u = &use[hub->id];
        if (hub->kind != ORK_NODE_HUB || u->arcs_in != 1)
            continue;
        struct ork_graph_arc *arc = &g->arc[u->arc];
        struct ork_graph_node *owner = &g->node[at[arc->from]];
        if (owner->kind != ORK_NODE_RANK)
            continue;
        if (arc->label != NULL)
            make_term(hub, arc);
        else if (use[owner->id].arcs_out == 1)
            absorb(owner, hub, arc, use);
    }
    drop_absorbed(g, use);
    free(use);
    return ORK_OK;
}

/* Unreadably large graphs are not kept: the table of the report has the same facts. */
static enum ork_status fold_large(struct ork_graph *graph)
{
    struct ork_graph folded;

    if (ork_graph_is_readable(graph))
        return ORK_OK;
    enum ork_status status = ork_graph_fold(graph, &folded);
    if (status != ORK_OK)
        return status;
    ork_graph_release(graph);
    *graph = folded;
    return ORK_OK;
}

enum ork_status ork_finding_graph_make(const struct ork_detector *d, struct ork_call_sites *sites,
                                       const struct ork_search *s, const bool *mark,
                                       struct ork_graph *graph)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t arcs = 0;
    uint32_t *at = calloc(nodes + 1, sizeof(*at));

    for (uint32_t v = 0; v < nodes; v++)
        arcs += mark[v] ? ork_wfg_num_arcs(s->wfg, v) : 0;
    graph->node = calloc(nodes + 1, sizeof(*graph->node));
    graph->arc = calloc(arcs + 1, sizeof(*graph->arc));
    if (at == NULL || graph->node == NULL || graph->arc == NULL)
        goto err;
    for (uint32_t v = 0; v < nodes; v++) {
        if (!mark[v])
            continue;
        at[v] = graph->num_nodes++;
        if (!fill_node(d, sites, s, v, &graph->node[at[v]]) || !fill_arcs(s, mark, v, graph))
            goto err;
    }
    if (mark_knots(s, mark, at, graph) != ORK_OK || fold_single_hubs(graph, at, nodes) != ORK_OK ||
        fold_large(graph) != ORK_OK)
        goto err;
    free(at);
    return ORK_OK;
err: /* the finding keeps what there is */
    free(at);
    return ORK_NOMEM;
}
