/* SPDX-License-Identifier: BSD-3-Clause */
/* Two detectors that get the same records in the same order: equal records of several ranks
 * together, as waves, or each by itself. Nothing that can be asked may tell them apart. */
#ifndef ORK_FUZZ_DETECTOR_TWINS_H
#define ORK_FUZZ_DETECTOR_TWINS_H

#include "detector/detector.h"
#include "tests/fuzz/wfg_random.h"

enum { TWINS_RANKS = 16 };

/* What the ranks are still to write. */
struct twins_stream {
    const struct ork_record *record;
    unsigned count, at;
    bool is_over; /* then it ends */
    enum ork_end end;
};

struct twins {
    struct ork_detector *joint, *single;
    struct wfg_random *random;
    uint32_t ranks;
    struct twins_stream stream[TWINS_RANKS];
    bool is_patient; /* ranks always wait for others to come to a collective call */
};

/* `history`: see ork_detector_set_history(). */
void twins_init(struct twins *t, uint32_t ranks, uint64_t history, struct wfg_random *random);
void twins_release(struct twins *t);

/* Feed all streams to both, in a random order, with searches and letting pass on the way. NULL: no
 * difference; else what is different (static storage). */
const char *twins_run(struct twins *t);

#endif
