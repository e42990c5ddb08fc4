/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that is the next step of an iteration (iteration.h): instead of all that its hook does,
 * ork_step_X() before the real call (false: do that after all) and ork_step_Xed() after it. */
#ifndef ORK_STEPS_H
#define ORK_STEPS_H

#include "interceptor/fastpath/iteration.h"
#include "interceptor/hooks/handle_calls.h"
#include "interceptor/hooks/op_p2p.h"
#include "interceptor/hooks/op_probe.h"
#include "interceptor/hooks/op_wait.h"

/* The next step, if it is this call from there. */
ORK_INLINE const struct ork_step *ork_step_of(enum ork_call_id id, const void *address)
{
    const struct ork_step *s;

    if (ORK_LIKELY(!ork_iteration.is_on))
        return NULL;
    s = &ork_iteration.steps[ork_recorder.at];
    if (s->address != address || s->call != id)
        return NULL;
    if (s->is_bound && ork_site_behind_binding(ork_site_of((uintptr_t)address)) != s->site)
        return NULL;
    return s;
}

/* Is there room for its record? If not, it waits for the leaf, as other calls do. */
ORK_INLINE bool ork_step_has_room(void)
{
    return ORK_LIKELY(ork_recorder.head < ork_recorder.limit) || ork_ring_wait();
}

/* May steps be taken? If so, ork_recorder.steps says how far. It is set to 0 when the recording or
 * the repetition ends, a handle gets another meaning, or the iteration is suspended. */
bool ork_step_look(void) __attribute__((cold, noinline));
/* The same in a replay: the forced twin of the real function has to know its call. */
bool ork_step_look_forced(const struct ork_step *s) __attribute__((noinline));

/* Its arguments are the same: may it be taken? */
ORK_INLINE bool ork_step_is_next(const struct ork_step *s)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_errands, memory_order_relaxed) !=
                     ORK_ERRAND_ITERATION))
        return ork_step_look_forced(s);
    return ORK_LIKELY(ork_recorder.head < ork_recorder.steps) || ork_step_look();
}

/* Count its record, and publish it. */
ORK_INLINE void ork_step_put(const struct ork_step *s)
{
    ork_recorder.at = s->next;
    ork_recorder.head += s->slots;
    ork_publish();
}

/* Has no callback interfered while the library was in the call? */
ORK_INLINE bool ork_step_is_present(void)
{
    return ORK_LIKELY(ork_recorder.steps != 0);
}

/* It is a call that can block. RATIONALE: a thread that takes steps is never inside another call
 * that can block, because the outer one would not have been a step. */
ORK_INLINE void ork_step_enter(const struct ork_step *s)
{
    ork_step_put(s);
    ork_set_state(ORK_STATE_BLOCKED);
}

/* The call that can block has failed. */
void ork_step_failed(const struct ork_step *s, int result) __attribute__((cold, noinline));

ORK_INLINE void ork_step_leave(const struct ork_step *s, int result)
{
    ork_set_state(ORK_STATE_RUNNING);
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_step_failed(s, result);
}

/* The handle of a request that the call has returned is as learnt: keep it. */
ORK_INLINE bool ork_step_requested(const struct ork_step *s, const MPI_Request *request)
{
    struct ork_iteration *it = &ork_iteration;
    MPI_Request handle = *request;
    uint8_t code = s->request;

    if (code >= ORK_ITERATION_REQUESTS)
        return handle == it->handle[code];
    if (ORK_UNLIKELY(handle == MPI_REQUEST_NULL || ork_is_shared(handle)))
        return false;
    it->handle[code] = handle;
    it->at[code] = request;
    it->step[code] = (uint16_t)(s - it->steps);
    it->pending |= UINT64_C(1) << code;
    return true;
}

/* The call has made its choice: does the record name it as learnt? RATIONALE: the choice may have
 * ended the repetition, by an ORDER record. */
ORK_INLINE bool ork_step_names(const struct ork_step *s)
{
    return ORK_LIKELY(ork_step_is_present() && ork_thread.choices - ork_thread.named == s->extra);
}

/* -- send -- */

ORK_INLINE bool ork_step_send(const struct ork_step *s, const struct ork_args *a, unsigned flags)
{
    if (s->sendbuf != a->sendbuf || s->count != a->count || s->datatype != a->datatype ||
        s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_step_is_next(s))
        return false;
    if ((flags & ORK_F_LOCAL) == 0)
        ork_step_enter(s);
    return true;
}

