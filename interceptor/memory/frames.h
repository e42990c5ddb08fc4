/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers in stack frames of functions that have returned: below the frame of the function that
 * calls MPI, inside of the stack of the same thread. Not if the thread runs on another stack at
 * present (that of a fiber, also if it is an array in a frame of the thread, or of sigaltstack()).
 */
#ifndef ORK_FRAMES_H
#define ORK_FRAMES_H

#include "interceptor/ring/recorder.h"

/* RATIONALE: addresses so near to the stack pointer are examined. */
#define ORK_FRAME_NEAR (UINT64_C(16) << 20)

/* An address at which something was found that was in the memory of a frame: it may be in none now.
 * False: it is in none that has returned. */
static inline bool ork_frame_may_be_gone(int64_t address)
{
    return ORK_UNLIKELY((uint64_t)address - (ork_thread.stack - ORK_FRAME_NEAR) < ORK_FRAME_NEAR);
}

/* May it be in a frame that has not returned? */
static inline bool ork_frame_may_be_live(int64_t address)
{
    return (uint64_t)address - ork_thread.stack < ORK_FRAME_NEAR;
}

/* Is it certainly in one that has returned? */
bool ork_frame_is_gone(int64_t address) __attribute__((cold, noinline));

#endif
