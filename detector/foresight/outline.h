/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks are known to do since the history began, as a program for probing. */
#ifndef ORK_OUTLINE_H
#define ORK_OUTLINE_H

#include "detector/state/state.h"
#include "interleave/interleave.h"

/* A call, or an operation, of which an `info` of the program speaks. */
struct outline_call {
    struct ork_record call;
    uint32_t comm, me; /* its number, and which member the rank is */
};

struct outline {
    struct ork_detector *d;
    struct ork_interleave *probe;
    enum ork_foresight_scope scope;
    struct outline_call *call;
    uint32_t num_calls, call_cap;
    struct sheet *sheet; /* of each rank */
    uint32_t ranks;
    struct roster *roster; /* of each communicator */
    uint32_t num_rosters;
    uint64_t undecided; /* wildcard receives whose source the run has not told */
};

/* NULL: out of memory. */
struct outline *ork_outline_make(struct ork_detector *d, enum ork_foresight_scope scope);
/* NULL is allowed. */
void ork_outline_destroy(struct outline *o);

#endif
