/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls, constructors and destructors of communicators, windows and files (MPI-3.1
 * chapters 5, 6, 10, 11 and 13), persistent ones as in MPI-4.0 section 6.12. */
#include "detector/calls/call_type.h"
#include "detector/calls/collective.h"
#include "detector/calls/definition.h"
#include "detector/calls/p2p.h"
#include "detector/check/exchange.h"
#include "detector/check/happens_before.h"
#include "detector/check/matching_types.h"
#include "detector/coll/dynamic_comm.h"
#include "detector/coll/wave.h"

#include <stdlib.h>

/* RATIONALE: no thread waits for this wave: MPI-4.0 section 6.13 lets the call return at once. */
static void make_persistent_coll(struct mpi_thread *th, const struct ork_record *rec,
                                 const struct comm_ref *ref)
{
    struct request *r = ork_p2p_make_persistent(th, rec);
    struct wave *w = ork_wave_arrive(th, ref->comm, ref->me, rec);

    if (w == NULL)
        return;
    if (r != NULL && !ref->comm->self)
        r->starts = ork_comm_of_starts(th, ref, w->index);
    ork_wave_try_complete(th->proc->d, w);
}

void ork_collective_start(struct mpi_thread *th, struct request *r, const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;

    r->active = true;
    r->starter = th;
    if (r->starts == NULL)
        return;
    struct wave *w = ork_wave_arrive(th, r->starts, r->on.me, rec);
    if (w == NULL)
        return;
    ork_wave_wait_request(w, r);
    if (d->model.dataflow)
        ork_wave_wake(w);
    ork_wave_try_complete(d, w);
}

/* Collective, but not guaranteed to synchronise (MPI-3.1 sections 6.4.4, 11.2.7 and 13.2.8).
 * MPI_Comm_free is expected to be local in effect, although a library may synchronise (section
 * 6.4.3). */
static bool never_waits(const struct ork_detector *d, unsigned coll)
{
    return ork_coll_has(coll, ORK_IS_LOCAL) ||
           (coll == ORK_COLL_COMM_FREE && !d->model.free_synchronises);
}

/* The root is not a rank of the communicator: the call fails here. */
static bool has_no_root(const struct comm *c, const struct ork_record *rec)
{
    uint32_t size = c->self ? 1 : c->size;

    return !c->inter && rec->mode != ORK_COLL_INTERCOMM_CREATE && rec->peer >= 0 &&
           (uint32_t)rec->peer >= size;
}

bool ork_collective_arrives(const struct comm *c, const struct ork_record *rec)
{
    return rec->mode > ORK_COLL_NONE && rec->mode < ORK_COLL_MAX && !has_no_root(c, rec);
}

/* Other members are compared with it when they arrive. */
static void keep_list(struct mpi_thread *th, struct request *r)
{
    size_t bytes = th->call.count * sizeof(*r->list);
    uint32_t *list =
        bytes == 0 || bytes > ORK_COUNTS_MAX * sizeof(*list) ? NULL : realloc(r->list, bytes);

    if (list == NULL) {
        r->call.count = 0;
        return;
    }
    memcpy(list, th->list, bytes);
    r->list = list;
}

static void enter_coll(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct proc *p = th->proc;
    struct comm_ref *ref = ork_comm_ref(p, rec->comm);
    struct comm *c = ref != NULL ? ref->comm : NULL;
    uint32_t me = ref != NULL ? ref->me : 0;

    if (rec->mode == ORK_COLL_NONE || rec->mode >= ORK_COLL_MAX) {
        ork_proc_fault(p, "an unknown collective operation");
        return;
    }
    if (c != NULL && rec->mode == ORK_COLL_COMM_CREATE_GROUP) {
        if (ork_comm_is_outside(p, rec, th->list))
            return; /* the rank gets MPI_COMM_NULL at once */
        c = ork_comm_of_group(p->d, p, rec, th->list, &me);
    }
    if (c == NULL || has_no_root(c, rec)) {
        th->unknown = true;
        th->made_on = MADE_ON_UNKNOWN;
        if (rec->flags & ORK_F_NONBLOCKING)
            ork_p2p_give_to_request(th, rec, NULL);
        if (rec->flags & ORK_F_PERSISTENT)
            ork_p2p_make_persistent(th, rec);
        return;
    }
    if (rec->flags & ORK_F_PERSISTENT) {
        make_persistent_coll(th, rec, ref);
        return;
    }
    struct wave *w = ork_wave_arrive(th, c, me, rec);
    if (w == NULL)
        return;
    if (rec->flags & ORK_F_NONBLOCKING) {
        ork_p2p_give_to_request(th, rec, NULL);
        struct request *r = ork_request_find(p, rec->request);
        if (r != NULL) {
            r->starter = th;
            keep_list(th, r);
            ork_wave_wait_request(w, r);
        }
    } else if (!never_waits(p->d, rec->mode)) {
        ork_wave_wait(w, th);
        th->open = 1;
    }
    if (rec->mode == ORK_COLL_INTERCOMM_CREATE)
        ork_leader_pair_arrive(th, w, ref, rec);
    if (p->d->model.dataflow)
        ork_wave_wake(w);
    ork_wave_try_complete(p->d, w);
}

