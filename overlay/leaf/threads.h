/* SPDX-License-Identifier: BSD-3-Clause */
/* What the threads of a rank that are in no blocking MPI call can do: which of them may call MPI
 * next, and what could wake those that sleep. docs/explanation/wait-states.md has the table. */
#ifndef ORK_OVERLAY_LEAF_THREADS_H
#define ORK_OVERLAY_LEAF_THREADS_H

#include "overlay/stream/link.h"

/* Fill in s->others, resting, stirred and others_ns; the other fields of *s must be set already. If
 * only the first thread may call MPI (MPI-3.1 section 12.4), other threads do not count. */
void ork_threads_observe(uint32_t pid, const struct ork_ring *ring, struct ork_snapshot *s);

#endif
