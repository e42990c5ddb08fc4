/* SPDX-License-Identifier: BSD-3-Clause */
/* What a verdict depends on: calls that returned although MPI allows them to wait, polling, assumed
 * matches. Only calls that did return are described as returned. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>

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
static const enum ork_says leave_says[] = {
    [LEAVE_SEND] = SAYS_RETURNED_SEND,
    [LEAVE_COLLECTIVE] = SAYS_RETURNED_COLLECTIVE,
    [LEAVE_STARTED] = SAYS_RETURNED_STARTED,
    [LEAVE_ANY] = SAYS_RETURNED_ANY,
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

/* Ranks of the roots that passed such a call; *leave: their common reason. */
static struct ork_u32s find_returned(struct ork_writing *w, const struct ork_search *s,
                                     const struct ork_finding *f, enum leave *leave)
{
    struct ork_u32s waits = {0}, ranks = {0};

    *leave = LEAVE_NONE;
    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count; i++) {
            struct ork_rank_view v = ork_search_rank(w->d, s, f->roots[k].item[i]);
            enum leave one = leave_of(&v.call);
            if (!v.moved || one == LEAVE_NONE || v.status == ORK_RANK_DONE)
                continue;
            if (v.call.kind == ORK_KIND_WAIT)
                ork_writing_add(w, &waits, f->roots[k].item[i]);
            else
                *leave = join(*leave, one);
            ork_writing_add(w, &ranks, f->roots[k].item[i]);
        }
    }
    ork_describe_sort_unique(&ranks);
    ork_describe_sort_unique(&waits);
    if (waits.count > 0)
        *leave = join(*leave, leave_of_waits(s, &waits));
    return ranks;
}

/* "rank 0's MPI_Send (a.c:9)", "the MPI_Send (a.c:9) of ranks 0 and 1" */
static const char *whose_words(struct ork_writing *w, const struct ork_describe_group *g)
{
    return ork_say(w, g->ranks.count == 1 ? SAYS_RETURNED_WHOSE : SAYS_RETURNED_WHOSE_ALL,
                   RANKS('r', &g->ranks),
                   TEXT('c', ork_where_in(w, g->first->call, &g->first->where)));
}

static const char *groups_words(struct ork_writing *w, const struct describe_groups *g)
{
    const char *text = "";

    if (g->more)
        return ork_plain(SAYS_RETURNED_SOME);
    for (uint32_t k = 0; k < g->count; k++) {
        const char *whose = whose_words(w, &g->item[k]);
        text = k > 0 && k + 1 == g->count
                   ? ork_say(w, SAYS_RETURNED_AND, TEXT('w', text), TEXT('x', whose))
                   : ork_join(w, text, ", ", whose);
    }
    return text;
}

static const char *returned_words(struct ork_writing *w, const struct ork_search *s,
                                  const struct ork_finding *f)
{
    enum leave leave;
    struct ork_u32s ranks = find_returned(w, s, f, &leave);

    if (leave == LEAVE_NONE)
        return ork_plain(SAYS_RETURNED_NONE);
    struct describe_groups g = ork_describe_group(w, f, &ranks, false);
    return ork_say(w, SAYS_RETURNED, TEXT('w', groups_words(w, &g)),
                   TEXT('x', ork_plain(leave_says[leave])));
}

/* ---- earlier calls that returned, without which these ranks would not be here ---- */

