/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests (MPI-3.1 section 3.7). A request is found by its number in O(1). It notifies the one
 * call that waits for it when it is complete, so a Waitall over n requests costs O(n) in total,
 * however often it is examined.
 *
 * The shared requests are the operations whose handle the library shares among several. A wait for
 * k of n such operations completes when any k are complete: exact for k = n, never too strict. A
 * successful test drops one of them, perhaps one that is not complete yet, so all complete ones
 * remain for later waits. */
#include "detector/calls/definition.h"
#include "detector/calls/request.h"
#include "detector/check/happens_before.h"
#include "detector/check/outcome.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

/* Numbers are dense: a number far above all others is invalid. */
enum { REQUEST_IDS_MAX = 1 << 24 };

static void request_clear(struct proc *p, struct request *r)
{
    if (r->op != NULL) { /* MPI_Request_free, or its number is reused */
        r->op->is_freed = !r->op->is_send;
        ork_match_detach(r->op);
    }
    ork_outcome_end(p->d, r);
    if (r->wave != NULL)
        ork_wave_unlink_request(r);
    r->op = NULL;
    r->active = false;
}

static void request_end(struct proc *p, struct request *r)
{
    request_clear(p, r);
    r->in_use = false;
    ork_comm_let_go(p->d, r->call.comm, &r->on);
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
        request_end(p, r);
    }
    ORK_ASSERT(r->op == NULL && r->wave == NULL);
    struct mpi_thread *waiter = r->waiter;
    uint32_t *list = r->list;
    *r = (struct request){.id = id, .in_use = true, .waiter = waiter, .list = list, .call = *rec};
    if (ork_record_has(rec, ORK_HAS_COMM))
        ork_comm_hold(p, rec->comm, &r->on);
    return r;
}

void ork_request_free(struct mpi_thread *th, uint32_t id)
{
    struct request *r = ork_request_find(th->proc, id);

    if (id == ORK_REQUEST_SHARED)
        ork_shared_tested(th->proc);
    if (r == NULL)
        return;
    request_end(th->proc, r);
    if (r->starts != NULL)
        ork_comm_drop(th->proc->d, r->starts, ORK_COLL_COMM_FREE);
}

/* ---- the shared requests ---- */

bool ork_shared_relax(struct proc *p)
{
    struct op *op = p->shared;

    if (op == NULL)
        return false;
    ork_shared_unlink(p, op);
    ork_match_leave_unconfirmed(op);
    return true;
}

/* If none can be waited for any more, it is known which ones were dropped: all. */
static void release_dropped(struct proc *p)
{
    while (ork_shared_left(p) == 0 && ork_shared_relax(p)) {
    }
}

void ork_shared_take(struct proc *p)
{
    if (ork_shared_left(p) == 0)
        return;
    /* it is unknown which one it was, so conclusions about the others are a guess */
    p->shared_in_doubt |= p->shared != NULL && p->shared_count > 1;
    if (ork_shared_ready(p) == 0)
        ork_shared_relax(p);
    ORK_ASSERT(ork_shared_ready(p) > 0);
    p->shared_count--;
    p->shared_complete--;
    release_dropped(p);
}

void ork_shared_tested(struct proc *p)
{
    ork_shared_drop(p);
    release_dropped(p);
}

/* It is unknown which operation of a shared handle it was. No thread waits for any of them any
 * more, as the wait for the cancelled one is local. */
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

    if (id == ORK_REQUEST_SHARED)
        shared_cancel(th->proc);
    if (r == NULL || !r->active || r->on.comm == NULL)
        return;
    if (r->op != NULL && !r->op->observed)
        ork_match_cancel(r->op);
    else if (r->op == NULL && r->took_from != NULL && r->waiter == NULL)
        ork_match_reopen(th->proc->d, th, r->on.comm, r);
}

/* ---- completion that the run reported ---- */

void ork_request_observe(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    struct op *op = r->op;
    uint32_t src;

    if (op->is_send || op->observed || r->on.comm == NULL)
        return;
    if (source == ORK_NO_PEER && op->q->src != ORK_ANY_SOURCE && op->q->tag != ORK_ANY_TAG)
        ork_match_observe(p->d, op, op->q->src, op->q->tag);
    else if (ork_comm_peer(&r->on, source, &src) && tag >= 0)
        ork_match_observe(p->d, op, (int32_t)src, tag);
}

void ork_request_correct(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    uint32_t src;

    if (r->assumed && r->op == NULL && r->took_from != NULL && r->on.comm != NULL && tag >= 0 &&
        ork_comm_peer(&r->on, source, &src))
        ork_match_correct(p->d, p->thread[0], r->on.comm, r, (int32_t)src, tag);
}

void ork_request_early(struct mpi_thread *th, const struct ork_record *rec)
{
    struct request *r = ork_request_find(th->proc, rec->request);

    if (r != NULL)
        ork_request_correct(th->proc, r, rec->peer, rec->tag);
    if (r != NULL && r->op != NULL && rec->peer >= 0)
        ork_request_observe(th->proc, r, rec->peer, rec->tag);
}

void ork_request_overwrite(struct proc *p, const struct ork_record *rec)
{
    struct request *r = ork_request_find(p, rec->request);

    if (r != NULL) {
        r->overwritten.site = rec->site;
        r->overwritten.call = rec->call;
    }
}

/* The run completed this request; the strict analysis may not have reached that. */
static void request_complete(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    ork_request_correct(p, r, source, tag);
    if (r->op != NULL && source == ORK_CANCELLED) {
        struct op *op = r->op;
        r->op = NULL;
        ork_match_withdraw(p->d, op);
    }
    if (r->op != NULL)
        ork_request_observe(p, r, source, tag);
    if (r->op != NULL && r->op->is_send && r->op->cancelling) {
        r->op->cancelling = false; /* the message was sent */
        ork_match_detach(r->op);
        r->op = NULL;
    }
    if (r->op != NULL) {
        ork_match_leave_unconfirmed(r->op);
        r->op = NULL;
    }
    if (r->wave != NULL)
        ork_wave_leave_unconfirmed(p, r->wave);
    if (r->persistent)
        request_clear(p, r);
    else
        request_end(p, r);
}

void ork_request_consume(struct mpi_thread *th, uint32_t entry, int32_t source, int32_t tag)
{
    if (entry == ORK_REQUEST_SHARED) {
        ork_shared_take(th->proc);
        return;
    }
    struct request *r = ork_request_find(th->proc, entry);
    if (r == NULL || (!r->active && r->persistent))
        return;
    ork_outcome_complete(th, r);
    request_complete(th->proc, r, source, tag);
}
