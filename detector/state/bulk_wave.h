/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that many ranks made at once. */
#ifndef ORK_DETECTOR_BULK_WAVE_H
#define ORK_DETECTOR_BULK_WAVE_H

#include "detector/state/in_step.h"
#include "record/group_record.h"

struct comm;

/* A collective call that all members made at once; each member learns of it at its next action. */
struct bulk_wave {
    uint32_t refs;
    uint64_t number; /* from 1, in order of arrival; of a repeated wave, the latest repetition */
    uint64_t seq;
    uint64_t ranks;
    struct wave_sides sides;
    uint32_t num_group_records;
    struct ork_group_record group_record[];
};

/* The communicators that the ranks of `span` know by the number `local`, as of `definitions`. */
struct comm_set {
    uint32_t local;
    uint64_t definitions; /* 0: not in use */
    uint32_t num_spans, span_cap, num_comms, comm_cap;
    struct ork_span *span;
    struct comm **comm; /* all members of each are in the spans */
    uint32_t least;     /* size of the smallest communicator */
};
enum { COMM_SETS = 16, SPAN_PLACES = 64 };

/* The one place of a call site of all ranks of a span, as of `places_defined`. */
struct span_place {
    uint64_t defined; /* 0: not in use */
    uint64_t place;   /* 0: there are several, or it is not known */
    struct ork_span span;
    uint32_t site;
};

/* See coll/bulk.c. */
struct bulk {
    uint64_t bulk_waves;
    uint64_t resolutions;
    struct comm_set comm_set[COMM_SETS];
    uint32_t next_set;
    struct bulk_wave *latest; /* NULL: none, or its communicator set is unknown */
    struct comm_set *latest_set;
    struct span_place span_place[SPAN_PLACES]; /* by a hash */
    uint64_t places_defined;                   /* call sites of all ranks, so far */
    struct ork_span *span;                     /* scratch */
    uint32_t span_cap;
    uint8_t *bulk_blockers; /* of each process, BULK_.. */
    uint32_t num_bulk_blocked;
};

/* One past its last rank. */
static inline uint64_t ork_span_end(const struct ork_span *s)
{
    return (uint64_t)s->first + s->count;
}
/* The call that `rank` made in the wave; NULL: none. */
const struct ork_record *ork_bulk_wave_call(const struct bulk_wave *g, uint32_t rank);
void ork_bulk_wave_put(struct bulk_wave *g); /* NULL is allowed */

#endif
