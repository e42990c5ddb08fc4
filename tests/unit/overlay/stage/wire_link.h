/* SPDX-License-Identifier: BSD-3-Clause */
/* A link of bytes: what is said above a writer is heard behind a reader. */
#ifndef ORK_TEST_OVERLAY_WIRE_LINK_H
#define ORK_TEST_OVERLAY_WIRE_LINK_H

#include "overlay/stream/wire.h"

enum { LINK_ROOM = 1 << 20, LINK_SAID = 1 << 18, LINK_LEAF = 5 };

/* Both sides keep what was said as text of its own, so that all of it can be compared. */
struct link_notes {
    uint8_t bytes[LINK_SAID];
    size_t n;
};

struct wire_link {
    uint8_t *buffer; /* LINK_ROOM bytes, the first `n` are frames */
    size_t n, room;
    struct ork_wire_out out;
    struct ork_wire_writer *writer;
    struct ork_wire_reader *reader;
    struct ork_up up;
    struct link_notes said, heard;
    uint64_t seed;
};

/* Of each test. */
int link_set_up(void **state);
int link_tear_down(void **state);

/* Give all frames to the reader; how many there were. */
unsigned link_deliver(struct wire_link *link);
/* Deliver: all that was said is heard. */
void link_assert_heard(struct wire_link *link);

/* Say something, with random contents where none are given. */
void link_say(struct wire_link *link, const struct ork_event *event);
void link_say_attach(struct wire_link *link);
void link_say_batch(struct wire_link *link);
void link_say_wave(struct wire_link *link);
enum { LINK_SAYINGS = 15 };
extern void (*const link_sayings[LINK_SAYINGS])(struct wire_link *link); /* one of each kind */

/* What a side keeps of it. */
void link_note(struct link_notes *notes, const void *bytes, size_t size);
void link_note_batch(struct link_notes *notes, uint32_t rank, const struct ork_record *record,
                     size_t n, uint32_t again);
void link_note_wave(struct link_notes *notes, const struct ork_wave *wave);
void link_note_snapshot(struct link_notes *notes, uint32_t rank, const struct ork_snapshot *s);

#endif
