/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings of the detector as text: the sentence, the rows of the table, the details. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/graph.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdio.h>
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
static bool mark_waiters(const struct ork_search *s, bool *mark)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t *begin = calloc((size_t)nodes + 2, sizeof(*begin));
    uint32_t *stack = malloc(((size_t)nodes + 1) * sizeof(*stack));
    uint32_t *from = NULL;
    uint32_t depth = 0;

    if (begin == NULL || stack == NULL)
        goto out;
    for (uint32_t v = 0; v < nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++)
            begin[ork_wfg_arc(s->wfg, v, i).to + 2]++;
    }
    for (uint32_t v = 0; v < nodes; v++)
        begin[v + 2] += begin[v + 1];
    from = malloc(((size_t)begin[nodes + 1] + 1) * sizeof(*from));
    if (from == NULL)
        goto out;
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
out:
    free(begin);
    free(stack);
    free(from);
    return from != NULL;
}

/* Nodes in a root of the finding, or waiting for one. */
static bool *concerned(const struct ork_deadlock *dl)
{
    const struct ork_wfg *g = dl->search->wfg;
    bool *mark = calloc(ork_wfg_num_nodes(g), sizeof(*mark));

    if (mark == NULL)
        return NULL;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(g, k);
        for (uint32_t i = 0; dl->root[k] && i < knot.count; i++)
            mark[knot.node[i]] = true;
    }
    if (mark_waiters(dl->search, mark))
        return mark;
    free(mark);
    return NULL;
}

static bool fill_roots(const struct ork_deadlock *dl, struct ork_finding *f)
{
    const struct ork_wfg *g = dl->search->wfg;

    f->roots = calloc(ork_wfg_num_bottom(g), sizeof(*f->roots));
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

/* "request[0]: MPI_Irecv from MPI_ANY_SOURCE, tag 0 (a.c:3); request[1]: ..."; NULL: nothing, or
 * out of memory. */
static char *term_words(const struct ork_detector *d, struct ork_call_sites *sites,
                        const struct ork_search *s, uint32_t rank, bool sendrecv)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    unsigned n = 0;

    if (out == NULL)
        return NULL;
    for (uint32_t label = 1; label <= s->num_terms; label++) {
        if (s->term[label - 1].rank != rank || !is_worth_showing(s, label, sendrecv) ||
            ++n > TERMS_MAX)
            continue;
        char *words = sendrecv ? ork_finding_graph_half_words(d, s, label)
                               : ork_finding_graph_term_words(d, sites, s, label);
        if (words != NULL)
            fprintf(out, "%s%s", n > 1 ? "; " : "", words);
        free(words);
    }
    if (n > TERMS_MAX)
        fprintf(out, "; and %u more", n - TERMS_MAX);
    if (fclose(out) == 0 && n > 0)
        return text;
    free(text);
    return NULL;
}

/* The rank in the other group of an intercommunicator, and the reduction. */
static enum ork_status fill_arguments(const struct ork_detector *d, const struct ork_rank_view *v,
                                      struct ork_rank_row *w)
{
    const struct ork_record *r = &v->call;
    const char *op = r->kind == ORK_KIND_COLL && r->mode != ORK_COLL_INTERCOMM_CREATE
                         ? ork_phrase_reduction(r->arg)
                         : NULL;

    w->remote =
        ork_record_has(r, ORK_HAS_PEER) && r->peer >= 0 && ork_detector_comm(d, v->comm).inter;
    w->operation = op != NULL ? strdup(op) : NULL;
    return op != NULL && w->operation == NULL ? ORK_NOMEM : ORK_OK;
}

static const char *unknown_request_words(const struct ork_rank_view *v)
{
    return v->unknown_handles == 0 || v->status != ORK_RANK_UNKNOWN
               ? NULL
               : "waits for a request that the tool does not know: a generalized request, or a "
                 "handle that was freed or never set";
}

static enum ork_status fill_wait(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_search *s, uint32_t rank, struct ork_rank_row *w)
{
    struct ork_rank_view v = ork_search_rank(d, s, rank);
    bool in_call = is_in_call(&v);
    const struct ork_record *r = &v.call;

