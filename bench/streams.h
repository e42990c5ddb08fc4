/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of all ranks of a made-up program in an order in which they may arrive: each rank's
 * in the order it writes them, and no rank more than a few steps ahead of another. */
#ifndef ORK_BENCH_STREAMS_H
#define ORK_BENCH_STREAMS_H

#include "bench/pattern.h"

#include <stdbool.h>

struct streams;

/* A run of about `records` records, and at least one step of each rank. NULL: out of memory. */
struct streams *streams_create(const struct program *program, uint64_t records);
/* NULL is allowed. */
void streams_destroy(struct streams *streams);

/* What comes next, and of which rank; false: all ranks have ended. *step is valid until the next
 * call. */
bool streams_next(struct streams *streams, uint32_t *rank, const struct step **step);

/* Messages that were sent so far, and records written. */
uint64_t streams_messages(const struct streams *streams);
uint64_t streams_records(const struct streams *streams);

#endif
