/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of requests, MPI-3.1 sections 3.7.3 to 3.7.5 and 3.8.4, and other calls on
 * requests. */
#ifndef ORK_OP_WAIT_H
#define ORK_OP_WAIT_H

#include "interceptor/call/call.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/checks/concurrency.h"
#include "interceptor/call/wait_set.h"
#include "interceptor/forcing/poll_records.h"
#include "interceptor/fastpath/template_maker.h"
#include "interceptor/checks/request_misuse.h"

/* Make room for all handles. False: out of memory, and recording has stopped. */
bool ork_set_reserve(struct ork_args *a);
/* Copy the handles (with numbers, if `find`), and provide statuses if one of them may be relevant.
 * The lock is held. */
void ork_set_take(struct ork_args *a, unsigned mode, bool find);
void ork_set_free(struct ork_wait_set *set);
static inline void ork_set_release(struct ork_args *a)
{
    struct ork_wait_set *set = a->set;

    if (ORK_UNLIKELY(set->request != set->few || (set->own != NULL && set->own != set->few_own)))
        ork_set_free(set);
}
/* Other threads may ask again for those that are not complete. The lock is held. */
void ork_set_let_go(const struct ork_args *a);

static inline bool ork_is_for_some(unsigned mode)
{
    return mode == ORK_WAIT_ANY || mode == ORK_WAIT_SOME;
}

/* The indices in the result of a call for any or some requests. */
static inline int ork_num_indices(const struct ork_args *a, unsigned mode)
{
    if (mode == ORK_WAIT_ANY)
        return *a->index != MPI_UNDEFINED;
    if (mode == ORK_WAIT_SOME)
        return *a->outcount != MPI_UNDEFINED ? *a->outcount : 0;
    return 0;
}

/* Publish the WAIT record. The lock is held. */
void ork_put_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode);

/* The choices of a Test call that was successful, or of one that failed. The lock is held. */
void ork_choose_tested(const struct ork_call *call, const struct ork_args *a, unsigned mode);
void ork_choose_tested_failed(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              int result);

/* The choice of a call that has waited for any or some; nothing of another one. The lock is held.
 */
void ork_choose_waited(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                       int result);
/* Outcome of a Wait: an EXIT record if it contains information; completed requests lose their
 * numbers. `chosen`: ork_thread.choices before the call has made its choice. The lock is held. */
void ork_put_waited(const struct ork_call *call, struct ork_args *a, unsigned mode, uint64_t chosen,
                    int result);
/* Outcome of a Test that completed something: a TESTED record. The lock is held. */
void ork_put_tested(const struct ork_call *call, struct ork_args *a, unsigned mode, int result);

/* -- wait -- */

/* MPI_Wait itself, the most frequent one, without the loops of the general case. */
ORK_INLINE void ork_put_wait_one(const struct ork_call *call, struct ork_args *a)
{
    struct ork_wait_set *set = a->set;
    struct ork_record r =
        ORK_RECORD(call, WAIT, .mode = ORK_WAIT_ONE, .peer = ORK_NO_PEER, .count = 1);
    struct ork_list list;

    set->request = set->few;
    set->own = NULL;
    if (a->request == NULL)
        a->length = 0;
    set->few[0] = ork_request_find(a->length > 0 ? *a->request : MPI_REQUEST_NULL);
    if (ORK_UNLIKELY(set->few[0].id == ORK_REQUEST_UNKNOWN))
        ork_misuse_complete(call, &set->few[0], a->request, -1);
    if ((set->few[0].flags & ORK_R_OBSERVED) != 0 && a->status == MPI_STATUS_IGNORE)
        a->status = set->few_own;
    r.flags = (uint8_t)ork_blind(a->status == set->few_own);
    if (ork_early_is_pending()) {
        ork_early_remove(set->few[0].id); /* this call will report it */
        ork_early_sweep(ORK_EARLY_FEW);
    }
    ork_list_begin(&list, &r);
    ork_list_add(&list, set->few[0].id);
    ork_list_end(&list);
    ork_publish();
}

