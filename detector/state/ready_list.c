/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads that may be able to make progress, in the order of the events. A function that
 * completes a part of a call adds its thread here and does not call it; the layer above takes
 * threads from the list. */
#include "detector/state/state.h"

void ork_ready_add(struct mpi_thread *th)
{
    struct ork_detector *d = th->proc->d;

    if (th->in_work)
        return;
    th->in_work = true;
    th->work_next = NULL;
    *(d->ready.tail != NULL ? &d->ready.tail->work_next : &d->ready.head) = th;
    d->ready.tail = th;
}

void ork_thread_wake(struct mpi_thread *th)
{
    if (th->in_call)
        ork_ready_add(th);
}

void ork_thread_part_done(struct mpi_thread *th)
{
    th->open -= th->open > 0;
    ork_thread_wake(th);
}
