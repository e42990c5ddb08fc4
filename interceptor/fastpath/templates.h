/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that has the next template of an iteration (loop_body.h): instead of all that its hook
 * does, ork_template_X() before the real call (false: do that after all) and ork_template_Xed()
 * after it.
 */
#ifndef ORK_TEMPLATES_H
#define ORK_TEMPLATES_H

#include "interceptor/fastpath/loop_body.h"
#include "interceptor/hooks/handle_calls.h"
#include "interceptor/hooks/op_p2p.h"
#include "interceptor/hooks/op_probe.h"
#include "interceptor/hooks/op_wait.h"

/* The next template, if it is that of this call from there. */
ORK_INLINE const struct ork_template *ork_template_of(enum ork_call_id id, const void *address)
{
    const struct ork_template *s;

    if (ORK_LIKELY(!ork_loop_body.is_on))
        return NULL;
    s = &ork_loop_body.templates[ork_recorder.at];
    if (s->address != address || s->call != id)
        return NULL;
    if (s->is_bound && ork_site_behind_binding(ork_site_of((uintptr_t)address)) != s->site)
        return NULL;
    return s;
}

/* Is there room for its record? If not, it waits for the leaf, as other calls do. */
ORK_INLINE bool ork_template_has_room(void)
{
    return ORK_LIKELY(ork_recorder.head < ork_recorder.limit) || ork_ring_wait();
}

/* May templates be used? If so, ork_recorder.fast_until says how far. It is set to 0 when the
 * recording or the repetition ends, a handle gets another meaning, or the iteration is suspended.
 */
bool ork_template_look(void) __attribute__((cold, noinline));
/* The same in a replay: the forced twin of the real function has to know its call. */
bool ork_template_look_forced(const struct ork_template *s) __attribute__((noinline));

/* Its arguments are the same: may it be taken? */
ORK_INLINE bool ork_template_is_next(const struct ork_template *s)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_errands, memory_order_relaxed) !=
                     ORK_ERRAND_ITERATION))
        return ork_template_look_forced(s);
    return ORK_LIKELY(ork_recorder.head < ork_recorder.fast_until) || ork_template_look();
}

/* Count its record, and publish it. */
ORK_INLINE void ork_template_put(const struct ork_template *s)
{
    ork_recorder.at = s->next;
    ork_recorder.head += s->slots;
    ork_publish();
}

/* Has no callback interfered while the library was in the call? */
ORK_INLINE bool ork_template_is_present(void)
{
    return ORK_LIKELY(ork_recorder.fast_until != 0);
}

/* It is a call that can block. RATIONALE: a thread that uses templates is never inside another call
 * that can block, because the outer one would not have had a template. */
ORK_INLINE void ork_template_enter(const struct ork_template *s)
{
    ork_template_put(s);
    ork_set_state(ORK_STATE_BLOCKED);
}

