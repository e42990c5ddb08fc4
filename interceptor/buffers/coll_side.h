/* SPDX-License-Identifier: BSD-3-Clause */
/* One side of a collective call, and its bytes: those that it sends, or those that it receives. */
#ifndef ORK_COLL_SIDE_H
#define ORK_COLL_SIDE_H

#include "interceptor/buffers/buffer.h"
#include "interceptor/objects/types.h"

/* One side of a call. The members that the function does not have are 0. */
struct ork_coll_side {
    const void *address;
    int count;
    const int *counts;       /* by process, or by neighbour */
    const int *displs;       /* in elements, or in bytes if there are types */
    const MPI_Aint *offsets; /* in bytes */
    MPI_Datatype type;
    const MPI_Datatype *types;
};

/* The elements: `count` once or for each process, or counts[]: for each process, their sum from the
 * buffer's beginning, or the own one. */
enum ork_side_amount { ORK_SIDE_ONCE, ORK_SIDE_EACH, ORK_SIDE_SUM, ORK_SIDE_OWN };

/* In place, the own block is used in another way than the others, or not at all. */
enum ork_side_part { ORK_SIDE_ALL, ORK_SIDE_OTHERS, ORK_SIDE_OWN_BLOCK };

/* The processes that have a block each. */
struct ork_side_blocks {
    uint64_t count;
    uint64_t missing; /* bit i: block i is neither read nor written, its process is MPI_PROC_NULL */
    int own;          /* the calling rank */
    enum ork_side_part part;
};

static inline bool ork_side_is_missing(const struct ork_side_blocks *blocks, uint64_t i)
{
    bool is_own = i == (uint64_t)blocks->own;

    return (i < 64 && (blocks->missing >> i & 1) != 0) ||
           (blocks->part == ORK_SIDE_OTHERS && is_own) ||
           (blocks->part == ORK_SIDE_OWN_BLOCK && !is_own);
}

/* The bytes of the side; `use`: see struct ork_buffer. False: none, or unknown. RATIONALE: the
 * layout of blocks at displacements is made in `scratch`, whose memory is used by each call; an
 * operation that is pending then keeps it. */
bool ork_side_find(const struct ork_coll_side *side, unsigned use, enum ork_side_amount amount,
                   const struct ork_side_blocks *blocks, struct ork_byteset *scratch,
                   struct ork_buffer_bytes *bytes);

/* All its bytes, low .. high - 1, whether this rank uses it or not; in place, none. False: they are
 * not one block. */
static inline bool ork_side_find_all(const struct ork_coll_side *side, int64_t blocks, int64_t *low,
                                     int64_t *high)
{
    int64_t size = (int64_t)ork_dense_size(side->type);

    *low = *high = 0;
    if (side->address == MPI_IN_PLACE)
        return true;
    *low = (int64_t)(uintptr_t)side->address;
    return side->counts == NULL && side->count >= 0 && size > 0 &&
           !__builtin_mul_overflow(size * blocks, side->count, &size) &&
           !__builtin_add_overflow(*low, size, high);
}

#endif
