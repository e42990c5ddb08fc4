/* SPDX-License-Identifier: BSD-3-Clause */
/* How much a process did inside its MPI calls, as the kernel tells it. */
#ifndef ORK_OVERLAY_LEAF_EFFORT_H
#define ORK_OVERLAY_LEAF_EFFORT_H

#include "record/ring.h"

#include <stdbool.h>

struct ork_effort {
    uint64_t inside_ns; /* processor time that the threads inside calls have used, of all their
                         * lives; 0: not known */
    bool sleeps;        /* every thread sleeps until something wakes it: none is stopped, frozen,
                         * traced, at work, or waits for a processor */
};

/* Of process `pid`, which published `ring`. What cannot be read counts as "not known" and "does not
 * sleep". */
struct ork_effort ork_effort_of(uint32_t pid, const struct ork_ring *ring);

#endif
