/* SPDX-License-Identifier: BSD-3-Clause */
/* What depends on the processor: unwind_x86_64.c, or unwind_other.c for those of which less is
 * known. */
#ifndef ORK_UNWIND_H
#define ORK_UNWIND_H

#include <stdint.h>

/* How large the frame of a function is at one of its calls, from its unwind tables (System V ABI
 * for x86-64, chapter 4.2.4; DWARF 5, section 6.4): bytes from the stack pointer, as it is when the
 * call before the return address `address` has returned, to the function's canonical frame address,
 * which is just above its own return address. 0: not a constant, or not known. */
uint32_t ork_frame_size(uintptr_t address);

/* The return address of the frame with this canonical frame address, where ork_frame_size() knows
 * sizes; elsewhere some word of the stack. */
static inline uintptr_t ork_return_address(uintptr_t cfa)
{
    return ((const uintptr_t *)cfa)[-1]; // NOLINT(performance-no-int-to-ptr)
}

/* Where a thread was when a signal came: `context` is the third argument of its handler. 0: not
 * known. */
uintptr_t ork_unwind_pc(const void *context);

#endif
