/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of random programs that loop: parts, some of which repeat, also within each other. A
 * part is what a small random program of program.h writes, or messages and collective calls of all
 * ranks. Some programs have potential deadlocks, messages that nobody receives, requests that stay
 * open, a second thread, or an iteration unlike the others. */
#ifndef ORK_FUZZ_DETECTOR_LOOPING_H
#define ORK_FUZZ_DETECTOR_LOOPING_H

#include "detector/detector.h"
#include "tests/fuzz/wfg_random.h"

enum { LOOPING_RANKS = 4, LOOPING_RECORDS = 1 << 14 };

struct looping {
    uint32_t ranks;
    uint32_t count[LOOPING_RANKS];
    bool is_over[LOOPING_RANKS];
    enum ork_end end[LOOPING_RANKS];
    struct ork_record record[LOOPING_RANKS][LOOPING_RECORDS];
    uint32_t next_site;
};

void looping_random(struct wfg_random *random, struct looping *p);

#endif
