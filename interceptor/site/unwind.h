/* SPDX-License-Identifier: BSD-3-Clause */
/* Depends on the processor: unwind_x86_64.c, or unwind_other.c with fewer functions. */
#ifndef ORK_UNWIND_H
#define ORK_UNWIND_H

#include <stdint.h>

/* The size of a function's frame at one of its calls, from its unwind tables (System V ABI for
 * x86-64, chapter 4.2.4; DWARF 5, section 6.4): bytes from the stack pointer after the call before
 * the return address `address` has returned, to the function's canonical frame address, which is
 * just above its own return address. 0: not a constant, or unknown. */
uint32_t ork_frame_size(uintptr_t address);

/* The return address of the frame with this canonical frame address, if ork_frame_size() knows
 * sizes; else some word of the stack. */
static inline uintptr_t ork_return_address(uintptr_t cfa)
{
    return ((const uintptr_t *)cfa)[-1]; // NOLINT(performance-no-int-to-ptr)
}

/* The place of a thread at a signal: `context` is the third argument of its handler. 0: unknown. */
uintptr_t ork_unwind_pc(const void *context);

#endif
