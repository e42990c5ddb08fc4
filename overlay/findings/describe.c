/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings of the detector as text: the sentence, the rows of the table, the details. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/graph.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

enum { WAITS_FOR_MAX = 256 };

/* Processes of a knot, in ascending order as the knot's nodes are. */
static bool ranks_of_knot(const struct ork_search *s, const struct ork_wfg_knot *knot,
                          struct ork_u32s *set)
{
    for (uint32_t i = 0; i < knot->count; i++) {
        if (ork_wfg_node(s->wfg, knot->node[i]).kind == ORK_WFG_PROCESS &&
            !ork_describe_add_rank(set, knot->node[i]))
            return false;
    }
    return true;
}

/* ---- the ranks of a finding ---- */

/* Mark all nodes that lead to a marked node: backwards along the arcs, each once. */
static void mark_waiters(struct ork_writing *w, const struct ork_search *s, bool *mark)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t *begin = ork_writing_alloc(w, (size_t)nodes + 2, sizeof(*begin));
    uint32_t *stack = ork_writing_alloc(w, nodes, sizeof(*stack));
    uint32_t depth = 0;

    if (begin == NULL || stack == NULL)
        return;
    for (uint32_t v = 0; v < nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++)
            begin[ork_wfg_arc(s->wfg, v, i).to + 2]++;
    }
    for (uint32_t v = 0; v < nodes; v++)
        begin[v + 2] += begin[v + 1];
    uint32_t *from = ork_writing_alloc(w, begin[nodes + 1], sizeof(*from));
    if (from == NULL)
        return;
    for (uint32_t v = 0; v < nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++)
            from[begin[ork_wfg_arc(s->wfg, v, i).to + 1]++] = v;
        if (mark[v])
            stack[depth++] = v;
    }
    while (depth > 0) {
        uint32_t v = stack[--depth];
        for (uint32_t i = begin[v]; i < begin[v + 1]; i++) {
            if (!mark[from[i]] && ork_wfg_is_deadlocked(s->wfg, from[i])) {
                mark[from[i]] = true;
                stack[depth++] = from[i];
            }
        }
    }
}

/* Nodes in a root of the finding, or waiting for one. NULL: out of memory. */
static bool *concerned(struct ork_writing *w, const struct ork_deadlock *dl)
{
    const struct ork_wfg *g = dl->search->wfg;
    bool *mark = ork_writing_alloc(w, ork_wfg_num_nodes(g), sizeof(*mark));

    if (mark == NULL)
        return NULL;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(g, k);
        for (uint32_t i = 0; dl->root[k] && i < knot.count; i++)
            mark[knot.node[i]] = true;
    }
    mark_waiters(w, dl->search, mark);
    return mark;
}

static bool fill_roots(const struct ork_deadlock *dl, struct ork_finding *f)
{
    const struct ork_wfg *g = dl->search->wfg;

    f->roots = calloc(ork_wfg_num_bottom(g) + (size_t)1, sizeof(*f->roots));
    f->independent = calloc(ork_wfg_num_maximal(g) + 1, sizeof(*f->independent));
    if (f->roots == NULL || f->independent == NULL)
        return false;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(g, k);
        if (dl->root[k] && !ranks_of_knot(dl->search, &knot, &f->roots[f->num_roots++]))
            return false;
    }
    for (uint32_t k = 0; k < ork_wfg_num_maximal(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_maximal(g, k);
        bool has_root = false;
        for (uint32_t b = 0; b < ork_wfg_num_bottom(g); b++) {
            uint32_t first = ork_wfg_bottom(g, b).node[0];
            for (uint32_t i = 0; i < knot.count; i++)
                has_root |= knot.node[i] == first;
        }
        if (!has_root && !ranks_of_knot(dl->search, &knot, &f->independent[f->num_independent++]))
            return false;
    }
    return true;
}

/* ---- rows ---- */

