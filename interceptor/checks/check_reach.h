/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that begin a block of malloc() and reach past it: MPI-3.1 sections 3.2.2 and 4.1.12. Only
 * of blocks that are known (memory/heap.h). */
#ifndef ORK_CHECK_REACH_H
#define ORK_CHECK_REACH_H

#include "interceptor/checks/check.h"
#include "interceptor/memory/heap.h"

/* Have so many elements of a derived datatype bytes outside of the first `room` ones? */
bool ork_type_reaches(int count, MPI_Datatype type, uint64_t room) __attribute__((noinline));

/* The question. RATIONALE: without a system call, and without a look at the datatype unless the
 * buffer seems to begin a block. */
static inline bool ork_may_reach(const void *buffer, int count, MPI_Datatype type)
{
    const uint64_t bytes = ork_dense_size(type) * (uint64_t)(count > 0 ? count : 0);
    const uint64_t room = count > 0 ? ork_heap_room(buffer) : UINT64_MAX;

    if (room == UINT64_MAX)
        return ork_heap_may_be_mapping(buffer, bytes);
    return bytes > room || (bytes == 0 && ork_type_reaches(count, type, room));
}

/* The use of the buffer says what the call does with it. A message may be shorter than the buffer
 * that is to receive it. */
ORK_EXAMINATION ork_wrong_reach(const struct ork_call *call, const char *argument,
                                const struct ork_buffer *buffer);

#endif