/* The call is not as learnt: what its hook does after it. */
void ork_step_other_send(const struct ork_step *s, struct ork_args *a, unsigned mode, int result)
    __attribute__((cold, noinline));

ORK_INLINE void ork_step_sent(const struct ork_step *s, struct ork_args *a, unsigned mode,
                              unsigned flags, int result)
{
    if ((flags & ORK_F_LOCAL) == 0)
        ork_step_leave(s, result);
    else if (ORK_LIKELY(result == MPI_SUCCESS && ork_step_is_present() &&
                        ork_step_requested(s, a->request)))
        ork_step_put(s);
    else
        ork_step_other_send(s, a, mode, result);
}

/* -- recv -- */

ORK_INLINE bool ork_step_recv(const struct ork_step *s, struct ork_args *a, unsigned flags)
{
    if (s->recvbuf != a->recvbuf || s->count != a->count || s->datatype != a->datatype ||
        s->peer != a->peer || s->tag != a->tag || s->comm != a->comm ||
        (s->is_choice && s->ignores != (a->status == MPI_STATUS_IGNORE)) || !ork_step_is_next(s))
        return false;
    if ((flags & ORK_F_LOCAL) == 0) {
        ork_observe_status(a);
        ork_step_enter(s);
    }
    return true;
}

void ork_step_other_recv(const struct ork_step *s, struct ork_args *a, int result)
    __attribute__((cold, noinline));

/* The receive or probe with a wildcard took another message than learnt, or has failed. */
void ork_step_other_choice(const struct ork_step *s, const MPI_Status *status, bool is_probe,
                           int result) __attribute__((cold, noinline));

/* The choice is as learnt: count its EXIT record, and publish it. */
ORK_INLINE void ork_step_put_exit(const struct ork_step *s)
{
    ork_thread.named = ork_thread.choices;
    ork_recorder.at = s->after;
    ork_recorder.head += s->exit;
    ork_publish();
}

ORK_INLINE void ork_step_chose(const struct ork_step *s, const MPI_Status *status, bool is_probe,
                               int result)
{
    const struct ork_call call = ork_step_call(s);

    if (ORK_LIKELY(result == MPI_SUCCESS) && is_probe)
        ork_choice_probed(&call, status->MPI_SOURCE, status->MPI_TAG);
    else if (ORK_LIKELY(result == MPI_SUCCESS))
        ork_choice_received(&call, status);
    ork_set_state(ORK_STATE_RUNNING);
    if (ORK_LIKELY(result == MPI_SUCCESS && status->MPI_SOURCE == s->source &&
                   status->MPI_TAG == s->with) &&
        ork_step_names(s))
        ork_step_put_exit(s);
    else
        ork_step_other_choice(s, status, is_probe, result);
}

/* The order of the run names it by its place among such receives. RATIONALE: it counts as observed
 * at once, because a test that is no step looks at that before the call. */
ORK_INLINE void ork_step_posted(const struct ork_step *s)
{
    ork_requests_observed++;
    ork_choice_posted(s->request);
}

ORK_INLINE void ork_step_received(const struct ork_step *s, struct ork_args *a, unsigned flags,
                                  int result)
{
    if ((flags & ORK_F_LOCAL) == 0 && s->is_choice) {
        ork_step_chose(s, a->status, false, result);
    } else if ((flags & ORK_F_LOCAL) == 0) {
        ork_step_leave(s, result);
    } else if (ORK_LIKELY(result == MPI_SUCCESS && ork_step_is_present() &&
                          ork_step_requested(s, a->request))) {
        ++ork_thread.receives;
        if (s->request < ORK_ITERATION_REQUESTS)
            ork_iteration.ordinal[s->request] = ork_thread.receives;
        if (ORK_UNLIKELY(s->is_wild))
            ork_step_posted(s);
        ork_step_put(s);
    } else {
        ork_step_other_recv(s, a, result);
    }
}

/* -- sendrecv -- */

ORK_INLINE bool ork_step_sendrecv(const struct ork_step *s, struct ork_args *a)
{
    if (s->sendbuf != a->sendbuf || s->count != a->count || s->datatype != a->datatype ||
        s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || s->recvbuf != a->recvbuf ||
        s->count2 != a->count2 || s->datatype2 != a->datatype2 || s->peer2 != a->peer2 ||
        s->tag2 != a->tag2 || (s->is_choice && s->ignores != (a->status == MPI_STATUS_IGNORE)) ||
        !ork_step_is_next(s))
        return false;
    ork_observe_exchanged(a);
    ork_step_enter(s);
    return true;
}

