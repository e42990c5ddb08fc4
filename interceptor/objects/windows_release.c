/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of windows that the program gives back: MPI-3.1 sections 11.2.4 and 11.2.5. */
#include "interceptor/objects/windows.h"
#include "interceptor/usage/usage.h"

static uint64_t base_of(const struct ork_window *w)
{
    return (uint64_t)(uintptr_t)w->base;
}

/* RATIONALE: that of other kinds is the MPI library's. */
static bool is_of_program(const struct ork_window *w)
{
    return w->flavor == MPI_WIN_FLAVOR_CREATE && w->bytes > 0;
}

static bool has_some(uint64_t base, uint64_t bytes, uint64_t low, uint64_t high)
{
    return base < high && base + bytes > low;
}

static bool uses(const struct ork_window *w, uint64_t low, uint64_t high)
{
    if (is_of_program(w))
        return !w->is_released && has_some(base_of(w), w->bytes, low, high);
    for (uint32_t i = 0; i < w->attached.count; i++) {
        const struct ork_region *r = &w->attached.item[i];
        if (!r->is_released && has_some(r->base, r->bytes, low, high))
            return true;
    }
    return false;
}

bool ork_windows_use(uint64_t low, uint64_t high)
{
    const struct ork_window *w;
    uint32_t next = 0;

    if (low >= ork_windows_high || high <= ork_windows_low)
        return false;
    do
        w = ork_windows_next(&next);
    while (w != NULL && !uses(w, low, high));
    return w != NULL;
}

static void report(const struct ork_call *call, const char *how, enum ork_usage_id id,
                   const struct ork_epoch_place *other)
{
    ork_usage_report_returned(
        call, &(struct ork_usage){
                  .id = id, .argument = how, .other_site = other->site, .other_call = other->call});
}

/* RATIONALE: whether others will still access the memory is not known here, but in an exposure
 * epoch of MPI_Win_post they may. */
static void release(const struct ork_call *call, const char *how, struct ork_window *w)
{
    bool is_exposed = (w->epochs.open & ~w->epochs.doubtful & ORK_EPOCH_POST) != 0;

    w->is_released = true;
    report(call, how, is_exposed ? ORK_USAGE_RELEASED_EXPOSED : ORK_USAGE_RELEASED_WINDOW,
           is_exposed ? &w->epochs.post : &w->place);
}

void ork_windows_release(const struct ork_call *call, const char *how, uint64_t low, uint64_t high)
{
    struct ork_window *w;
    uint32_t next = 0;

    while ((w = ork_windows_next(&next)) != NULL) {
        if (!uses(w, low, high))
            continue;
        if (is_of_program(w))
            release(call, how, w);
        for (uint32_t i = 0; i < w->attached.count; i++) {
            struct ork_region *r = &w->attached.item[i];
            if (r->is_released || !has_some(r->base, r->bytes, low, high))
                continue;
            r->is_released = true;
            report(call, how, ORK_USAGE_RELEASED_ATTACHED, &r->place);
        }
    }
}
