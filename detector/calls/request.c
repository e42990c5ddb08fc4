/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and the calls that wait for them (MPI-3.1 section 3.7). A request is found by its number
 * in O(1); it tells the one call that waits for it when it is complete, so a Waitall over n
 * requests costs O(n) in all, however often it is looked at.
 *
 * The bag holds the operations of a handle that the library shares among many. A wait for k of
 * them, of n not yet waited for, is over when any k are complete: exact for k = n, and never too
 * strict. */
#include "detector/calls/definition.h"
#include "detector/calls/request.h"
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

/* ---- the bag ---- */

/* One operation that is not complete counts as complete from here on. */
static bool ork_bag_relax(struct proc *p)
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
        ork_match_correct(p->d, p->strand[0], ref->comm, r, (int32_t)src, tag);
}

void ork_request_early(struct strand *st, const struct ork_record *rec)
{
    struct request *r = ork_request_find(st->proc, rec->request);

    if (r != NULL)
        correct(st->proc, r, rec->peer, rec->tag);
    if (r != NULL && r->op != NULL && rec->peer >= 0)
        observe(st->proc, r, rec->peer, rec->tag);
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

/* ---- Wait calls ---- */

static bool is_pending(const struct request *r)
{
    return r->active && (r->op != NULL || r->wave != NULL);
}

static bool waits_for_all(const struct strand *st)
{
    return st->call.mode == ORK_WAIT_ONE || st->call.mode == ORK_WAIT_ALL;
}

/* Waiting for it is local (MPI-3.1 section 3.8.4), whether the library cancels it or sends it. */
static bool is_cancelled_send(const struct request *r)
{
    return r->op != NULL && r->op->is_send && r->op->cancelling;
}

void ork_wait_enter(struct strand *st)
{
    st->open = 0;
    st->members = 0;
    st->bag_need = 0;
    st->strange = 0;
    st->has_cancelled = st->has_assumed = false;
    for (uint32_t i = 0; i < st->call.count; i++) {
        if (st->list[i] == ORK_REQUEST_SHARED) {
            st->bag_need++;
            continue;
        }
        st->strange += st->list[i] == ORK_REQUEST_UNKNOWN;
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r == NULL || !r->active || r->waiter == st)
            continue;
        st->members++;
        st->has_assumed |= r->assumed;
        if (is_cancelled_send(r)) {
            st->has_cancelled = true;
        } else if (is_pending(r)) {
            r->waiter = st;
            st->open++;
            st->has_cancelled |= r->op != NULL && r->op->cancelling;
        }
    }
    if (st->strange > 0 && !waits_for_all(st))
        st->unknown = true; /* it may be over with one of these */
}

/* The run went on without a word about receives that were to be cancelled: they completed. */
static void settle_cancelled(struct strand *st)
{
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r != NULL && r->op != NULL && r->op->cancelling && !r->op->is_send)
            ork_match_uncancel(st->proc->d, r->op);
    }
}

/* Collectives that have the data they need count as complete. */
static void settle_dataflow(struct strand *st)
{
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r != NULL && r->wave != NULL && r->waiter == st &&
            !ork_wave_lacks_data(st->proc, r->wave, &r->call)) {
            ork_wave_unlink_request(r);
            r->waiter = NULL;
            st->open--;
        }
    }
}

bool ork_wait_is_over(struct strand *st)
{
    struct proc *p = st->proc;

    if (p->d->model.dataflow && st->open > 0)
        settle_dataflow(st);
    if (waits_for_all(st)) {
        if ((st->has_assumed || st->has_cancelled) && !st->exited && !ork_strand_has_moved(st))
            return false; /* the outcome tells what became of them */
        if (st->has_cancelled && st->open > 0 && !st->exited && ork_strand_has_moved(st))
            settle_cancelled(st);
        bool is_over = st->open == 0 &&
                       p->bag_complete >= (st->bag_need < p->bag_size ? st->bag_need : p->bag_size);
        if (is_over && st->strange > 0)
            st->unknown = true;
        return is_over && (!st->unknown || ork_strand_has_moved(st));
    }
    if (st->unknown)
        return ork_strand_has_moved(st);
    if (st->members == 0 && st->bag_need == 0)
        return true;
    bool shared_is_over = st->bag_need > 0 && (p->bag_complete > 0 || p->bag_size == 0);
    return st->exited && (st->open < st->members || shared_is_over);
}

void ork_wait_leave(struct strand *st)
{
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r != NULL && r->waiter == st)
            r->waiter = NULL;
    }
    if (waits_for_all(st)) {
        for (uint32_t i = 0; i < st->call.count; i++)
            ork_request_consume(st, st->list[i], ORK_NO_PEER, ORK_ANY_TAG);
    } else {
        for (uint32_t i = 0; i + 2 < st->outcome_count; i += 3) {
            uint32_t index = st->outcome[i];
            if (index < st->call.count)
                ork_request_consume(st, st->list[index], (int32_t)st->outcome[i + 1],
                                    (int32_t)st->outcome[i + 2]);
        }
    }
    st->bag_need = 0;
    ork_knowledge_until_now(st->proc);
}

void ork_wait_apply_exit(struct strand *st)
{
    struct proc *p = st->proc;

    for (uint32_t i = 0; i + 2 < st->outcome_count; i += 3) {
        uint32_t index = st->outcome[i];
        struct request *r = index < st->call.count ? ork_request_find(p, st->list[index]) : NULL;
        if (r != NULL)
            correct(p, r, (int32_t)st->outcome[i + 1], (int32_t)st->outcome[i + 2]);
        if (r == NULL || r->op == NULL)
            continue;
        if ((int32_t)st->outcome[i + 1] == ORK_CANCELLED) {
            struct op *op = r->op;
            r->op = NULL;
            ork_match_withdraw(p->d, op);
            if (r->waiter == st)
                ork_strand_part_done(st);
        } else {
            observe(p, r, (int32_t)st->outcome[i + 1], (int32_t)st->outcome[i + 2]);
        }
    }
    if (waits_for_all(st) && st->has_cancelled)
        settle_cancelled(st);
}

void ork_wait_confirm(struct strand *st)
{
    for (uint32_t i = 0; waits_for_all(st) && st->open > 0 && i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r != NULL && r->op != NULL && !r->op->is_send)
            ork_match_confirm(st->proc->d, r->op);
    }
}

/* Sends count as buffered, collectives as lazy. */
static bool relax_member(struct strand *st, struct request *r)
{
    if (r->waiter != st)
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
    st->open--;
    return true;
}

/* The run completed these receives, whatever strict semantics knows of their messages. */
bool ork_wait_let_go(struct strand *st)
{
    bool any = false;

    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r == NULL || r->waiter != st || r->op == NULL || r->op->is_send)
            continue;
        ork_match_owe(r->op);
        r->op = NULL;
        r->waiter = NULL;
        st->open--;
        any = true;
    }
    return any;
}

bool ork_wait_relax(struct strand *st)
{
    struct proc *p = st->proc;
    bool any = false;

    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(p, st->list[i]);
        if (r != NULL)
            any |= relax_member(st, r);
    }
    uint32_t need = st->bag_need < p->bag_size ? st->bag_need : p->bag_size;
    while (p->bag_complete < need && ork_bag_relax(p))
        any = true;
    return any;
}
