/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/windows.h"

#include "common/vec.h"
#include "interceptor/memory/frames.h"
#include "interceptor/memory/releases.h"
#include "interceptor/mpi/next.h"
#include "interceptor/objects/comms.h"
#include "interceptor/objects/handles.h"
#include "interceptor/site/call_record.h"
#include "interceptor/usage/usage.h"

#include <errno.h>
#include <stdlib.h>

static struct ork_map by_handle; /* by ORK_KEY(MPI_Win) */
static struct ork_ids ids;
static struct ork_window *windows; /* by id; the group of an unused one is MPI_GROUP_NULL */
static uint32_t room;

MPI_Win ork_last_win = MPI_WIN_NULL;
struct ork_window *ork_last_window;
bool ork_windows_exist;
uint64_t ork_windows_low = UINT64_MAX, ork_windows_high;
bool ork_accesses_are_off;

/* ---- the table ---- */

/* A pointer to the value, or for MPI_WIN_BASE the value. NULL: there is none. */
static const void *attribute_of(MPI_Win win, int keyval)
{
    void *value = NULL;
    int found = 0;

    return ORK_NEXT(MPI_Win_get_attr)(win, keyval, &value, &found) == MPI_SUCCESS && found ? value
                                                                                           : NULL;
}

static int int_attribute_of(MPI_Win win, int keyval)
{
    const int *value = attribute_of(win, keyval);

    return value != NULL ? *value : 0;
}

static bool read_window(MPI_Win win, struct ork_window *w)
{
    int size = 0, rank = 0;

    if (ORK_NEXT(MPI_Win_get_group)(win, &w->group) != MPI_SUCCESS)
        return false;
    ORK_NEXT(MPI_Group_size)(w->group, &size);
    ORK_NEXT(MPI_Group_rank)(w->group, &rank);
    w->num_ranks = (uint32_t)size;
    w->id = ork_object_id(&ork_windows, ORK_KEY(win));
    w->epochs.rank = (uint32_t)rank;
    const MPI_Aint *bytes = attribute_of(win, MPI_WIN_SIZE);
    w->base = attribute_of(win, MPI_WIN_BASE);
    w->bytes = bytes != NULL ? (uint64_t)*bytes : 0;
    w->flavor = int_attribute_of(win, MPI_WIN_CREATE_FLAVOR);
    w->model = int_attribute_of(win, MPI_WIN_MODEL);
    w->disp_unit = int_attribute_of(win, MPI_WIN_DISP_UNIT);
    return true;
}

static uint64_t address_of(const void *base)
{
    return (uint64_t)(uintptr_t)base;
}

static void forget_last(void)
{
    ork_last_win = MPI_WIN_NULL;
    ork_last_window = NULL;
}

void ork_windows_want_releases(void)
{
    bool is_wanted = false;

    for (uint32_t i = 0; i < room && !is_wanted; i++)
        is_wanted = windows[i].num_ranks > 0 &&
                    (windows[i].flavor == MPI_WIN_FLAVOR_CREATE || windows[i].attached.count > 0);
    ork_releases_set(ORK_RELEASES_OF_WINDOWS, is_wanted);
}

void ork_windows_cover(uint64_t base, uint64_t bytes)
{
    if (bytes == 0)
        return;
    ork_windows_low = base < ork_windows_low ? base : ork_windows_low;
    ork_windows_high = base + bytes > ork_windows_high ? base + bytes : ork_windows_high;
}

void ork_window_add(const struct ork_call *call, MPI_Win win)
{
    int saved = errno;
    struct ork_window w = {.group = MPI_GROUP_NULL,
                           .place = {.site = call->site, .call = call->id}};
    struct ork_entry *e;

    ork_window_remove(win);
    ork_handles_change(); /* buffers may be in its memory */
    if (!read_window(win, &w))
        return;
    e = ork_map_insert(&by_handle, ORK_KEY(win));
    if (e != NULL) {
        e->id = ork_ids_take(&ids);
        if (ork_vec_reserve(&windows, &room, e->id + 1, sizeof(*windows)))
            windows[e->id] = w;
        else
            ork_map_remove(&by_handle, e);
    }
    ork_windows_exist = true;
    ork_windows_cover(address_of(w.base), w.bytes);
    forget_last(); /* the table may have moved */
    ork_windows_want_releases();
    errno = saved;
}

struct ork_window *ork_windows_next(uint32_t *next)
{
    while (*next < room && windows[*next].num_ranks == 0)
        ++*next;
    return *next < room ? &windows[(*next)++] : NULL;
}

void ork_window_watch(MPI_Win win)
{
    struct ork_window *w = ork_window_of(win);

    if (w == NULL || w->is_watched)
        return;
    w->is_watched = true;
    ork_watch_add(address_of(w->base), address_of(w->base) + w->bytes);
}

