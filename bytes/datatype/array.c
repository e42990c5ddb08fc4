/* SPDX-License-Identifier: BSD-3-Clause */
/* Subarrays and distributed arrays: MPI-3.1 sections 4.1.3 and 4.1.4. */
#include "bytes/datatype/type.h"

static int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Elements `start` to `start + count - 1` of a dimension whose elements are `stride` bytes apart.
 */
static struct ork_type *select_range(int64_t start, int64_t count, int64_t stride,
                                     struct ork_type *element)
{
    struct ork_type *range = ork_type_vector(count, 1, stride, element);

    if (range == NULL)
        return NULL;
    struct ork_block block = {1, multiply(start, stride), range};
    struct ork_type *type = ork_type_of_blocks(&block, 1);
    ork_type_unref(range);
    return type;
}

/* Every `processes`-th block, and a last one that may be shorter. */
static struct ork_type *select_blocks(const struct ork_dimension *d, int64_t stride,
                                      struct ork_type *element)
{
    int64_t cycle = multiply(d->block, d->processes);
    int64_t start = multiply(d->block, d->process);

    if (d->block <= 0 || d->processes <= 0 || d->process < 0 || start >= d->size)
        return ork_type_vector(0, 0, 0, element);
    int64_t full = (d->size - start) / cycle;
    int64_t rest = d->size - start - full * cycle;
    if (rest >= d->block) {
        full++;
        rest = 0;
    }
    struct ork_type *block = ork_type_vector(d->block, 1, stride, element);
    struct ork_type *blocks =
        block != NULL ? ork_type_vector(full, 1, multiply(cycle, stride), block) : NULL;
    struct ork_type *last = ork_type_vector(rest, 1, stride, element);
    struct ork_type *type = NULL;
    if (blocks != NULL && last != NULL) {
        struct ork_block part[2] = {
            {1, multiply(start, stride), blocks},
            {1, multiply(start + full * cycle, stride), last},
        };
        type = ork_type_of_blocks(part, 2);
    }
    ork_type_unref(block);
    ork_type_unref(blocks);
    ork_type_unref(last);
    return type;
}

struct ork_type *ork_type_array(const struct ork_dimension *dimension, size_t num_dimensions,
                                struct ork_type *old)
{
    int64_t stride = ork_type_extent(old);
    struct ork_type *type = ork_type_ref(old);

    for (size_t i = 0; i < num_dimensions && type != NULL; i++) {
        const struct ork_dimension *d = &dimension[i];
        struct ork_type *next = d->distribution == ORK_CYCLIC
                                    ? select_blocks(d, stride, type)
                                    : select_range(d->start, d->count, stride, type);
        ork_type_unref(type);
        type = next;
        stride = multiply(stride, d->size);
    }
    if (type == NULL)
        return NULL;
    struct ork_type *whole = ork_type_resized(0, stride, type);
    ork_type_unref(type);
    return whole;
}
