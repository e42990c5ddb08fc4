/* SPDX-License-Identifier: BSD-3-Clause */
/* How large the frame of a function is at one of its calls, from its unwind tables (System V ABI
 * for x86-64, chapter 4.2.4; DWARF 5, section 6.4). */
#ifndef ORK_FRAME_H
#define ORK_FRAME_H

#include <stdint.h>

/* Bytes from the stack pointer, as it is when the call before the return address `address` has
 * returned, to the function's canonical frame address, which is just above its own return address.
 * 0: not a constant, or not known. */
uint32_t ork_frame_size(uintptr_t address);

#endif
