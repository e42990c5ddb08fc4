/* SPDX-License-Identifier: BSD-3-Clause */
/* The strands that something happened to, in that order. Whoever finds that a part of a call is
 * complete puts its strand here and does not call it: the layer above takes them from it. */
#include "detector/state/state.h"

void ork_ready_add(struct strand *st)
{
    struct ork_detector *d = st->proc->d;

    if (st->in_work)
        return;
    st->in_work = true;
    st->work_next = NULL;
    *(d->ready.tail != NULL ? &d->ready.tail->work_next : &d->ready.head) = st;
    d->ready.tail = st;
}

void ork_strand_wake(struct strand *st)
{
    if (st->held)
        ork_ready_add(st);
}

void ork_strand_part_done(struct strand *st)
{
    st->open -= st->open > 0;
    ork_strand_wake(st);
}
