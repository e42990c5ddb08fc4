/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/room.h"

#include <string.h>

enum { REPETITIONS = 64 };

/* Repetitions that were written and that the leaf may still be in, the oldest first. */
static struct {
    struct repetition {
        uint64_t first, end; /* number of its first record, and after the last one */
        uint64_t slot;       /* that stands for it */
    } repetition[REPETITIONS];
    uint32_t first, count;
    uint64_t end, slot; /* after the latest one that the leaf has taken */
} room;

void ork_room_init(void)
{
    memset(&room, 0, sizeof(room));
}

static void forget_taken(uint64_t tail)
{
    while (room.count > 0 && room.repetition[room.first].end <= tail) {
        room.end = room.repetition[room.first].end;
        room.slot = room.repetition[room.first].slot + 1;
        room.first = (room.first + 1) % REPETITIONS;
        room.count--;
    }
}

uint64_t ork_room_next_slot(uint64_t tail)
{
    forget_taken(tail);
    const struct repetition *oldest = &room.repetition[room.first];
    return room.count > 0 && oldest->first <= tail ? oldest->slot : room.slot + (tail - room.end);
}

bool ork_room_may_note(uint64_t tail)
{
    forget_taken(tail);
    return room.count < REPETITIONS;
}

void ork_room_note(uint64_t first, uint64_t end, uint64_t slot)
{
    room.repetition[(room.first + room.count++) % REPETITIONS] =
        (struct repetition){.first = first, .end = end, .slot = slot};
}
