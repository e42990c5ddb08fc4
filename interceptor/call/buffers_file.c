/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of calls on files. */
#include "interceptor/call/buffers_coll.h"

void ork_file_buffer_look(const struct ork_call *call, const struct ork_buffer *buffer)
{
    ork_lock();
    ork_buffers_look(call, buffer);
    ork_unlock();
}

void ork_file_buffer_enter(const struct ork_call *call, const struct ork_buffer *buffer,
                           MPI_Status **status, MPI_Status *own)
{
    if (buffer->use == ORK_BUFFER_WRITTEN) {
        ork_windows_observe(status, own);
        return;
    }
    ork_lock();
    ork_windows_touch(call, buffer);
    ork_unlock();
}

/* RATIONALE: a rank may still write to the file when others have returned from a collective call.
 */
void ork_file_buffer_leave(const struct ork_call *call, const struct ork_buffer *buffer,
                           const MPI_Status *status, bool is_collective)
{
    ork_lock();
    if (buffer->use == ORK_BUFFER_WRITTEN)
        ork_windows_received(call, buffer, status);
    else if (is_collective)
        ork_windows_touch(call, buffer);
    ork_unlock();
}

void ork_file_buffer_start(const struct ork_call *call, uint32_t request,
                           const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;

    ork_lock();
    if (ork_buffers_are_on && ork_buffer_find(buffer, &bytes))
        ork_buffers_enter(call, request, &bytes, false);
    ork_unlock();
}
