/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/coll_side.h"

#include "interceptor/objects/types.h"

static bool find_block(const struct ork_coll_side *side, unsigned use, int64_t count,
                       struct ork_buffer_bytes *bytes)
{
    return ork_buffer_find(
        &(struct ork_buffer){
            .use = use, .address = side->address, .count = count, .type = side->type},
        bytes);
}

/* In bytes from the beginning of the buffer. */
static int64_t offset_of(const struct ork_coll_side *side, uint64_t i, int64_t extent)
{
    if (side->offsets != NULL)
        return side->offsets[i];
    if (side->displs == NULL)
        return (int64_t)i * side->count * extent;
    return side->displs[i] * (side->types != NULL ? 1 : extent);
}

/* Add the block of one process. False: unknown. */
static bool add_block(struct ork_byteset *layout, const struct ork_coll_side *side, uint64_t i)
{
    MPI_Datatype type = side->types != NULL ? side->types[i] : side->type;
    int64_t size = (int64_t)ork_dense_size(type);
    int64_t count = side->counts != NULL ? side->counts[i] : side->count;
    struct ork_type *derived = NULL;
    bool is_added;

    if (count == 0)
        return true;
    if (size == 0)
        derived = ork_type_with_layout(type);
    if (size == 0 && derived == NULL)
        return false;
    int64_t extent = size != 0 ? size : ork_type_extent(derived);
    int64_t offset = offset_of(side, i, extent);
    if (size != 0)
        is_added = ork_byteset_add_block(layout, offset, count * size);
    else
        is_added = ork_byteset_add(layout, &derived->layout, offset, count, extent);
    if (derived != NULL)
        ork_type_release(derived);
    return is_added;
}

static bool fill(struct ork_byteset *layout, const struct ork_coll_side *side,
                 const struct ork_side_blocks *blocks)
{
    for (uint64_t i = 0; i < blocks->count; i++)
        if (!ork_side_is_missing(blocks, i) && !add_block(layout, side, i))
            return false;
    return layout->num_runs > 0 && ork_byteset_finish(layout);
}

/* Blocks at displacements. */
static bool find_blocks(const struct ork_coll_side *side, unsigned use,
                        const struct ork_side_blocks *blocks, struct ork_byteset *scratch,
                        struct ork_buffer_bytes *bytes)
{
    ork_byteset_clear(scratch);
    *bytes = (struct ork_buffer_bytes){.use = use};
    return side->address != NULL && fill(scratch, side, blocks) &&
           ork_span_of_layout(&bytes->span, scratch, (int64_t)(uintptr_t)side->address, 1, 0);
}

static int64_t sum(const int *counts, uint64_t processes)
{
    int64_t total = 0;

    for (uint64_t i = 0; i < processes; i++)
        total += counts[i];
    return total;
}

/* Are there as many displacements as counts? */
static bool has_places(const struct ork_coll_side *side)
{
    return side->counts == NULL || side->displs != NULL || side->offsets != NULL;
}

bool ork_side_find(const struct ork_coll_side *side, unsigned use, enum ork_side_amount amount,
                   const struct ork_side_blocks *blocks, struct ork_byteset *scratch,
                   struct ork_buffer_bytes *bytes)
{
    if (side->address == MPI_IN_PLACE)
        return false;
    switch (amount) {
    case ORK_SIDE_ONCE:
        return find_block(side, use, side->count, bytes);
    case ORK_SIDE_EACH:
        if (blocks->missing == 0 && blocks->part == ORK_SIDE_ALL && side->counts == NULL)
            return find_block(side, use, side->count * (int64_t)blocks->count, bytes);
        return has_places(side) && find_blocks(side, use, blocks, scratch, bytes);
    case ORK_SIDE_SUM:
        return side->counts != NULL &&
               find_block(side, use, sum(side->counts, blocks->count), bytes);
    case ORK_SIDE_OWN:
        return side->counts != NULL && find_block(side, use, side->counts[blocks->own], bytes);
    }
    return false;
}
