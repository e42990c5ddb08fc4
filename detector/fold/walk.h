/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations that differ in a choice: see docs/explanation/folding.md. The steps of the ranks lead
 * from state to state of the detector. A transition that was seen is only looked up.
 *
 * Invariant: the run is in the state `now`, and the detector in the state `at`. What the run has
 * added to counts is what the detector has counted, and what transitions.h adds up. Steps of a rank
 * that is in a call wait. */
#ifndef ORK_FOLD_WALK_H
#define ORK_FOLD_WALK_H

#include "detector/fold/internal.h"

/* Is it time for it, after n more records that were only fed? If so, it has begun. */
bool ork_walk_begins(struct ork_fold *f, size_t n);
/* Take records of a rank, at most n. *taken: how many; less than n if it has ended. Returns what
 * feeding returns. */
enum ork_status ork_walk_take(struct ork_fold *f, uint32_t rank, const struct ork_record *record,
                              size_t n, size_t *taken);
/* Feed all that waits: the detector then is where it would be without folding. */
enum ork_status ork_walk_unfold(struct ork_fold *f);
/* Has each rank made a call since the latest ork_walk_look_again()? Then none of them was
 * deadlocked at that time. */
bool ork_walk_has_moved(const struct ork_fold *f);
void ork_walk_look_again(struct ork_fold *f);
/* The same as unfolding, and it ends. */
enum ork_status ork_walk_end(struct ork_fold *f);
/* Without unfolding. */
void ork_walk_destroy(struct ork_fold *f);

#endif
