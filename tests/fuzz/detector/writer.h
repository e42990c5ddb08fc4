/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the records of a run while it is made. Call before the move is applied. */
#ifndef ORK_FUZZ_DETECTOR_WRITER_H
#define ORK_FUZZ_DETECTOR_WRITER_H

#include "tests/fuzz/detector/run.h"

enum { MAX_IDS = MAX_STEPS };

struct writer {
    const struct program *p;
    struct run *run;
    struct wfg_random *random;
    uint32_t request[MAX_RANKS][MAX_STEPS]; /* number of the request that a step made */
    bool id_used[MAX_RANKS][MAX_IDS];
    uint32_t message[MAX_RANKS][MAX_STEPS];
    uint32_t messages[MAX_RANKS];
    uint32_t comm[MAX_RANKS][MAX_COMMS];
    uint32_t comms[MAX_RANKS];
};

/* The rank enters the call it is at. */
void writer_enter(struct writer *w, unsigned rank);
/* The call returns with the outcome of `move`; what that tells is noted in the run's `known`. */
void writer_return(struct writer *w, unsigned rank, const struct move *move);
/* The library matches receive `act` with the message of `send`: note what an EARLY record shows. */
void writer_match(struct writer *w, unsigned send, unsigned act);

#endif
