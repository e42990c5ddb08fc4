/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by writer and reader of frames. */
#ifndef ORK_OVERLAY_STREAM_WIRE_INTERNAL_H
#define ORK_OVERLAY_STREAM_WIRE_INTERNAL_H

#include "overlay/stream/wire.h"
#include "record/codec.h"

enum {
    SLOTS = 32,
    SLOT_CONT = 255, /* a continuation is coded separately */
    HEADER = 4,
    NUMBER_MAX = 10, /* bytes of a varint */
    RECORDS_MAX = 512,
    PART_MAX = ORK_ENCODED_MAX + 1,
    TEXT_MAX = 511, /* of a text in a frame, without its NUL */
};

_Static_assert(HEADER + 2 * NUMBER_MAX + ORK_AGAIN_MAX * PART_MAX <= ORK_FRAME_MAX,
               "they are in one frame");

/* Coding state of one stream: the latest record of each slot. */
struct stream {
    struct ork_codec slot[SLOTS];
};

struct streams {
    struct stream **rank;
    uint32_t count;
};

/* NULL: out of memory. */
struct stream *ork_wire_stream_of(struct streams *s, uint32_t rank);
void ork_wire_streams_release(struct streams *s);

#endif
