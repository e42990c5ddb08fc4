/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes up between tool processes, as bytes. A batch is a row of frames, one for each event:
 *
 *   frame   := kind (1 byte, enum ork_event_kind), length of the body (3 bytes), body
 *   RECORDS := rank, { slot, coded record }
 *   WAVE    := index, group, number of arrivals,
 *              { slot, coded record, number of spans, { gap, count } }
 *   STACK   := reason (with its NUL), stack as JSON (report/report.h)
 *   LATEST  := rank, number of calls, { coded record, times, took, took_tag, error, inside }
 *   the rest: numbers as varints, names as bytes
 *
 * A record is coded against the latest one of its slot, which its call site chooses, so that the
 * calls of a loop cost a few bytes each. RECORDS are coded from leaf to root, and processes in
 * between hand them on as they are; WAVEs are coded anew from process to process. Pure. */
#ifndef ORK_OVERLAY_STREAM_WIRE_H
#define ORK_OVERLAY_STREAM_WIRE_H

#include "overlay/stream/link.h"

/* The most bytes of one frame. */
#define ORK_FRAME_MAX 49152u
#define ORK_BATCH_MAX 65536u

/* The upper side that writes frames. `reserve` returns room for `size` bytes after what was
 * written, or NULL (out of memory, because the caller checked `credit` before); `commit` takes the
 * number of bytes used. */
struct ork_wire_out {
    void *context;
    uint8_t *(*reserve)(void *context, size_t size);
    void (*commit)(void *context, size_t size);
    size_t (*room)(void *context); /* bytes that may be written now */
};

struct ork_wire_writer;
/* `out` must outlive it. ORK_NOMEM. */
enum ork_status ork_wire_writer_create(const struct ork_wire_out *out, uint32_t leaf,
                                       struct ork_wire_writer **writer);
void ork_wire_writer_destroy(struct ork_wire_writer *writer);
/* Writes what is delivered to it. `attached.leaf` is what the writer was created with. */
struct ork_up ork_wire_up(struct ork_wire_writer *writer);

/* Write a whole frame, as it was read. */
enum ork_status ork_wire_forward(struct ork_wire_writer *writer, const uint8_t *frame, size_t size);

struct ork_wire_reader;
/* `up` gets what is read; it is copied. ORK_NOMEM. */
enum ork_status ork_wire_reader_create(const struct ork_up *up, struct ork_wire_reader **reader);
void ork_wire_reader_destroy(struct ork_wire_reader *reader);

/* The frame at the front of `size` bytes: its kind and its size. ORK_INVALID: malformed. */
enum ork_status ork_wire_frame(const uint8_t *bytes, size_t size, enum ork_event_kind *kind,
                               size_t *used);
/* Give a whole frame to `up`. ORK_INVALID, ORK_NOMEM, statuses of `up`. */
enum ork_status ork_wire_read(struct ork_wire_reader *reader, const uint8_t *frame, size_t size);
/* Only the wave of a WAVE frame; the reader's until the next call. */
enum ork_status ork_wire_read_wave(struct ork_wire_reader *reader, const uint8_t *frame,
                                   size_t size, struct ork_wave *wave);

#endif
