/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way a small program can go. */
#ifndef ORK_FUZZ_DETECTOR_EXPLORE_H
#define ORK_FUZZ_DETECTOR_EXPLORE_H

#include "tests/fuzz/detector/model.h"

/* A state in which nothing moves any more. */
struct outcome {
    uint8_t pc[MAX_RANKS];
    uint8_t deadlocked; /* bit set of ranks */
};

struct outcomes {
    struct outcome *item;
    unsigned count, room;
};

/* All outcomes that agree with what is known (NULL: all there are). False: too many states. The
 * caller owns out->item. */
bool explore(const struct model *m, const struct known *known, struct outcomes *out);

#endif
