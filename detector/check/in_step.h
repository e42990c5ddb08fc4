/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls out of step: calls that fit together, but were made at places of the program
 * that do not belong together. docs/explanation/in-step.md says how they are found. */
#ifndef ORK_DETECTOR_CHECK_IN_STEP_H
#define ORK_DETECTOR_CHECK_IN_STEP_H

#include "detector/state/state.h"

/* `count` processes from `first` on make `call` at this place (ork_call_place()). */
void ork_sides_add(struct wave_sides *sides, uint64_t place, const struct ork_record *call,
                   uint32_t first, uint32_t count);

/* All members of `c` have made its next collective call, number `index`. */
void ork_in_step_follow(struct ork_detector *d, struct comm *c, uint32_t index,
                        const struct wave_sides *sides);

/* The call before the latest `back` ones, [0] of most ranks or [1] of the others. */
uint64_t ork_in_step_call(const struct in_step *s, unsigned of, unsigned back);

/* Of a mismatch at the call that comes next on `c`: where the ranks parted before it. */
void ork_in_step_note(const struct comm *c, const struct wave *w, struct ork_issue *issue);

#endif
