/* SPDX-License-Identifier: BSD-3-Clause */
/* Eager window locks: in the runs of an exploration, MPI_Win_lock returns when the lock is granted,
 * as it may in every library (MPI-3.1 section 11.5.3). So the number of sections before it is known
 * at once, and two runs with the same order of sections make the same choices.
 *
 * A lock of one target is also taken in memory that the ranks share, before the library is called.
 * RATIONALE: so a rank that waits for it can meanwhile report which messages its receives have
 * taken, and a deadlock is proved; inside the library it could not. */
#ifndef ORK_EAGER_H
#define ORK_EAGER_H

#include "interceptor/outcomes/locks.h"

/* Before and after the real call that locks, and after one that unlocks; in other runs they do
 * nothing. */
void ork_eager_take(const struct ork_lock_call *call);
void ork_eager_taken(const struct ork_lock_call *call, int result);
void ork_eager_give_back(MPI_Win win, int rank);

#endif
