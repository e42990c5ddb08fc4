/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the members of a communicator make its collective calls: see check/in_step.c. */
#ifndef ORK_DETECTOR_STATE_IN_STEP_H
#define ORK_DETECTOR_STATE_IN_STEP_H

#include "detector/detector.h"
#include "detector/issues.h"

enum {
    IN_STEP_DELAY = 8, /* calls by which ranks may be behind others */
    IN_STEP_RING = 2 * IN_STEP_DELAY,
    IN_STEP_STRAYS = 8, /* ranks that are followed when they part from the others */
    IN_STEP_PAIRS = ORK_SHIFT_PAIRS,
    IN_STEP_USUAL = 8, /* pairs of places at which ranks part and meet again at once */
};

/* The members that make a call at one place. */
struct wave_side {
    uint64_t place;          /* ork_call_place(); 0: of no member so far */
    struct ork_record call;  /* of the first one, */
    uint32_t rank;           /* which is this process */
    uint32_t members, least; /* how many, and the lowest process */
    uint32_t some[IN_STEP_STRAYS];
};

/* The two places of a collective call. */
struct wave_sides {
    struct wave_side side[2];
    bool is_scattered; /* there are more, or one is not known */
};

struct in_step {
    /* The latest calls, [0] of most ranks, [1] of the others: place and arguments. The newest is
     * number (next - 1) % IN_STEP_RING. */
    uint64_t call[2][IN_STEP_RING];
    uint32_t next;
    uint8_t in_step;        /* calls in a row that all made at one place, up to now; it saturates */
    bool has_parted;        /* ever */
    struct ork_record last; /* the latest of them; kind ORK_KIND_CONT: not known */
    uint32_t last_rank;
    struct ork_parting at; /* the latest one, of places at which they do not part all the time */
    uint64_t at_pair;
    uint64_t usual[IN_STEP_USUAL];
    uint32_t num_usual;
    /* While some ranks, the strays, have parted from the others: */
    uint8_t parted;       /* calls, with that one; 0: they have not. It saturates. */
    uint16_t late, early; /* bit i: the strays are behind (ahead) by i calls, as far as seen; */
    uint16_t late_shown, early_shown; /* and so a call differed */
    uint32_t stray[IN_STEP_STRAYS];   /* ascending */
    uint32_t num_strays;
    uint64_t pair[IN_STEP_PAIRS]; /* of places in one call, whose sites are those of `shift` */
    struct ork_shift shift;
    struct ork_parting from;
    uint32_t told; /* shifts on this communicator */
    bool is_told;  /* this one */
};

#endif
