/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/graph.h"

#include "overlay/findings/job_phrase.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "report/fold.h"

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
static const char *partner_words(struct ork_writing *w, const struct ork_search *s, uint32_t label)
{
    const struct ork_term *t = &s->term[label - 1];
    uint32_t target = target_of(s, label);
    bool remote = t->peer >= 0 && ork_detector_comm(w->d, t->comm).inter;
    bool is_other = t->peer >= 0 && (remote || target != (uint32_t)t->peer);
    const struct ork_u32s rank = {.item = &target,
                                  .count = target != UINT32_MAX && is_other ? 1 : 0};

    return ork_say(w, SAYS_TERM_PARTNER, NUMBER('i', t->kind == ORK_KIND_SEND),
                   TEXT('o', ork_writing_keep(w, ork_phrase_peer(t->peer))), NUMBER('j', remote),
                   RANKS('x', &rank), TEXT('t', ork_writing_keep(w, ork_phrase_tag(t->tag))));
}

const char *ork_finding_graph_term(struct ork_writing *w, const struct ork_search *s,
                                   uint32_t label)
{
    const struct ork_term *t = &s->term[label - 1];
    const char *op = ork_phrase_reduction(t->op), *text;
    const struct ork_slot call = TEXT('c', ork_call_name(t->call));
    const struct ork_slot comm =
        TEXT('k', t->comm == ORK_COMM_WORLD ? "" : ork_comm_words(w, t->comm));
    const struct ork_slot place = TEXT('p', ork_place_in(w, t->rank, t->site));

    if (t->kind == ORK_KIND_COLL)
        text = ork_say(w, SAYS_TERM_COLLECTIVE, call, NUMBER('i', t->peer >= 0),
                       NUMBER('n', t->peer), TEXT('a', op != NULL ? op : ""), comm, place);
    else
        text =
            ork_say(w, SAYS_TERM_MESSAGE, call, TEXT('w', partner_words(w, s, label)), comm, place);
    return t->index == UINT32_MAX
               ? text
               : ork_say(w, SAYS_TERM_REQUEST, NUMBER('n', t->index), TEXT('w', text));
}

