/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and the calls that wait for them (MPI-3.1 section 3.7). A request is found by its number
 * in O(1); it notifies the one call that waits for it when it is complete, so a Waitall over n
 * requests costs O(n) in all, however often it is looked at.
 *
 * The shared requests hold the operations of a handle that the library shares among many. A wait
 * for k of them, of n not yet waited for, is over when any k are complete: exact for k = n, and
 * never too strict. */
#include "detector/calls/definition.h"
#include "detector/calls/request.h"
#include "detector/check/happens_before.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

/* Numbers are given densely: one far beyond all others is none. */
enum { REQUEST_IDS_MAX = 1 << 24, REQUEST_IDS_AHEAD = 1 << 16 };

static void request_clear(struct request *r)
{
    if (r->op != NULL)
        ork_match_detach(r->op); /* MPI_Request_free, or its number is used again */
    if (r->wave != NULL)
        ork_wave_unlink_request(r);
    r->op = NULL;
    r->active = false;
}

struct request *ork_request_new(struct mpi_thread *th, const struct ork_record *rec)
{
    struct proc *p = th->proc;
    uint32_t id = rec->request;

    if (id >= ORK_REQUEST_SHARED)
        return NULL;
    if (id >= REQUEST_IDS_MAX || id >= p->num_requests + REQUEST_IDS_AHEAD) {
        ork_proc_fault(p, "a request has an invalid number");
        return NULL;
    }
    if (!ork_grow(p->d, &p->request, &p->num_requests, id + 1, sizeof(*p->request)))
        return NULL;
    struct request *r = p->request[id];
    if (r == NULL) {
        r = ork_pool_get(p->d, &p->d->requests);
        if (r == NULL)
            return NULL;
        p->request[id] = r;
    } else if (r->in_use) {
        request_clear(r);
    }
    struct mpi_thread *waiter = r->waiter;
    *r = (struct request){.id = id, .in_use = true, .waiter = waiter, .call = *rec};
    return r;
}

void ork_request_free(struct mpi_thread *th, uint32_t id)
{
    struct request *r = ork_request_find(th->proc, id);

    if (id == ORK_REQUEST_SHARED)
        ork_shared_take(th->proc);
    if (r == NULL)
        return;
    request_clear(r);
    r->in_use = false;
    if (r->starts != NULL)
        ork_comm_drop(th->proc->d, r->starts, ORK_COLL_COMM_FREE);
}

/* ---- the shared requests ---- */

/* One operation that is not complete counts as complete from here on. */
static bool ork_shared_relax(struct proc *p)
{
    struct op *op = p->shared;

    if (op == NULL)
        return false;
    ork_shared_unlink(p, op);
    ork_match_leave_unconfirmed(op);
    return true;
}

void ork_shared_take(struct proc *p)
{
    if (p->shared_count == 0)
        return;
    /* which one it is, is not known: what is said of the others rests on a guess */
    p->shared_in_doubt |= p->shared != NULL && p->shared_count > 1;
    if (p->shared_complete == 0)
        ork_shared_relax(p);
    p->shared_count--;
    p->shared_complete -= p->shared_complete > 0;
    p->shared_in_doubt &= p->shared != NULL;
}

/* Which operation of a shared handle it was is not known: none of them is waited for any more, for
 * the wait for this one is local. */
static void shared_cancel(struct proc *p)
{
    while (p->shared != NULL) {
        struct op *op = p->shared;
        ork_shared_unlink(p, op);
        ork_match_detach(op);
    }
}

void ork_request_cancel(struct mpi_thread *th, uint32_t id)
{
    struct request *r = ork_request_find(th->proc, id);
    struct comm_ref *ref = r == NULL ? NULL : ork_comm_ref(th->proc, r->call.comm);

    if (id == ORK_REQUEST_SHARED)
        shared_cancel(th->proc);
    if (r == NULL || !r->active || ref == NULL)
        return;
    if (r->op != NULL && !r->op->observed)
        ork_match_cancel(r->op);
    else if (r->op == NULL && r->took_from != NULL && r->waiter == NULL)
        ork_match_reopen(th->proc->d, th, ref->comm, r);
}

/* ---- completion that the run reported ---- */

