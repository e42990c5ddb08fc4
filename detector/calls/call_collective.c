/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls, which arrive at a wave (MPI-3.1 section 5.12), and MPI_Finalize. */
#include "detector/calls/call.h"
#include "detector/calls/call_parts.h"
#include "detector/calls/request.h"
#include "detector/check/issue.h"
#include "detector/check/knowledge.h"
#include "detector/coll/meet.h"
#include "detector/coll/wave.h"

/* RATIONALE: a wave that nobody waits for: MPI-4.0 section 6.13 lets the call return at once. */
static void make_persistent_coll(struct strand *st, const struct ork_record *rec,
                                 const struct comm_ref *ref)
{
    struct request *r = ork_request_make_persistent(st, rec);
    struct wave *w = ork_wave_arrive(st, ref->comm, ref->me, rec);

    if (w == NULL)
        return;
    if (r != NULL && !ref->comm->self) {
        r->starts = ork_comm_of_starts(st, ref, w->index);
        r->me = ref->me;
    }
    ork_wave_try_complete(st->proc->d, w);
}

void ork_call_start_coll(struct strand *st, struct request *r, const struct ork_record *rec)
{
    struct ork_detector *d = st->proc->d;

    r->active = true;
    if (r->starts == NULL)
        return;
    struct wave *w = ork_wave_arrive(st, r->starts, r->me, rec);
    if (w == NULL)
        return;
    ork_wave_wait_request(w, r);
    if (d->model.dataflow)
        ork_wave_wake(w);
    ork_wave_try_complete(d, w);
}

/* Collective, but nothing says that it synchronises (MPI-3.1 sections 6.4.4, 11.2.7 and 13.2.8).
 * MPI_Comm_free is expected to be local in effect, although a library may synchronise (section
 * 6.4.3). */
bool ork_call_never_waits(const struct ork_detector *d, unsigned coll)
{
    return coll == ORK_COLL_COMM_SET_INFO || coll == ORK_COLL_WIN_SET_INFO ||
           coll == ORK_COLL_FILE_SET_INFO ||
           (coll == ORK_COLL_COMM_FREE && !d->model.free_synchronises);
}

/* The root is no rank: the call fails here. */
static bool has_no_root(const struct comm *c, const struct ork_record *rec)
{
    uint32_t size = c->self ? 1 : c->size;

    return !c->inter && rec->mode != ORK_COLL_INTERCOMM_CREATE && rec->peer >= 0 &&
           (uint32_t)rec->peer >= size;
}

bool ork_call_arrives(const struct comm *c, const struct ork_record *rec)
{
    return rec->mode > ORK_COLL_NONE && rec->mode < ORK_COLL_MAX && !has_no_root(c, rec);
}

void ork_call_enter_coll(struct strand *st)
{
    const struct ork_record *rec = &st->call;
    struct proc *p = st->proc;
    struct comm_ref *ref = ork_comm_ref(p, rec->comm);
    struct comm *c = ref != NULL ? ref->comm : NULL;
    uint32_t me = ref != NULL ? ref->me : 0;

    if (rec->mode == ORK_COLL_NONE || rec->mode >= ORK_COLL_MAX) {
        ork_proc_fault(p, "a collective operation that is none");
        return;
    }
    if (c != NULL && rec->mode == ORK_COLL_COMM_CREATE_GROUP) {
        if (ork_comm_is_outside(p, rec, st->list))
            return; /* gets MPI_COMM_NULL at once */
        c = ork_comm_of_group(p->d, p, rec, st->list, &me);
    }
    if (c == NULL || has_no_root(c, rec)) {
        st->unknown = true;
        st->made_on = MADE_ON_UNKNOWN;
        if (rec->flags & ORK_F_NONBLOCKING)
            ork_request_give(st, rec, NULL);
        if (rec->flags & ORK_F_PERSISTENT)
            ork_request_make_persistent(st, rec);
        return;
    }
    if (rec->flags & ORK_F_PERSISTENT) {
        make_persistent_coll(st, rec, ref);
        return;
    }
    struct wave *w = ork_wave_arrive(st, c, me, rec);
    if (w == NULL)
        return;
    if (rec->flags & ORK_F_NONBLOCKING) {
        ork_request_give(st, rec, NULL);
        struct request *r = ork_request_find(p, rec->request);
        if (r != NULL) {
            r->starter = st;
            ork_wave_wait_request(w, r);
        }
    } else if (!ork_call_never_waits(p->d, rec->mode)) {
        ork_wave_wait(w, st);
        st->open = 1;
    }
    if (rec->mode == ORK_COLL_INTERCOMM_CREATE)
        ork_bridge_arrive(st, w, ref, rec);
    if (p->d->model.dataflow)
        ork_wave_wake(w);
    ork_wave_try_complete(p->d, w);
}

void ork_call_enter_finalize(struct strand *st)
{
    struct proc *p = st->proc;

    ork_issue_leaks(p);
    struct comm *c = p->job->finalize;
    uint32_t me = p->rank - p->job->first;
    if (c->index[me] > 0)
        return; /* a second MPI_Finalize is an error of its own */
    struct wave *w = ork_wave_arrive(st, c, me, &st->call);
    if (w == NULL)
        return;
    ork_wave_wait(w, st);
    st->open = 1;
    ork_job_try_finalize(p->d);
}

/* MPI_Comm_spawn and the like: when the group is there, the rest depends on processes that may be
 * outside the tool. */
static bool reaches_outside(const struct strand *st)
{
    return ork_is_meeting(st->call.mode);
}

bool ork_call_coll_is_over(struct strand *st)
{
    if (st->unsure != NULL)
        return false;
    if (st->wave != NULL && st->wave->unsure == 0 && st->proc->d->model.dataflow &&
        !ork_wave_lacks_data(st->proc, st->wave, &st->call)) {
        ork_wave_unlink_waiter(st);
        st->open = 0;
        ork_knowledge_until_now(st->proc);
    }
    if (st->open == 0 && reaches_outside(st))
        st->unknown = true;
    return st->unknown ? ork_strand_has_moved(st) : st->open == 0;
}

bool ork_call_destroys(unsigned coll)
{
    return coll == ORK_COLL_COMM_FREE || coll == ORK_COLL_COMM_DISCONNECT ||
           coll == ORK_COLL_WIN_FREE || coll == ORK_COLL_FILE_CLOSE;
}