static const char *state_word(const struct ork_rank_view *v)
{
    switch (v->status) {
    case ORK_RANK_RUNNING:
        return "running";
    case ORK_RANK_BLOCKED:
        return "blocked";
    case ORK_RANK_STALLED:
        return "stalled";
    case ORK_RANK_UNKNOWN:
        return "unknown";
    case ORK_RANK_POLLING:
        return "polling";
    case ORK_RANK_DONE:
        return v->end == ORK_END_FINISHED ? "finalized" : "ended";
    }
    return "unknown";
}

static bool is_in_call(const struct ork_rank_view *v)
{
    return v->status != ORK_RANK_RUNNING && v->status != ORK_RANK_DONE &&
           v->call.kind != ORK_KIND_CONT;
}

static bool has_comm(const struct ork_record *r)
{
    return ork_record_has(r, ORK_HAS_PEER) || r->kind == ORK_KIND_COLL ||
           ork_record_has(r, ORK_IS_WINDOW);
}

/* Ranks that `node` waits for, through terms and hubs. */
static bool collect_targets(const struct ork_search *s, uint32_t node, struct ork_u32s *set)
{
    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, node) && set->count < WAITS_FOR_MAX; i++) {
        uint32_t to = ork_wfg_arc(s->wfg, node, i).to;
        bool is_process = ork_wfg_node(s->wfg, to).kind == ORK_WFG_PROCESS;
        if (is_process ? !ork_describe_add_rank(set, to) : !collect_targets(s, to, set))
            return false;
    }
    return true;
}

enum { TERMS_MAX = 8 };

/* Is this part of the call worth showing? Both halves of a Sendrecv are; of requests the pending
 * ones. */
static bool is_worth_showing(const struct ork_search *s, uint32_t label, bool sendrecv)
{
    const struct ork_term *t = &s->term[label - 1];
    bool is_half = sendrecv && t->index == UINT32_MAX && t->peer != ORK_PROC_NULL;

    return is_half || ork_finding_graph_is_open(s, label);
}

/* "request[0]: MPI_Irecv from MPI_ANY_SOURCE, tag 0 (a.c:3); request[1]: ..." or "". */
static const char *term_words(struct ork_writing *w, const struct ork_search *s, uint32_t rank,
                              bool sendrecv)
{
    const char *text = "";
    unsigned n = 0;

    for (uint32_t label = 1; label <= s->num_terms; label++) {
        if (s->term[label - 1].rank != rank || !is_worth_showing(s, label, sendrecv) ||
            ++n > TERMS_MAX)
            continue;
        text = ork_join(w, text, "; ",
                        sendrecv ? ork_finding_graph_half(w, s, label)
                                 : ork_finding_graph_term(w, s, label));
    }
    return n <= TERMS_MAX
               ? text
               : ork_say(w, SAYS_TERMS_MORE, TEXT('w', text), NUMBER('n', n - TERMS_MAX));
}

static void fill_arguments(struct ork_writing *w, const struct ork_rank_view *v,
                           struct ork_rank_row *row)
{
    const struct ork_record *r = &v->call;
    bool is_peered = ork_record_has(r, ORK_HAS_PEER), is_coll = r->kind == ORK_KIND_COLL;
    bool is_intercomm = is_coll && r->mode == ORK_COLL_INTERCOMM_CREATE;
    const char *op = is_coll && !is_intercomm ? ork_phrase_reduction(r->arg) : NULL;

    if (has_comm(r) && v->comm != UINT32_MAX)
        row->comm = ork_writing_give(w, ork_comm_words(w, v->comm));
    if (is_peered || (is_coll && r->peer != ORK_NO_PEER))
        row->peer = ork_writing_pass(w, ork_phrase_peer(r->peer));
    if (is_peered || is_intercomm)
        row->tag = ork_writing_pass(w, ork_phrase_tag(r->tag));
    /* the rank in the other group of an intercommunicator */
    row->remote = is_peered && r->peer >= 0 && ork_detector_comm(w->d, v->comm).inter;
    if (op != NULL)
        row->operation = ork_writing_give(w, op);
}