static enum ork_says promise_of(enum leave leave)
{
    if (leave == LEAVE_SEND)
        return SAYS_PASSED_SEND;
    return leave == LEAVE_COLLECTIVE ? SAYS_PASSED_COLLECTIVE : SAYS_PASSED_ANY;
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
static struct ork_u32s find_alike(struct ork_writing *w, const struct ork_search *s,
                                  const struct ork_u32s *roots, uint32_t call,
                                  const struct ork_where *where)
{
    struct ork_u32s ranks = {0};

    for (uint32_t i = 0; i < roots->count; i++) {
        const struct ork_record *own = cause_of(w->d, s, roots->item[i]);
        if (own == NULL || own->call != call)
            continue;
        struct ork_where at = ork_writing_where(w, roots->item[i], own->site);
        if (ork_describe_is_same_where(&at, where))
            ork_writing_add(w, &ranks, roots->item[i]);
    }
    return ranks;
}

static struct ork_u32s find_roots(struct ork_writing *w, const struct ork_finding *f)
{
    struct ork_u32s ranks = {0};

    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count; i++)
            ork_writing_add(w, &ranks, f->roots[k].item[i]);
    }
    ork_describe_sort_unique(&ranks);
    return ranks;
}

/* RATIONALE: one such call is enough for an explanation, and the first one found is as good as any
 * other. Ranks that are behind the run for another reason, or that only wait for the roots, are not
 * described. */
static const char *passed_words(struct ork_writing *w, const struct ork_search *s,
                                const struct ork_finding *f)
{
    struct ork_u32s roots = find_roots(w, f);
    const struct ork_record *call = NULL;
    uint32_t r = 0;

    for (uint32_t i = 0; i < roots.count && call == NULL; i++) {
        r = roots.item[i];
        call = cause_of(w->d, s, r);
    }
    if (call == NULL)
        return "";
    struct ork_where where = ork_writing_where(w, r, call->site);
    struct ork_u32s ranks = find_alike(w, s, &roots, call->call, &where);
    return ork_say(w, SAYS_PASSED, RANKS('r', &ranks),
                   TEXT('c', ork_call_at(w, r, call->call, call->site)),
                   TEXT('w', ork_plain(promise_of(leave_of(call)))));
}

static bool is_assumed(const struct ork_detector *d, const struct ork_search *s,
                       const struct ork_finding *f)
{
    bool assumed = false;

    for (uint32_t i = 0; i < f->ranks.count && !assumed; i++)
        assumed = ork_search_rank(d, s, f->ranks.item[i]).assumed;
    return assumed;
}

/* Of all ranks, however many runs they are. */
static const char *all_ranks(struct ork_writing *w, const struct ork_u32s *set)
{
    return ork_writing_keep(w, ork_phrase_ranks(set->item, set->count));
}

/* Why it is a suspicion: threads that sleep outside MPI, or ranks that poll. */
static void add_suspicion(struct ork_writing *w, const struct ork_deadlock *dl,
                          struct ork_finding *f)
{
    struct ork_u32s asleep = {0}, polling = {0};

    for (uint32_t i = 0; i < f->ranks.count; i++) {
        uint32_t r = f->ranks.item[i];
        if (ork_search_rank(w->d, dl->search, r).status == ORK_RANK_POLLING)
            ork_writing_add(w, &polling, r);
        if (dl->unsure != NULL && dl->unsure[r])
            ork_writing_add(w, &asleep, r);
    }
    if (asleep.count > 0)
        ork_writing_detail(w, f,
                           ork_say(w, SAYS_SUSPECTED_ASLEEP, NUMBER('n', asleep.count),
                                   TEXT('w', all_ranks(w, &asleep))));
    if (polling.count > 0) /* the others wait in a call */
        ork_writing_detail(w, f,
                           ork_say(w, SAYS_SUSPECTED_POLLING,
                                   NUMBER('i', polling.count == f->ranks.count),
                                   TEXT('w', all_ranks(w, &polling))));
}

void ork_describe_add_certainty(struct ork_writing *w, const struct ork_deadlock *dl,
                                struct ork_finding *f)
{
    if (f->class_ == ORK_POTENTIAL)
        ork_writing_detail(w, f, returned_words(w, dl->search, f));
    if (f->class_ == ORK_SUSPECTED)
        add_suspicion(w, dl, f);
    ork_writing_detail(w, f, passed_words(w, dl->search, f));
    if (is_assumed(w->d, dl->search, f))
        ork_writing_detail(w, f, ork_plain(SAYS_ASSUMED_MATCH));
}