/* The call that can block has failed. */
void ork_template_failed(const struct ork_template *s, int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_leave(const struct ork_template *s, int result)
{
    ork_set_state(ORK_STATE_RUNNING);
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_template_failed(s, result);
}

/* The handle of a request that the call has returned is as in the template: keep it. */
ORK_INLINE bool ork_template_requested(const struct ork_template *s, const MPI_Request *request)
{
    struct ork_loop_body *it = &ork_loop_body;
    MPI_Request handle = *request;
    uint8_t code = s->request;

    if (code >= ORK_LOOP_BODY_REQUESTS)
        return handle == it->handle[code];
    if (ORK_UNLIKELY(handle == MPI_REQUEST_NULL || ork_is_shared(handle)))
        return false;
    it->handle[code] = handle;
    it->at[code] = request;
    it->template[code] = (uint16_t)(s - it->templates);
    it->pending |= UINT64_C(1) << code;
    return true;
}

/* The call has made its choice: does the record name it as in the template? RATIONALE: the choice
 * may have ended the repetition, by an ORDER record. */
ORK_INLINE bool ork_template_names(const struct ork_template *s)
{
    return ORK_LIKELY(ork_template_is_present() &&
                      ork_thread.choices - ork_thread.named == s->extra);
}

/* -- send -- */

ORK_INLINE bool ork_template_send(const struct ork_template *s, const struct ork_args *a,
                                  unsigned flags)
{
    if (s->sendbuf != a->sendbuf || s->count != a->count || s->datatype != a->datatype ||
        s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_template_is_next(s))
        return false;
    if ((flags & ORK_F_LOCAL) == 0)
        ork_template_enter(s);
    return true;
}

/* The call is not as in the template: what its hook does after it. */
void ork_template_other_send(const struct ork_template *s, struct ork_args *a, unsigned mode,
                             int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_sent(const struct ork_template *s, struct ork_args *a, unsigned mode,
                                  unsigned flags, int result)
{
    if ((flags & ORK_F_LOCAL) == 0)
        ork_template_leave(s, result);
    else if (ORK_LIKELY(result == MPI_SUCCESS && ork_template_is_present() &&
                        ork_template_requested(s, a->request)))
        ork_template_put(s);
    else
        ork_template_other_send(s, a, mode, result);
}

/* -- recv -- */

ORK_INLINE bool ork_template_recv(const struct ork_template *s, const struct ork_args *a,
                                  unsigned flags)
{
    if (s->recvbuf != a->recvbuf || s->count != a->count || s->datatype != a->datatype ||
        s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_template_is_next(s))
        return false;
    if ((flags & ORK_F_LOCAL) == 0)
        ork_template_enter(s);
    return true;
}

void ork_template_other_recv(const struct ork_template *s, struct ork_args *a, int result)
    __attribute__((cold, noinline));

ORK_INLINE void ork_template_received(const struct ork_template *s, struct ork_args *a,
                                      unsigned flags, int result)
{
    if ((flags & ORK_F_LOCAL) == 0) {
        ork_template_leave(s, result);
    } else if (ORK_LIKELY(result == MPI_SUCCESS && ork_template_is_present() &&
                          ork_template_requested(s, a->request))) {
        ++ork_thread.receives;
        if (s->request < ORK_LOOP_BODY_REQUESTS)
            ork_loop_body.ordinal[s->request] = ork_thread.receives;
        ork_template_put(s);
    } else {
        ork_template_other_recv(s, a, result);
    }
}

/* -- sendrecv -- */

ORK_INLINE bool ork_template_sendrecv(const struct ork_template *s, const struct ork_args *a)
{
    if (s->sendbuf != a->sendbuf || s->count != a->count || s->datatype != a->datatype ||
        s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || s->recvbuf != a->recvbuf ||
        s->count2 != a->count2 || s->datatype2 != a->datatype2 || s->peer2 != a->peer2 ||
        s->tag2 != a->tag2 || !ork_template_is_next(s))
        return false;
    ork_template_enter(s);
    return true;
}

/* -- probe -- */

ORK_INLINE bool ork_template_probe(const struct ork_template *s, const struct ork_args *a)
{
    if (s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_template_is_next(s))
        return false;
    ork_template_enter(s);
    return true;
}

/* A matched probe has returned. */
void ork_template_matched(const struct ork_template *s, const struct ork_args *a, int result)
    __attribute__((noinline));

ORK_INLINE void ork_template_found(const struct ork_template *s, const struct ork_args *a,
                                   unsigned flags, int result)
{
    if ((flags & ORK_F_MATCHED) != 0)
        ork_template_matched(s, a, result);
    else
        ork_template_leave(s, result);
}

/* -- wait -- */

/* Are these the requests that the templates before have started? */
ORK_INLINE bool ork_template_has(const struct ork_template *s, const struct ork_args *a)
{
    const struct ork_loop_body *it = &ork_loop_body;
    const uint8_t *code = it->code + s->codes;

    if (s->count != a->length || (a->length > 0 && a->request == NULL))
        return false;
    for (int i = 0; i < a->length; i++)
        if (a->request[i] != it->handle[code[i]])
            return false;
    return true;
}

ORK_INLINE void ork_template_complete(const struct ork_template *s)
{
    ork_loop_body.pending &= ~s->completes;
    ork_loop_body.is_open = s->is_open;
}

ORK_INLINE bool ork_template_wait(const struct ork_template *s, const struct ork_args *a)
{
    if (!ork_template_has(s, a) || !ork_template_is_next(s))
        return false;
    ork_template_enter(s);
    return true;
}

/* `chosen`: ork_thread.choices before the call has made its choice. */
void ork_template_other_wait(const struct ork_template *s, const struct ork_args *args,
                             unsigned mode, uint64_t chosen, int result)
    __attribute__((cold, noinline));

/* Are these the requests that the call has completed, of those for any or some? */
ORK_INLINE bool ork_template_completed(const struct ork_template *s, const struct ork_args *a,
                                       unsigned mode)
{
    const uint8_t *index = ork_loop_body.code + s->codes + s->count;
    const int n = ork_num_indices(a, mode);

    if (n != s->count2)
        return false;
    for (int i = 0; i < n; i++)
        if (a->index[i] != index[i])
            return false;
    return true;
}

/* The choice is as in the template: count its EXIT record, and publish it. */
ORK_INLINE void ork_template_put_exit(const struct ork_template *s)
{
    ork_thread.named = ork_thread.choices;
    ork_recorder.at = s->after;
    ork_recorder.head += s->exit;
    ork_publish();
}

/* A call for any or some requests has returned. */
ORK_INLINE void ork_template_waited_some(const struct ork_template *s, const struct ork_args *a,
                                         unsigned mode, int result)
{
    const struct ork_call call = ork_template_call(s);
    const uint64_t choices = ork_thread.choices;

    if (ORK_LIKELY(result == MPI_SUCCESS))
        ork_choice_waited(&call, a->index, ork_num_indices(a, mode));
    if (ORK_LIKELY(result == MPI_SUCCESS && ork_template_completed(s, a, mode)) &&
        ork_template_names(s)) {
        ork_template_put_exit(s);
        ork_template_complete(s);
    } else {
        ork_template_other_wait(s, a, mode, choices, result);
    }
}

ORK_INLINE void ork_template_waited(const struct ork_template *s, const struct ork_args *a,
                                    unsigned mode, int result)
{
    ork_set_state(ORK_STATE_RUNNING);
    if (ork_is_for_some(mode))
        ork_template_waited_some(s, a, mode, result);
    else if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_template_is_present()))
        ork_template_other_wait(s, a, mode, ork_thread.choices, result);
    else
        ork_template_complete(s);
}