static const char *detail_words(struct ork_writing *w, const struct ork_search *s, uint32_t rank,
                                const struct ork_rank_view *v)
{
    const char *detail = s != NULL ? term_words(w, s, rank, v->call.kind == ORK_KIND_SENDRECV) : "";

    if (detail[0] == '\0' && v->unknown_handles != 0 && v->status == ORK_RANK_UNKNOWN)
        detail = ork_plain(SAYS_REQUEST_UNKNOWN);
    return s == NULL || s->rank == NULL ? ork_describe_threads(w, rank, detail) : detail;
}

static void fill_wait(struct ork_writing *w, const struct ork_search *s, uint32_t rank,
                      struct ork_rank_row *row)
{
    struct ork_rank_view v = ork_search_rank(w->d, s, rank);
    bool in_call = is_in_call(&v);
    const char *detail = detail_words(w, s, rank, &v);

    row->rank = rank;
    row->state = ork_writing_give(w, state_word(&v));
    row->call = ork_writing_give(w, in_call ? ork_call_name(v.call.call) : "");
    if (detail[0] != '\0')
        row->detail = ork_writing_give(w, detail);
    if (s != NULL) {
        row->is_or = ork_wfg_node(s->wfg, rank).op == ORK_WFG_OR;
        if (v.status != ORK_RANK_DONE && !collect_targets(s, rank, &row->waits_for))
            ork_writing_check(w, ORK_NOMEM);
        ork_describe_sort_unique(&row->waits_for);
        if (ork_wfg_num_arcs(s->wfg, rank) == 1)
            row->is_or = ork_wfg_node(s->wfg, ork_wfg_arc(s->wfg, rank, 0).to).op == ORK_WFG_OR;
    }
    if (!in_call)
        return;
    fill_arguments(w, &v, row);
    ork_writing_check(w, ork_call_sites_fill(w->sites, rank, v.call.site, row));
    row->own_name = ork_phrase_own_name(row->call, &row->where);
}

void ork_describe_rows(struct ork_writing *w, const struct ork_search *s,
                       const struct ork_u32s *ranks, struct ork_finding *f)
{
    free(f->waits);
    f->waits = calloc(ranks->count + (size_t)1, sizeof(*f->waits));
    ork_writing_check(w, f->waits != NULL ? ORK_OK : ORK_NOMEM);
    for (uint32_t i = 0; i < ranks->count && w->status == ORK_OK; i++)
        fill_wait(w, s, ranks->item[i], &f->waits[f->num_waits++]);
}

/* ---- sentences ---- */

/* "ranks 0-6 are in MPI_Barrier at a.c:40" */
static const char *group_words(struct ork_writing *w, const struct ork_describe_group *g)
{
    const struct ork_rank_row *row = g->first;
    const struct ork_slot who = RANKS('r', &g->ranks);

    if (row->call[0] == '\0')
        return ork_say(w, strcmp(row->state, "ended") == 0 ? SAYS_GROUP_ENDED : SAYS_GROUP_LEFT,
                       who);
    bool is_over = row->state[0] == '\0';
    const char *call = ork_writing_keep(w, ork_phrase_call(row->call, &row->where));
    return ork_say(w, is_over ? SAYS_GROUP_CALLED : SAYS_GROUP_IN, who, TEXT('c', call));
}

/* Does an earlier sentence already name the call of each group with its place? */
static bool is_mentioned(struct ork_writing *w, const struct ork_finding *f,
                         const struct describe_groups *groups)
{
    bool mentioned = f->message != NULL;

    for (uint32_t k = 0; k < groups->count && mentioned; k++) {
        const struct ork_rank_row *row = groups->item[k].first;
        const char *call = ork_where_in(w, row->call, &row->where);
        mentioned = row->call[0] == '\0' || strstr(f->message, call) != NULL;
        for (uint32_t i = 0; i < f->num_details && !mentioned; i++)
            mentioned = strstr(f->detail[i], call) != NULL;
    }
    return mentioned;
}

