/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/check_displs.h"

#include "interceptor/memory/memory_read.h"

/* Does the process lack memory at the first or at the last byte of a block? RATIONALE: only there,
 * as a block may have many pages. */
static bool is_outside(const struct ork_coll_side *side, int i, const struct ork_type *type)
{
    const int64_t extent = ork_type_extent(type);
    const int64_t offset = side->displs[i] * (side->types != NULL ? 1 : extent);
    const int64_t last = (side->counts[i] - (int64_t)1) * extent;
    const uintptr_t at = (uintptr_t)side->address + (uintptr_t)offset;
    const uintptr_t low = at + (uintptr_t)type->data.low + (uintptr_t)(last < 0 ? last : 0);
    const uintptr_t high = at + (uintptr_t)type->data.high + (uintptr_t)(last > 0 ? last : 0);

    return !ork_memory_is_readable((const void *)low, 1) ||
           !ork_memory_is_readable((const void *)(high - 1), 1);
}

/* The block with a negative displacement that is not there; or the first one, *is_outside false;
 * -1: none. */
static int find_block(const struct ork_coll_side *side, int n, bool *outside)
{
    int first = -1;

    *outside = false;
    for (int i = 0; i < n && !*outside; i++) {
        if (side->counts[i] <= 0 || side->displs[i] >= 0)
            continue;
        struct ork_type *type =
            ork_type_with_layout(side->types != NULL ? side->types[i] : side->type);
        if (type == NULL || !ork_type_has_data(type)) {
            ork_type_release(type);
            continue;
        }
        *outside = is_outside(side, i, type);
        first = first < 0 || *outside ? i : first;
        ork_type_release(type);
    }
    return first;
}

bool ork_wrong_displs(const struct ork_call *call, const char *argument, int n,
                      const struct ork_coll_side *side)
{
    bool outside = false;
    int i = side->counts == NULL || side->displs == NULL ? -1 : find_block(side, n, &outside);

    if (i >= 0)
        ork_report_element(
            call, outside ? ORK_USAGE_DISPLACEMENT_OUTSIDE : ORK_USAGE_NEGATIVE_DISPLACEMENT,
            argument, i, side->displs[i], 0);
    return outside;
}
