/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that wait for requests. */
#include "detector/calls/request.h"
#include "detector/check/knowledge.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

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
            ork_request_correct(p, r, (int32_t)st->outcome[i + 1], (int32_t)st->outcome[i + 2]);
        if (r == NULL || r->op == NULL)
            continue;
        if ((int32_t)st->outcome[i + 1] == ORK_CANCELLED) {
            struct op *op = r->op;
            r->op = NULL;
            ork_match_withdraw(p->d, op);
            if (r->waiter == st)
                ork_strand_part_done(st);
        } else {
            ork_request_observe(p, r, (int32_t)st->outcome[i + 1], (int32_t)st->outcome[i + 2]);
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