    w->rank = rank;
    w->state = strdup(state_word(&v));
    w->call = strdup(in_call ? ork_call_name(r->call) : "");
    if (w->state == NULL || w->call == NULL)
        return ORK_NOMEM;
    if (s != NULL) {
        w->is_or = ork_wfg_node(s->wfg, rank).op == ORK_WFG_OR;
        if (v.status != ORK_RANK_DONE && !collect_targets(s, rank, &w->waits_for))
            return ORK_NOMEM;
        ork_describe_sort_unique(&w->waits_for);
        w->detail = term_words(d, sites, s, rank, r->kind == ORK_KIND_SENDRECV);
        if (ork_wfg_num_arcs(s->wfg, rank) == 1)
            w->is_or = ork_wfg_node(s->wfg, ork_wfg_arc(s->wfg, rank, 0).to).op == ORK_WFG_OR;
    }
    if (w->detail == NULL && unknown_request_words(&v) != NULL &&
        (w->detail = strdup(unknown_request_words(&v))) == NULL)
        return ORK_NOMEM;
    if ((s == NULL || s->rank == NULL) && ork_describe_add_threads(d, sites, rank, w) != ORK_OK)
        return ORK_NOMEM;
    if (!in_call)
        return ORK_OK;
    if (has_comm(r) && v.comm != UINT32_MAX &&
        (w->comm = ork_phrase_comm(d, sites, v.comm)) == NULL)
        return ORK_NOMEM;
    if (ork_record_has(r, ORK_HAS_PEER) &&
        ((w->peer = ork_phrase_peer(r->peer)) == NULL || (w->tag = ork_phrase_tag(r->tag)) == NULL))
        return ORK_NOMEM;
    if (r->kind == ORK_KIND_COLL && r->peer != ORK_NO_PEER &&
        (w->peer = ork_phrase_peer(r->peer)) == NULL)
        return ORK_NOMEM;
    if (r->kind == ORK_KIND_COLL && r->mode == ORK_COLL_INTERCOMM_CREATE &&
        (w->tag = ork_phrase_tag(r->tag)) == NULL)
        return ORK_NOMEM;
    if (fill_arguments(d, &v, w) != ORK_OK)
        return ORK_NOMEM;
    return ork_call_sites_fill(sites, rank, r->site, w);
}

