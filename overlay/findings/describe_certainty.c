/* SPDX-License-Identifier: BSD-3-Clause */
/* What a verdict depends on: calls that returned although MPI allows them to wait, polling, assumed
 * matches. Only calls that did return are described as returned. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* Why a call returned that the strict analysis holds. */
enum leave { LEAVE_NONE, LEAVE_SEND, LEAVE_COLLECTIVE, LEAVE_STARTED, LEAVE_ANY };

static bool may_be_early(const struct ork_record *call)
{
    enum ork_coll_early early = ork_coll_early(call->mode);

    return early == ORK_EARLY_ALWAYS || (early == ORK_EARLY_IF_EMPTY && call->bytes == 0);
}

static enum leave leave_of(const struct ork_record *call)
{
    switch (call->kind) {
    case ORK_KIND_SEND:
        return call->mode == ORK_SEND_STANDARD ? LEAVE_SEND : LEAVE_NONE;
    case ORK_KIND_SENDRECV:
        return LEAVE_SEND;
    case ORK_KIND_COLL:
        return may_be_early(call) ? LEAVE_COLLECTIVE : LEAVE_NONE;
    case ORK_KIND_FINALIZE:
        return LEAVE_COLLECTIVE;
    case ORK_KIND_WAIT:
    case ORK_KIND_BUFFER_DETACH:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_COMPLETE:
    case ORK_KIND_WIN_LOCK:
    case ORK_KIND_WIN_UNLOCK:
        return LEAVE_ANY;
    default:
        return LEAVE_NONE;
    }
}

/* ---- calls of a potential deadlock that returned ---- */

/* RATIONALE: some of the named calls may have found their partner there; the statement about the
 * library is true anyway. */
static const char *const leave_words[] = {
    [LEAVE_NONE] = "",
    [LEAVE_SEND] =
        "because the MPI library buffered messages. MPI does not guarantee that (MPI-3.1 section "
        "3.5): with longer messages or another library the program may hang here",
    [LEAVE_COLLECTIVE] = "because the MPI library let ranks leave a collective call before all "
                         "ranks had called it. MPI does not guarantee that (MPI-3.1 section 5.1): "
                         "with another library the program may hang here",
    [LEAVE_STARTED] = "because the MPI library completed a collective operation before all ranks "
                      "had started it. MPI does not guarantee that (MPI-3.1 section 5.12): with "
                      "another library the program may hang here",
    [LEAVE_ANY] = "because the MPI library buffered messages, or let calls return before their "
                  "matching calls were made. MPI guarantees neither (MPI-3.1 sections 3.5 and "
                  "5.1): with longer messages or another library the program may hang here",
};

static enum leave join(enum leave a, enum leave b)
{
    return a == LEAVE_NONE || a == b ? b : LEAVE_ANY;
}

static bool is_standard_send(const struct ork_term *t)
{
    return t->kind == ORK_KIND_SEND &&
           (t->call == ORK_CALL_MPI_Isend || t->call == ORK_CALL_MPI_Send_init);
}

/* Why a Wait for this arc's request may return. Never for a receive: its message has come. */
static enum leave leave_of_arc(const struct ork_search *s, uint32_t v, uint32_t i)
{
    struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, v, i);
    struct ork_wfg_node to = ork_wfg_node(s->wfg, arc.to);
    uint32_t label = arc.label != 0 ? arc.label : ork_wfg_node(s->wfg, v).label;

    if (label == 0 || label > s->num_terms)
        return LEAVE_NONE;
    if (is_standard_send(&s->term[label - 1]))
        return LEAVE_SEND;
    if (to.kind != ORK_WFG_HUB || s->hub[to.process].any)
        return LEAVE_NONE;
    return ork_coll_early(s->hub[to.process].coll) == ORK_EARLY_ALWAYS ? LEAVE_STARTED : LEAVE_NONE;
}

/* The common reason of all these ranks, which are in Waits, by what they wait for. */
static enum leave leave_of_waits(const struct ork_search *s, const struct ork_u32s *ranks)
{
    enum leave leave = LEAVE_NONE;

    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        struct ork_wfg_node node = ork_wfg_node(s->wfg, v);
        if (node.kind == ORK_WFG_HUB || !bsearch(&node.process, ranks->item, ranks->count,
                                                 sizeof(node.process), ork_describe_compare_ranks))
            continue;
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++) {
            enum leave one = leave_of_arc(s, v, i);
            leave = one == LEAVE_NONE ? leave : join(leave, one);
        }
    }
    return leave == LEAVE_NONE ? LEAVE_ANY : leave;
}

