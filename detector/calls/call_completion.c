/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete requests: MPI_Wait, a successful MPI_Test, and similar calls (MPI-3.1
 * sections 3.7.3 and 3.7.5). */
#include "detector/calls/call_type.h"
#include "detector/calls/collective.h"
#include "detector/calls/p2p.h"
#include "detector/calls/request.h"
#include "detector/check/exchange.h"
#include "detector/check/happens_before.h"
#include "detector/check/matching_types.h"
#include "detector/check/outcome.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

#include <stdlib.h>

/* ---- MPI_Wait and similar calls ---- */

static bool waits_for_all(const struct mpi_thread *th)
{
    return th->call.mode == ORK_WAIT_ONE || th->call.mode == ORK_WAIT_ALL;
}

static bool is_pending(const struct request *r)
{
    return r->active && (r->op != NULL || r->wave != NULL);
}

/* Waiting for it is local (MPI-3.1 section 3.8.4), whether the library cancels or sends it. */
static bool is_cancelled_send(const struct request *r)
{
    return r->op != NULL && r->op->is_send && r->op->cancelling;
}

/* Is every second request of the array null, and no other one? */
static bool is_half_null(const struct mpi_thread *th)
{
    bool is_half = th->call.count >= 2;

    for (uint32_t i = 0; i < th->call.count && is_half; i++)
        is_half = (th->list[i] == ORK_REQUEST_NULL) == (i % 2 == 1);
    return is_half;
}

bool ork_detector_half_null(const struct ork_detector *d, uint32_t rank, struct ork_record *wait)
{
    if (rank >= d->nprocs || d->proc[rank]->half_null.kind == ORK_KIND_CONT)
        return false;
    *wait = d->proc[rank]->half_null;
    return true;
}

static void enter_wait(struct mpi_thread *th)
{
    if (th->proc->half_null.kind == ORK_KIND_CONT && is_half_null(th))
        th->proc->half_null = th->call;
    th->open = 0;
    th->members = 0;
    th->shared_needed = 0;
    th->unknown_handles = 0;
    th->has_cancelled = th->has_assumed = th->leaves_some = false;
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
        th->unknown = true; /* one of these may complete the call */
}

/* The run continued without an outcome of the receives to be cancelled: they completed. */
static void settle_cancelled(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->op != NULL && r->op->cancelling && !r->op->is_send)
            ork_match_uncancel(th->proc->d, r->op);
    }
}

/* Collectives whose data has arrived count as complete. */
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

/* The members of a wait for all that are shared handles: so many have to be complete. */
static uint32_t shared_wanted(const struct mpi_thread *th)
{
    uint32_t left = ork_shared_left(th->proc);

    return th->shared_needed < left ? th->shared_needed : left;
}

static bool wait_is_over(struct mpi_thread *th)
{
    struct proc *p = th->proc;

    if (p->d->model.dataflow && th->open > 0)
        settle_dataflow(th);
    if (waits_for_all(th)) {
        if ((th->has_assumed || th->has_cancelled) && !th->exited && !ork_thread_run_is_ahead(th))
            return false; /* the outcome shows whether they were cancelled */
        if (th->has_cancelled && th->open > 0 && !th->exited && ork_thread_run_is_ahead(th))
            settle_cancelled(th);
        bool is_over = th->open == 0 && ork_shared_ready(p) >= shared_wanted(th);
        if (is_over && th->unknown_handles > 0)
            th->unknown = true;
        return is_over && (!th->unknown || ork_thread_run_is_ahead(th));
    }
    if (th->unknown)
        return ork_thread_run_is_ahead(th);
    if (th->members == 0 && th->shared_needed == 0)
        return true;
    bool shared_is_over =
        th->shared_needed > 0 && (ork_shared_ready(p) > 0 || ork_shared_left(p) == 0);
    return th->exited && (th->open < th->members || shared_is_over);
}

/* Does the outcome name this member? */
static bool is_told(const struct mpi_thread *th, uint32_t index)
{
    for (uint32_t i = 0; th->exited && i + 2 < th->outcome_count; i += 3) {
        if (th->outcome[i] == index)
            return true;
    }
    return false;
}

/* May a member still be pending after a wait for all failed (MPI_ERR_PENDING)? Its outcome names
 * those that are complete. */
