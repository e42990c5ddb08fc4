/* SPDX-License-Identifier: BSD-3-Clause */
/* Which operators may be applied to which datatypes: MPI-3.1 sections 5.9.2 to 5.9.4 and 11.3.4. */
#ifndef ORK_CHECK_OP_H
#define ORK_CHECK_OP_H

#include "interceptor/preload/thread_storage.h"

#include "common/hash.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum ork_op_use {
    ORK_OP_REDUCTION,
    ORK_OP_ACCUMULATE, /* also MPI_REPLACE, and no operators of the user */
    ORK_OP_FETCH,      /* also MPI_NO_OP */
};

enum ork_op_verdict {
    ORK_OP_FITS,
    ORK_OP_IS_OF_USER,  /* in a one-sided operation */
    ORK_OP_IS_OF_RMA,   /* in a reduction */
    ORK_OP_NEEDS_FETCH, /* MPI_NO_OP in an operation that returns nothing */
    ORK_OP_DERIVED,     /* a predefined operator, and a derived datatype */
    ORK_OP_CHARACTERS,  /* arithmetic on characters that are to be printed */
    ORK_OP_OTHER_TYPE,  /* not defined for this predefined datatype */
};

/* The datatype must be valid. */
enum ork_op_verdict ork_op_judge(MPI_Op op, MPI_Datatype type, enum ork_op_use use);

/* Pairs that fit, by their hash. */
enum { ORK_OP_PAIRS = 8, ORK_OP_PAIR_BITS = 3 };
struct ork_op_pair {
    uintptr_t op, type;
    uint32_t use; /* + 1 */
};
ORK_THREAD_LOCALS(struct ork_op_pair, ork_op_pairs, ORK_OP_PAIRS);

static inline struct ork_op_pair *ork_op_pair_of(MPI_Op op, MPI_Datatype type)
{
    return &ork_op_pairs[ork_hash_short((uintptr_t)op * 3u ^ (uintptr_t)type) >>
                         (32 - ORK_OP_PAIR_BITS)];
}

/* Is it known to be right? */
static inline bool ork_op_fits(MPI_Op op, MPI_Datatype type, enum ork_op_use use)
{
    const struct ork_op_pair *p = ork_op_pair_of(op, type);

    return p->op == (uintptr_t)op && p->type == (uintptr_t)type && p->use == (uint32_t)use + 1;
}

#endif
