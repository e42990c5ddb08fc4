/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of each queue, as they come and go; and whose turn it is. */
#ifndef ORK_DETECTOR_TURN_H
#define ORK_DETECTOR_TURN_H

#include "detector/state/state.h"

void ork_turn_queued(struct strand *st, const struct ork_record *rec, const uint32_t *list);
void ork_turn_taken(struct strand *st, const struct ork_record *rec, const uint32_t *list);
/* May the front of the queue be taken? Sets st->turn. */
void ork_turn_look(struct strand *st);
/* `behind` went on: is it worth a look? */
bool ork_turn_may_have_come(const struct strand *st, const struct strand *behind);

#endif
