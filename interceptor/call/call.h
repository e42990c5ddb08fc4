/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by all operations: what comes before and after the real call. */
#ifndef ORK_CALL_H
#define ORK_CALL_H

#include "interceptor/buffers/amount.h"
#include "interceptor/buffers/attached.h"
#include "interceptor/buffers/buffers.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/objects/comms.h"
#include "interceptor/outcomes/decisions.h"
#include "interceptor/call/agreed.h"
#include "interceptor/mpi/next.h"
#include "interceptor/objects/handles.h"
#include "interceptor/objects/types.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/requests/requests.h"
#include "interceptor/site/call_record.h"
#include "interceptor/requests/stored.h"
#include "interceptor/usage/usage.h"

/* The calling thread is inside a call that can block, whose record is published. The lock is
 * held. */
ORK_INLINE void ork_enter(void)
{
    ork_set_state(ORK_STATE_BLOCKED);
    if (ORK_UNLIKELY(ork_decisions_are_on()))
        ork_decided_entered();
}

/* The call can block: publish its record and its state. The lock is held. */
ORK_INLINE void ork_enter_blocking(const struct ork_record *record)
{
    ork_early_ask();
    ork_send_record(record);
    ork_enter();
}

/* A call that can block has returned. The lock is held. */
ORK_INLINE void ork_leave(const struct ork_call *call)
{
    ork_set_state((enum ork_state)call->outer);
}

/* Was a message too long for its buffer? Then source and tag are in the status. */
bool ork_is_truncated(int result) __attribute__((cold));
/* The EXIT record of a call that failed, without a list. The lock is held. */
void ork_put_error(const struct ork_call *call, int result);
/* The same for a call that receives or finds a message, and may have taken it. `status`, `choice`:
 * as for ork_exit_status(). */
void ork_put_receive_error(const struct ork_call *call, const MPI_Status *status, uint64_t choice,
                           int result);
/* The same for a collective call: an error of the arguments means that it was not made. */
void ork_put_coll_error(const struct ork_call *call, int result, bool is_constructor);

/* The application ignores the status, but it is recorded anyway. */
static inline unsigned ork_blind(bool is_ours)
{
    return is_ours ? (unsigned)ORK_F_BLIND : 0u;
}

/* A nonblocking call failed and started nothing: an OPAQUE record and its EXIT. The lock is held.
 */
void ork_put_not_started(const struct ork_call *call, int result);

/* A blocking call without relevant outcome returned. */
ORK_INLINE void ork_exit_plain(const struct ork_call *call, int result)
{
    ork_lock();
    ork_leave(call);
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_put_error(call, result);
    ork_unlock();
}

/* A collective call, or one of its object, returned. RATIONALE: an error is recorded first, so that
 * a reader that sees the return also sees whether the call failed. The lock is held. */
ORK_INLINE void ork_leave_coll(const struct ork_call *call, int result, bool is_constructor)
{
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_put_coll_error(call, result, is_constructor);
    ork_leave(call);
}

ORK_INLINE void ork_exit_coll(const struct ork_call *call, int result)
{
    ork_lock();
    ork_leave_coll(call, result, false);
    ork_unlock();
}

/* A blocking call with a relevant status (or NULL) returned. `choice`: the number of the choice
 * that it made; 0: none. */
ORK_INLINE void ork_exit_status(const struct ork_call *call, const MPI_Status *status,
                                uint32_t request, uint64_t choice, int result)
{
    struct ork_record r = ORK_RECORD(call, EXIT, .request = request, .peer = ORK_NO_PEER);

    ork_lock();
    ork_leave(call);
    if (ORK_UNLIKELY(result != MPI_SUCCESS)) {
        ork_put_receive_error(call, status, choice, result);
    } else {
        r.extra = ork_choice_name(choice);
        if (status != NULL) {
            r.peer = ork_peer(status->MPI_SOURCE);
            r.tag = ork_tag(status->MPI_TAG);
        }
        ork_send_record(&r);
    }
    ork_unlock();
}

/* A nonblocking call returned: number its request and publish its record. RATIONALE: after the
 * call, because only then it is known whether the library used its shared handle; the call itself
 * does not wait. The lock is held. */
ORK_INLINE void ork_start(const struct ork_call *call, struct ork_record *record,
                          const MPI_Request *request, uint32_t flags, int result)
{
    if (ORK_LIKELY(result == MPI_SUCCESS)) {
        record->request = ork_request_add(*request, flags);
        ork_stored_put(call, request, record->request);
        ork_send_record(record);
        ork_decisions_published();
    } else {
        ork_put_not_started(call, result);
    }
}

#endif
