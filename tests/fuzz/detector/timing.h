/* SPDX-License-Identifier: BSD-3-Clause */
/* One order of messages, with different times: when the records of each rank come, when sources are
 * known early, and when the tool searches. */
#ifndef ORK_FUZZ_DETECTOR_TIMING_H
#define ORK_FUZZ_DETECTOR_TIMING_H

#include "tests/fuzz/detector/run.h"

struct timing {
    unsigned search_percent; /* of the records are followed by a search, as the tool makes it */
    unsigned early_percent;  /* of the receives have an EARLY record */
};

struct outcome_of_timing {
    bool has_deadlock; /* some search found one */
    /* At the end of the run, before anything was assumed: some rank did what strict semantics had
     * not allowed yet, so that the order alone does not say where it would have been held. */
    bool depends_on_buffering;
};

/* The records of `run`, which is over, come with these times. */
struct outcome_of_timing timing_play(const struct run *run, const struct timing *timing,
                                     struct wfg_random *random);

#endif
