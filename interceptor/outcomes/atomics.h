/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered atomics: updates of a location of a window as choice points (docs/explanation/order.md).
 * Each takes a number, which is how many of its location came before it: counted as window locks
 * are (locks.h), in memory that the ranks share. With the recorder's lock held. */
#ifndef ORK_ATOMICS_H
#define ORK_ATOMICS_H

#include "interceptor/outcomes/locks.h"
#include "record/access.h"

/* Does this run order them? */
extern bool ork_atomics_are_on;
/* Was one made? RATIONALE: only then, calls on windows are never repeated without a look. */
extern bool ork_atomics_were_made;
/* Call once, when MPI is initialised. */
void ork_atomics_init(void);

/* The location at a displacement of a target, for an update; or is_exclusive false: for one that
 * only reads. False: atomics there are no choice points, at any rank. */
bool ork_atomics_find(MPI_Win win, int target, MPI_Aint displacement, bool is_exclusive,
                      struct ork_lock *found);

/* An atomic was made with this number: a choice of the calling thread, and its EXIT record.
 * `operands`: a hash of the values that a Compare_and_swap compares and stores. */
void ork_atomics_choose(const struct ork_call *call, const struct ork_lock *location, int target,
                        uint32_t number, enum ork_atomic_order order, uint32_t operands);

#endif
