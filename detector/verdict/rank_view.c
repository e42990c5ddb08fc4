/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in the form of the public interface. */
#include "detector/coll/bulk.h"
#include "detector/verdict/search.h"

static bool waits_for_cancelled(struct proc *p, const struct mpi_thread *th)
{
    bool any = false;

    for (uint32_t i = 0; th->in_call && th->has_cancelled && i < th->call.count; i++) {
        const struct request *r = ork_request_find(p, th->list[i]);
        any |= r != NULL && r->op != NULL && r->op->is_send && r->op->cancelling;
    }
    return any;
}

static bool awaits_lock(const struct mpi_thread *th)
{
    return th->in_call && th->open > 0 &&
           (th->call.kind == ORK_KIND_WIN_LOCK || th->call.kind == ORK_KIND_WIN_UNLOCK);
}

void ork_rank_view_set_call(struct ork_rank_view *view, struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    view->cancelled = waits_for_cancelled(th->proc, th);
    view->unknown_handles = th->in_call && th->call.kind == ORK_KIND_WAIT ? th->unknown_handles : 0;
    view->unsure = th->in_call && th->unsure != NULL;
    view->call = th->call;
    view->comm = ref != NULL ? ref->comm->id : 0;
}

static enum ork_rank_status status_of(const struct proc *p, struct mpi_thread *th)
{
    if (ork_search_is_gone(p))
        return ORK_RANK_DONE;
    if (p->fault != NULL || p->state_lost || ork_search_has_failed(p) ||
        (th != NULL && th->in_call && th->unknown))
        return ORK_RANK_UNKNOWN;
    if ((th == NULL || !th->in_call) && p->polling != ORK_POLL_NONE)
        return ORK_RANK_POLLING;
    if (th == NULL || !th->in_call)
        return ORK_RANK_RUNNING;
    return ork_search_is_open(th) ? ORK_RANK_BLOCKED : ORK_RANK_STALLED;
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
    ork_bulk_wave_catch_up(p);
    struct mpi_thread *th = ork_search_shown(p);
    view.status = status_of(p, th);
    view.end = p->end;
    view.quiet = p->quiet;
    view.several_may_call = p->several_may_call;
    view.assumed = p->assumed;
    view.depends_on_buffering =
        p->depends_on_buffering || p->num_unconfirmed > 0 || p->shared_in_doubt;
    for (uint32_t i = 0; i < p->num_threads; i++) {
        view.moved |= ork_thread_run_is_ahead(p->thread[i]);
        view.awaits_lock |= awaits_lock(p->thread[i]);
    }
    if (view.status == ORK_RANK_POLLING) {
        view.call = p->poll;
        const struct comm_ref *ref = ork_comm_ref(p, p->poll.comm);
        view.comm = ref != NULL ? ref->comm->shown : UINT32_MAX;
        return view;
    }
    if (th != NULL)
        ork_rank_view_set_call(&view, th);
    return view;
}

const struct ork_record *ork_detector_passed(const struct ork_detector *d, uint32_t rank)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;

    return p != NULL && p->passed.kind != ORK_KIND_CONT ? &p->passed : NULL;
}

/* The latest call in the queue of a thread, and its place among the records of the process. */
static const struct ork_record *latest_queued(const struct record_queue *q, uint64_t *when)
{
    for (size_t i = q->count; i > 0; i--) {
        size_t at = (q->first + i - 1) & (q->cap - 1);
        if (ork_record_is_call(&q->slot[at])) {
            *when = q->when[at];
            return &q->slot[at];
        }
    }
    return NULL;
}

const struct ork_record *ork_detector_latest_call(const struct ork_detector *d, uint32_t rank)
{
    const struct ork_record *latest = NULL;
    uint64_t latest_when = 0;

    if (rank >= d->nprocs)
        return NULL;
    struct proc *p = d->proc[rank];
    ork_bulk_wave_catch_up(p);
    for (uint32_t i = 0; i < p->num_threads; i++) {
        uint64_t when = 0;
        const struct ork_record *r = latest_queued(&p->thread[i]->queue, &when);
        if (r != NULL && when >= latest_when) {
            latest = r;
            latest_when = when;
        }
    }
    const struct mpi_thread *th = ork_search_shown(p);
    if (latest == NULL && th != NULL && ork_record_is_call(&th->call))
        latest = &th->call;
    return latest;
}
