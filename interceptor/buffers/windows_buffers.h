/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of messages, collective calls and files in the memory of windows (MPI-3.1 section 11.7:
 * the library accesses them like the program). The recorder's lock is held, if not said
 * otherwise. */
#ifndef ORK_WINDOWS_BUFFERS_H
#define ORK_WINDOWS_BUFFERS_H

#include "interceptor/buffers/buffer.h"
#include "interceptor/objects/windows.h"
#include "interceptor/site/site.h"

/* ---- of a pending operation ---- */

/* A buffer of this request is pending: if some of its bytes are in the memory of a window, write a
 * record. Returns the number of the window; ORK_COMM_UNKNOWN: there is no record. */
uint32_t ork_windows_put_buffer(const struct ork_call *call, uint32_t request,
                                const struct ork_span *span, bool is_written);
/* Are some of its bytes in the memory of a window? */
bool ork_windows_contain(const struct ork_span *span);
/* No call will complete this request: its operation is complete, or may be. `window`: as above. */
void ork_windows_end_buffer(uint32_t request, uint32_t window);

/* ---- of a call that blocks ---- */

/* The call accesses the buffer now, before its record or after it has returned: if some of its
 * bytes are in the memory of a window, write a record. RATIONALE: what is sent was read before any
 * rank that has the message goes on, and what is received is written after all that its sender
 * knew. So a buffer that is sent is read at the time of the record of the call, and one that is
 * received is written when it returns. */
void ork_windows_touch(const struct ork_call *call, const struct ork_buffer *buffer);
void ork_windows_touch_bytes(const struct ork_call *call, const struct ork_buffer_bytes *bytes);
/* The same for one that has been received or read from a file: only what the status tells was
 * written. With MPI_STATUS_IGNORE that is not known, and nothing is written. */
void ork_windows_received(const struct ork_call *call, const struct ork_buffer *buffer,
                          const MPI_Status *status);

/* Are some of the bytes of a buffer in the memory of a window? */
bool ork_windows_have_some(const struct ork_buffer *buffer) __attribute__((cold, noinline));
static inline bool ork_windows_have(const struct ork_buffer *buffer)
{
    return ORK_UNLIKELY(ork_windows_exist) && ork_windows_have_some(buffer);
}

static inline void ork_windows_look(const struct ork_call *call, const struct ork_buffer *buffer)
{
    if (ORK_UNLIKELY(ork_windows_exist))
        ork_windows_touch(call, buffer);
}

/* A call that receives is made next: use our own status if the application ignores it. Without the
 * lock. */
static inline void ork_windows_observe(MPI_Status **status, MPI_Status *own)
{
    if (ORK_UNLIKELY(ork_windows_exist) && *status == MPI_STATUS_IGNORE)
        *status = own;
}

/* It has returned. Without the lock. */
static inline void ork_windows_look_received(const struct ork_call *call,
                                             const struct ork_buffer *buffer,
                                             const MPI_Status *status, int result)
{
    if (ORK_LIKELY(!ork_windows_exist) || result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_windows_received(call, buffer, status);
    ork_unlock();
}

#endif
