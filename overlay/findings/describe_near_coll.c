/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses of collective calls: some ranks wait in one, and a member of its communicator makes
 * the same call on another one, or has entered MPI_Finalize without it. */
#include "overlay/findings/describe_near.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

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

static void release_gap(struct gap *gap)
{
    free(gap->waiters.item);
    free(gap->missing.item);
}

/* The ranks that wait at the hub and are at the place of the first. */
static bool find_waiters(const struct ork_detector *d, struct ork_call_sites *sites,
                         const struct ork_search *s, uint32_t hub, struct gap *gap)
{
    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        struct ork_wfg_node node = ork_wfg_node(s->wfg, v);
        if (node.kind == ORK_WFG_HUB || !ork_wfg_is_deadlocked(s->wfg, v))
            continue;
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++) {
            struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, v, i);
            struct ork_rank_view view = ork_search_rank(d, s, node.process);
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
                ork_describe_is_same_site(sites, t.rank, t.site, gap->waits.rank,
                                          gap->waits.site) &&
                !ork_describe_add_rank(&gap->waiters, node.process))
                return false;
        }
    }
    ork_describe_sort_unique(&gap->waiters);
    return true;
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
static bool find_missing(const struct ork_detector *d, struct ork_call_sites *sites,
                         const struct ork_search *s, const struct ork_finding *f, uint32_t hub,
                         struct gap *gap)
{
    uint32_t comm = s->hub[ork_wfg_node(s->wfg, hub).process].comm;

    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, hub) && i < MEMBERS_MAX; i++) {
        uint32_t rank = ork_wfg_arc(s->wfg, hub, i).to, calls;
        struct ork_rank_view v = ork_search_rank(d, s, rank);
        if (ork_describe_row(f, rank) == NULL || !ork_detector_collectives(d, comm, rank, &calls) ||
            !(has_left(&v) || is_elsewhere(d, s, hub, gap, &v)))
            continue;
        if (gap->missing.count == 0) {
            gap->at = v;
            gap->calls = calls;
        }
        if (has_left(&v) == has_left(&gap->at) && v.comm == gap->at.comm && calls == gap->calls &&
            ork_describe_is_same_site(sites, rank, v.call.site,
                                      gap->missing.count > 0 ? gap->missing.item[0] : rank,
                                      gap->at.call.site) &&
            !ork_describe_add_rank(&gap->missing, rank))
            return false;
    }
    ork_describe_sort_unique(&gap->missing);
    return true;
}

/* ---- text ---- */

struct pieces {
    char *waiters, *missing, *comm, *at_comm, *waits_at, *missing_at;
};

/* "is in MPI_Finalize", "have left MPI_Finalize" */
static const char *left_where(const struct gap *gap)
{
    bool one = gap->missing.count == 1;

    if (gap->at.status == ORK_RANK_DONE)
        return one ? "has left MPI_Finalize" : "have left MPI_Finalize";
    return one ? "is in MPI_Finalize" : "are in MPI_Finalize";
}

static char *left_words(const struct gap *gap, const struct pieces *p)
{
    bool one = gap->missing.count == 1, alone = gap->waiters.count == 1;
    const char *call = ork_call_name(gap->waits.call);
    const char *wait = alone ? "waits" : "wait";

    if (gap->calls == 0)
        return ork_text("%s never %s %s on %s: %s %s%s, and %s %s %s that call%s.", p->missing,
                        one ? "calls" : "call", call, p->comm, one ? "it" : "they", left_where(gap),
                        p->missing_at, p->waiters, wait, gap->inside ? "in" : "for", p->waits_at);
    return ork_text("%s %s%s after %u %s call%s on %s; %s %s %s call number %u, %s%s.", p->missing,
                    left_where(gap), p->missing_at, gap->calls,
                    gap->is_of_group ? call : "collective", gap->calls == 1 ? "" : "s", p->comm,
                    p->waiters, wait, gap->inside ? "in" : "for", gap->calls + 1, call,
                    p->waits_at);
}