const char *ork_finding_graph_half(struct ork_writing *w, const struct ork_search *s,
                                   uint32_t label)
{
    return ork_say(w, SAYS_TERM_HALF, NUMBER('i', s->term[label - 1].kind == ORK_KIND_SEND),
                   TEXT('w', partner_words(w, s, label)),
                   NUMBER('j', !ork_finding_graph_is_open(s, label)));
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

static const char *term_label(struct ork_writing *w, const struct ork_term *t)
{
    if (t->index != UINT32_MAX)
        return ork_say(w, SAYS_GRAPH_REQUEST, NUMBER('n', t->index),
                       TEXT('c', ork_call_name(t->call)));
    if (t->kind == ORK_KIND_SEND)
        return ork_plain(SAYS_GRAPH_SEND);
    return t->kind == ORK_KIND_RECV ? ork_plain(SAYS_GRAPH_RECEIVE) : ork_call_name(t->call);
}

static const char *hub_label(struct ork_writing *w, const struct ork_hub_view *h)
{
    if (h->any)
        return ork_say(w, SAYS_GRAPH_ANY_OF, TEXT('k', ork_comm_words(w, h->comm)));
    return ork_say(w, SAYS_GRAPH_NOT_YET,
                   TEXT('c', h->coll == ORK_COLL_NONE ? "Finalize" : ork_coll_name(h->coll)));
}

/* As the program names its call. */
static const char *call_label(struct ork_writing *w, uint32_t rank,
                              const struct ork_rank_view *view)
{
    const char *call = ork_call_name(view->call.call);
    struct ork_where where = {0};

    ork_writing_check(w, ork_call_sites_find(w->sites, rank, view->call.site, &where));
    char *own = ork_phrase_own_name(call, &where);
    ork_where_release(&where);
    return own != NULL ? ork_writing_keep(w, own) : call;
}

static const char *node_label(struct ork_writing *w, const struct ork_search *s, uint32_t v)
{
    struct ork_wfg_node n = ork_wfg_node(s->wfg, v);

    if (n.kind == ORK_WFG_HUB)
        return n.process < s->num_hubs ? hub_label(w, &s->hub[n.process]) : "";
    if (n.kind == ORK_WFG_TERM && n.label > 0 && n.label <= s->num_terms)
        return term_label(w, &s->term[n.label - 1]);
    if (n.kind == ORK_WFG_TERM)
        return ork_plain(n.op == ORK_WFG_OR ? SAYS_ANY : SAYS_GRAPH_ALL);
    struct ork_rank_view view = ork_search_rank(w->d, s, v);
    if (view.status == ORK_RANK_DONE)
        return ork_plain(view.end == ORK_END_FINISHED ? SAYS_GRAPH_FINALIZED : SAYS_ENDED);
    uint32_t job = ork_job_of(w->d, v);
    const char *call = call_label(w, v, &view);
    return job == 0 ? call : ork_say(w, SAYS_GRAPH_JOB, TEXT('c', call), NUMBER('n', job + 1));
}

/* ---- text beside the call ---- */

static bool has_partner(uint8_t kind)
{
    return kind == ORK_KIND_SEND || kind == ORK_KIND_RECV || kind == ORK_KIND_PROBE;
}

static void fill_place(struct ork_writing *w, uint32_t rank, uint32_t site,
                       struct ork_graph_node *n)
{
    struct ork_where where = ork_writing_where(w, rank, site);

    if (where.file == NULL)
        return;
    const char *slash = strrchr(where.file, '/');
    n->place =
        ork_writing_pass(w, ork_text("%s:%u", slash != NULL ? slash + 1 : where.file, where.line));
}

/* The common text of a term and of a rank's call: kind, communicator, call site. */
static void fill_words(struct ork_writing *w, const struct ork_term *t, bool has_comm,
                       struct ork_graph_node *n)
{
    if (has_partner(t->kind))
        n->towards = ork_writing_give(
            w, ork_plain(t->kind == ORK_KIND_SEND ? SAYS_GRAPH_TO : SAYS_GRAPH_FROM));
    if (has_comm)
        n->comm = ork_writing_give(w, ork_comm_words(w, t->comm));
    fill_place(w, t->rank, t->site, n);
}

static void fill_rank(struct ork_writing *w, const struct ork_search *s, uint32_t rank,
                      struct ork_graph_node *n)
{
    struct ork_rank_view v = ork_search_rank(w->d, s, rank);
    uint8_t kind = v.call.kind;
    const struct ork_term t = {.rank = rank, .kind = kind, .site = v.call.site, .comm = v.comm};

    if (v.status != ORK_RANK_DONE && v.status != ORK_RANK_RUNNING && kind != ORK_KIND_CONT)
        fill_words(w, &t, kind == ORK_KIND_COLL || kind == ORK_KIND_SENDRECV || has_partner(kind),
                   n);
}

static void fill_circumstances(struct ork_writing *w, const struct ork_search *s, uint32_t v,
                               struct ork_graph_node *n)
{
    struct ork_wfg_node node = ork_wfg_node(s->wfg, v);

    if (node.kind == ORK_WFG_PROCESS)
        fill_rank(w, s, v, n);
    else if (node.kind == ORK_WFG_TERM && node.label > 0 && node.label <= s->num_terms)
        fill_words(w, &s->term[node.label - 1], true, n);
}

static void fill_node(struct ork_writing *w, const struct ork_search *s, uint32_t v,
                      struct ork_graph_node *n)
{
    struct ork_wfg_node node = ork_wfg_node(s->wfg, v);

    n->id = v;
    n->kind = node.kind == ORK_WFG_PROCESS ? ORK_NODE_RANK
              : node.kind == ORK_WFG_TERM  ? ORK_NODE_TERM
                                           : ORK_NODE_HUB;
    n->is_or = node.op == ORK_WFG_OR;
    n->rank = node.kind == ORK_WFG_HUB ? 0 : node.process;
    n->deadlocked = ork_wfg_is_deadlocked(s->wfg, v);
    n->label = ork_writing_give(w, node_label(w, s, v));
    fill_circumstances(w, s, v, n);
}

static void fill_arcs(struct ork_writing *w, const struct ork_search *s, const bool *mark,
                      uint32_t v, struct ork_graph *g)
{
    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++) {
        struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, v, i);
        if (!mark[arc.to])
            continue;
        struct ork_graph_arc *a = &g->arc[g->num_arcs++];
        *a = (struct ork_graph_arc){.from = v, .to = arc.to};
        if (arc.label > 0 && arc.label <= s->num_terms)
            a->label = ork_writing_give(w, term_label(w, &s->term[arc.label - 1]));
    }
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

void ork_finding_graph_make(struct ork_writing *w, const struct ork_search *s, const bool *mark,
                            struct ork_graph *graph)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t arcs = 0;
    uint32_t *at = ork_writing_alloc(w, nodes, sizeof(*at));

    for (uint32_t v = 0; v < nodes; v++)
        arcs += mark[v] ? ork_wfg_num_arcs(s->wfg, v) : 0;
    graph->node = calloc(nodes + (size_t)1, sizeof(*graph->node));
    graph->arc = calloc(arcs + (size_t)1, sizeof(*graph->arc));
    if (at == NULL || graph->node == NULL || graph->arc == NULL) {
        ork_writing_check(w, ORK_NOMEM);
        return;
    }
    for (uint32_t v = 0; v < nodes; v++) {
        if (!mark[v])
            continue;
        at[v] = graph->num_nodes++;
        fill_node(w, s, v, &graph->node[at[v]]);
        fill_arcs(w, s, mark, v, graph);
    }
    if (ork_writing_check(w, mark_knots(s, mark, at, graph)) &&
        ork_writing_check(w, fold_single_hubs(graph, at, nodes)))
        ork_writing_check(w, fold_large(graph));
}
