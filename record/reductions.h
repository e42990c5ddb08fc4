/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduction operations that COLL and ACCESS records name by number. */
#ifndef ORK_REDUCTIONS_H
#define ORK_REDUCTIONS_H

enum ork_reduction {
    ORK_REDUCTION_NONE, /* no reduction, or MPI_OP_NULL */
#define ORK_REDUCTION(name) ORK_REDUCTION_##name,
#include "record/reductions.def"
#undef ORK_REDUCTION
    ORK_REDUCTION_USER_DEFINED, /* of MPI_Op_create: two of them are not told apart */
    ORK_REDUCTIONS
};

#endif