static void observe(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    struct comm_ref *ref = ork_comm_ref(p, r->call.comm);
    struct op *op = r->op;
    uint32_t src;

    if (op->is_send || op->observed || ref == NULL)
        return;
    if (source == ORK_NO_PEER && op->q->src != ORK_ANY_SOURCE && op->q->tag != ORK_ANY_TAG)
        ork_match_observe(p->d, op, op->q->src, op->q->tag);
    else if (ork_comm_peer(ref, source, &src) && tag >= 0)
        ork_match_observe(p->d, op, (int32_t)src, tag);
}

/* What was assumed of a receive that is complete may have been wrong. */
static void correct(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    struct comm_ref *ref = ork_comm_ref(p, r->call.comm);
    uint32_t src;

    if (r->assumed && r->op == NULL && r->took_from != NULL && ref != NULL && tag >= 0 &&
        ork_comm_peer(ref, source, &src))
        ork_match_correct(p->d, p->thread[0], ref->comm, r, (int32_t)src, tag);
}

void ork_request_early(struct mpi_thread *th, const struct ork_record *rec)
{
    struct request *r = ork_request_find(th->proc, rec->request);

    if (r != NULL)
        correct(th->proc, r, rec->peer, rec->tag);
    if (r != NULL && r->op != NULL && rec->peer >= 0)
        observe(th->proc, r, rec->peer, rec->tag);
}

/* The run completed this request; strict semantics may not be there yet. */
static void request_complete(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    correct(p, r, source, tag);
    if (r->op != NULL && source == ORK_CANCELLED) {
        struct op *op = r->op;
        r->op = NULL;
        ork_match_withdraw(p->d, op);
    }
    if (r->op != NULL)
        observe(p, r, source, tag);
    if (r->op != NULL && r->op->is_send && r->op->cancelling) {
        r->op->cancelling = false; /* it was sent */
        ork_match_detach(r->op);
        r->op = NULL;
    }
    if (r->op != NULL) {
        ork_match_leave_unconfirmed(r->op);
        r->op = NULL;
    }
    if (r->wave != NULL)
        ork_wave_leave_unconfirmed(p, r->wave);
    request_clear(r);
    if (!r->persistent)
        r->in_use = false;
}

void ork_request_consume(struct mpi_thread *th, uint32_t entry, int32_t source, int32_t tag)
{
    if (entry == ORK_REQUEST_SHARED) {
        ork_shared_take(th->proc);
        return;
    }
    struct request *r = ork_request_find(th->proc, entry);
    if (r != NULL && (r->active || !r->persistent))
        request_complete(th->proc, r, source, tag);
}

/* ---- Wait calls ---- */

static bool is_pending(const struct request *r)
{
    return r->active && (r->op != NULL || r->wave != NULL);
}

static bool waits_for_all(const struct mpi_thread *th)
{
    return th->call.mode == ORK_WAIT_ONE || th->call.mode == ORK_WAIT_ALL;
}

/* Waiting for it is local (MPI-3.1 section 3.8.4), whether the library cancels it or sends it. */
static bool is_cancelled_send(const struct request *r)
{
    return r->op != NULL && r->op->is_send && r->op->cancelling;
}

void ork_wait_enter(struct mpi_thread *th)
{
    th->open = 0;
    th->members = 0;
    th->shared_needed = 0;
    th->unknown_handles = 0;
    th->has_cancelled = th->has_assumed = false;
    for (uint32_t i = 0; i < th->call.count; i++) {
        if (th->list[i] == ORK_REQUEST_SHARED) {
            th->shared_needed++;
            continue;
        }
        th->unknown_handles += th->list[i] == ORK_REQUEST_UNKNOWN;
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r == NULL || !r->active || r->waiter == th)
            continue;
        th->members++;
        th->has_assumed |= r->assumed;
        if (is_cancelled_send(r)) {
            th->has_cancelled = true;
        } else if (is_pending(r)) {
            r->waiter = th;
            th->open++;
            th->has_cancelled |= r->op != NULL && r->op->cancelling;
        }
    }
    if (th->unknown_handles > 0 && !waits_for_all(th))
        th->unknown = true; /* it may be over with one of these */
}

/* The run went on without a word about receives that were to be cancelled: they completed. */
static void settle_cancelled(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->op != NULL && r->op->cancelling && !r->op->is_send)
            ork_match_uncancel(th->proc->d, r->op);
    }
}

/* Collectives that have the data they need count as complete. */
static void settle_dataflow(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->wave != NULL && r->waiter == th &&
            !ork_wave_lacks_data(th->proc, r->wave, &r->call)) {
            ork_wave_unlink_request(r);
            r->waiter = NULL;
            th->open--;
        }
    }
}

