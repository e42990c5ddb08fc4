/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the program to the memory of windows: gathered for each thread and place of
 * the code, and written as TOUCH records before the next record of a call. So all accesses between
 * two calls have records between those of the calls, in any order. */
#ifndef ORK_SWEEPS_H
#define ORK_SWEEPS_H

#include "interceptor/recorder.h"

/* An access of the calling thread. */
struct ork_window_touch {
    uintptr_t code; /* return address */
    uint32_t window;
    bool is_store;
    uint64_t address, size;
};

/* Gather it. Without the recorder's lock. */
void ork_sweeps_add(const struct ork_window_touch *touch);

#endif
