/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace in memory, to feed a detector in the recorded order or in others. */
#ifndef ORK_TEST_REPLAY_STREAMS_H
#define ORK_TEST_REPLAY_STREAMS_H

#include "detector/detector.h"

struct streams;

/* ORK_NOMEM, or what ork_trace_open() and ork_trace_next() say. */
enum ork_status streams_read(const char *path, struct streams **out);
void streams_destroy(struct streams *s);

/* Size of the first job; 0: no rank of it says so. */
uint32_t streams_num_ranks(const struct streams *s);

/* The detector is new. `seed` 0: in the order in which the records came. Otherwise in a random
 * order in which the records of each rank keep theirs, and all jobs are known from the beginning.
 */
enum ork_status streams_feed(const struct streams *s, struct ork_detector *d, uint64_t seed);

#endif