/* -- start: persistent requests keep their handles -- */

ORK_INLINE bool ork_template_start(const struct ork_template *s, const struct ork_args *a)
{
    if (!ork_template_has(s, a) || !ork_template_is_next(s))
        return false;
    ork_template_put(s);
    return true;
}

void ork_template_other_start(const struct ork_template *s, const struct ork_args *args, int result)
    __attribute__((cold, noinline));

/* RATIONALE: the library may have replaced the program's handles, see op_wait.h. */
ORK_INLINE void ork_template_started(const struct ork_template *s, const struct ork_args *a,
                                     int result)
{
    struct ork_loop_body *it = &ork_loop_body;

    if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_template_is_present() ||
                     !ork_template_has(s, a))) {
        ork_template_other_start(s, a, result);
        return;
    }
    for (int i = 0; i < a->length; i++)
        it->template[it->code[s->codes + (uint32_t)i]] = (uint16_t)(s - it->templates);
    it->pending |= s->starts;
}

/* -- test and iprobe: unsuccessful ones leave the template where it is -- */

ORK_INLINE void ork_template_put_named(const struct ork_template *s)
{
    ork_thread.named = ork_thread.choices;
    ork_template_put(s);
}

ORK_INLINE bool ork_template_test(const struct ork_template *s, const struct ork_args *a)
{
    if (!ork_template_has(s, a) || !ork_template_is_next(s))
        return false;
    ork_poll_begin();
    return true;
}

void ork_template_other_test(const struct ork_template *s, const struct ork_args *args,
                             unsigned mode, int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_tested(const struct ork_template *s, const struct ork_args *a,
                                    unsigned mode, int result)
{
    const struct ork_call call = ork_template_call(s);

    if (!ork_test_completed(a, result)) {
        ork_poll_other(s->site, s->call);
        return;
    }
    if (ORK_LIKELY(result == MPI_SUCCESS))
        ork_choice_tested(&call, a->index, ork_num_indices(a, mode));
    if (ORK_LIKELY(result == MPI_SUCCESS && ork_template_completed(s, a, mode)) &&
        ork_template_names(s)) {
        ork_template_put_named(s);
        ork_template_complete(s);
    } else {
        ork_template_other_test(s, a, mode, result);
    }
}

ORK_INLINE bool ork_template_iprobe(const struct ork_template *s, struct ork_args *a)
{
    if (s->peer != a->peer || s->tag != a->tag || s->comm != a->comm || !ork_template_is_next(s))
        return false;
    ork_before_iprobe(a);
    return true;
}

/* The probe has made its choice, but is not as in the template. `message`: number of what it has
 * matched. */
void ork_template_other_probe(const struct ork_template *s, const struct ork_args *a,
                              unsigned flags, uint32_t message) __attribute__((cold, noinline));

ORK_INLINE void ork_template_probed(const struct ork_template *s, const struct ork_args *a,
                                    unsigned flags, int result)
{
    const struct ork_call call = ork_template_call(s);

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
        ((flags & ORK_F_MATCHED) == 0 || message == (uint32_t)s->count2) && ork_template_names(s))
        ork_template_put_named(s);
    else
        ork_template_other_probe(s, a, flags, message);
    if ((flags & ORK_F_MATCHED) != 0)
        ork_handle_made(&call, ORK_HANDLE_MESSAGE, ORK_KEY(*a->message), a->message);
}

/* -- mrecv: the table of messages is as without folding, only the request is postponed -- */

bool ork_template_mrecv(const struct ork_template *s, struct ork_args *a, unsigned flags)
    __attribute__((noinline));
void ork_template_mreceived(const struct ork_template *s, struct ork_args *a, unsigned flags,
                            int result) __attribute__((noinline));

#endif