enum ork_status ork_describe_rows(const struct ork_detector *d, struct ork_call_sites *sites,
                                  const struct ork_search *s, const struct ork_u32s *ranks,
                                  struct ork_finding *f)
{
    f->waits = calloc(ranks->count + 1, sizeof(*f->waits));
    if (f->waits == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < ranks->count; i++) {
        f->num_waits++;
        enum ork_status status = fill_wait(d, sites, s, ranks->item[i], &f->waits[i]);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

/* ---- sentences ---- */

/* "ranks 0-6 are in MPI_Barrier at a.c:40" */
static char *group_words(const struct ork_describe_group *g)
{
    const struct ork_rank_row *w = g->first;
    bool one = g->ranks.count == 1;
    char *who = ork_describe_ranks(g->ranks.item, g->ranks.count);
    char *where = ork_phrase_call(w->call, &w->where);
    char *text = NULL;
    bool ended = strcmp(w->state, "ended") == 0;

    if (who != NULL && where != NULL && w->call[0] == '\0')
        text = ork_text("%s %s %s", who, one ? "has" : "have", ended ? "ended" : "left MPI");
    else if (who != NULL && where != NULL && w->state[0] == '\0') /* a call that is over */
        text = ork_text("%s called %s", who, where);
    else if (who != NULL && where != NULL)
        text = ork_text("%s %s in %s", who, one ? "is" : "are", where);
    free(who);
    free(where);
    return text;
}

/* Does an earlier sentence already name the call of each group with its place? */
static bool is_mentioned(const struct ork_finding *f, const struct describe_groups *groups)
{
    bool mentioned = f->message != NULL;

    for (uint32_t k = 0; k < groups->count && mentioned; k++) {
        const struct ork_rank_row *w = groups->item[k].first;
        char *call = ork_phrase_in_call(w->call, &w->where);
        mentioned = w->call[0] == '\0' || (call != NULL && strstr(f->message, call) != NULL);
        for (uint32_t i = 0; i < f->num_details && !mentioned && call != NULL; i++)
            mentioned = strstr(f->detail[i], call) != NULL;
        free(call);
    }
    return mentioned;
}

static char *groups_words(const struct describe_groups *groups)
{
    char *line = strdup("");

    for (uint32_t k = 0; k < groups->count && line != NULL; k++) {
        char *words = group_words(&groups->item[k]);
        char *longer = words == NULL ? NULL : ork_text("%s%s%s", line, k > 0 ? "; " : "", words);
        free(words);
        free(line);
        line = longer;
    }
    return line;
}

enum ork_status ork_describe_add_groups(struct ork_finding *f)
{
    struct describe_groups groups;
    enum ork_status status = ORK_OK;

    if (!ork_describe_group(f, NULL, false, &groups))
        return ORK_NOMEM;
    if (groups.count > 0 && !groups.more && !is_mentioned(f, &groups))
        status = ork_describe_add_detail(f, groups_words(&groups));
    ork_describe_release_groups(&groups);
    return status;
}

/* Does the verdict depend on something unknown? */
static bool is_supposed(const struct ork_deadlock *dl)
{
    return dl->class_ == ORK_SUSPECTED ||
           (dl->interleaving != NULL && dl->scope == ORK_OTHERWISE_ANYHOW);
}

enum ork_status ork_describe_deadlock(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_deadlock *dl, struct ork_finding *finding)
{
    struct ork_finding f = {.class_ = dl->class_,
                            .severity = is_supposed(dl) ? ORK_WARNING : ORK_ERROR,
                            .id = strdup("deadlock")};
    bool *mark = concerned(dl);
    struct ork_u32s rows = {0};
    enum ork_status status = ORK_NOMEM;

    if (f.id == NULL || mark == NULL || !fill_roots(dl, &f))
        goto out;
    for (uint32_t r = 0; r < dl->nprocs; r++) {
        bool ended = ork_search_rank(d, dl->search, r).status == ORK_RANK_DONE;
        if (mark[r] &&
            (!ork_describe_add_rank(&rows, r) || (!ended && !ork_describe_add_rank(&f.ranks, r))))
            goto out;
    }
    status = ork_describe_rows(d, sites, dl->search, &rows, &f);
    if (status == ORK_OK)
        status = ork_finding_graph_make(d, sites, dl->search, mark, &f.graph);
    if (status != ORK_OK)
        goto out;
    if (dl->interleaving != NULL)
        status = ork_describe_find_decisions(sites, dl, &f);
    else
        status = ork_describe_add_near_misses(d, sites, dl->search, dl->nprocs, &f);
    if (status == ORK_OK)
        status = ork_describe_add_headline(&f);
    if (status == ORK_OK)
        status = ork_describe_add_groups(&f);
    if (status == ORK_OK && dl->interleaving == NULL)
        status = ork_describe_add_lock_holders(d, sites, &f);
    if (status == ORK_OK)
        status = ork_describe_add_certainty(d, sites, dl, &f);
    if (status == ORK_OK)
        status = ork_describe_add_finalized(d, dl->search, &f);
    if (status == ORK_OK && dl->interleaving != NULL)
        status = ork_describe_add_decisions(dl, &f);
    if (status == ORK_OK)
        status = ork_describe_add_jobs(d, sites, &f);
    if (status == ORK_OK)
        status = ork_describe_add_context(d, sites, dl, is_supposed(dl), &f);
out:
    free(mark);
    free(rows.item);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}

/* ---- other findings ---- */

enum ork_status ork_describe_fault(uint32_t rank, const char *why, struct ork_finding *finding)
{
    struct ork_finding f = {.severity = ORK_WARNING, .id = strdup("corrupt-records")};

    f.message = ork_text(
        "the call records of rank %u are corrupt (%s): the tool ignores this rank from there on",
        rank, why);
    if (f.id == NULL || f.message == NULL || !ork_describe_add_rank(&f.ranks, rank)) {
        ork_finding_release(&f);
        return ORK_NOMEM;
    }
    *finding = f;
    return ORK_OK;
}

enum ork_status ork_describe_state(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_search *search, uint32_t nprocs, const char *id,
                                   const char *message, struct ork_finding *finding)
{
    struct ork_finding f = {.severity = ORK_NOTE, .id = strdup(id), .message = strdup(message)};
    enum ork_status status = f.id == NULL || f.message == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t r = 0; r < nprocs && status == ORK_OK; r++)
        status = ork_describe_add_rank(&f.ranks, r) ? ORK_OK : ORK_NOMEM;
    if (status == ORK_OK)
        status = ork_describe_rows(d, sites, search, &f.ranks, &f);
    if (status == ORK_OK)
        status = ork_describe_add_jobs(d, sites, &f);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}
