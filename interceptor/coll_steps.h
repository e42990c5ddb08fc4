/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps (steps.h) that are collective calls without a request. Nothing of them is deferred: they
 * change no table. */
#ifndef ORK_COLL_STEPS_H
#define ORK_COLL_STEPS_H

#include "interceptor/buffers_coll.h"
#include "interceptor/learn.h"
#include "interceptor/steps.h"

/* Arrays of counts and displacements, of the calls of an iteration. */
enum { ORK_COLL_ARRAYS = 8192 };

/* Forget all that were kept: another iteration is learnt. */
void ork_coll_arrays_forget(void);

/* Keep those that are significant at the calling rank, and note them in its step. False: they are
 * too many, or it is not known how many they are. `args`: after the call. */
bool ork_coll_arrays_keep(struct ork_step *step, const struct ork_args *args, unsigned mode,
                          const struct ork_coll_buffers *buffers) __attribute__((cold, noinline));

/* Are they the same? */
bool ork_coll_arrays_are(const struct ork_step *step, const struct ork_coll_buffers *buffers)
    __attribute__((noinline));

/* Do all pass elements of one datatype, with an operator? */
ORK_INLINE bool ork_coll_reduces(unsigned mode)
{
    return ork_coll_exchange(mode) == ORK_EXCHANGE_COMBINED;
}

/* Of a step: the arguments by which it is known again. `buffers`: NULL: it has none. */
ORK_INLINE struct ork_step ork_coll_step(const struct ork_args *a, unsigned mode,
                                         const struct ork_coll_buffers *buffers)
{
    static const struct ork_coll_buffers none;
    const struct ork_coll_buffers *b = buffers != NULL ? buffers : &none;
    struct ork_step step = {.sendbuf = b->sent.address,
                            .recvbuf = (void *)(uintptr_t)b->received.address,
                            .count = b->sent.count,
                            .datatype = b->sent.type,
                            .count2 = b->received.count,
                            .peer = a->root,
                            .comm = a->comm};

    if (ork_coll_reduces(mode))
        step.op = a->op;
    else
        step.datatype2 = b->received.type;
    return step;
}

ORK_INLINE void ork_learn_collective(const struct ork_call *call, const struct ork_args *a,
                                     unsigned mode, const struct ork_coll_buffers *buffers,
                                     int result)
{
    bool is_bound;

    if (!ork_iteration_may_learn(call, result, &is_bound))
        return;
    struct ork_step step = ork_coll_step(a, mode, buffers);
    bool is_known = !ork_coll_has(mode, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED | ORK_HAS_TYPES) ||
                    ork_coll_arrays_keep(&step, a, mode, buffers);
    ork_iteration_learn_coll(call, is_known ? &step : NULL, is_bound);
}

ORK_INLINE bool ork_step_collective(const struct ork_step *s, const struct ork_args *a,
                                    unsigned mode, const struct ork_coll_buffers *buffers)
{
    const struct ork_step now = ork_coll_step(a, mode, buffers);

    if (s->sendbuf != now.sendbuf || s->recvbuf != now.recvbuf || s->count != now.count ||
        s->datatype != now.datatype || s->count2 != now.count2 || s->peer != now.peer ||
        s->comm != now.comm ||
        (ork_coll_reduces(mode) ? s->op != now.op : s->datatype2 != now.datatype2))
        return false;
    if ((ork_coll_has(mode, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED) &&
         !ork_coll_arrays_are(s, buffers)) ||
        !ork_step_is_next(s))
        return false;
    ork_step_enter(s);
    return true;
}

/* The call has failed. */
void ork_step_failed_collective(const struct ork_step *s, int result)
    __attribute__((cold, noinline));

ORK_INLINE void ork_step_collected(const struct ork_step *s, int result)
{
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_step_failed_collective(s, result);
    ork_set_state(ORK_STATE_RUNNING);
}

#endif