/* Ranks of the roots that passed such a call. */
static bool collect_returned(const struct ork_detector *d, const struct ork_search *s,
                             const struct ork_finding *f, struct ork_u32s *ranks, enum leave *leave)
{
    struct ork_u32s waits = {0};
    bool ok = true;

    *leave = LEAVE_NONE;
    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count && ok; i++) {
            struct ork_rank_view v = ork_search_rank(d, s, f->roots[k].item[i]);
            enum leave one = leave_of(&v.call);
            if (!v.moved || one == LEAVE_NONE || v.status == ORK_RANK_DONE)
                continue;
            if (v.call.kind == ORK_KIND_WAIT)
                ok = ork_describe_add_rank(&waits, f->roots[k].item[i]);
            else
                *leave = join(*leave, one);
            ok = ok && ork_describe_add_rank(ranks, f->roots[k].item[i]);
        }
    }
    ork_describe_sort_unique(ranks);
    ork_describe_sort_unique(&waits);
    if (waits.count > 0)
        *leave = join(*leave, leave_of_waits(s, &waits));
    free(waits.item);
    return ok;
}

/* "rank 0's MPI_Send (a.c:9)", "the MPI_Send (a.c:9) of ranks 0 and 1" */
static char *whose_words(const struct ork_u32s *ranks, const char *call,
                         const struct ork_where *where)
{
    char *who = ork_describe_ranks(ranks->item, ranks->count);
    char *in = ork_phrase_in_call(call, where);
    char *text = NULL;

    if (who != NULL && in != NULL)
        text = ranks->count == 1 ? ork_text("%s's %s", who, in) : ork_text("the %s of %s", in, who);
    free(who);
    free(in);
    return text;
}

static char *groups_words(const struct describe_groups *g)
{
    char *text = strdup(g->more ? "some of these calls" : "");

    for (uint32_t k = 0; k < g->count && !g->more && text != NULL; k++) {
        char *whose =
            whose_words(&g->item[k].ranks, g->item[k].first->call, &g->item[k].first->where);
        const char *between = k == 0 ? "" : k + 1 == g->count ? " and " : ", ";
        char *longer = whose == NULL ? NULL : ork_text("%s%s%s", text, between, whose);
        free(whose);
        free(text);
        text = longer;
    }
    return text;
}

static char *returned_words(const struct ork_finding *f, const struct ork_u32s *ranks,
                            enum leave leave)
{
    struct describe_groups g;

    if (leave == LEAVE_NONE)
        return ork_text("MPI allows these calls to wait for each other (MPI-3.1 sections 3.5 and "
                        "5.1); whether they do depends on the library.");
    if (!ork_describe_group(f, ranks, false, &g))
        return NULL;
    char *whose = groups_words(&g);
    char *text = whose == NULL
                     ? NULL
                     : ork_text("In this run %s returned anyway, %s.", whose, leave_words[leave]);
    free(whose);
    ork_describe_release_groups(&g);
    return text;
}

static enum ork_status add_returned(const struct ork_detector *d, const struct ork_search *s,
                                    struct ork_finding *f)
{
    struct ork_u32s ranks = {0};
    enum leave leave;
    enum ork_status status = ORK_NOMEM;

    if (collect_returned(d, s, f, &ranks, &leave))
        status = ork_describe_add_detail(f, returned_words(f, &ranks, leave));
    free(ranks.item);
    return status;
}

/* ---- earlier calls that returned, without which these ranks would not be here ---- */

static const char *promise_words(enum leave leave)
{
    if (leave == LEAVE_SEND)
        return "MPI allows a standard send to wait for its receive (MPI-3.1 section 3.5)";
    if (leave == LEAVE_COLLECTIVE)
        return "MPI allows a collective call to wait for all ranks (MPI-3.1 section 5.1)";
    return "MPI allows that call to wait longer";
}

/* The first call of a rank that was allowed to return, if it explains where the rank is. */
static const struct ork_record *cause_of(const struct ork_detector *d, const struct ork_search *s,
                                         uint32_t rank)
{
    const struct ork_record *call = ork_detector_passed(d, rank);
    bool says = call != NULL && leave_of(call) != LEAVE_NONE &&
                ork_search_rank(d, s, rank).depends_on_buffering;

    return says ? call : NULL;
}

/* Ranks of the roots that made the same call at the same place. */
static enum ork_status collect_alike(const struct ork_detector *d, struct ork_call_sites *sites,
                                     const struct ork_search *s, const struct ork_u32s *from,
                                     uint32_t call, const struct ork_where *where,
                                     struct ork_u32s *ranks)
{
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t r = from->item[i];
        const struct ork_record *own = cause_of(d, s, r);
        struct ork_where at;
        if (own == NULL || own->call != call)
            continue;
        enum ork_status status = ork_call_sites_find(sites, r, own->site, &at);
        if (status != ORK_OK)
            return status;
        if (ork_describe_is_same_where(&at, where) && !ork_describe_add_rank(ranks, r))
            status = ORK_NOMEM;
        ork_where_release(&at);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

static bool collect_roots(const struct ork_finding *f, struct ork_u32s *ranks)
{
    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count; i++) {
            if (!ork_describe_add_rank(ranks, f->roots[k].item[i]))
                return false;
        }
    }
    ork_describe_sort_unique(ranks);
    return true;
}

