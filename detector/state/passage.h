/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that many ranks made at once. */
#ifndef ORK_DETECTOR_PASSAGE_H
#define ORK_DETECTOR_PASSAGE_H

#include "record/arrival.h"

struct comm;

/* A collective call that all members made at once; members learn of it when they act next. */
struct passage {
    uint32_t refs;
    uint64_t number; /* 1.. in the order in which they came; of several that are equal the latest */
    uint64_t seq;
    uint64_t ranks;
    uint32_t num_arrivals;
    struct ork_arrival arrival[];
};

/* Which communicators the ranks of `span` know by the number `local`, as of `definitions`. */
struct party {
    uint32_t local;
    uint64_t definitions; /* 0: not in use */
    uint32_t num_spans, span_cap, num_comms, comm_cap;
    struct ork_span *span;
    struct comm **comm; /* all members of each of them are in the spans */
    uint32_t least;     /* size of the smallest */
};
enum { PARTIES = 16 };

/* See coll/arrival.c. */
struct bulk {
    uint64_t passages;
    uint32_t passage_numbers; /* communicators of which there were some have lower numbers */
    uint64_t resolutions;
    struct party party[PARTIES];
    uint32_t next_party;
    struct passage *latest; /* NULL: none, or not known of which party */
    struct party *latest_party;
    struct ork_span *span; /* scratch */
    uint32_t span_cap;
    uint8_t *odd; /* of each process, ODD_.. */
    uint32_t num_odd;
};

/* Behind its last rank. */
static inline uint64_t ork_span_end(const struct ork_span *s)
{
    return (uint64_t)s->first + s->count;
}
/* The call that `rank` made then; NULL: none. */
const struct ork_record *ork_passage_call(const struct passage *g, uint32_t rank);
void ork_passage_put(struct passage *g); /* NULL is allowed */

#endif