static void unwatch(const struct ork_window *w)
{
    if (!w->is_watched)
        return;
    ork_watch_remove(address_of(w->base), address_of(w->base) + w->bytes);
    for (uint32_t i = 0; i < w->attached.count; i++) {
        const struct ork_region *r = &w->attached.item[i];
        ork_watch_remove(r->base, r->base + r->bytes);
    }
}

static void cut(struct ork_piece *piece, uint64_t address, const struct ork_window *w,
                const struct ork_region *memory)
{
    if (memory->bytes == 0)
        return;
    if (address - memory->base < memory->bytes)
        piece->window = w->id;
    ork_piece_cut(piece, address, memory->base, memory->base + memory->bytes, ORK_PIECE_IS_WINDOW);
}

void ork_windows_cut(struct ork_piece *piece, uint64_t address)
{
    for (uint32_t id = 0; id < room; id++) {
        const struct ork_window *w = &windows[id];
        if (w->num_ranks == 0 || !w->is_watched)
            continue;
        cut(piece, address, w,
            &(struct ork_region){.base = address_of(w->base), .bytes = w->bytes});
        for (uint32_t i = 0; i < w->attached.count; i++)
            cut(piece, address, w, &w->attached.item[i]);
    }
}

void ork_window_remove(MPI_Win win)
{
    struct ork_entry *e = ork_map_find(&by_handle, ORK_KEY(win));

    if (e == NULL)
        return;
    struct ork_window *w = &windows[e->id];
    ork_handles_change();
    unwatch(w);
    ORK_NEXT(MPI_Group_free)(&w->group);
    ork_epochs_release(&w->epochs);
    free(w->attached.item);
    *w = (struct ork_window){.group = MPI_GROUP_NULL};
    ork_ids_give(&ids, e->id);
    ork_map_remove(&by_handle, e);
    forget_last();
    ork_windows_want_releases();
}

struct ork_window *ork_window_find(MPI_Win win)
{
    const struct ork_entry *e = ork_map_find(&by_handle, ORK_KEY(win));

    if (e == NULL)
        return NULL;
    ork_last_win = win;
    ork_last_window = &windows[e->id];
    return ork_last_window;
}

/* ---- epochs ---- */

static const uint16_t usage_of[] = {
    [ORK_EPOCH_ACCESS_IS_OPEN] = ORK_USAGE_EPOCH_ACCESS_IS_OPEN,
    [ORK_EPOCH_EXPOSURE_IS_OPEN] = ORK_USAGE_EPOCH_EXPOSURE_IS_OPEN,
    [ORK_EPOCH_IS_LOCKED] = ORK_USAGE_EPOCH_IS_LOCKED,
    [ORK_EPOCH_IS_EXPOSED] = ORK_USAGE_EPOCH_IS_EXPOSED,
    [ORK_EPOCH_EXPOSES_LOCKED] = ORK_USAGE_EPOCH_EXPOSES_LOCKED,
    [ORK_EPOCH_FENCE_INSIDE] = ORK_USAGE_EPOCH_FENCE_INSIDE,
    [ORK_EPOCH_DOES_PRECEDE] = ORK_USAGE_EPOCH_DOES_PRECEDE,
    [ORK_EPOCH_LOCK_INSIDE] = ORK_USAGE_EPOCH_LOCK_INSIDE,
    [ORK_EPOCH_NOT_STARTED] = ORK_USAGE_EPOCH_NOT_STARTED,
    [ORK_EPOCH_NOT_POSTED] = ORK_USAGE_EPOCH_NOT_POSTED,
    [ORK_EPOCH_NOT_LOCKED] = ORK_USAGE_EPOCH_NOT_LOCKED,
    [ORK_EPOCH_NOT_ALL_LOCKED] = ORK_USAGE_EPOCH_NOT_ALL_LOCKED,
    [ORK_EPOCH_NONE] = ORK_USAGE_EPOCH_NONE,
    [ORK_EPOCH_NOT_ADMITTED] = ORK_USAGE_EPOCH_NOT_ADMITTED,
    [ORK_EPOCH_NOT_PASSIVE] = ORK_USAGE_EPOCH_NOT_PASSIVE,
    [ORK_EPOCH_NO_FLUSH] = ORK_USAGE_EPOCH_NO_FLUSH,
    [ORK_EPOCH_NO_TARGET_FLUSH] = ORK_USAGE_EPOCH_NO_TARGET_FLUSH,
    [ORK_EPOCH_NO_SYNC] = ORK_USAGE_EPOCH_NO_SYNC,
    [ORK_EPOCH_NOT_ENDED] = ORK_USAGE_EPOCH_NOT_ENDED,
};

static bool has_target(enum ork_epoch_event_kind kind)
{
    return kind == ORK_EPOCH_DO_LOCK || kind == ORK_EPOCH_DO_UNLOCK ||
           kind == ORK_EPOCH_DO_ACCESS || kind == ORK_EPOCH_DO_REQUEST_ACCESS ||
           kind == ORK_EPOCH_DO_FLUSH;
}

