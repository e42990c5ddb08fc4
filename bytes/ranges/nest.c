/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/ranges/nest.h"

#include <string.h>

static bool is_in_limit(int64_t value)
{
    return value >= -ORK_OFFSET_LIMIT && value <= ORK_OFFSET_LIMIT;
}

static void remove_dim(struct ork_nest *nest, uint32_t k)
{
    nest->num_dims--;
    memmove(&nest->dim[k], &nest->dim[k + 1], (nest->num_dims - k) * sizeof(*nest->dim));
}

/* Merge one loop with the block or with the loop inside it. */
static bool merge_dim(struct ork_nest *nest)
{
    if (nest->num_dims > 0 && nest->dim[0].stride == nest->length) {
        nest->length *= nest->dim[0].count;
        remove_dim(nest, 0);
        return true;
    }
    for (uint32_t k = 0; k + 1 < nest->num_dims; k++) {
        struct ork_dim *inner = &nest->dim[k];
        if (nest->dim[k + 1].stride % inner->stride == 0 &&
            nest->dim[k + 1].stride / inner->stride == inner->count) {
            inner->count *= nest->dim[k + 1].count;
            remove_dim(nest, k + 1);
            return true;
        }
    }
    return false;
}

bool ork_nest_repeat(struct ork_nest *nest, int64_t count, int64_t stride)
{
    int64_t length, low;
    uint32_t k = nest->num_dims;

    if (count == 1)
        return true;
    if (nest->num_dims == ORK_NEST_DIMS || !is_in_limit(stride) || !is_in_limit(count) ||
        __builtin_mul_overflow(count - 1, stride, &length) || !is_in_limit(length))
        return false;
    low = nest->low + (length < 0 ? length : 0);
    if (!is_in_limit(low) || !is_in_limit(low + (length < 0 ? -length : length)) ||
        !is_in_limit(low + (length < 0 ? -length : length) + ork_nest_width(nest)))
        return false;
    nest->low = low;
    stride = stride < 0 ? -stride : stride;
    for (; k > 0 && nest->dim[k - 1].stride > stride; k--)
        nest->dim[k] = nest->dim[k - 1];
    nest->dim[k] = (struct ork_dim){.stride = stride, .count = count};
    nest->num_dims++;
    while (merge_dim(nest))
        ;
    return true;
}

int64_t ork_nest_width(const struct ork_nest *nest)
{
    int64_t width = nest->length;

    for (uint32_t k = 0; k < nest->num_dims; k++)
        width += (nest->dim[k].count - 1) * nest->dim[k].stride;
    return width;
}
