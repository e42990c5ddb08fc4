/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and the calls that wait for them (MPI-3.1 section 3.7). A request is found by its number
 * in O(1); it tells the one call that waits for it when it is complete, so a Waitall over n
 * requests costs O(n) in all, however often it is looked at.
 *
 * The bag holds the operations of a handle that the library shares among many. A wait for k of
 * them, of n not yet waited for, is over when any k are complete: exact for k = n, and never too
 * strict. */
#include "detector/calls/request.h"
#include "detector/calls/definition.h"
#include "detector/check/knowledge.h"
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

struct request *ork_request_new(struct strand *st, const struct ork_record *rec)
{
    struct proc *p = st->proc;
    uint32_t id = rec->request;

    if (id >= ORK_REQUEST_SHARED)
        return NULL;
    if (id >= REQUEST_IDS_MAX || id >= p->num_requests + REQUEST_IDS_AHEAD) {
        ork_proc_fault(p, "a request has an impossible number");
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
    struct strand *waiter = r->waiter;
    *r = (struct request){.id = id, .in_use = true, .waiter = waiter, .call = *rec};
    return r;
}

void ork_request_free(struct strand *st, uint32_t id)
{
    struct request *r = ork_request_find(st->proc, id);

    if (id == ORK_REQUEST_SHARED)
        ork_bag_take(st->proc);
    if (r == NULL)
        return;
    request_clear(r);
    r->in_use = false;
    if (r->starts != NULL)
        ork_comm_drop(st->proc->d, r->starts, ORK_COLL_COMM_FREE);
}

/* Give a started operation (NULL: complete at once) to the request of rec, if it names one. */
struct request *ork_request_give(struct strand *st, const struct ork_record *rec, struct op *op)
{
    struct proc *p = st->proc;

    if (rec->request == ORK_REQUEST_SHARED) {
        ork_bag_add(p, op, rec);
        return NULL;
    }
    struct request *r = (rec->flags & ORK_F_PERSISTENT) ? ork_request_find(p, rec->request)
                                                        : ork_request_new(st, rec);
    if (r == NULL)
        return NULL;
    r->active = true;
    r->took_from = NULL;
    r->assumed = false;
    r->op = op;
    if (op != NULL) {
        op->owner = OWNER_REQUEST;
        op->request = r;
    }
    return r;
}

struct request *ork_request_make_persistent(struct strand *st, const struct ork_record *rec)
{
    struct request *r = ork_request_new(st, rec);

    if (r != NULL)
        r->persistent = true;
    return r;
}

/* ---- the bag ---- */

/* One operation that is not complete counts as complete from here on. */
bool ork_bag_relax(struct proc *p)
{
    struct op *op = p->bag;

    if (op == NULL)
        return false;
    ork_bag_unlink(p, op);
    ork_match_owe(op);
    return true;
}

void ork_bag_take(struct proc *p)
{
    if (p->bag_size == 0)
        return;
    /* which one it is, is not known: what is said of the others rests on a guess */
    p->bag_doubt |= p->bag != NULL && p->bag_size > 1;
    if (p->bag_complete == 0)
        ork_bag_relax(p);
    p->bag_size--;
    p->bag_complete -= p->bag_complete > 0;
    p->bag_doubt &= p->bag != NULL;
}

/* Which operation of a shared handle it was is not known: none of them is waited for any more, for
 * the wait for this one is local. */
static void bag_cancel(struct proc *p)
{
    while (p->bag != NULL) {
        struct op *op = p->bag;
        ork_bag_unlink(p, op);
        ork_match_detach(op);
    }
}

void ork_request_cancel(struct strand *st, uint32_t id)
{
    struct request *r = ork_request_find(st->proc, id);
    struct comm_ref *ref = r == NULL ? NULL : ork_comm_ref(st->proc, r->call.comm);

    if (id == ORK_REQUEST_SHARED)
        bag_cancel(st->proc);
    if (r == NULL || !r->active || ref == NULL)
        return;
    if (r->op != NULL && !r->op->observed)
        ork_match_cancel(r->op);
    else if (r->op == NULL && r->took_from != NULL && r->waiter == NULL)
        ork_match_reopen(st->proc->d, st, ref->comm, r);
}

/* ---- completion that the run reported ---- */

void ork_request_observe(struct proc *p, struct request *r, int32_t source, int32_t tag)
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
void ork_request_correct(struct proc *p, struct request *r, int32_t source, int32_t tag)
{
    struct comm_ref *ref = ork_comm_ref(p, r->call.comm);
    uint32_t src;

    if (r->assumed && r->op == NULL && r->took_from != NULL && ref != NULL && tag >= 0 &&
        ork_comm_peer(ref, source, &src))
        ork_match_correct(p->d, p->strand[0], ref->comm, r, (int32_t)src, tag);
}

void ork_request_early(struct strand *st, const struct ork_record *rec)
{
    struct request *r = ork_request_find(st->proc, rec->request);

    if (r != NULL)
        ork_request_correct(st->proc, r, rec->peer, rec->tag);
    if (r != NULL && r->op != NULL && rec->peer >= 0)
        ork_request_observe(st->proc, r, rec->peer, rec->tag);
}

/* The run completed this request; strict semantics may not be there yet. */
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
        r->op->cancelling = false; /* it was sent */
        ork_match_detach(r->op);
        r->op = NULL;
    }
    if (r->op != NULL) {
        ork_match_owe(r->op);
        r->op = NULL;
    }
    if (r->wave != NULL)
        ork_wave_owe(p, r->wave);
    request_clear(r);
    if (!r->persistent)
        r->in_use = false;
}

void ork_request_consume(struct strand *st, uint32_t entry, int32_t source, int32_t tag)
{
    if (entry == ORK_REQUEST_SHARED) {
        ork_bag_take(st->proc);
        return;
    }
    struct request *r = ork_request_find(st->proc, entry);
    if (r != NULL && (r->active || !r->persistent))
        request_complete(st->proc, r, source, tag);
}
