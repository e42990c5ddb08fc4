/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of messages and contributions, and numbers of reduction operations. */
#ifndef ORK_AMOUNT_H
#define ORK_AMOUNT_H

#include "common/hash.h"

#include <mpi.h>
#include <stdint.h>

/* Call once, when MPI is initialised. */
void ork_amount_init(void);

/* Sizes of the predefined datatypes, by handle. */
struct ork_type_size {
    MPI_Datatype type; /* 0 or not predefined: empty */
    uint32_t size;
    uint32_t dense; /* the same if its elements have no holes inside or between them; else 0 */
};
enum { ORK_TYPE_SLOTS = 256 };
extern struct ork_type_size ork_type_sizes[ORK_TYPE_SLOTS];

static inline unsigned ork_type_slot(MPI_Datatype type)
{
    return ork_hash_short((uintptr_t)type) >> 24;
}

/* The size of a derived datatype; 0 for MPI_DATATYPE_NULL. */
uint64_t ork_type_size(MPI_Datatype type);

/* RATIONALE: sizes of derived datatypes are not cached, because handles are reused. */
static inline uint64_t ork_bytes(int count, MPI_Datatype type)
{
    const struct ork_type_size *known = &ork_type_sizes[ork_type_slot(type)];

    if (count <= 0)
        return 0;
    return (uint64_t)count * (known->type == type ? known->size : ork_type_size(type));
}

/* The size of a predefined datatype whose elements have no holes inside or between them; 0 for all
 * others. */
uint32_t ork_dense_size_of(MPI_Datatype type);

static inline uint64_t ork_dense_size(MPI_Datatype type)
{
    const struct ork_type_size *known = &ork_type_sizes[ork_type_slot(type)];

    return known->type == type ? known->dense : ork_dense_size_of(type);
}

/* Sums over the processes of a known intracommunicator; else 0. These and the next function take
 * the recorder's lock. */
uint64_t ork_bytes_sum(MPI_Comm comm, const int *counts, MPI_Datatype type);
uint64_t ork_bytes_of_types(MPI_Comm comm, const int *counts, const MPI_Datatype *types);

/* Number of processes that each receive part of this rank's contribution: the (remote) group's
 * size, 0 if unknown. */
uint64_t ork_comm_extent(MPI_Comm comm);

/* Is this rank the root of the communicator? False if the communicator is unknown. */
int ork_comm_is_root(MPI_Comm comm, int root);

/* 1.. for a predefined operation, the same on all ranks; 0 for MPI_OP_NULL and all others, which
 * ranks cannot compare. */
uint32_t ork_op_number(MPI_Op op);

#endif
