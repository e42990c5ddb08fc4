/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the program to the memory of windows: gathered for each thread and place of
 * the code, and written as TOUCH records before the next record of a call. So all accesses between
 * two calls have records between those of the calls, in any order. */
#ifndef ORK_SWEEPS_H
#define ORK_SWEEPS_H

#include "interceptor/ring/recorder.h"

/* Gather an access of the calling thread to the memory of a window. `code`: its return address.
 * Without the recorder's lock. RATIONALE: no structure, because one that is stored in parts and
 * loaded as a whole waits for its parts. */
void ork_sweeps_add(uintptr_t code, uint32_t window, bool is_store, uint64_t address,
                    uint64_t size);

#endif
