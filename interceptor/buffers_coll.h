/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of collective calls: which of them a rank uses, and how many elements, depends on the
 * operation and on the root (MPI-3.1 chapter 5), or on the
 * neighbours in a topology (section 7.6). */
#ifndef ORK_BUFFERS_COLL_H
#define ORK_BUFFERS_COLL_H

#include "interceptor/call.h"
#include "interceptor/coll_side.h"
#include "interceptor/windows_buffers.h"

/* MPI_Bcast has one buffer, which is `received`. */
struct ork_coll_buffers {
    struct ork_coll_side sent, received;
};

/* The call is made next: compare its buffers with each other, and with the pending ones if it is
 * not persistent. Without the recorder's lock, as all functions here. */
void ork_coll_buffers_look(const struct ork_call *call, const struct ork_args *args, unsigned mode,
                           unsigned flags, const struct ork_coll_buffers *buffers);

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
