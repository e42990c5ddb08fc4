/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether templates may be used, and calls that end otherwise than their templates say. */
#include "interceptor/fastpath/templates.h"

#include "interceptor/forcing/backlog.h"
#include "interceptor/hooks/op_p2p.h"
#include "interceptor/hooks/op_probe.h"
#include "interceptor/hooks/op_wait.h"

#include <string.h>

/* Are the same buffers pending as when the next template was made? */
static bool is_same_pending(void)
{
    const uint64_t now = ork_buffers_pending();

    return now != 0 && now == ork_loop_body.templates[ork_recorder.at].buffers;
}

bool ork_template_look(void)
{
    struct ork_loop_body *it = &ork_loop_body;

    if (!atomic_load_explicit(&ork_recording, memory_order_relaxed) || !ork_loop_body_is_valid() ||
        !ork_template_has_room() || (it->is_suspended && !ork_loop_body_resume()))
        return false;
    if (it->is_unsure && !is_same_pending()) {
        ork_loop_body_suspend();
        return false;
    }
    it->is_unsure = false;
    ork_recorder.fast_until = ork_recorder.limit;
    return true;
}

bool ork_template_look_forced(const struct ork_template *s)
{
    const uint32_t errands = atomic_load_explicit(&ork_errands, memory_order_relaxed);

    if (errands != (ORK_ERRAND_ITERATION | ORK_ERRAND_REPLAY) ||
        !(ork_recorder.head < ork_recorder.fast_until || ork_template_look()))
        return false;
    ork_thread.call = s->call;
    ork_thread.site = s->site;
    /* RATIONALE: if all ranks are held, or this one waits, the call has to be made in full. */
    return atomic_load_explicit(&ork_recorder.ring->hold, memory_order_relaxed) != ORK_HOLD_ON &&
           !ork_backlog_is_long;
}

void ork_template_failed(const struct ork_template *s, int result)
{
    const struct ork_call call = ork_template_call(s);

    ork_loop_body_suspend();
    ork_put_error(&call, result);
}

void ork_template_other_send(const struct ork_template *s, struct ork_args *a, unsigned mode,
                             int result)
{
    const struct ork_call call = ork_template_call(s);

    ork_loop_body_suspend();
    ork_thread.loses = NULL;
    ork_after_send(&call, a, mode, ORK_F_NONBLOCKING, result);
}

void ork_template_other_recv(const struct ork_template *s, struct ork_args *a, int result)
{
    const struct ork_call call = ork_template_call(s);

    ork_loop_body_suspend();
    ork_thread.loses = NULL;
    ork_after_recv(&call, a, ORK_F_NONBLOCKING, result);
}

/* Suspend, and look up the requests of the call. RATIONALE: it has replaced the program's handles.
 * False: recording has stopped, or a callback has made so many calls that another iteration got
 * templates. */
static bool take_requests(const struct ork_template *s, struct ork_args *a)
{
    const struct ork_loop_body *it = &ork_loop_body;
    MPI_Request handle[ORK_CODES];

    memcpy(handle, it->handle, sizeof(handle));
    ork_loop_body_suspend();
    if (s->count != a->length || !ork_set_reserve(a))
        return false;
    for (int i = 0; i < a->length; i++)
        a->set->request[i] = ork_request_find(handle[it->code[s->codes + (uint32_t)i]]);
    return true;
}

void ork_template_other_wait(const struct ork_template *s, const struct ork_args *args,
                             unsigned mode, uint64_t chosen, int result)
{
    const struct ork_call call = ork_template_call(s);
    struct ork_wait_set set;
    struct ork_args a = *args;

    a.set = &set;
    if (!take_requests(s, &a))
        return;
    if (result != MPI_SUCCESS)
        ork_choose_waited(&call, &a, mode, result);
    ork_put_waited(&call, &a, mode, chosen, result);
    ork_set_release(&a);
}

