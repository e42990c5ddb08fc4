/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the templates of the calls of an iteration (loop_body.h) while the rank's records repeat:
 * of one whole iteration, from a position at which no request of it is pending to the same
 * position. */
#ifndef ORK_TEMPLATE_MAKER_H
#define ORK_TEMPLATE_MAKER_H

#include "interceptor/fastpath/loop_body.h"
#include "interceptor/fastpath/window_effects.h"

/* The record of a call of one of these kinds was repeated, and the call has returned. */
void ork_template_make_p2p(const struct ork_call *call, const struct ork_template *template,
                           const MPI_Request *request, bool is_bound)
    __attribute__((cold, noinline));
/* MPI_Mprobe. */
void ork_template_make_matched(const struct ork_call *call, const struct ork_template *template,
                               bool is_bound) __attribute__((cold, noinline));
void ork_template_make_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                            bool is_bound) __attribute__((cold, noinline));
/* MPI_Start or MPI_Startall. */
void ork_template_make_start(const struct ork_call *call, const struct ork_args *a, bool is_bound)
    __attribute__((cold, noinline));
/* The same for a test and a probe that were successful; `template`: arguments and outcome. */
void ork_template_make_test(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                            bool is_bound) __attribute__((cold, noinline));
void ork_template_make_probe(const struct ork_call *call, const struct ork_template *template,
                             bool is_bound) __attribute__((cold, noinline));
/* The same for an access to a window, and for another call on one. */
void ork_template_make_access(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              bool has_request, bool is_bound) __attribute__((cold, noinline));
void ork_template_make_window(const struct ork_call *call,
                              const struct ork_window_template *template, bool is_bound)
    __attribute__((cold, noinline));

ORK_INLINE bool ork_template_is_wanted(const struct ork_call *call, int result, bool *is_bound)
{
    enum ork_caller caller;

    if (ORK_LIKELY(ork_recorder.block == 0) || result != MPI_SUCCESS)
        return false;
    caller = (enum ork_caller)ork_site_of((uintptr_t)call->address)->caller;
    *is_bound = caller == ORK_CALLER_BINDING;
    return caller == ORK_CALLER_APPLICATION || caller == ORK_CALLER_BINDING;
}

ORK_INLINE void ork_maker_window(const struct ork_call *call,
                                 const struct ork_window_template *template, int result)
{
    bool is_bound;

    if (ork_template_is_wanted(call, result, &is_bound))
        ork_template_make_window(call, template, is_bound);
}

#endif