ORK_INLINE void ork_step_exchanged(const struct ork_step *s, const struct ork_args *a, int result)
{
    if (s->is_choice)
        ork_step_chose(s, a->status, false, result);
    else
        ork_step_leave(s, result);
}

/* -- probe -- */

ORK_INLINE bool ork_step_probe(const struct ork_step *s, struct ork_args *a)
{
    if (s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_step_is_next(s))
        return false;
    ork_observe_status(a);
    ork_step_enter(s);
    return true;
}

/* A matched probe has returned. */
void ork_step_matched(const struct ork_step *s, const struct ork_args *a, int result)
    __attribute__((noinline));

ORK_INLINE void ork_step_found(const struct ork_step *s, const struct ork_args *a, unsigned flags,
                               int result)
{
    if ((flags & ORK_F_MATCHED) != 0)
        ork_step_matched(s, a, result);
    else if (s->is_choice)
        ork_step_chose(s, a->status, true, result);
    else
        ork_step_leave(s, result);
}

/* -- wait -- */

/* Are these the requests that the steps before have started? */
ORK_INLINE bool ork_step_has(const struct ork_step *s, const struct ork_args *a)
{
    const struct ork_iteration *it = &ork_iteration;
    const uint8_t *code = it->code + s->codes;

    if (s->count != a->length || (a->length > 0 && a->request == NULL))
        return false;
    for (int i = 0; i < a->length; i++)
        if (a->request[i] != it->handle[code[i]])
            return false;
    return true;
}

ORK_INLINE void ork_step_complete(const struct ork_step *s)
{
    ork_iteration.pending &= ~s->completes;
    ork_iteration.is_open = s->is_open;
}

ORK_INLINE bool ork_step_wait(const struct ork_step *s, struct ork_args *a)
{
    if (!ork_step_has(s, a) || (s->is_wild && s->ignores != (a->status == MPI_STATUS_IGNORE)) ||
        !ork_step_is_next(s))
        return false;
    if (s->is_wild && s->ignores)
        a->status = &a->own;
    ork_step_enter(s);
    return true;
}

/* `chosen`: ork_thread.choices before the call has made its choice. */
void ork_step_other_wait(const struct ork_step *s, const struct ork_args *args, unsigned mode,
                         uint64_t chosen, int result) __attribute__((cold, noinline));

/* Are these the requests that the call has completed, of those for any or some? */
ORK_INLINE bool ork_step_completed(const struct ork_step *s, const struct ork_args *a,
                                   unsigned mode)
{
    const uint8_t *index = ork_iteration.code + s->codes + s->count;
    const int n = ork_num_indices(a, mode);

    if (n != s->count2)
        return false;
    for (int i = 0; i < n; i++)
        if (a->index[i] != index[i])
            return false;
    return true;
}

/* A call for any or some requests has returned. */
ORK_INLINE void ork_step_waited_some(const struct ork_step *s, const struct ork_args *a,
                                     unsigned mode, int result)
{
    const struct ork_call call = ork_step_call(s);
    const uint64_t choices = ork_thread.choices;

    if (ORK_LIKELY(result == MPI_SUCCESS))
        ork_choice_waited(&call, a->index, ork_num_indices(a, mode));
    if (ORK_LIKELY(result == MPI_SUCCESS && ork_step_completed(s, a, mode)) && ork_step_names(s)) {
        ork_step_put_exit(s);
        ork_step_complete(s);
    } else {
        ork_step_other_wait(s, a, mode, choices, result);
    }
}

/* The MPI_Wait for a receive with a wildcard has returned. */
void ork_step_waited_wild(const struct ork_step *s, const struct ork_args *a, int result)
    __attribute__((noinline));

ORK_INLINE void ork_step_waited(const struct ork_step *s, const struct ork_args *a, unsigned mode,
                                int result)
{
    ork_set_state(ORK_STATE_RUNNING);
    if (mode == ORK_WAIT_ONE && s->is_wild)
        ork_step_waited_wild(s, a, result);
    else if (ork_is_for_some(mode))
        ork_step_waited_some(s, a, mode, result);
    else if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_step_is_present()))
        ork_step_other_wait(s, a, mode, ork_thread.choices, result);
    else
        ork_step_complete(s);
}

