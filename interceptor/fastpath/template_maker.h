/* SPDX-License-Identifier: BSD-3-Clause */
/* Learns the calls of an iteration (iteration.h) while the rank's records repeat: of one whole
 * iteration, from a position at which no request of it is pending to the same position. */
#ifndef ORK_LEARN_H
#define ORK_LEARN_H

#include "interceptor/fastpath/iteration.h"
#include "interceptor/fastpath/window_effects.h"

/* The record of a call of one of these kinds was repeated, and the call has returned. */
void ork_iteration_learn_p2p(const struct ork_call *call, const struct ork_step *step,
                             const MPI_Request *request, bool is_bound)
    __attribute__((cold, noinline));
/* A blocking receive with a wildcard, also one that sends; or such a probe. */
void ork_iteration_learn_choice(const struct ork_call *call, const struct ork_step *step,
                                bool is_bound) __attribute__((cold, noinline));
void ork_iteration_learn_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              bool is_bound) __attribute__((cold, noinline));
/* MPI_Start or MPI_Startall. */
void ork_iteration_learn_start(const struct ork_call *call, const struct ork_args *a, bool is_bound)
    __attribute__((cold, noinline));
/* The same for a test and a probe that were successful; `step`: arguments and outcome. */
void ork_iteration_learn_test(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              bool is_bound) __attribute__((cold, noinline));
void ork_iteration_learn_probe(const struct ork_call *call, const struct ork_step *step,
                               bool is_bound) __attribute__((cold, noinline));
/* The same for a collective call; `step` NULL: it cannot be a step; `request` NULL: it has none. */
void ork_iteration_learn_coll(const struct ork_call *call, const struct ork_step *step,
                              const MPI_Request *request, bool is_bound)
    __attribute__((cold, noinline));
/* The same for an access to a window, and for another call on one. */
void ork_iteration_learn_access(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, bool has_request, bool is_bound)
    __attribute__((cold, noinline));
void ork_iteration_learn_window(const struct ork_call *call, const struct ork_window_step *step,
                                bool is_bound) __attribute__((cold, noinline));

ORK_INLINE bool ork_iteration_may_learn(const struct ork_call *call, int result, bool *is_bound)
{
    enum ork_caller caller;

    if (ORK_LIKELY(ork_recorder.block == 0) || result != MPI_SUCCESS)
        return false;
    caller = (enum ork_caller)ork_site_of((uintptr_t)call->address)->caller;
    *is_bound = caller == ORK_CALLER_BINDING;
    return caller == ORK_CALLER_APPLICATION || caller == ORK_CALLER_BINDING;
}

ORK_INLINE void ork_learn_window(const struct ork_call *call, const struct ork_window_step *step,
                                 int result)
{
    bool is_bound;

    if (ork_iteration_may_learn(call, result, &is_bound))
        ork_iteration_learn_window(call, step, is_bound);
}

#endif
