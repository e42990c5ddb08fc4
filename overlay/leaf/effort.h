/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process did inside its MPI calls, by the kernel's counters. */
#ifndef ORK_OVERLAY_LEAF_EFFORT_H
#define ORK_OVERLAY_LEAF_EFFORT_H

#include "record/ring.h"

#include <stdbool.h>

struct ork_effort {
    uint64_t inside_ns; /* processor time of the threads inside calls, since they started; 0:
                         * unknown */
    bool sleeps;        /* every thread sleeps until something wakes it: none is stopped, frozen,
                         * traced, running, or waits for a processor */
};

/* The effort of process `pid`, which published `ring`. What cannot be read counts as "unknown" and
 * "does not sleep". */
struct ork_effort ork_effort_of(uint32_t pid, const struct ork_ring *ring);

#endif
