/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/check_displs.h"

#include "interceptor/memory/heap.h"
#include "interceptor/memory/memory_read.h"

/* In bytes from the beginning of the buffer. */
static int64_t offset_of(const struct ork_coll_side *side, int i, const struct ork_type *type)
{
    return side->displs[i] * (side->types != NULL ? 1 : ork_type_extent(type));
}

/* Does the process lack memory at the first or at the last byte of a block? RATIONALE: only there,
 * as a block may have many pages. */
static bool is_outside(const struct ork_coll_side *side, int i, const struct ork_type *type)
{
    const int64_t last = (side->counts[i] - (int64_t)1) * ork_type_extent(type);
    const uintptr_t at = (uintptr_t)side->address + (uintptr_t)offset_of(side, i, type);
    const uintptr_t low = at + (uintptr_t)type->data.low + (uintptr_t)(last < 0 ? last : 0);
    const uintptr_t high = at + (uintptr_t)type->data.high + (uintptr_t)(last > 0 ? last : 0);

    return !ork_memory_is_readable((const void *)low, 1) ||
           !ork_memory_is_readable((const void *)(high - 1), 1);
}

/* Its bytes are there, but where, as far as that is known? */
static enum ork_usage_id row_inside(const struct ork_coll_side *side, int i,
                                    const struct ork_type *type)
{
    const uint64_t begin = (uint64_t)(uintptr_t)side->address;
    const uintptr_t at = (uintptr_t)begin + (uintptr_t)offset_of(side, i, type);
    const struct ork_buffer block = {.address = (const void *)at,
                                     .count = side->counts[i],
                                     .type = side->types != NULL ? side->types[i] : side->type};
    enum ork_usage_id row = ORK_USAGE_NEGATIVE_DISPLACEMENT;
    struct ork_buffer_bytes bytes;
    struct ork_heap_view view;

    if (!ork_buffer_find(&block, &bytes))
        return row;
    if (ork_heap_look(begin, &bytes.span, &view) && !view.is_elsewhere) {
        if (view.is_missing)
            row = ORK_USAGE_DISPLACEMENT_UNALLOCATED;
        else if (bytes.span.low < view.low || bytes.span.high > view.high)
            row = ORK_USAGE_DISPLACEMENT_ELSEWHERE;
    }
    ork_buffer_release(&bytes);
    return row;
}

/* Of a block with a negative displacement; MAX: it has no bytes, or they are unknown. */
static enum ork_usage_id row_of(const struct ork_coll_side *side, int i)
{
    struct ork_type *type = ork_type_with_layout(side->types != NULL ? side->types[i] : side->type);
    enum ork_usage_id row = ORK_USAGE_MAX;

    if (type != NULL && ork_type_has_data(type))
        row =
            is_outside(side, i, type) ? ORK_USAGE_DISPLACEMENT_OUTSIDE : row_inside(side, i, type);
    ork_type_release(type);
    return row;
}

static bool is_error(enum ork_usage_id row)
{
    return row == ORK_USAGE_DISPLACEMENT_OUTSIDE || row == ORK_USAGE_DISPLACEMENT_UNALLOCATED;
}

/* Is the first one the worse mistake? */
static bool is_worse(enum ork_usage_id row, enum ork_usage_id than)
{
    return is_error(row) || than == ORK_USAGE_MAX ||
           (than == ORK_USAGE_NEGATIVE_DISPLACEMENT && row == ORK_USAGE_DISPLACEMENT_ELSEWHERE);
}

bool ork_wrong_displs(const struct ork_call *call, const char *argument, int n,
                      const struct ork_coll_side *side)
{
    enum ork_usage_id worst = ORK_USAGE_MAX;
    int at = -1;

    for (int i = 0; side->counts != NULL && side->displs != NULL && i < n && !is_error(worst);
         i++) {
        enum ork_usage_id row =
            side->counts[i] > 0 && side->displs[i] < 0 ? row_of(side, i) : ORK_USAGE_MAX;
        if (row != ORK_USAGE_MAX && is_worse(row, worst)) {
            worst = row;
            at = i;
        }
    }
    if (at >= 0)
        ork_report_element(call, worst, argument, at, side->displs[at], 0);
    return at >= 0 && is_error(worst);
}
