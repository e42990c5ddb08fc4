/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that end otherwise than learnt. */
#include "interceptor/steps.h"

#include "interceptor/op_p2p.h"
#include "interceptor/op_wait.h"

#include <string.h>

void ork_step_failed(const struct ork_step *s, int result)
{
    const struct ork_call call = ork_step_call(s);

    ork_iteration_suspend();
    ork_put_error(&call, result);
}

void ork_step_other_send(const struct ork_step *s, struct ork_args *a, unsigned mode, int result)
{
    const struct ork_call call = ork_step_call(s);

    ork_iteration_suspend();
    ork_thread.loses = NULL;
    ork_after_send(&call, a, mode, ORK_F_NONBLOCKING, result);
}

void ork_step_other_recv(const struct ork_step *s, struct ork_args *a, int result)
{
    const struct ork_call call = ork_step_call(s);

    ork_iteration_suspend();
    ork_thread.loses = NULL;
    ork_after_recv(&call, a, ORK_F_NONBLOCKING, result);
}

/* RATIONALE: the call has replaced the program's handles. */
void ork_step_other_wait(const struct ork_step *s, const struct ork_args *args, unsigned mode,
                         int result)
{
    const struct ork_call call = ork_step_call(s);
    const struct ork_iteration *it = &ork_iteration;
    MPI_Request handle[ORK_CODES];
    struct ork_wait_set set;
    struct ork_args a = {
        .request = args->request, .status = args->status, .length = args->length, .set = &set};

    memcpy(handle, it->handle, sizeof(handle));
    ork_iteration_suspend();
    if (s->count != a.length || !ork_set_reserve(&a))
        return;
    for (int i = 0; i < a.length; i++)
        set.request[i] = ork_request_find(handle[it->code[s->codes + (uint32_t)i]]);
    ork_put_waited(&call, &a, mode, result);
    ork_set_release(&a);
}