/* -- start: persistent requests keep their handles -- */

ORK_INLINE bool ork_step_start(const struct ork_step *s, const struct ork_args *a)
{
    if (!ork_step_has(s, a) || !ork_step_is_next(s))
        return false;
    ork_step_put(s);
    return true;
}

void ork_step_other_start(const struct ork_step *s, const struct ork_args *args, int result)
    __attribute__((cold, noinline));

/* RATIONALE: the library may have replaced the program's handles, see op_wait.h. */
ORK_INLINE void ork_step_started(const struct ork_step *s, const struct ork_args *a, int result)
{
    struct ork_iteration *it = &ork_iteration;

    if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_step_is_present() || !ork_step_has(s, a))) {
        ork_step_other_start(s, a, result);
        return;
    }
    for (int i = 0; i < a->length; i++)
        it->step[it->code[s->codes + (uint32_t)i]] = (uint16_t)(s - it->steps);
    it->pending |= s->starts;
}

/* -- test and iprobe: unsuccessful ones leave the step where it is -- */

ORK_INLINE void ork_step_put_named(const struct ork_step *s)
{
    ork_thread.named = ork_thread.choices;
    ork_step_put(s);
}

ORK_INLINE bool ork_step_test(const struct ork_step *s, const struct ork_args *a)
{
    if (!ork_step_has(s, a) || !ork_step_is_next(s))
        return false;
    ork_poll_begin();
    return true;
}

void ork_step_other_test(const struct ork_step *s, const struct ork_args *args, unsigned mode,
                         int result) __attribute__((cold, noinline));

ORK_INLINE void ork_step_tested(const struct ork_step *s, const struct ork_args *a, unsigned mode,
                                int result)
{
    const struct ork_call call = ork_step_call(s);

    if (!ork_test_completed(a, result)) {
        ork_poll_other(s->site, s->call);
        return;
    }
    if (ORK_LIKELY(result == MPI_SUCCESS))
        ork_choice_tested(&call, a->index, ork_num_indices(a, mode));
    if (ORK_LIKELY(result == MPI_SUCCESS && ork_step_completed(s, a, mode)) && ork_step_names(s)) {
        ork_step_put_named(s);
        ork_step_complete(s);
    } else {
        ork_step_other_test(s, a, mode, result);
    }
}

ORK_INLINE bool ork_step_iprobe(const struct ork_step *s, struct ork_args *a)
{
    if (s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_step_is_next(s))
        return false;
    ork_before_iprobe(a);
    return true;
}

/* The probe has made its choice, but is not as learnt. `message`: number of what it has matched. */
void ork_step_other_probe(const struct ork_step *s, const struct ork_args *a, unsigned flags,
                          uint32_t message) __attribute__((cold, noinline));

ORK_INLINE void ork_step_probed(const struct ork_step *s, const struct ork_args *a, unsigned flags,
                                int result)
{
    const struct ork_call call = ork_step_call(s);

    if (ORK_UNLIKELY(result != MPI_SUCCESS)) {
        ork_probe_failed(&call);
        return;
    }
    if (!*a->flag) {
        ork_probe_unsuccessful(&call, a, flags);
        return;
    }
    const int32_t source = ork_source_probed(a), tag = ork_tag_probed(a);
    uint32_t message = ORK_REQUEST_NULL;

    if ((flags & ORK_F_MATCHED) != 0)
        message = ork_message_add(*a->message, ork_comm_id(a->comm));
    ork_choice_probed(&call, source, tag);
    /* RATIONALE: without a record, which would have to be cleared. */
    if (ORK_LIKELY(source == s->source && tag == s->with) &&
        ((flags & ORK_F_MATCHED) == 0 || message == (uint32_t)s->count2) && ork_step_names(s))
        ork_step_put_named(s);
    else
        ork_step_other_probe(s, a, flags, message);
    if ((flags & ORK_F_MATCHED) != 0)
        ork_handle_made(&call, ORK_HANDLE_MESSAGE, ORK_KEY(*a->message), a->message);
}

/* -- mrecv: the table of messages is as without folding, only the request is deferred -- */

bool ork_step_mrecv(const struct ork_step *s, struct ork_args *a, unsigned flags)
    __attribute__((noinline));
void ork_step_mreceived(const struct ork_step *s, struct ork_args *a, unsigned flags, int result)
    __attribute__((noinline));

#endif