/* The window and the event of a call; NULL: nothing to follow. RATIONALE: a call for MPI_PROC_NULL
 * has no effect, and one for an invalid rank is reported as such. */
static struct ork_window *begin(const struct ork_call *call, const struct ork_window_call *what,
                                struct ork_epoch_event *event)
{
    struct ork_window *w = ork_window_of(what->win);

    *event = (struct ork_epoch_event){
        .kind = what->kind,
        .place = {.site = call->site, .call = call->id},
        .target = what->target,
        .no_precede = (what->assertion & MPI_MODE_NOPRECEDE) != 0,
        .no_succeed = (what->assertion & MPI_MODE_NOSUCCEED) != 0,
    };
    if (w == NULL ||
        (has_target(what->kind) && (what->target < 0 || (uint32_t)what->target >= w->num_ranks)))
        return NULL;
    return w;
}

/* Was its memory in the frame of a function that has returned? */
static void look_at_frame(struct ork_window *w)
{
    const int64_t base = (int64_t)address_of(w->base);

    if (w->flavor != MPI_WIN_FLAVOR_CREATE || w->bytes == 0 || w->is_released ||
        !ork_frame_is_gone(base))
        return;
    w->is_released = true;
    ork_usage_report_returned(&(struct ork_call){.id = w->place.call, .site = w->place.site},
                              &(struct ork_usage){.id = ORK_USAGE_RETURNED_FRAME_WINDOW});
}

void ork_window_check(const struct ork_call *call, const struct ork_window_call *what)
{
    struct ork_epoch_event event;
    struct ork_epoch_place other = {0};
    struct ork_window *w = begin(call, what, &event);

    if (w == NULL)
        return;
    if (ork_frame_may_be_gone((int64_t)address_of(w->base)))
        look_at_frame(w);
    enum ork_epoch_misuse misuse = ork_epochs_check(&w->epochs, &event, &other);
    if (ORK_UNLIKELY(misuse != ORK_EPOCH_RIGHT))
        ork_usage_report_before_locked(
            call, &(struct ork_usage){.id = (enum ork_usage_id)usage_of[misuse],
                                      .value = what->target,
                                      .other_site = other.site,
                                      .other_call = other.call});
}

/* The group of an MPI_Win_start, as ranks in the window; NULL: out of memory. */
static int *members_of(const struct ork_window *w, MPI_Group group, uint32_t *count)
{
    int size = 0;
    int *rank;

    ORK_NEXT(MPI_Group_size)(group, &size);
    rank = malloc((2 * (size_t)size + 1) * sizeof(*rank));
    if (rank == NULL)
        return NULL;
    for (int i = 0; i < size; i++)
        rank[size + i] = i;
    ORK_NEXT(MPI_Group_translate_ranks)(group, size, rank + size, w->group, rank);
    *count = (uint32_t)size;
    return rank;
}

void ork_window_follow(const struct ork_call *call, const struct ork_window_call *what)
{
    int saved = errno;
    struct ork_epoch_event event;
    struct ork_window *w = begin(call, what, &event);
    int *members = NULL;
    bool is_followed = true;

    if (w == NULL)
        return;
    if (what->kind == ORK_EPOCH_DO_START) {
        members = members_of(w, what->group, &event.num_members);
        event.member = members;
        is_followed = members != NULL;
    }
    if (!is_followed || !ork_epochs_apply(&w->epochs, &event))
        ork_window_remove(what->win);
    free(members);
    errno = saved;
}

void ork_window_check_access(const struct ork_call *call, MPI_Win win, int target, bool has_request)
{
    ork_window_check(call,
                     &(struct ork_window_call){.win = win,
                                               .kind = has_request ? ORK_EPOCH_DO_REQUEST_ACCESS
                                                                   : ORK_EPOCH_DO_ACCESS,
                                               .target = target});
}

void ork_window_follow_access(const struct ork_call *call, MPI_Win win, int target)
{
    ork_window_follow(
        call, &(struct ork_window_call){.win = win, .kind = ORK_EPOCH_DO_ACCESS, .target = target});
}

void ork_windows_finish(const struct ork_call *call)
{
    static const struct ork_epoch_event free_it = {.kind = ORK_EPOCH_DO_FREE};
    struct ork_epoch_place other;

    for (uint32_t i = 0; i < room; i++) {
        if (windows[i].num_ranks > 0 &&
            ork_epochs_check(&windows[i].epochs, &free_it, &other) != ORK_EPOCH_RIGHT)
            ork_usage_report_locked(call, &(struct ork_usage){.id = ORK_USAGE_EPOCH_OPEN_AT_END,
                                                              .other_site = other.site,
                                                              .other_call = other.call});
    }
}
