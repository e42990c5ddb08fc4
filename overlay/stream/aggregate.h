/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins collective calls of many streams: a call is held at the head of its stream until as many
 * ranks have come to it as came to the calls before it, and then goes up as one. Which ranks a
 * communicator has is not known here and need not be: what was held too long, or in vain, goes up
 * in parts, and says the same. */
#ifndef ORK_OVERLAY_STREAM_AGGREGATE_H
#define ORK_OVERLAY_STREAM_AGGREGATE_H

#include "overlay/stream/link.h"

struct ork_aggregate;

/* The functions below deliver WAVE events to `up`, which is copied. ORK_NOMEM. */
enum ork_status ork_aggregate_create(const struct ork_up *up, struct ork_aggregate **out);
/* NULL is allowed. */
void ork_aggregate_destroy(struct ork_aggregate *join);

/* Is it a call that may be joined with others? (A plain collective call that blocks.) */
bool ork_aggregate_takes(const struct ork_record *record);

/* The next thing in stream `source` is this wave; the stream is held now, unless that went up at
 * once (ork_aggregate_holds() says). ORK_NOMEM, statuses of `up`. */
enum ork_status ork_aggregate_arrive(struct ork_aggregate *join, uint32_t source,
                                     const struct ork_wave *wave, uint64_t now_ns);
/* A wave of `ranks` ranks at once goes up at once if nothing is held and it is not to wait for
 * others; else nothing is done. *gone: which. Statuses of `up`. */
enum ork_status ork_aggregate_pass(struct ork_aggregate *join, const struct ork_wave *wave,
                                   uint32_t ranks, bool *gone);
bool ork_aggregate_holds(const struct ork_aggregate *join, uint32_t source);
uint32_t ork_aggregate_num_held(const struct ork_aggregate *join);

/* Let go what has been held since before `before_ns` (UINT64_MAX: everything). */
enum ork_status ork_aggregate_flush(struct ork_aggregate *join, uint64_t before_ns);

#endif
