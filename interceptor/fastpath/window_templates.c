/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps on windows that end otherwise than learnt. */
#include "interceptor/fastpath/window_steps.h"

void ork_step_other_rma(const struct ork_step *s, MPI_Request *request, unsigned mode, int result)
{
    const struct ork_call call = ork_step_call(s);
    struct ork_args a = ork_window_step_access((uint32_t)(s - ork_iteration.steps));

    ork_iteration_suspend();
    a.request = request;
    a.is_news = ork_access_is_news(&a, request != NULL);
    ork_after_rma(&call, &a, mode, request != NULL ? ORK_F_NONBLOCKING : 0, result);
}

void ork_step_other_flush(const struct ork_step *s, unsigned mode, int result)
{
    const struct ork_call call = ork_step_call(s);
    const struct ork_window_step *w = &ork_window_steps[s - ork_iteration.steps];
    const struct ork_args a = {.win = w->lock.win, .rank = w->lock.rank};

    ork_iteration_suspend();
    ork_after_flush(&call, &a, mode, result);
}

void ork_step_other_fence(const struct ork_step *s, const struct ork_args *a, unsigned mode,
                          int result)
{
    const struct ork_call call = ork_step_call(s);

    ork_iteration_suspend();
    ork_after_win_collective(&call, a, mode, result);
}

void ork_step_other_epoch(const struct ork_step *s, struct ork_args *a, unsigned mode, int result)
{
    const struct ork_call call = ork_step_call(s);

    ork_iteration_suspend();
    ork_after_epoch(&call, a, mode, result);
}

void ork_step_other_win_test(const struct ork_step *s)
{
    const struct ork_call call = ork_step_call(s);
    const struct ork_args a = {.win = ork_window_steps[s - ork_iteration.steps].lock.win,
                               .rank = ORK_NO_RANK};

    ork_iteration_suspend();
    ork_put_win_tested(&call, &a);
}