/* MPI_Comm_spawn and similar calls: once the group is complete, the rest depends on processes that
 * may be outside the tool. */
static bool reaches_outside(const struct mpi_thread *th)
{
    return ork_coll_has(th->call.mode, ORK_IS_DYNAMIC);
}

static bool coll_is_over(struct mpi_thread *th)
{
    if (th->unsure != NULL)
        return false;
    if (th->wave != NULL && th->wave->unsure == 0 && th->proc->d->model.dataflow &&
        !ork_wave_lacks_data(th->proc, th->wave, &th->call)) {
        ork_wave_unlink_waiter(th);
        th->open = 0;
        ork_seen_everything(th->proc);
    }
    if (th->open == 0 && reaches_outside(th))
        th->unknown = true;
    return th->unknown ? ork_thread_run_is_ahead(th) : th->open == 0;
}

static void leave_coll(struct mpi_thread *th)
{
    if (ork_coll_has(th->call.mode, ORK_IS_DESTRUCTOR))
        ork_comm_release(th->proc, th->call.comm, th->call.mode);
    if (th->unknown)
        ork_seen_everything(th->proc);
}

/* After an error of the arguments, the call was not made. After any other error it was made: other
 * ranks may have used its effect before it failed. */
static void fail_coll(struct mpi_thread *th, const struct ork_record *exit)
{
    struct request *r =
        (th->call.flags & ORK_F_NONBLOCKING) ? ork_request_find(th->proc, th->call.request) : NULL;

    if (th->unsure == NULL)
        return;
    if (exit->flags & ORK_F_MATCHED) {
        ork_exchange_failed(th->unsure, th->proc, th->unsure_member, &th->call, th->list);
        ork_wave_confirm(th);
        return;
    }
    ork_types_doubt(th->proc, th->call.site);
    if (r != NULL && r->wave == th->unsure)
        ork_wave_unlink_request(r);
    th->made_on = MADE_ON_UNKNOWN;
    ork_wave_retract(th);
}

bool ork_collective_relax(struct mpi_thread *th)
{
    if (th->wave == NULL)
        return false;
    ork_wave_unlink_waiter(th);
    th->open = 0;
    return true;
}

bool ork_collective_wait_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return th->wave != NULL ? ork_graph_emit_wave(b, th->proc, th->wave, &th->call, 0)
                            : ork_graph_emit_true(b);
}

/* ---- steps ---- */

/* False for calls after which it is not certain that all members have entered, or whose
 * participants differ from the communicator's members. */
static bool is_plain_wave(const struct ork_detector *d, const struct comm *c, unsigned coll)
{
    return !ork_coll_has(coll, ORK_HAS_OWN_GROUP | ORK_IS_DYNAMIC) && !d->model.dataflow &&
           !c->inter;
}

bool ork_collective_to_steps(struct reader *r, struct comm_ref ref)
{
    struct comm *c = ref.comm;
    struct comm_builder *comm_builder = ork_comm_builder(r->o, c);
    struct request_slot *s =
        ork_program_request(r, r->rec.request, (r->rec.flags & ORK_F_NONBLOCKING) != 0);

    if ((!is_plain_wave(r->o->d, c, r->rec.mode) && c->ends == NULL) ||
        (r->rec.flags & ORK_F_PERSISTENT) ||
        (c->ends != NULL ? comm_builder->next[ref.me] > 0 : !ork_collective_arrives(c, &r->rec)))
        return false;
    if (s != NULL && (r->rec.flags & ORK_F_NONBLOCKING))
        *s = (struct request_slot){0};
    if (c->self)
        return true;
    ORK_ASSERT(comm_builder->next != NULL && ref.me < c->size);
    struct ork_interleave_part part = {.is_whole = (r->rec.flags & ORK_F_NONBLOCKING) == 0,
                                       .is_wave = true,
                                       .number =
                                           ork_program_wave(r->o, c, comm_builder->next[ref.me]++)};
    ork_interleave_arrive(r->o->program, r->p->rank, part.number);
    if (r->rec.flags & ORK_F_NONBLOCKING) {
        if (s == NULL)
            return false;
        s->part = part;
        s->has_part = true;
    } else if (!never_waits(r->o->d, r->rec.mode) || r->rec.kind == ORK_KIND_FINALIZE) {
        bool is_permissive_here = ork_program_is_permissive(r->p, r->rec.site);
        ork_program_await(r, is_permissive_here ? ORK_INTERLEAVE_SOFT : ORK_INTERLEAVE_ALL, &part,
                          1, 0);
    }
    return true;
}

static bool read_coll(struct reader *r)
{
    struct comm_ref ref;

    return ork_program_comm(r, &r->rec, &ref) && ork_collective_to_steps(r, ref);
}

const struct call_type ork_call_type_coll = {
    .enter = enter_coll,
    .is_complete = coll_is_over,
    .leave = leave_coll,
    .on_error = fail_coll,
    .confirm = ork_wave_confirm,
    .relax = ork_collective_relax,
    .wait_condition = ork_collective_wait_condition,
    .to_steps = read_coll,
};