static bool may_be_left(const struct mpi_thread *th, const struct request *r, uint32_t index)
{
    return th->leaves_some && is_pending(r) && !r->persistent && !is_told(th, index);
}

static void consume_all(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && may_be_left(th, r, i))
            r->is_uncertain = true;
        else
            ork_request_consume(th, th->list[i], ORK_NO_PEER, ORK_ANY_TAG);
    }
}

static void leave_wait(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->waiter == th)
            r->waiter = NULL;
    }
    if (waits_for_all(th)) {
        consume_all(th);
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

static void observe_wait(struct mpi_thread *th)
{
    struct proc *p = th->proc;

    for (uint32_t i = 0; i + 2 < th->outcome_count; i += 3) {
        uint32_t index = th->outcome[i];
        struct request *r = index < th->call.count ? ork_request_find(p, th->list[index]) : NULL;
        if (r != NULL)
            ork_request_correct(p, r, (int32_t)th->outcome[i + 1], (int32_t)th->outcome[i + 2]);
        if (r == NULL || r->op == NULL)
            continue;
        if ((int32_t)th->outcome[i + 1] == ORK_CANCELLED) {
            struct op *op = r->op;
            r->op = NULL;
            ork_match_withdraw(p->d, op);
            if (r->waiter == th)
                ork_thread_part_done(th);
        } else {
            ork_request_observe(p, r, (int32_t)th->outcome[i + 1], (int32_t)th->outcome[i + 2]);
        }
    }
    if (waits_for_all(th) && th->has_cancelled)
        settle_cancelled(th);
}

static void confirm_wait(struct mpi_thread *th)
{
    for (uint32_t i = 0; waits_for_all(th) && th->open > 0 && i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->op != NULL && !r->op->is_send)
            ork_match_confirm(th->proc->d, r->op);
    }
}

/* ---- a wait that the run has left ---- */

/* Did the run complete this member? RATIONALE: MPI_Waitany and MPI_Waitsome complete only those
 * that their outcome names. The others remain pending, and a later call may wait for them for
 * ever. */
static bool is_completed(const struct mpi_thread *th, uint32_t index)
{
    return waits_for_all(th) || is_told(th, index);
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

/* The run completed these receives, whether or not the strict analysis knows their messages. */
static bool release_wait(struct mpi_thread *th)
{
    bool any = false;

    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r == NULL || r->waiter != th || r->op == NULL || r->op->is_send || !is_completed(th, i))
            continue;
        ork_match_leave_unconfirmed(r->op);
        r->op = NULL;
        r->waiter = NULL;
        th->open--;
        any = true;
    }
    return any;
}

/* The members with a shared handle that the run completed. */
static uint32_t shared_completed(const struct mpi_thread *th)
{
    uint32_t told = 0, left = ork_shared_left(th->proc);

    if (waits_for_all(th))
        return shared_wanted(th);
    for (uint32_t i = 0; i < th->call.count && th->shared_needed > 0; i++)
        told += th->list[i] == ORK_REQUEST_SHARED && is_told(th, i);
    return told < left ? told : left;
}

static bool relax_wait(struct mpi_thread *th)
{
    struct proc *p = th->proc;
    bool any = false;

    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(p, th->list[i]);
        if (r != NULL && is_completed(th, i))
            any |= relax_member(th, r);
    }
    while (ork_shared_ready(p) < shared_completed(th) && ork_shared_relax(p))
        any = true;
    return any;
}

/* Some member of a wait failed; all members count as complete, except those that a wait for all
 * leaves pending. RATIONALE: what it completed all the same is observed first, so that the messages
 * of these receives are known whenever they come. */
static void fail_wait(struct mpi_thread *th, const struct ork_record *exit)
{
    if (exit->flags & ORK_F_MATCHED)
        observe_wait(th);
    th->leaves_some = waits_for_all(th) && th->call.count > 1 && (exit->flags & ORK_F_MATCHED) != 0;
    ork_types_returned(th->proc);
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->waiter == th)
            r->waiter = NULL;
        if (r != NULL && may_be_left(th, r, i))
            continue;
        if (r != NULL && r->op != NULL)
            r->op->returned = !r->op->is_send;
        if (r != NULL && r->call.kind == ORK_KIND_COLL && r->wave != NULL)
            ork_exchange_failed(r->wave, th->proc, r->on.me, &r->call, r->list);
        else if (r != NULL && r->call.kind == ORK_KIND_COLL)
            ork_types_coll_returned(th->proc, r->call.site);
    }
    th->open = 0;
    th->shared_needed = 0;
}

