/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the whole process, and calls that wait for something the records do not show. */
#include "detector/calls/call_type.h"
#include "detector/calls/collective.h"
#include "detector/check/issue.h"
#include "detector/coll/wave.h"

static void enter_init(struct mpi_thread *th)
{
    (void)th;
}

static bool read_init(struct reader *r)
{
    (void)r;
    return true;
}

static void enter_finalize(struct mpi_thread *th)
{
    struct proc *p = th->proc;

    ork_issue_leaks(p);
    struct comm *c = p->job->finalize;
    uint32_t me = p->rank - p->job->first;
    if (c->index[me] > 0)
        return; /* a second MPI_Finalize is a separate error */
    struct wave *w = ork_wave_arrive(th, c, me, &th->call);
    if (w == NULL)
        return;
    ork_wave_wait(w, th);
    th->open = 1;
    ork_job_try_finalize(p->d);
}

static bool read_finalize(struct reader *r)
{
    return r->o->d->num_jobs == 1 &&
           ork_collective_to_steps(
               r, (struct comm_ref){.comm = r->p->job->finalize, .me = r->p->rank});
}

static void enter_opaque(struct mpi_thread *th)
{
    th->unknown = true;
}

const struct call_type ork_call_type_init = {.enter = enter_init, .to_steps = read_init};

const struct call_type ork_call_type_finalize = {
    .enter = enter_finalize,
    .relax = ork_collective_relax,
    .wait_condition = ork_collective_wait_condition,
    .to_steps = read_finalize,
};

const struct call_type ork_call_type_abort = {.enter = enter_opaque};

const struct call_type ork_call_type_opaque = {.enter = enter_opaque};