static char *elsewhere_words(const struct gap *gap, const struct pieces *p)
{
    char *waiters = ork_describe_sentence(strdup(p->waiters));
    char *missing = strdup(p->missing);
    char *text = NULL;

    if (missing != NULL)
        missing[0] = 'r';
    if (waiters != NULL && missing != NULL)
        text = ork_text("%s %s %s%s on %s, but %s %s it%s on %s.", waiters,
                        gap->waiters.count == 1 ? "calls" : "call", ork_call_name(gap->waits.call),
                        p->waits_at, p->comm, missing, gap->missing.count == 1 ? "calls" : "call",
                        p->missing_at, p->at_comm);
    free(waiters);
    free(missing);
    return text;
}

static char *gap_words(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t comm,
                       const struct gap *gap)
{
    /* a wave of MPI_Comm_create_group has a communicator of its own, which nobody knows */
    uint32_t named = gap->is_of_group ? ork_detector_comm(d, comm).parent : comm;
    struct pieces p = {
        .waiters = ork_describe_ranks(gap->waiters.item, gap->waiters.count),
        .missing = ork_describe_sentence(ork_describe_ranks(gap->missing.item, gap->missing.count)),
        .comm = ork_describe_comm_beside(d, sites, named, gap->at.comm),
        .at_comm = ork_describe_comm_beside(d, sites, gap->at.comm, named),
        .waits_at = ork_phrase_in_call_at(sites, gap->waits.rank, "", gap->waits.site),
        .missing_at =
            gap->at.status == ORK_RANK_DONE
                ? strdup("")
                : ork_phrase_in_call_at(sites, gap->missing.item[0], "", gap->at.call.site),
    };
    char *text = NULL;

    if (p.waiters != NULL && p.missing != NULL && p.comm != NULL && p.at_comm != NULL &&
        p.waits_at != NULL && p.missing_at != NULL)
        text = has_left(&gap->at) ? left_words(gap, &p) : elsewhere_words(gap, &p);
    free(p.waiters);
    free(p.missing);
    free(p.comm);
    free(p.at_comm);
    free(p.waits_at);
    free(p.missing_at);
    return text;
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

static enum ork_status look_at(const struct ork_detector *d, struct ork_call_sites *sites,
                               const struct ork_search *s, uint32_t hub, struct reported *reported,
                               struct ork_finding *f)
{
    uint32_t comm = s->hub[ork_wfg_node(s->wfg, hub).process].comm;
    struct gap gap = {0};
    enum ork_status status = ORK_OK;

    gap.is_of_group = s->hub[ork_wfg_node(s->wfg, hub).process].coll == ORK_COLL_COMM_CREATE_GROUP;
    if (!find_waiters(d, sites, s, hub, &gap) ||
        (gap.waiters.count > 0 && !find_missing(d, sites, s, f, hub, &gap)))
        status = ORK_NOMEM;
    if (status == ORK_OK && gap.missing.count > 0 &&
        (has_left(&gap.at) || !is_reported(reported, comm, gap.at.comm))) {
        const struct ork_term at = {.rank = gap.missing.item[0],
                                    .call = gap.at.status == ORK_RANK_DONE ? ORK_CALL_MPI_Finalize
                                                                           : gap.at.call.call,
                                    .site = gap.at.status == ORK_RANK_DONE ? 0 : gap.at.call.site};
        status = ork_describe_add_near(sites, f, has_left(&gap.at) ? "missing" : "communicator",
                                       &gap.waits, &at, 0, gap_words(d, sites, comm, &gap));
    }
    release_gap(&gap);
    return status;
}

enum ork_status ork_describe_near_collectives(const struct ork_detector *d,
                                              struct ork_call_sites *sites,
                                              const struct ork_search *s, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;
    struct reported reported = {.count = 0};
    uint32_t before = f->num_near_misses;

    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg) && status == ORK_OK; v++) {
        struct ork_wfg_node node = ork_wfg_node(s->wfg, v);
        if (node.kind != ORK_WFG_HUB || !ork_wfg_is_deadlocked(s->wfg, v) ||
            f->num_near_misses - before == REPORTED_MAX)
            continue;
        const struct ork_hub_view *hub = &s->hub[node.process];
        if (!hub->any && hub->coll != ORK_COLL_NONE)
            status = look_at(d, sites, s, v, &reported, f);
    }
    return status;
}
