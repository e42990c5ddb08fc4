/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of two sides that have none in common. */
#ifndef ORK_DETECTOR_MEET_H
#define ORK_DETECTOR_MEET_H

#include "detector/state/state.h"

/* Is it a call that meets another side (MPI_Comm_spawn and its like)? */
bool ork_is_meeting(unsigned coll);
/* COMM_DEF of what spawn, accept, connect or join returned. */
void ork_meet_define(struct strand *st, const struct ork_record *rec, const uint32_t *list);
void ork_meet_forget(struct ork_detector *d, struct comm *c);

#endif
