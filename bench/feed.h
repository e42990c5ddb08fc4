/* SPDX-License-Identifier: BSD-3-Clause */
/* Made-up ranks, as the leaves see them. Two kinds: feed_rings.c has a ring for each rank and
 * leaves the rest to the leaf of the product; feed_queues.c takes the place of that leaf, with the
 * same joining but without sockets and shared memory, so that there may be very many. */
#ifndef ORK_BENCH_FEED_H
#define ORK_BENCH_FEED_H

#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>

#define FEED_SESSION_MAX 40
#define FEED_TOKEN       "0123456789abcdef0123456789abcdef"

/* Ranks 0 .. ranks - 1; rank r is at leaf r / leaf_ranks of run `session`. `repeats`: a rank with a
 * ring counts the records of steps that it repeats. After the leaves have been created. False: no
 * memory, no descriptors. */
bool feed_begin(const char *session, uint32_t ranks, uint32_t leaf_ranks, bool repeats);
/* Those of its records that have been taken need no longer be there. */
void feed_end(void);

/* The rank publishes records; false: there is no room for them now. */
bool feed_put(uint32_t rank, const struct ork_record *record, size_t n);
/* The rank's process ends in good order. */
void feed_leave(uint32_t rank);
/* Records that were published and not yet taken, of all ranks. */
uint64_t feed_backlog(void);

#endif
