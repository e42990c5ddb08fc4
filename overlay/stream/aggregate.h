/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins collective calls of many streams: a call is held at the head of its stream until as many
 * ranks have entered it as entered the calls before it, and then goes up as one. The members of a
 * communicator need not be known here: a call that was held too long, or in vain, goes up in parts
 * with the same meaning. */
#ifndef ORK_OVERLAY_STREAM_AGGREGATE_H
#define ORK_OVERLAY_STREAM_AGGREGATE_H

#include "overlay/stream/link.h"

struct ork_aggregate;

/* The functions below deliver WAVE events to `up`, which is copied. ORK_NOMEM. */
enum ork_status ork_aggregate_create(const struct ork_up *up, struct ork_aggregate **out);
/* NULL is allowed. */
void ork_aggregate_destroy(struct ork_aggregate *join);

/* May this call be joined with others? (A plain collective call that blocks.) */
bool ork_aggregate_takes(const struct ork_record *record);

/* Stream `source` is at this wave, and is held now, unless the wave went up at once (see
 * ork_aggregate_buffers()). ORK_NOMEM, statuses of `up`. */
enum ork_status ork_aggregate_arrive(struct ork_aggregate *join, uint32_t source,
                                     const struct ork_wave *wave, uint64_t now_ns);
/* A wave of `ranks` ranks goes up at once if nothing is held and it need not wait for others;
 * otherwise this does nothing. *gone: it went up. Statuses of `up`. */
enum ork_status ork_aggregate_pass(struct ork_aggregate *join, const struct ork_wave *wave,
                                   uint32_t ranks, bool *gone);
bool ork_aggregate_buffers(const struct ork_aggregate *join, uint32_t source);
uint32_t ork_aggregate_num_buffered(const struct ork_aggregate *join);

/* Release what has been held since before `before_ns` (UINT64_MAX: everything). */
enum ork_status ork_aggregate_flush(struct ork_aggregate *join, uint64_t before_ns);

/* A call that holds streams. */
struct ork_buffered_call {
    uint32_t comm, group, index; /* as in struct ork_wave */
    uint32_t sources;            /* streams that it holds */
};
/* Release those of which this is true. */
enum ork_status ork_aggregate_release(struct ork_aggregate *join,
                                      bool (*is_vain)(const void *context,
                                                      const struct ork_buffered_call *held),
                                      const void *context);

#endif
