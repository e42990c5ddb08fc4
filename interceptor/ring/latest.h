/* SPDX-License-Identifier: BSD-3-Clause */
/* What other threads of this rank do, from its own ring. With the recorder's lock held. */
#ifndef ORK_LATEST_H
#define ORK_LATEST_H

#include "interceptor/ring/recorder.h"

/* The record of a call in which another thread is blocked at this moment, of the lowest thread from
 * *thread on: its number is in *thread then. NULL: there is none. RATIONALE: a thread is no longer
 * blocked before its call returns to the application; so if the application lets one call follow
 * the other, no thread sees another one blocked. */
const struct ork_record *ork_latest_blocked(uint32_t *thread);

/* Word i of the list of a record in the ring. */
uint32_t ork_latest_word(const struct ork_record *record, uint32_t i);

#endif
