/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of window locks (record/lock_number.h): of each member of a window that has made a
 * lock, those of its latest ones. */
#ifndef ORK_DETECTOR_LOCK_NUMBERS_H
#define ORK_DETECTOR_LOCK_NUMBERS_H

#include "detector/state/state.h"

/* The number of the latest lock like this one. NULL: out of memory. */
uint32_t *ork_lock_number_of(struct ork_detector *d, const struct comm_ref *ref,
                             const struct lock *l);
/* Write all numbers, in a fixed order: first those of the locks that ranks hold or ask for. Returns
 * how many they are; `to` NULL: only that. */
uint32_t ork_lock_numbers(const struct ork_detector *d, uint32_t *to);
/* They have grown from `a` to `b`, and grow by as much `times` times more. */
void ork_lock_numbers_grow(struct ork_detector *d, const uint32_t *a, const uint32_t *b,
                           uint64_t times);

#endif
