/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on windows that end otherwise than their templates say. */
#include "interceptor/fastpath/window_templates.h"

void ork_template_other_rma(const struct ork_template *s, MPI_Request *request, unsigned mode,
                            int result)
{
    const struct ork_call call = ork_template_call(s);
    struct ork_args a = ork_window_template_access((uint32_t)(s - ork_loop_body.templates));

    ork_loop_body_suspend();
    a.request = request;
    a.is_new = ork_access_is_new(&a, request != NULL);
    ork_after_rma(&call, &a, mode, request != NULL ? ORK_F_NONBLOCKING : 0, result);
}

void ork_template_other_flush(const struct ork_template *s, unsigned mode, int result)
{
    const struct ork_call call = ork_template_call(s);
    const struct ork_window_template *w = &ork_window_templates[s - ork_loop_body.templates];
    const struct ork_args a = {.win = w->lock.win, .rank = w->lock.rank};

    ork_loop_body_suspend();
    ork_after_flush(&call, &a, mode, result);
}

void ork_template_other_fence(const struct ork_template *s, const struct ork_args *a, unsigned mode,
                              int result)
{
    const struct ork_call call = ork_template_call(s);

    ork_loop_body_suspend();
    ork_after_win_collective(&call, a, mode, result);
}

void ork_template_other_epoch(const struct ork_template *s, struct ork_args *a, unsigned mode,
                              int result)
{
    const struct ork_call call = ork_template_call(s);

    ork_loop_body_suspend();
    ork_after_epoch(&call, a, mode, result);
}

void ork_template_other_win_test(const struct ork_template *s)
{
    const struct ork_call call = ork_template_call(s);
    const struct ork_args a = {.win = ork_window_templates[s - ork_loop_body.templates].lock.win,
                               .rank = ORK_NO_RANK};

    ork_loop_body_suspend();
    ork_put_win_tested(&call, &a);
}
