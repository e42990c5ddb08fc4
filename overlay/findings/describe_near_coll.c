/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses of collective calls: some ranks wait in one, and a member of its communicator makes
 * the same call on another one, or has entered MPI_Finalize without it. */
#include "overlay/findings/describe_near.h"

#include "record/calls.h"

enum { MEMBERS_MAX = 4096, REPORTED_MAX = 4 };

/* A collective call that waits for the ranks in `missing`, which are all at one place. */
struct gap {
    struct ork_term waits; /* the call of one of the ranks that wait */
    bool inside;           /* it is in that call, and does not wait for a request */
    struct ork_u32s waiters, missing;
    struct ork_rank_view at; /* where the missing ranks are */
    uint32_t calls;          /* collective calls that they made on the communicator */
    bool is_of_group;        /* these are calls of MPI_Comm_create_group, with one group and tag */
};

/* The ranks that wait at the hub and are at the place of the first. */
static void find_waiters(struct ork_writing *w, const struct ork_search *s, uint32_t hub,
                         struct gap *gap)
{
    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        struct ork_wfg_node node = ork_wfg_node(s->wfg, v);
        if (node.kind == ORK_WFG_HUB || !ork_wfg_is_deadlocked(s->wfg, v))
            continue;
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++) {
            struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, v, i);
            struct ork_rank_view view = ork_search_rank(w->d, s, node.process);
            uint32_t label = arc.label != 0 ? arc.label : node.label;
            if (arc.to != hub)
                continue;
            struct ork_term t = {.rank = node.process,
                                 .call = view.call.call,
                                 .site = view.call.site,
                                 .comm = view.comm};
            bool inside = view.call.kind == ORK_KIND_COLL;
            if (!inside && label > 0 && label <= s->num_terms)
                t = s->term[label - 1];
            if (gap->waiters.count == 0) {
                gap->waits = t;
                gap->inside = inside;
            }
            if (t.call == gap->waits.call &&
                ork_describe_is_same_site(w->sites, t.rank, t.site, gap->waits.rank,
                                          gap->waits.site))
                ork_writing_add(w, &gap->waiters, node.process);
        }
    }
    ork_describe_sort_unique(&gap->waiters);
}

static bool has_left(const struct ork_rank_view *v)
{
    return v->status == ORK_RANK_DONE ? v->end == ORK_END_FINISHED
                                      : v->call.kind == ORK_KIND_FINALIZE;
}

/* The same call on another communicator that the waiting rank is also a member of. */
static bool is_elsewhere(const struct ork_detector *d, const struct ork_search *s, uint32_t hub,
                         const struct gap *gap, const struct ork_rank_view *v)
{
    const struct ork_hub_view *view = &s->hub[ork_wfg_node(s->wfg, hub).process];
    uint32_t calls;

    return v->status == ORK_RANK_BLOCKED && v->call.kind == ORK_KIND_COLL &&
           v->call.mode == view->coll && v->comm != view->comm &&
           ork_detector_collectives(d, v->comm, gap->waits.rank, &calls);
}

/* Those of the missing ranks that are at the place of the first one of interest. */
static void find_missing(struct ork_writing *w, const struct ork_search *s,
                         const struct ork_finding *f, uint32_t hub, struct gap *gap)
{
    uint32_t comm = s->hub[ork_wfg_node(s->wfg, hub).process].comm;

    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, hub) && i < MEMBERS_MAX; i++) {
        uint32_t rank = ork_wfg_arc(s->wfg, hub, i).to, calls;
        struct ork_rank_view v = ork_search_rank(w->d, s, rank);
        if (ork_describe_row(f, rank) == NULL ||
            !ork_detector_collectives(w->d, comm, rank, &calls) ||
            !(has_left(&v) || is_elsewhere(w->d, s, hub, gap, &v)))
            continue;
        if (gap->missing.count == 0) {
            gap->at = v;
            gap->calls = calls;
        }
        if (has_left(&v) == has_left(&gap->at) && v.comm == gap->at.comm && calls == gap->calls &&
            ork_describe_is_same_site(w->sites, rank, v.call.site,
                                      gap->missing.count > 0 ? gap->missing.item[0] : rank,
                                      gap->at.call.site))
            ork_writing_add(w, &gap->missing, rank);
    }
    ork_describe_sort_unique(&gap->missing);
}

/* ---- text ---- */