void ork_describe_add_groups(struct ork_writing *w, struct ork_finding *f)
{
    struct describe_groups groups = ork_describe_group(w, f, NULL, false);
    const char *text = "";

    if (groups.count == 0 || groups.more || is_mentioned(w, f, &groups))
        return;
    for (uint32_t k = 0; k < groups.count; k++)
        text = ork_join(w, text, "; ", group_words(w, &groups.item[k]));
    ork_writing_check(w, ork_describe_add_detail(f, ork_writing_give(w, text)));
}

/* Does the verdict depend on something unknown? */
static bool is_supposed(const struct ork_deadlock *dl)
{
    return dl->class_ == ORK_SUSPECTED ||
           (dl->interleaving != NULL && dl->scope == ORK_OTHERWISE_ANYHOW);
}

static void describe(struct ork_writing *w, const struct ork_deadlock *dl, struct ork_finding *f)
{
    bool *mark = concerned(w, dl), is_foreseen = dl->interleaving != NULL;
    struct ork_u32s rows = {0};

    ork_writing_check(w, fill_roots(dl, f) ? ORK_OK : ORK_NOMEM);
    for (uint32_t r = 0; r < dl->nprocs && w->status == ORK_OK; r++) {
        bool ended = ork_search_rank(w->d, dl->search, r).status == ORK_RANK_DONE;
        if (!mark[r])
            continue;
        ork_writing_add(w, &rows, r);
        if (!ended && !ork_describe_add_rank(&f->ranks, r))
            ork_writing_check(w, ORK_NOMEM);
    }
    if (w->status != ORK_OK)
        return;
    ork_describe_rows(w, dl->search, &rows, f);
    ork_finding_graph_make(w, dl->search, mark, &f->graph);
    if (is_foreseen)
        ork_describe_find_decisions(w, dl, f);
    else if (w->status == ORK_OK)
        ork_describe_add_near_misses(w, dl->search, dl->nprocs, f);
    if (w->status != ORK_OK)
        return;
    ork_describe_add_headline(w, f);
    ork_describe_add_groups(w, f);
    if (!is_foreseen)
        ork_describe_add_lock_holders(w, f);
    ork_describe_add_certainty(w, dl, f);
    ork_describe_add_finalized(w, dl->search, f);
    if (is_foreseen)
        ork_describe_add_decisions(w, dl, f);
    ork_describe_add_jobs(w, f);
    ork_describe_add_context(w, dl, is_supposed(dl), f);
}

enum ork_status ork_describe_deadlock(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_deadlock *dl, struct ork_finding *finding)
{
    struct ork_writing w = {.d = d, .sites = sites};
    struct ork_finding f =
        ork_writing_begin(&w, "deadlock", is_supposed(dl) ? ORK_WARNING : ORK_ERROR, 0);

    f.class_ = dl->class_;
    describe(&w, dl, &f);
    return ork_writing_end(&w, &f, finding);
}

/* ---- other findings ---- */

enum ork_status ork_describe_fault(uint32_t rank, const char *why, struct ork_finding *finding)
{
    struct ork_writing w = {.d = NULL};
    struct ork_finding f = ork_writing_begin(&w, "corrupt-records", ORK_WARNING, 0);

    f.message =
        ork_writing_give(&w, ork_say(&w, SAYS_CORRUPT_RECORDS, RANK('r', rank), TEXT('w', why)));
    ork_writing_check(&w, ork_describe_add_rank(&f.ranks, rank) ? ORK_OK : ORK_NOMEM);
    return ork_writing_end(&w, &f, finding);
}

enum ork_status ork_describe_state(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_search *search, uint32_t nprocs, const char *id,
                                   const char *message, struct ork_finding *finding)
{
    struct ork_writing w = {.d = d, .sites = sites};
    struct ork_finding f = ork_writing_begin(&w, id, ORK_NOTE, 0);

    f.message = ork_writing_give(&w, message);
    for (uint32_t r = 0; r < nprocs; r++)
        ork_writing_check(&w, ork_describe_add_rank(&f.ranks, r) ? ORK_OK : ORK_NOMEM);
    ork_describe_rows(&w, search, &f.ranks, &f);
    ork_describe_add_jobs(&w, &f);
    return ork_writing_end(&w, &f, finding);
}