bool ork_wait_is_over(struct mpi_thread *th)
{
    struct proc *p = th->proc;

    if (p->d->model.dataflow && th->open > 0)
        settle_dataflow(th);
    if (waits_for_all(th)) {
        if ((th->has_assumed || th->has_cancelled) && !th->exited && !ork_thread_run_is_ahead(th))
            return false; /* the outcome shows what became of them */
        if (th->has_cancelled && th->open > 0 && !th->exited && ork_thread_run_is_ahead(th))
            settle_cancelled(th);
        bool is_over = th->open == 0 && p->shared_complete >= (th->shared_needed < p->shared_count
                                                                   ? th->shared_needed
                                                                   : p->shared_count);
        if (is_over && th->unknown_handles > 0)
            th->unknown = true;
        return is_over && (!th->unknown || ork_thread_run_is_ahead(th));
    }
    if (th->unknown)
        return ork_thread_run_is_ahead(th);
    if (th->members == 0 && th->shared_needed == 0)
        return true;
    bool shared_is_over = th->shared_needed > 0 && (p->shared_complete > 0 || p->shared_count == 0);
    return th->exited && (th->open < th->members || shared_is_over);
}

void ork_wait_leave(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->waiter == th)
            r->waiter = NULL;
    }
    if (waits_for_all(th)) {
        for (uint32_t i = 0; i < th->call.count; i++)
            ork_request_consume(th, th->list[i], ORK_NO_PEER, ORK_ANY_TAG);
    } else {
        for (uint32_t i = 0; i + 2 < th->outcome_count; i += 3) {
            uint32_t index = th->outcome[i];
            if (index < th->call.count)
                ork_request_consume(th, th->list[index], (int32_t)th->outcome[i + 1],
                                    (int32_t)th->outcome[i + 2]);
        }
    }
    th->shared_needed = 0;
    ork_seen_everything(th->proc);
}

void ork_wait_apply_exit(struct mpi_thread *th)
{
    struct proc *p = th->proc;

    for (uint32_t i = 0; i + 2 < th->outcome_count; i += 3) {
        uint32_t index = th->outcome[i];
        struct request *r = index < th->call.count ? ork_request_find(p, th->list[index]) : NULL;
        if (r != NULL)
            correct(p, r, (int32_t)th->outcome[i + 1], (int32_t)th->outcome[i + 2]);
        if (r == NULL || r->op == NULL)
            continue;
        if ((int32_t)th->outcome[i + 1] == ORK_CANCELLED) {
            struct op *op = r->op;
            r->op = NULL;
            ork_match_withdraw(p->d, op);
            if (r->waiter == th)
                ork_thread_part_done(th);
        } else {
            observe(p, r, (int32_t)th->outcome[i + 1], (int32_t)th->outcome[i + 2]);
        }
    }
    if (waits_for_all(th) && th->has_cancelled)
        settle_cancelled(th);
}

void ork_wait_confirm(struct mpi_thread *th)
{
    for (uint32_t i = 0; waits_for_all(th) && th->open > 0 && i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->op != NULL && !r->op->is_send)
            ork_match_confirm(th->proc->d, r->op);
    }
}

/* Sends count as buffered, collectives as permissive. */
static bool relax_member(struct mpi_thread *th, struct request *r)
{
    if (r->waiter != th)
        return false;
    if (r->op != NULL && r->op->is_send) {
        ork_match_detach(r->op);
        r->op = NULL;
    } else if (r->wave != NULL) {
        ork_wave_unlink_request(r);
    } else {
        return false;
    }
    r->waiter = NULL;
    th->open--;
    return true;
}

/* The run completed these receives, whatever strict semantics knows of their messages. */
bool ork_wait_let_go(struct mpi_thread *th)
{
    bool any = false;

    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r == NULL || r->waiter != th || r->op == NULL || r->op->is_send)
            continue;
        ork_match_leave_unconfirmed(r->op);
        r->op = NULL;
        r->waiter = NULL;
        th->open--;
        any = true;
    }
    return any;
}

bool ork_wait_relax(struct mpi_thread *th)
{
    struct proc *p = th->proc;
    bool any = false;

    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(p, th->list[i]);
        if (r != NULL)
            any |= relax_member(th, r);
    }
    uint32_t need = th->shared_needed < p->shared_count ? th->shared_needed : p->shared_count;
    while (p->shared_complete < need && ork_shared_relax(p))
        any = true;
    return any;
}