static char *passed_words(const struct ork_u32s *ranks, const char *call,
                          const struct ork_where *where, enum leave leave)
{
    bool one = ranks->count == 1;
    char *who = ork_describe_ranks(ranks->item, ranks->count);
    char *at = ork_phrase_call(call, where);
    char *text = NULL;

    if (who != NULL && at != NULL)
        text = ork_text("%s reached this point only because %s %s returned; %s.", who,
                        one ? "its" : "their", at, promise_words(leave));
    free(who);
    free(at);
    return ork_describe_sentence(text);
}

/* RATIONALE: one such call is enough for an explanation, and the first one found is as good as any
 * other. Ranks that are behind the run for another reason, or that only wait for the roots, are not
 * described. */
static enum ork_status add_passed_of(const struct ork_detector *d, struct ork_call_sites *sites,
                                     const struct ork_search *s, const struct ork_u32s *roots,
                                     struct ork_finding *f)
{
    const struct ork_record *call = NULL;
    struct ork_u32s ranks = {0};
    struct ork_where where;
    uint32_t r = 0;

    for (uint32_t i = 0; i < roots->count && call == NULL; i++) {
        r = roots->item[i];
        call = cause_of(d, s, r);
    }
    if (call == NULL)
        return ORK_OK;
    enum ork_status status = ork_call_sites_find(sites, r, call->site, &where);
    if (status != ORK_OK)
        return status;
    status = collect_alike(d, sites, s, roots, call->call, &where, &ranks);
    if (status == ORK_OK)
        status = ork_describe_add_detail(
            f, passed_words(&ranks, ork_call_name(call->call), &where, leave_of(call)));
    free(ranks.item);
    ork_where_release(&where);
    return status;
}

static enum ork_status add_passed(const struct ork_detector *d, struct ork_call_sites *sites,
                                  const struct ork_search *s, struct ork_finding *f)
{
    struct ork_u32s roots = {0};
    enum ork_status status =
        collect_roots(f, &roots) ? add_passed_of(d, sites, s, &roots, f) : ORK_NOMEM;

    free(roots.item);
    return status;
}

static bool is_assumed(const struct ork_detector *d, const struct ork_search *s,
                       const struct ork_finding *f)
{
    bool assumed = false;

    for (uint32_t i = 0; i < f->ranks.count && !assumed; i++)
        assumed = ork_search_rank(d, s, f->ranks.item[i]).assumed;
    return assumed;
}

/* The others of the finding wait in a call. */
static enum ork_status add_polling(const struct ork_u32s *polling, struct ork_finding *f)
{
    bool is_all = polling->count == f->ranks.count;
    char *who = is_all ? strdup("these ranks") : ork_phrase_ranks(polling->item, polling->count);
    char *text = who == NULL
                     ? NULL
                     : ork_text("Suspected only: a polling loop may end for other reasons than a "
                                "message. In the last 5 seconds %s did nothing but poll.",
                                who);

    free(who);
    return ork_describe_add_detail(f, text);
}

/* Why it is a suspicion: threads that sleep outside MPI, or ranks that poll. */
static enum ork_status add_suspicion(const struct ork_detector *d, const struct ork_deadlock *dl,
                                     struct ork_finding *f)
{
    struct ork_u32s asleep = {0}, polling = {0};
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->ranks.count && status == ORK_OK; i++) {
        uint32_t r = f->ranks.item[i];
        if (ork_search_rank(d, dl->search, r).status == ORK_RANK_POLLING &&
            !ork_describe_add_rank(&polling, r))
            status = ORK_NOMEM;
        if (dl->unsure != NULL && dl->unsure[r] && !ork_describe_add_rank(&asleep, r))
            status = ORK_NOMEM;
    }
    if (status == ORK_OK && asleep.count > 0) {
        char *who = ork_phrase_ranks(asleep.item, asleep.count);
        status = ork_describe_add_detail(
            f, who == NULL
                   ? NULL
                   : ork_text(
                         "Besides the call listed below, another thread of %s%s sleeps outside "
                         "MPI. The tool cannot see what may wake it: a signal handler, another "
                         "process, or input. If it wakes up and calls MPI, the ranks may continue. "
                         "So this is only suspected, and the tool does not abort the job.",
                         asleep.count > 1 ? "each of " : "", who));
        free(who);
    }
    if (status == ORK_OK && polling.count > 0)
        status = add_polling(&polling, f);
    free(asleep.item);
    free(polling.item);
    return status;
}

enum ork_status ork_describe_add_certainty(const struct ork_detector *d,
                                           struct ork_call_sites *sites,
                                           const struct ork_deadlock *dl, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    if (f->class_ == ORK_POTENTIAL)
        status = add_returned(d, dl->search, f);
    if (f->class_ == ORK_SUSPECTED)
        status = add_suspicion(d, dl, f);
    if (status == ORK_OK)
        status = add_passed(d, sites, dl->search, f);
    if (status == ORK_OK && is_assumed(d, dl->search, f))
        status = ork_describe_add_detail(
            f, strdup("This may be the result of an assumed match: the tool ran short of memory "
                      "(--must:queue-limit) and gave a wildcard receive of these ranks a message "
                      "that it may not have received."));
    return status;
}
