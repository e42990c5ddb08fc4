/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of random programs on a grid of ranks: phases of collective calls of all, of the rows or
 * of the columns, and of messages between them. */
#ifndef ORK_FUZZ_DETECTOR_GRID_H
#define ORK_FUZZ_DETECTOR_GRID_H

#include "record/record.h"
#include "tests/fuzz/wfg_random.h"

enum { GRID_ROWS = 3, GRID_COLUMNS = 4, GRID_RANKS = GRID_ROWS * GRID_COLUMNS, GRID_RECORDS = 512 };

struct grid {
    struct ork_record record[GRID_RANKS][GRID_RECORDS];
    unsigned count[GRID_RANKS];
};

void grid_random(struct wfg_random *random, struct grid *g);

#endif