/* RATIONALE: the record of the call precedes it, so its hook's part before the call is done now. */
void ork_template_other_start(const struct ork_template *s, const struct ork_args *args, int result)
{
    const struct ork_call call = ork_template_call(s);
    struct ork_wait_set set;
    struct ork_args a = *args;

    a.set = &set;
    if (!take_requests(s, &a))
        return;
    for (int i = 0; i < a.length; i++)
        ork_start_request(&call, &set.request[i], &a.request[i],
                          call.id == ORK_CALL_MPI_Start ? -1 : i);
    ork_after_start(&call, &a, result);
}

void ork_template_other_test(const struct ork_template *s, const struct ork_args *args,
                             unsigned mode, int result)
{
    const struct ork_call call = ork_template_call(s);
    struct ork_wait_set set;
    struct ork_args a = *args;

    a.set = &set;
    if (!take_requests(s, &a))
        return;
    if (result != MPI_SUCCESS)
        ork_choose_tested_failed(&call, &a, mode, result);
    ork_put_tested(&call, &a, mode, result);
    ork_set_release(&a);
}

void ork_template_other_probe(const struct ork_template *s, const struct ork_args *a,
                              unsigned flags, uint32_t message)
{
    const struct ork_call call = ork_template_call(s);
    struct ork_record r = ork_record_probed(&call, a, flags);

    ork_loop_body_suspend();
    r.request = message;
    r.extra = ork_choice_name(ork_thread.choices);
    ork_send_record(&r);
}

/* ---- matched messages ---- */

/* RATIONALE: its message gets its number at once, so the table is right for any other call. */
void ork_template_matched(const struct ork_template *s, const struct ork_args *a, int result)
{
    const struct ork_call call = ork_template_call(s);
    const MPI_Status asked = {.MPI_SOURCE = a->peer, .MPI_TAG = a->tag};

    ork_set_state(ORK_STATE_RUNNING);
    if (result != MPI_SUCCESS) {
        ork_template_failed(s, result);
        return;
    }
    const uint32_t message = ork_take_message(a);
    if (message == (uint32_t)s->count2 && ork_template_is_present()) {
        ork_recorder.at = s->after;
        ork_recorder.head += s->exit;
        ork_publish();
    } else {
        ork_loop_body_suspend();
        ork_exit_status(&call, &asked, message, 0, MPI_SUCCESS);
    }
    ork_handle_made(&call, ORK_HANDLE_MESSAGE, ORK_KEY(*a->message), a->message);
}

bool ork_template_mrecv(const struct ork_template *s, struct ork_args *a, unsigned flags)
{
    uint32_t id, comm;

    if (s->recvbuf != a->recvbuf || s->count != a->count || s->datatype != a->datatype ||
        a->message == NULL || !ork_message_find(*a->message, &id, &comm) ||
        id != (uint32_t)s->count2 || comm != (uint32_t)s->tag2 || !ork_template_is_next(s))
        return false;
    ork_loop_body.message =
        ork_handle_before_free(ORK_HANDLE_MESSAGE, ORK_KEY(*a->message), a->message);
    a->id = ork_message_take(*a->message, &a->parent);
    if ((flags & ORK_F_LOCAL) == 0)
        ork_template_enter(s);
    return true;
}

void ork_template_mreceived(const struct ork_template *s, struct ork_args *a, unsigned flags,
                            int result)
{
    const struct ork_call call = ork_template_call(s);

    if ((flags & ORK_F_LOCAL) == 0) {
        ork_template_leave(s, result);
    } else if (result == MPI_SUCCESS && ork_template_is_present() &&
               ork_template_requested(s, a->request)) {
        if (s->request < ORK_LOOP_BODY_REQUESTS)
            ork_loop_body.ordinal[s->request] = 0;
        ork_template_put(s);
    } else {
        ork_loop_body_suspend();
        ork_thread.loses = NULL;
        ork_after_mrecv(&call, a, flags, result);
    }
    if (result == MPI_SUCCESS)
        ork_handle_after_free(&call, ORK_HANDLE_MESSAGE, ork_loop_body.message,
                              ORK_KEY(*a->message));
}
