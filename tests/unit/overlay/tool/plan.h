/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs for a tree of tool processes. Their calls are grouped in operations, number 1 and
 * up: a message, a collective call. A call returns when all of its operation are there, as without
 * buffering. */
#ifndef ORK_TEST_OVERLAY_TOOL_PLAN_H
#define ORK_TEST_OVERLAY_TOOL_PLAN_H

#include "tests/unit/overlay/stage/script.h"

#include <stdbool.h>
#include <stdint.h>

enum { RANKS = 9, OPS = 64, NOTHING = 0, NEVER = 100 };

struct plan {
    struct script script[RANKS];
    uint8_t joins[RANKS][512]; /* operation that a record is part of */
    uint8_t waits[RANKS][512]; /* and that it is held by, until it is complete */
    unsigned need[OPS + 8], ops;
    bool deadlocks;
};

/* The program that is written or run. */
extern struct plan plan;

/* A new program, in which each call returns. */
void plan_write_correct(uint64_t *seed);
/* All ranks call MPI_Finalize. */
void plan_finalize(void);
/* `count` ranks from `first` on: each of them waits for the next one. */
void plan_add_cycle(uint32_t first, uint32_t count, bool sends);
/* Some ranks wait for each other for good. */
void plan_add_deadlock(uint64_t *seed);

#endif
