/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process did inside its MPI calls, by the kernel's counters. */
#ifndef ORK_OVERLAY_LEAF_EFFORT_H
#define ORK_OVERLAY_LEAF_EFFORT_H

#include "record/ring.h"

#include <stdbool.h>

struct ork_effort {
    /* Of the threads inside calls, since they started: processor time (0: unknown), time in the run
     * queue until they got a processor last, and how often they lost it although they could go on.
     */
    uint64_t inside_ns, waited_ns, yields;
    bool sleeps;      /* every thread sleeps until something wakes it: none is stopped, frozen,
                       * traced, running, or waits for a processor */
    bool is_runnable; /* some thread runs, or waits for a processor */
    bool is_halted;   /* some thread is stopped, traced or frozen; if another one runs, only those
                       * inside calls are known */
};

/* The effort of process `pid`, which published `ring`. What cannot be read counts as "unknown" and
 * "does not sleep". */
struct ork_effort ork_effort_of(uint32_t pid, const struct ork_ring *ring);

/* The id of this thread of the ring for the leaf. RATIONALE: the rank may be in another namespace
 * of processes; then only its first thread is known. */
uint32_t ork_effort_thread_of(uint32_t pid, const struct ork_ring *ring, uint32_t thread);

/* How long this thread of the ring has slept, in nanoseconds: it neither had a processor nor waited
 * for one. Only the difference between two looks means something. 0: unknown. */
uint64_t ork_effort_slept_ns(uint32_t pid, const struct ork_ring *ring, uint32_t thread);

#endif
