/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the leaf is in the ring (record/ring.h). It tells how many records it has taken; how many
 * slots that are follows from the repetitions that the rank has written. So a rank that has
 * repeated many records need not wait for the leaf when it goes on otherwise. */
#ifndef ORK_ROOM_H
#define ORK_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* With an empty ring. */
void ork_room_init(void);
/* A repetition of these records, from `first` on and before `end`, is over; the next slot, which is
 * not written yet, stands for it. Only if one may be noted. */
void ork_room_note(uint64_t first, uint64_t end, uint64_t slot);
bool ork_room_may_note(uint64_t tail);
/* The leaf has taken `tail` records: it needs all slots from this one on, and the block before it.
 */
uint64_t ork_room_next_slot(uint64_t tail);

#endif