/* "is in MPI_Finalize (a.c:9)", "have left MPI_Finalize" */
static const char *left_words(struct ork_writing *w, const struct gap *gap)
{
    const struct ork_slot missing = RANKS('r', &gap->missing);

    if (gap->at.status == ORK_RANK_DONE)
        return ork_say(w, SAYS_HAS_LEFT_FINALIZE, missing);
    return ork_say(w, SAYS_IS_IN_FINALIZE, missing,
                   TEXT('p', ork_place_in(w, gap->missing.item[0], gap->at.call.site)));
}

static const char *gap_words(struct ork_writing *w, uint32_t comm, const struct gap *gap)
{
    /* a wave of MPI_Comm_create_group has a communicator of its own, which nobody knows */
    uint32_t named = gap->is_of_group ? ork_detector_comm(w->d, comm).parent : comm;
    const struct ork_slot missing = RANKS('r', &gap->missing);
    const struct ork_slot waiters = RANKS('o', &gap->waiters);
    const struct ork_slot call = TEXT('c', ork_call_name(gap->waits.call));
    const struct ork_slot on = TEXT('k', ork_describe_comm_apart(w, named, gap->at.comm));
    const struct ork_slot place = TEXT('q', ork_place_in(w, gap->waits.rank, gap->waits.site));

    if (!has_left(&gap->at))
        return ork_say(w, SAYS_NEAR_COLL_ELSEWHERE, waiters, call, place, on, missing,
                       TEXT('p', ork_place_in(w, gap->missing.item[0], gap->at.call.site)),
                       TEXT('l', ork_describe_comm_apart(w, gap->at.comm, named)));
    const struct ork_slot left = TEXT('w', left_words(w, gap));
    if (gap->calls == 0)
        return ork_say(w, SAYS_NEAR_COLL_NEVER, missing, call, on, left, waiters,
                       NUMBER('i', gap->inside), place);
    return ork_say(w, SAYS_NEAR_COLL_FEWER, missing, left, NUMBER('n', gap->calls),
                   NUMBER('i', gap->is_of_group), call, on, waiters, NUMBER('j', gap->inside),
                   NUMBER('m', gap->calls + 1), place);
}

/* ---- all of them ---- */

struct reported {
    uint32_t comm[REPORTED_MAX][2];
    uint32_t count;
};

/* Two communicators in crossed orders are one mistake, seen from two sides. */
static bool is_reported(struct reported *reported, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < reported->count; i++) {
        if ((reported->comm[i][0] == a && reported->comm[i][1] == b) ||
            (reported->comm[i][0] == b && reported->comm[i][1] == a))
            return true;
    }
    reported->comm[reported->count][0] = a;
    reported->comm[reported->count++][1] = b;
    return false;
}

static void look_at(struct ork_writing *w, const struct ork_search *s, uint32_t hub,
                    struct reported *reported, struct ork_finding *f)
{
    const struct ork_hub_view *view = &s->hub[ork_wfg_node(s->wfg, hub).process];
    struct gap gap = {.is_of_group = view->coll == ORK_COLL_COMM_CREATE_GROUP};

    find_waiters(w, s, hub, &gap);
    if (gap.waiters.count > 0)
        find_missing(w, s, f, hub, &gap);
    if (gap.missing.count == 0 ||
        (!has_left(&gap.at) && is_reported(reported, view->comm, gap.at.comm)))
        return;
    bool is_done = gap.at.status == ORK_RANK_DONE;
    const struct ork_term at = {.rank = gap.missing.item[0],
                                .call = is_done ? ORK_CALL_MPI_Finalize : gap.at.call.call,
                                .site = is_done ? 0 : gap.at.call.site};
    ork_describe_add_near(w, f, has_left(&gap.at) ? "missing" : "communicator", &gap.waits, &at, 0,
                          gap_words(w, view->comm, &gap));
}

void ork_describe_near_collectives(struct ork_writing *w, const struct ork_search *s,
                                   struct ork_finding *f)
{
    struct reported reported = {.count = 0};
    uint32_t before = f->num_near_misses;

    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        struct ork_wfg_node node = ork_wfg_node(s->wfg, v);
        if (node.kind != ORK_WFG_HUB || !ork_wfg_is_deadlocked(s->wfg, v) ||
            f->num_near_misses - before == REPORTED_MAX)
            continue;
        const struct ork_hub_view *hub = &s->hub[node.process];
        if (!hub->any && hub->coll != ORK_COLL_NONE)
            look_at(w, s, v, &reported, f);
    }
}
