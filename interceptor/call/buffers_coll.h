/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of collective calls: which of them a rank uses, and how many elements, depends on the
 * operation and on the root (MPI-3.1 chapter 5), or on the
 * neighbours in a topology (section 7.6). */
#ifndef ORK_BUFFERS_COLL_H
#define ORK_BUFFERS_COLL_H

#include "interceptor/call/call.h"
#include "interceptor/buffers/coll_side.h"
#include "interceptor/buffers/windows_buffers.h"

/* The ranks whose arguments give the size of the contribution; those of others may be invalid and
 * are not used. */
enum ork_at {
    ORK_AT_SENDERS, /* all except those in place, and on an intercommunicator those of the root's
                     * group */
    ORK_AT_PARTICIPANTS, /* all except the idle ones of an intercommunicator's root group */
    ORK_AT_ROOT,
};

static inline bool ork_contributes(const struct ork_args *a, enum ork_at at)
{
    switch (at) {
    case ORK_AT_SENDERS:
        return !a->in_place && a->root != MPI_ROOT && a->root != MPI_PROC_NULL;
    case ORK_AT_PARTICIPANTS:
        return a->root != MPI_PROC_NULL;
    case ORK_AT_ROOT:
        return ork_comm_is_root(a->comm, a->root);
    }
    return false;
}

/* MPI_Bcast has one buffer, which is `received`. */
struct ork_coll_buffers {
    struct ork_coll_side sent, received;
};

/* What ork_coll_buffers_look() does if more than a few comparisons are needed. */
void ork_coll_buffers_examine(const struct ork_call *call, const struct ork_args *args,
                              unsigned mode, unsigned flags,
                              const struct ork_coll_buffers *buffers);

/* Two blocks of `bytes` that have nothing in common, and nothing is pending? RATIONALE: with one
 * thread, this costs a reduction few comparisons, because its datatype is known already. */
static inline bool ork_coll_buffers_are_apart(const struct ork_coll_buffers *buffers,
                                              uint64_t bytes)
{
    uintptr_t sent = (uintptr_t)buffers->sent.address;
    uintptr_t received = (uintptr_t)buffers->received.address;

    return !ork_recorder.is_locked && ork_buffers_known == 0 && buffers->received.count >= 0 &&
           ork_dense_size(buffers->received.type) != 0 &&
           (sent > received ? sent - received : received - sent) >= bytes;
}

/* The call is made next: compare its buffers with each other, and with the pending ones if it is
 * not persistent. Without the recorder's lock, as all functions here. */
ORK_INLINE void ork_coll_buffers_look(const struct ork_call *call, const struct ork_args *args,
                                      unsigned mode, unsigned flags,
                                      const struct ork_coll_buffers *buffers)
{
    bool reduces = mode == ORK_COLL_ALLREDUCE || mode == ORK_COLL_REDUCE || mode == ORK_COLL_SCAN;

    if (ORK_UNLIKELY(ork_windows_exist) ||
        (ork_buffers_are_on && !(reduces && ork_coll_buffers_are_apart(buffers, args->bytes))))
        ork_coll_buffers_examine(call, args, mode, flags, buffers);
}

/* One without a request has returned without an error: its buffers in the memory of windows. */
void ork_coll_buffers_returned(const struct ork_call *call, const struct ork_args *args,
                               unsigned mode, const struct ork_coll_buffers *buffers);

/* One with a request has returned without an error. args->id: number of the request. */
void ork_coll_buffers_start(const struct ork_call *call, const struct ork_args *args, unsigned mode,
                            unsigned flags, const struct ork_coll_buffers *buffers);

/* The same for calls on files. */
void ork_file_buffer_look(const struct ork_call *call, const struct ork_buffer *buffer);
/* For one that blocks, its buffer in the memory of windows: before the call, and after it. */
void ork_file_buffer_enter(const struct ork_call *call, const struct ork_buffer *buffer,
                           MPI_Status **status, MPI_Status *own);
void ork_file_buffer_leave(const struct ork_call *call, const struct ork_buffer *buffer,
                           const MPI_Status *status, bool is_collective);
void ork_file_buffer_start(const struct ork_call *call, uint32_t request,
                           const struct ork_buffer *buffer);

#endif
