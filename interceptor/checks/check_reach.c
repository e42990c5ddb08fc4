/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/check_reach.h"

bool ork_type_reaches(int count, MPI_Datatype type, uint64_t room)
{
    int64_t low, high;

    return ork_type_hull(type, count, &low, &high) &&
           (low < 0 || (high > 0 && (uint64_t)high > room));
}

/* The last byte, or the first one before the block, counted from the beginning of the block. */
static int64_t reach_of(const struct ork_span *span, const struct ork_heap_view *view)
{
    return span->high > view->high ? span->high - 1 - view->low : span->low - view->low;
}

static bool report(const struct ork_call *call, const char *argument, unsigned use,
                   const struct ork_span *span, const struct ork_heap_view *view)
{
    enum ork_usage_id row =
        use == ORK_BUFFER_READ ? ORK_USAGE_BEYOND_BLOCK : ORK_USAGE_RECEIVES_BEYOND_BLOCK;

    if (view->is_missing)
        return ork_report_argument(call, row, argument, reach_of(span, view),
                                   view->high - view->low, NULL);
    if (!view->is_elsewhere)
        ork_report_argument(call, ORK_USAGE_OTHER_BLOCK, argument, 0, 0, NULL);
    return false;
}

bool ork_wrong_reach(const struct ork_call *call, const char *argument,
                     const struct ork_buffer *buffer)
{
    const int64_t at = (int64_t)(uintptr_t)buffer->address;
    struct ork_buffer_bytes bytes;
    struct ork_heap_view view;
    bool is_wrong = false;

    if (!ork_may_reach(buffer->address, (int)buffer->count, buffer->type) ||
        !ork_buffer_find(buffer, &bytes))
        return false;
    if (ork_heap_look((uint64_t)at, &bytes.span, &view) && view.low == at &&
        (bytes.span.low < view.low || bytes.span.high > view.high))
        is_wrong = report(call, argument, buffer->use, &bytes.span, &view);
    ork_buffer_release(&bytes);
    return is_wrong;
}
