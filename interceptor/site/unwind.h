/* SPDX-License-Identifier: BSD-3-Clause */
/* Depends on the processor: unwind_x86_64.c, or unwind_other.c with fewer functions. */
#ifndef ORK_UNWIND_H
#define ORK_UNWIND_H

#include <stdbool.h>
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

/* A place of a thread, and what leads from there to its caller. */
struct ork_frame {
    uintptr_t pc, sp, bp;
    bool is_call; /* pc is a return address */
};

/* The place of a thread at a signal: `context` is the third argument of its handler. False:
 * unknown. */
bool ork_frame_at(const void *context, struct ork_frame *frame);
/* That of the calling function. */
bool ork_frame_here(struct ork_frame *frame);
/* To the caller, by its unwind table. False: there is none, or it is unknown. Takes no lock and
 * allocates no memory, so a signal handler may use it; if the stack is damaged, it reads anywhere.
 */
bool ork_frame_up(struct ork_frame *frame);

#endif