static bool wait_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    struct proc *p = th->proc;
    bool all = th->call.mode == ORK_WAIT_ONE || th->call.mode == ORK_WAIT_ALL;
    uint32_t members = 0, open = 0;

    ork_graph_emit_open(b, all ? ORK_WFG_AND : ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(p, th->list[i]);
        if (r == NULL || !r->active)
            continue;
        members++;
        open += ork_graph_emit_request(b, p, r, i);
    }
    if (th->shared_needed > 0) {
        bool satisfied =
            ork_shared_ready(p) >= (all ? shared_wanted(th) : 1) || ork_shared_left(p) == 0;
        members++;
        open += satisfied
                    ? ork_graph_emit_true(b)
                    : ork_graph_emit_shared(b, p, all && shared_wanted(th) == p->shared_count);
    }
    if (!all && members == 0) /* returns MPI_UNDEFINED at once */
        ork_graph_emit_true(b);
    ork_graph_emit_close(b);
    return all ? open > 0 : open == members && members > 0;
}

/* ---- a successful MPI_Test ---- */

static void enter_tested(struct mpi_thread *th)
{
    bool has_failed = (th->call.flags & ORK_F_ERROR) != 0;

    th->failed = has_failed;
    for (uint32_t i = 0; i + 2 < th->call.count; i += 3) {
        struct request *r = has_failed ? ork_request_find(th->proc, th->list[i]) : NULL;
        if (r != NULL && r->op != NULL)
            r->op->returned = !r->op->is_send;
        if (th->list[i] == ORK_REQUEST_SHARED)
            ork_shared_tested(th->proc);
        else
            ork_request_consume(th, th->list[i], (int32_t)th->list[i + 1],
                                (int32_t)th->list[i + 2]);
    }
    if (has_failed)
        ork_types_returned(th->proc);
    else
        ork_outcome_of_call(th, false);
    ork_seen_everything(th->proc);
}

/* ---- steps ---- */

/* A member that the run completed although the strict analysis would still wait for it. */
static bool is_passed(const struct reader *r, const struct ork_interleave_part *part)
{
    return ork_program_is_permissive(r->p, r->rec.site) &&
           (part->is_wave || ork_interleave_op(r->o->program, part->number)->is_send);
}

static bool add_part(struct reader *r, uint32_t id, struct ork_interleave_part *part,
                     uint32_t *parts)
{
    struct request_slot *s = ork_program_request(r, id, false);

    if (id == ORK_REQUEST_UNKNOWN)
        return false;
    if (s != NULL && s->has_part && !is_passed(r, &s->part))
        part[(*parts)++] = s->part;
    return true;
}

/* Was it cancelled successfully? */
static bool is_withdrawn(struct reader *r, uint32_t id, int32_t source)
{
    const struct request_slot *s = ork_program_request(r, id, false);

    return source == ORK_CANCELLED && s != NULL && s->has_part;
}

static bool read_wait_for_all(struct reader *r, struct ork_interleave_part *part)
{
    uint32_t parts = 0, shared = 0;

    for (uint32_t i = 0; r->has_exit && i + 2 < r->exit.count; i += 3) {
        if (r->outcome[i] >= r->rec.count ||
            is_withdrawn(r, r->list[r->outcome[i]], (int32_t)r->outcome[i + 1]))
            return false;
        ork_program_observe(r, &r->rec, r->list[r->outcome[i]], (int32_t)r->outcome[i + 1],
                            (int32_t)r->outcome[i + 2]);
    }
    for (uint32_t i = 0; i < r->rec.count; i++) {
        shared += r->list[i] == ORK_REQUEST_SHARED;
        if (!add_part(r, r->list[i], part, &parts))
            return false;
    }
    if (shared > 0)
        ork_program_await_shared(r, shared, part, &parts);
    ork_program_await(r, ORK_INTERLEAVE_ALL, part, parts, 0);
    for (uint32_t i = 0; i < r->rec.count; i++)
        ork_program_consume(r, r->list[i]);
    return true;
}

