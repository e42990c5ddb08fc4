/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks are known to do since the history began, as a program for probing. */
#ifndef ORK_DETECTOR_PROGRAM_H
#define ORK_DETECTOR_PROGRAM_H

#include "detector/state/state.h"
#include "interleave/interleave.h"

/* A call, or an operation, of which an `info` of the program speaks. */
struct program_call {
    struct ork_record call;
    uint32_t comm, me; /* its number, and which member the rank is */
};

struct program_builder {
    struct ork_detector *d;
    struct ork_interleave *program;
    enum ork_interleaving_scope scope;
    struct program_call *call;
    uint32_t num_calls, call_cap;
    struct rank_builder *rank_builder; /* of each rank */
    uint32_t ranks;
    struct comm_builder *comm_builder; /* of each communicator */
    uint32_t num_comm_builders;
    uint64_t undecided; /* wildcard receives whose source was not observed */
};

/* NULL: out of memory. */
struct program_builder *ork_program_build(struct ork_detector *d,
                                          enum ork_interleaving_scope scope);
/* NULL is allowed. */
void ork_program_builder_destroy(struct program_builder *o);

#endif
