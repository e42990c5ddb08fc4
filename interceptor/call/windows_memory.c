/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/accesses.h"
#include "interceptor/call/call.h"
#include "interceptor/objects/windows.h"

#include <errno.h>

static void report(const struct ork_call *call, enum ork_usage_id id)
{
    ork_usage_report_locked(call, &(struct ork_usage){.id = id});
}

static uint64_t address_of(const void *base)
{
    return (uint64_t)(uintptr_t)base;
}

/* RATIONALE: also of a window that is not known here any more, because its accesses are recorded.
 */
static void put_region(const struct ork_call *call, MPI_Win win, enum ork_region_change mode,
                       const void *base, uint64_t size)
{
    struct ork_record r = ORK_RECORD(
        call, WIN_REGION, .mode = (uint16_t)mode, .comm = ork_object_id(&ork_windows, ORK_KEY(win)),
        .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER, .extra = address_of(base), .bytes = size);

    if (!ork_accesses_are_off && r.comm != ORK_COMM_UNKNOWN)
        ork_send_record(&r);
}

void ork_window_check_attach(const struct ork_call *call, MPI_Win win, const void *base,
                             MPI_Aint size)
{
    const struct ork_window *w = ork_window_of(win);
    const struct ork_region *r;

    if (w == NULL || size < 0)
        return;
    if (w->flavor != MPI_WIN_FLAVOR_DYNAMIC) {
        report(call, ORK_USAGE_WINDOW_NOT_DYNAMIC);
        return;
    }
    r = ork_regions_overlap(&w->attached, address_of(base), (uint64_t)size);
    if (r != NULL)
        ork_usage_report_locked(call, &(struct ork_usage){.id = ORK_USAGE_WINDOW_ATTACH_OVERLAP,
                                                          .other_site = r->place.site,
                                                          .other_call = r->place.call});
}

void ork_window_attached(const struct ork_call *call, MPI_Win win, const void *base, MPI_Aint size)
{
    int saved = errno;
    struct ork_window *w = ork_window_of(win);
    struct ork_region r = {.base = address_of(base),
                           .bytes = (uint64_t)size,
                           .place = {.site = call->site, .call = call->id}};

    if (size < 0)
        return;
    ork_handles_change(); /* other buffers are in the memory of a window */
    put_region(call, win, ORK_REGION_ATTACHED, base, r.bytes);
    if (w == NULL)
        return;
    if (ork_regions_overlap(&w->attached, r.base, r.bytes) != NULL)
        r.bytes = 0; /* the other one is still there */
    if (!ork_regions_add(&w->attached, &r))
        ork_window_remove(win);
    else if (w->is_watched)
        ork_watch_add(r.base, r.base + r.bytes);
    ork_windows_cover(r.base, r.bytes);
    ork_windows_want_releases();
    errno = saved;
}

void ork_window_detach(const struct ork_call *call, MPI_Win win, const void *base)
{
    struct ork_window *w = ork_window_of(win);

    ork_handles_change(); /* as below */
    put_region(call, win, ORK_REGION_DETACHED, base, 0);
    if (w == NULL)
        return;
    if (w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        report(call, ORK_USAGE_WINDOW_NOT_DYNAMIC);
    else if (!ork_regions_has(&w->attached, address_of(base)))
        report(call, ORK_USAGE_WINDOW_NOT_ATTACHED);
    const struct ork_region *r = ork_regions_find(&w->attached, address_of(base));
    if (r != NULL && w->is_watched)
        ork_watch_remove(r->base, r->base + r->bytes);
    ork_regions_remove(&w->attached, address_of(base));
    ork_windows_want_releases();
}

void ork_window_check_shared(const struct ork_call *call, MPI_Win win)
{
    const struct ork_window *w = ork_window_of(win);

    if (w != NULL && w->flavor != MPI_WIN_FLAVOR_SHARED)
        report(call, ORK_USAGE_WINDOW_NOT_SHARED);
}

/* The bytes from the first to the last one that `count` elements at an offset touch, whatever is
 * between them. False: none, or unknown. */
static bool bytes_of(int64_t offset, int count, MPI_Datatype type, int64_t *first, int64_t *last)
{
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    int64_t all;

    if (ORK_NEXT(MPI_Type_get_extent)(type, &lower, &extent) != MPI_SUCCESS ||
        ORK_NEXT(MPI_Type_get_true_extent)(type, &true_lower, &true_extent) != MPI_SUCCESS ||
        true_extent <= 0 || __builtin_mul_overflow((int64_t)extent, count - 1, &all) ||
        __builtin_add_overflow(offset, true_lower, first) ||
        __builtin_add_overflow(*first, true_extent - 1, last))
        return false;
    return !__builtin_add_overflow(all < 0 ? *first : *last, all, all < 0 ? first : last);
}

void ork_window_check_own(const struct ork_call *call, const struct ork_window *w,
                          MPI_Aint displacement, int count, MPI_Datatype type)
{
    int saved = errno;
    int64_t offset, first, last;

    if (w->flavor != MPI_WIN_FLAVOR_DYNAMIC && count > 0 && type != MPI_DATATYPE_NULL &&
        displacement >= 0 &&
        !__builtin_mul_overflow((int64_t)displacement, w->disp_unit, &offset) &&
        bytes_of(offset, count, type, &first, &last) && (first < 0 || (uint64_t)last >= w->bytes))
        ork_usage_report_locked(
            call,
            &(struct ork_usage){.id = ORK_USAGE_WINDOW_BOUNDS, .value = first, .value2 = last});
    errno = saved;
}