static bool is_in_outcome(const struct reader *r, uint32_t index)
{
    for (uint32_t i = 0; r->has_exit && i + 2 < r->exit.count; i += 3) {
        if (r->outcome[i] == index)
            return true;
    }
    return false;
}

/* A request that was complete when the history began, or at once. RATIONALE: a shared handle may
 * also be that of an operation that is pending, but which one is not known. */
static bool may_be_complete(struct reader *r, uint32_t id)
{
    const struct request_slot *s = ork_program_request(r, id, false);

    return id != ORK_REQUEST_NULL && (s == NULL || !s->has_part || is_passed(r, &s->part));
}

/* RATIONALE: with a complete request, the call does not wait, whichever it completed in the run. */
static bool read_wait_for_some(struct reader *r, struct ork_interleave_part *part)
{
    uint32_t parts = 0, took = 0;
    bool waits = true;

    for (uint32_t i = 0; r->has_exit && i + 2 < r->exit.count; i += 3) {
        uint32_t index = r->outcome[i];
        if (index >= r->rec.count || is_withdrawn(r, r->list[index], (int32_t)r->outcome[i + 1]) ||
            !add_part(r, r->list[index], part, &parts))
            return false;
        ork_program_observe(r, &r->rec, r->list[index], (int32_t)r->outcome[i + 1],
                            (int32_t)r->outcome[i + 2]);
    }
    took = parts;
    for (uint32_t i = 0; i < r->rec.count; i++) {
        waits &= !may_be_complete(r, r->list[i]);
        if (!is_in_outcome(r, i) && !add_part(r, r->list[i], part, &parts))
            return false;
    }
    bool is_soft = r->has_exit && took == 0;
    if (!waits && !is_soft)
        parts = took;
    if (parts > 0)
        ork_program_await(r, is_soft || !waits ? ORK_INTERLEAVE_SOFT : ORK_INTERLEAVE_ANY_OF, part,
                          parts, took);
    for (uint32_t i = 0; i + 2 < r->exit.count && r->has_exit; i += 3) {
        if (r->list[r->outcome[i]] == ORK_REQUEST_SHARED)
            ork_program_drop_shared(r);
        ork_program_consume(r, r->list[r->outcome[i]]);
    }
    return true;
}

static bool read_wait(struct reader *r)
{
    size_t room = r->rec.count + (size_t)r->o->rank_builder[r->p->rank].shared_parts + 1;
    struct ork_interleave_part *part = malloc(room * sizeof(*part));
    bool all = r->rec.mode == ORK_WAIT_ONE || r->rec.mode == ORK_WAIT_ALL;

    if (part == NULL) {
        r->o->d->failed = true;
        return false;
    }
    bool good = all ? read_wait_for_all(r, part) : read_wait_for_some(r, part);
    free(part);
    return good;
}

/* A successful Test call: in another execution it might have failed. */
static bool read_tested(struct reader *r)
{
    if (r->rec.flags & ORK_F_ERROR)
        return false;
    for (uint32_t i = 0; i + 2 < r->rec.count; i += 3) {
        struct request_slot *s = ork_program_request(r, r->list[i], false);
        if (is_withdrawn(r, r->list[i], (int32_t)r->list[i + 1]))
            return false;
        if (r->list[i] == ORK_REQUEST_SHARED)
            ork_program_drop_shared(r);
        if (s == NULL || !s->has_part)
            continue;
        ork_program_observe(r, &r->rec, r->list[i], (int32_t)r->list[i + 1],
                            (int32_t)r->list[i + 2]);
        ork_program_await(r, ORK_INTERLEAVE_SOFT, &s->part, 1, 0);
        s->has_part = false;
    }
    return true;
}

const struct call_type ork_call_type_wait = {
    .enter = enter_wait,
    .is_complete = wait_is_over,
    .leave = leave_wait,
    .on_exit = observe_wait,
    .on_error = fail_wait,
    .confirm = confirm_wait,
    .relax = relax_wait,
    .release_completed = release_wait,
    .wait_condition = wait_condition,
    .to_steps = read_wait,
};

const struct call_type ork_call_type_tested = {.enter = enter_tested, .to_steps = read_tested};
