/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective communication, MPI-3.1 chapter 5, and calls that wait for something outside the run.
 */
#ifndef ORK_OP_COLL_H
#define ORK_OP_COLL_H

#include "interceptor/call/call.h"
#include "interceptor/checks/concurrency.h"
#include "interceptor/call/exchange.h"
#include "interceptor/mpi/mpi_library.h"

static inline bool ork_is_impossible_root(int root)
{
    return root < 0 && root != ORK_NO_ROOT && root != MPI_ROOT && root != MPI_PROC_NULL;
}

/* The record of a call with a request is written when it has started; a persistent one is followed
 * by starts. */
ORK_INLINE struct ork_record ork_record_coll(const struct ork_call *call, const struct ork_args *a,
                                             unsigned mode, unsigned flags)
{
    flags |= (flags & ORK_F_LOCAL) == 0 ? ork_recorder.fallible : 0u;
    return ORK_RECORD(call, COLL,
                      .flags = (uint8_t)(flags | (a->in_place ? (unsigned)ORK_F_IN_PLACE : 0u)),
                      .mode = (uint16_t)mode, .comm = ork_comm_id(a->comm),
                      .request = ORK_REQUEST_NULL, .peer = ork_peer(a->root), .bytes = a->bytes);
}

/* The same for collective communication: with the reduction, and what the rank sends and receives.
 */
ORK_INLINE struct ork_record ork_record_exchange(const struct ork_call *call,
                                                 const struct ork_args *a, unsigned mode,
                                                 unsigned flags)
{
    struct ork_record r = ork_record_coll(call, a, mode, flags);

    r.arg = ork_op_number(a->op);
    if (a->sends) {
        r.flags |= ORK_F_SENDS;
        r.arg2 = a->type;
    }
    if (a->receives) {
        r.flags |= ORK_F_RECEIVES;
        r.peer2 = (int32_t)a->received.type;
        r.extra = a->received.bytes;
    }
    return r;
}

static inline void ork_check_concurrent_start(const struct ork_call *call, MPI_Comm comm)
{
    ork_lock();
    ork_concurrency_enter_coll(call, ork_comm_id(comm), false);
    ork_unlock();
}

ORK_INLINE void ork_before_collective(const struct ork_call *call, struct ork_args *a,
                                      unsigned mode, unsigned flags)
{
    if ((flags & ORK_F_LOCAL) != 0) {
        if (ork_is_concurrent() && (flags & ORK_F_NONBLOCKING) != 0)
            ork_check_concurrent_start(call, a->comm);
        return;
    }
    ork_lock();
    struct ork_record r = ork_record_exchange(call, a, mode, flags);
    if (ork_is_concurrent())
        ork_concurrency_enter_coll(call, r.comm, true);
    ork_make_opaque(&r, a->is_void || ork_is_impossible_root(a->root));
    if (ORK_UNLIKELY(a->words != 0) && r.kind == ORK_KIND_COLL) {
        struct ork_record with_counts = r; /* so that the compiler keeps the other in registers */
        ork_exchange_enter(&with_counts, a);
    } else {
        ork_enter_blocking(&r);
    }
    ork_unlock();
}

ORK_INLINE void ork_after_collective(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                     unsigned flags, int result)
{
    if ((flags & ORK_F_LOCAL) == 0) {
        ork_lock();
        if (ork_is_concurrent())
            ork_concurrency_leave_coll(ork_comm_id(a->comm));
        ork_leave_coll(call, result, false);
        ork_unlock();
        return;
    }
    ork_lock();
    struct ork_record r = ork_record_exchange(call, a, mode, flags);
    uint32_t kind = (uint32_t)ORK_R_COLLECTIVE |
                    ((flags & ORK_F_PERSISTENT) != 0 ? (uint32_t)ORK_R_PERSISTENT : 0u);
    if (ORK_UNLIKELY(a->words != 0) && result == MPI_SUCCESS) {
        r.request = ork_request_add(*a->request, kind);
        struct ork_record with_counts = r;
        ork_exchange_put(&with_counts, a);
        ork_decisions_published();
    } else {
        ork_start(call, &r, a->request, kind, result);
    }
    a->id = r.request;
    ork_unlock();
}

/* -- attach, detach: MPI_Buffer_attach and MPI_Buffer_detach -- */

ORK_INLINE void ork_before_attach(const struct ork_call *call)
{
    ork_attached_look(call);
}

ORK_INLINE void ork_after_attach(const struct ork_call *call, const struct ork_args *a, int result)
{
    if (result == MPI_SUCCESS)
        ork_attached_enter(call, ork_library_is_automatic(a->base) ? INT64_MAX : a->size);
}

ORK_INLINE void ork_before_detach(const struct ork_call *call)
{
    ork_attached_look_detach(call);

    struct ork_record r = ORK_RECORD(call, BUFFER_DETACH, .peer = ORK_NO_PEER);

    ork_lock();
    ork_enter_blocking(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_detach(const struct ork_call *call, int result)
{
    if (result != MPI_SUCCESS) {
        ork_exit_status(call, NULL, ORK_REQUEST_NULL, 0, result);
    } else {
        ork_attached_forget();
        ork_set_state(ORK_STATE_RUNNING);
    }
}

/* -- outside: waits for something that is not part of the run -- */

ORK_INLINE void ork_before_outside(const struct ork_call *call)
{
    struct ork_record r = ORK_RECORD(call, OPAQUE, .peer = ORK_NO_PEER);

    ork_lock();
    ork_enter_blocking(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_outside(const struct ork_call *call, int result)
{
    ork_exit_status(call, NULL, ORK_REQUEST_NULL, 0, result);
}

#endif
