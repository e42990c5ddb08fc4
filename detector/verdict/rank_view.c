/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks as they are shown. */
#include "detector/coll/arrival.h"
#include "detector/verdict/search.h"

static bool waits_for_cancelled(struct proc *p, const struct strand *st)
{
    bool any = false;

    for (uint32_t i = 0; st->held && st->has_cancelled && i < st->call.count; i++) {
        const struct request *r = ork_request_find(p, st->list[i]);
        any |= r != NULL && r->op != NULL && r->op->is_send && r->op->cancelling;
    }
    return any;
}

void ork_rank_view_set_call(struct ork_rank_view *view, struct strand *st)
{
    struct comm_ref *ref = ork_comm_ref(st->proc, st->call.comm);

    view->cancelled = waits_for_cancelled(st->proc, st);
    view->strange = st->held && st->call.kind == ORK_KIND_WAIT ? st->strange : 0;
    view->unsure = st->held && st->unsure != NULL;
    view->call = st->call;
    view->comm = ref != NULL ? ref->comm->id : 0;
}

static enum ork_rank_status status_of(const struct proc *p, struct strand *st)
{
    if (ork_search_is_gone(p))
        return ORK_RANK_DONE;
    if (p->fault != NULL || p->misled || ork_search_has_failed(p) ||
        (st != NULL && st->held && st->unknown))
        return ORK_RANK_UNKNOWN;
    if ((st == NULL || !st->held) && p->polling != ORK_POLL_NONE)
        return ORK_RANK_POLLING;
    if (st == NULL || !st->held)
        return ORK_RANK_RUNNING;
    return ork_search_is_open(st) ? ORK_RANK_BLOCKED : ORK_RANK_STALLED;
}

struct ork_rank_view ork_search_rank(const struct ork_detector *d, const struct ork_search *s,
                                     uint32_t rank)
{
    return s != NULL && s->rank != NULL ? s->rank[rank] : ork_detector_rank(d, rank);
}

struct ork_rank_view ork_detector_rank(const struct ork_detector *d, uint32_t rank)
{
    struct ork_rank_view view = {.call.kind = ORK_KIND_CONT};

    if (rank >= d->nprocs)
        return view;
    struct proc *p = d->proc[rank];
    ork_passage_look(p);
    struct strand *st = ork_search_shown(p);
    view.status = status_of(p, st);
    view.end = p->end;
    view.quiet = p->quiet;
    view.assumed = p->assumed;
    view.qualified = p->qualified || p->debts > 0 || p->bag_doubt;
    for (uint32_t i = 0; i < p->num_strands; i++)
        view.moved |= ork_strand_has_moved(p->strand[i]);
    if (view.status == ORK_RANK_POLLING) {
        view.call = p->poll;
        const struct comm_ref *ref = ork_comm_ref(p, p->poll.comm);
        view.comm = ref != NULL ? ref->comm->shown : UINT32_MAX;
        return view;
    }
    if (st != NULL)
        ork_rank_view_set_call(&view, st);
    return view;
}

const struct ork_record *ork_detector_passed(const struct ork_detector *d, uint32_t rank)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;

    return p != NULL && p->passed.kind != ORK_KIND_CONT ? &p->passed : NULL;
}