ORK_INLINE void ork_before_wait(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    ork_lock();
    if (ork_buffers_known != 0)
        ork_buffers_look_frames();
    if (mode == ORK_WAIT_ONE) {
        ork_put_wait_one(call, a);
    } else {
        ork_early_ask();
        ork_set_take(a, mode, true);
        ork_put_wait(call, a, mode);
    }
    if (ork_is_concurrent())
        ork_concurrency_enter_wait(call, a->set->request, a->length, true);
    ork_enter();
    ork_unlock();
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_wait(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                               int result)
{
    bool is_bound;

    if (ork_template_is_wanted(call, result, &is_bound))
        ork_template_make_wait(call, a, mode, is_bound);
}

ORK_INLINE void ork_maker_test(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                               int result)
{
    bool is_bound;

    if (ork_template_is_wanted(call, result, &is_bound))
        ork_template_make_test(call, a, mode, is_bound);
}

ORK_INLINE void ork_after_wait(const struct ork_call *call, struct ork_args *a, unsigned mode,
                               int result)
{
    ork_lock();
    ork_leave(call);
    if (ork_is_concurrent())
        ork_concurrency_leave_wait(a->set->request, a->length);
    if (mode == ORK_WAIT_ONE && ORK_LIKELY(result == MPI_SUCCESS) &&
        (a->set->few[0].flags & ORK_R_OBSERVED) == 0)
        ork_request_complete(&a->set->few[0]);
    else {
        const uint64_t choices = ork_thread.choices;
        ork_choose_waited(call, a, mode, result);
        ork_put_waited(call, a, mode, choices, result);
    }
    ork_unlock();
    ork_maker_wait(call, a, mode, result);
    if (mode != ORK_WAIT_ONE)
        ork_set_release(a);
}

/* -- test: with one thread, numbers are only looked up when something was completed -- */

/* One request, without its number. */
ORK_INLINE void ork_set_take_one(struct ork_args *a)
{
    struct ork_wait_set *set = a->set;

    set->request = set->few;
    set->own = NULL;
    if (a->request == NULL)
        a->length = 0;
    else
        set->few[0].handle = *a->request;
    if (ork_requests_observed != 0 && a->status == MPI_STATUS_IGNORE)
        a->status = set->own = set->few_own;
}

ORK_INLINE void ork_before_test(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    ork_poll_begin();
    ork_misuse_look(call, a->request, a->length, mode != ORK_WAIT_ONE);
    if (mode == ORK_WAIT_ONE && ORK_LIKELY(!ork_recorder.multiple && !ork_is_concurrent())) {
        ork_set_take_one(a);
        return;
    }
    ork_lock();
    ork_set_take(a, mode, ork_recorder.multiple);
    if (ork_is_concurrent())
        ork_concurrency_enter_wait(call, a->set->request, a->length, false);
    ork_unlock();
}

static inline bool ork_test_completed(const struct ork_args *a, int result)
{
    return result != MPI_SUCCESS || (a->flag != NULL ? *a->flag != 0 : *a->outcount != 0);
}

/* Has a successful call completed anything? RATIONALE: if none of its requests was active, nothing
 * is recorded of it but its choice. */
static inline bool ork_test_finds_request(const struct ork_args *a, unsigned mode, int result)
{
    if (result != MPI_SUCCESS || mode == ORK_WAIT_ALL)
        return true;
    if (mode == ORK_WAIT_ONE)
        return a->length == 0 || a->set->few[0].handle != MPI_REQUEST_NULL;
    return ork_num_indices(a, mode) != 0;
}

ORK_INLINE void ork_after_test(const struct ork_call *call, struct ork_args *a, unsigned mode,
                               int result)
{
    if (!ork_test_completed(a, result)) {
        if (ORK_UNLIKELY(ork_is_explored))
            ork_poll_failed_test(call, a->request, a->length, mode);
        ork_poll_other(call->site, call->id);
        if (ORK_UNLIKELY(ork_recorder.multiple)) {
            ork_lock();
            ork_set_let_go(a);
            ork_unlock();
        }
    } else {
        if (ORK_LIKELY(ork_test_finds_request(a, mode, result)))
            ork_loop_body_polled();
        ork_lock();
        if (ORK_LIKELY(result == MPI_SUCCESS))
            ork_choose_tested(call, a, mode);
        else
            ork_choose_tested_failed(call, a, mode, result);
        ork_put_tested(call, a, mode, result);
        ork_unlock();
        ork_maker_test(call, a, mode, result);
        if (ORK_UNLIKELY(ork_thread.open_usages != 0))
            ork_usage_returned(call, result);
    }
    if (mode != ORK_WAIT_ONE)
        ork_set_release(a);
}

/* -- poll: reads the state of a request without changing it -- */

ORK_INLINE void ork_before_poll(const struct ork_call *call, const struct ork_args *a)
{
    ork_poll_begin();
    ork_misuse_look(call, &a->polled, 1, false);
}

ORK_INLINE void ork_after_poll(const struct ork_call *call, struct ork_args *a, int result)
{
    if (ORK_UNLIKELY(result != MPI_SUCCESS)) {
        ork_loop_body_polled();
        ork_lock();
        ork_choice_tested(call, NULL, 0);
        ork_unlock();
        return;
    }
    if (!*a->flag) {
        if (ORK_UNLIKELY(ork_is_explored))
            ork_poll_failed_test(call, &a->polled, 1, ORK_WAIT_ONE);
        ork_poll_other(call->site, call->id);
        return;
    }
    ork_loop_body_polled();
    ork_lock();
    ork_choice_tested(call, NULL, 0);
    ork_put_status(call, a->polled);
    ork_request_set_flags(a->polled, ORK_R_UNSURE);
    if (ORK_UNLIKELY(ork_buffers_known != 0)) { /* MPI-3.1 section 3.7.6 */
        ork_buffers_give_up(ork_request_find(a->polled).id);
        ork_buffers_leave(ork_request_find(a->polled).id);
    }
    if (ORK_UNLIKELY(ork_origins_known != 0))
        ork_origins_complete_request(ork_request_find(a->polled).id);
    ork_unlock();
}

/* The call, which does not wait, failed. */
ORK_INLINE void ork_after_local(const struct ork_call *call, int result)
{
    if (ORK_LIKELY(result == MPI_SUCCESS))
        return;
    ork_lock();
    ork_put_error(call, result);
    ork_unlock();
}

/* -- start. RATIONALE: the handles are read again afterwards. While the library still has to send
 * the previous message of a persistent request, it may start another request and replace the
 * application's handle by that one (Open MPI does). -- */

/* Does the call start it? */
ORK_INLINE bool ork_start_is_right(const struct ork_request *request)
{
    return (request->flags & ORK_R_STARTED) != 0;
}

/* RATIONALE: active before the call, because afterwards another thread may already have completed
 * it. A request that is active already goes on as it is. */
ORK_INLINE void ork_start_request(const struct ork_call *call, struct ork_request *request,
                                  const MPI_Request *at, int i)
{
    enum { STARTED = ORK_R_ACTIVE | ORK_R_STARTED };
    uint64_t bytes;

    if (ORK_UNLIKELY((request->flags & (ORK_R_PERSISTENT | ORK_R_ACTIVE)) != ORK_R_PERSISTENT))
        ork_misuse_start(call, request, at, i);
    if ((request->flags & ORK_R_PERSISTENT) == 0) {
        *request = (struct ork_request){.handle = request->handle, .id = ORK_REQUEST_NULL};
        return;
    }
    if (ORK_UNLIKELY((request->flags & (ORK_R_ACTIVE | ORK_R_UNSURE)) == ORK_R_ACTIVE)) {
        request->flags &= ~(uint32_t)ORK_R_STARTED;
        return;
    }
    if (ORK_UNLIKELY(ork_request_is_buffered(request->flags, &bytes))) {
        ork_attached_begin(call, bytes);
        if (ork_attached_lacks(bytes))
            ork_wrong_attached_locked(call, bytes);
    }
    ork_request_set_flags(request->handle, STARTED);
    request->flags |= (uint32_t)STARTED;
}

ORK_INLINE void ork_before_start(const struct ork_call *call, struct ork_args *a)
{
    struct ork_record r = ORK_RECORD(call, START);
    struct ork_list list;

    if (!ork_set_reserve(a))
        return;
    r.count = (uint32_t)a->length;
    ork_lock();
    if (ork_is_concurrent())
        ork_concurrency_started();
    for (int i = 0; i < a->length; i++) {
        a->set->request[i] = ork_request_find(a->request[i]);
        ork_start_request(call, &a->set->request[i], &a->request[i],
                          call->id == ORK_CALL_MPI_Start ? -1 : i);
    }
    ork_list_begin(&list, &r);
    for (int i = 0; i < a->length; i++) {
        struct ork_request *request = &a->set->request[i];
        bool is_right = ork_start_is_right(request);
        ork_list_add(&list, is_right ? request->id : ORK_REQUEST_NULL);
        if (ORK_UNLIKELY(is_right && (request->flags & ORK_R_WILDCARD) != 0))
            ork_early_add_persistent(request->id, request->handle);
    }
    ork_list_end(&list);
    ork_publish();
    ork_decisions_published();
    ork_unlock();
}

ORK_INLINE void ork_after_start_request(const struct ork_call *call,
                                        const struct ork_request *request, int result)
{
    uint64_t bytes;

    if (ORK_UNLIKELY(ork_request_is_buffered(request->flags, &bytes)))
        ork_attached_end(call, bytes, result);
    if (ork_buffers_known != 0 && result == MPI_SUCCESS) {
        ork_lock();
        ork_buffers_activate(call, request->id);
        ork_unlock();
    }
    if (ORK_UNLIKELY((request->flags & ORK_R_WILDCARD) != 0)) {
        ork_lock();
        ork_choice_posted(request->id);
        ork_unlock();
    }
    if (ORK_UNLIKELY(result != MPI_SUCCESS)) {
        ork_lock();
        ork_request_doubt(request);
        ork_unlock();
    }
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_start(const struct ork_call *call, const struct ork_args *a, int result)
{
    bool is_bound;

    if (ork_template_is_wanted(call, result, &is_bound))
        ork_template_make_start(call, a, is_bound);
}

ORK_INLINE void ork_after_start(const struct ork_call *call, struct ork_args *a, int result)
{
    for (int i = 0; a->set->request != NULL && i < a->length; i++) {
        struct ork_request *request = &a->set->request[i];
        if (ork_start_is_right(request))
            ork_after_start_request(call, request, result);
        if (ORK_UNLIKELY(a->request[i] != request->handle)) {
            ork_lock();
            request->flags |= ORK_R_STARTED;
            ork_request_move(request, a->request[i]);
            ork_unlock();
        }
    }
    ork_maker_start(call, a, result);
    ork_set_release(a);
    ork_after_local(call, result);
}

/* -- cancel -- */

ORK_INLINE void ork_before_cancel(const struct ork_call *call, struct ork_args *a)
{
    MPI_Request request = a->request != NULL ? *a->request : MPI_REQUEST_NULL;
    ork_lock();
    struct ork_request found = ork_request_find(request);
    ork_misuse_cancel(call, &found, a->request);
    struct ork_record r = ORK_RECORD(call, CANCEL, .request = found.id, .peer = ORK_NO_PEER);
    if ((found.flags & ORK_R_WILDCARD) == 0)
        ork_choice_cancels(found.id, ork_request_ordinal(found.flags));
    ork_request_set_flags(request, ORK_R_CANCELLED);
    ork_send_record(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_cancel(const struct ork_call *call, int result)
{
    ork_after_local(call, result);
}

/* -- request_free -- */

ORK_INLINE void ork_before_request_free(const struct ork_call *call, struct ork_args *a)
{
    ork_lock();
    a->set->few[0] = ork_request_find(a->request != NULL ? *a->request : MPI_REQUEST_NULL);
    ork_misuse_free(call, &a->set->few[0], a->request);
    ork_early_remove(a->set->few[0].id);
    struct ork_record r =
        ORK_RECORD(call, REQUEST_FREE, .request = a->set->few[0].id, .peer = ORK_NO_PEER);
    ork_send_record(&r);
    ork_unlock();
}

/* RATIONALE: a reply may have told the program that its message was received, and that it may use
 * the buffer again (MPI-3.1 section 3.7.3). */
ORK_INLINE void ork_after_request_free(const struct ork_call *call, struct ork_args *a, int result)
{
    if (result == MPI_SUCCESS) {
        ork_lock();
        ork_buffers_doubt(a->set->few[0].id);
        ork_request_free(&a->set->few[0]);
        ork_unlock();
    }
    ork_after_local(call, result);
}

#endif
