/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusion between ranks, in memory that they share: of window locks in the runs of an exploration
 * (eager.h), and of ordered atomics (atomic.h). Whoever waits keeps the library going, and can tell
 * meanwhile which messages its receives have taken. */
#ifndef ORK_HELD_H
#define ORK_HELD_H

#include "interceptor/outcomes/locks.h"

/* RATIONALE: whoever has a location, or whose turn comes before, goes on soon, unless its process
 * is stopped, ends inside its call, or its library does not return. Then the run must go on: the
 * access is no choice, and the report names it. */
#define ORK_HELD_LIMIT_NS UINT64_C(10000000000)

/* Take the lock of one target, exclusively or shared. False: it is held by others. */
bool ork_held_try(const struct ork_lock *lock);
/* The same, but wait for it, at most so many nanoseconds; 0: as long as it takes. False: too long.
 */
bool ork_held_take(const struct ork_lock *lock, uint64_t limit_ns);
/* It was taken: give it back. */
void ork_held_give_back(const struct ork_lock *lock);

#endif
