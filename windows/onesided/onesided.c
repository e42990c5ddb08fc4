/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls about windows, in an order in which each comes after all that it depends on. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

/* ---- calls ---- */

/* The member that it names; UINT32_MAX: all. */
static uint32_t member_of(struct ork_comm_ref ref, const struct ork_record *record)
{
    if (record->peer < 0)
        return EPOCH_ALL_TARGETS;
    /* else the call failed, and no access names it */
    return (uint32_t)record->peer < ref.comm->group->size ? (uint32_t)record->peer : 0;
}

static void lock(struct ork_onesided *o, struct window *w, uint32_t rank, uint32_t target,
                 uint32_t member, const struct ork_record *record)
{
    ork_racing_lock(o, w->comm, rank, member, record);
    ork_spin_waits_note_lock(o);
    ork_separate_acquire(o, w, rank);
    ork_lock_add(o, rank,
                 &(struct lock){.window = w, .target = target, .is_exclusive = record->mode == 1});
}

static void unlock(struct ork_onesided *o, struct window *w, uint32_t rank, uint32_t target,
                   uint32_t member)
{
    ork_racing_unlock(o, w->comm, rank, member);
    ork_epoch_end(o, w, rank, member, false);
    ork_separate_publish(o, w, rank);
    ork_lock_remove(o, rank, w, target);
}

static void collective(struct ork_onesided *o, struct window *w, struct ork_comm_ref ref,
                       uint32_t rank, const struct ork_record *record)
{
    if (record->mode == ORK_COLL_WIN_FREE)
        ork_access_release_held(o, w, ref.me);
    ork_epoch_end(o, w, rank, EPOCH_ALL_TARGETS, false);
    ork_separate_publish(o, w, rank);
    ork_separate_acquire_later(o, w, rank);
    if (ork_events_tick(o->events, rank) == 0)
        o->failed = true;
    if (record->mode == ORK_COLL_WIN_FREE) {
        ork_separate_release(o, &w->member[ref.me]);
        if (w->freed + 1 == ref.comm->group->size)
            ork_region_end(o, w);
        ork_window_free(o, w, ref.me);
    }
}

static void flush(struct ork_onesided *o, struct window *w, uint32_t rank, uint32_t member,
                  uint16_t mode)
{
    if (mode == ORK_FLUSH_SYNC) {
        ork_separate_publish(o, w, rank);
        ork_separate_acquire(o, w, rank);
        return;
    }
    ork_epoch_end(o, w, rank, member, mode == ORK_FLUSH_ORIGIN);
}

/* False: the rank has to wait. */
static bool end_exposure(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    if (!ork_group_end_exposure(o, w, rank))
        return false;
    ork_separate_acquire(o, w, rank);
    return true;
}

static bool call_on(struct ork_onesided *o, struct window *w, struct ork_comm_ref ref,
                    uint32_t rank, const struct ork_record *record, const uint32_t *list)
{
    uint32_t member = member_of(ref, record);
    uint32_t target =
        member == EPOCH_ALL_TARGETS ? UINT32_MAX : ork_comms_rank_of(ref.comm, member);

    w->member[ref.me].number = record->comm;
    if (record->kind == ORK_KIND_ACCESS)
        ork_stamp_access(o, w, rank, record);
    switch (record->kind) {
    case ORK_KIND_WIN_MEMORY:
        ork_spin_waits_note_window(o);
        ork_window_memory(o, w, ref, record);
        ork_separate_acquire(o, w, rank);
        return true;
    case ORK_KIND_WIN_REGION:
        ork_region_change(o, w, ref.me, record);
        return true;
    case ORK_KIND_TOUCH:
        ork_touch_make(o, w, rank, record, list);
        return true;
    case ORK_KIND_COLL:
        collective(o, w, ref, rank, record);
        return true;
    case ORK_KIND_WIN_POST:
        ork_separate_publish(o, w, rank);
        ork_group_post(o, w, rank, record, list);
        return true;
    case ORK_KIND_WIN_START:
        ork_group_start(o, w, rank, record, list);
        return true;
    case ORK_KIND_WIN_COMPLETE:
        return ork_group_end_access(o, w, rank);
    case ORK_KIND_WIN_WAIT:
    case ORK_KIND_WIN_TESTED:
        return end_exposure(o, w, rank);
    case ORK_KIND_WIN_LOCK:
        lock(o, w, rank, target, member, record);
        return true;
    case ORK_KIND_WIN_UNLOCK:
        unlock(o, w, rank, target, member);
        return true;
    case ORK_KIND_WIN_FLUSH:
        flush(o, w, rank, member, record->mode);
        return true;
    case ORK_KIND_ACCESS:
        return ork_access_make(o, w, rank, record, list);
    default:
        return true;
    }
}

/* RATIONALE: once the order is not known, an access may come after any other one. */
static bool call(void *context, uint32_t rank, struct ork_comm_ref ref,
                 const struct ork_record *record, const uint32_t *list)
{
    struct ork_onesided *o = context;

    if (o->lost == NULL)
        o->lost = ork_events_lost(o->events);
    if (o->lost != NULL || o->failed || record->peer == ORK_PROC_NULL)
        return true;
    if (record->kind == ORK_KIND_FILE_ACCESS) {
        ork_racing_use_file(o, ref.comm, rank, record);
        return true;
    }
    struct window *w = ork_window_get(o, ref.comm);
    if (w == NULL)
        return true;
    bool is_over = call_on(o, w, ref, rank, record, list);
    if (!o->failed)
        ork_retire(o);
    return is_over;
}

static void completed(void *context, uint32_t rank, uint32_t request)
{
    struct ork_onesided *o = context;

    if (o->lost == NULL && !o->failed)
        ork_epoch_completed(o, rank, request);
}

static uint64_t act(void *context, uint32_t rank, const struct ork_event_call *at)
{
    struct ork_onesided *o = context;

    o->call[rank] = at->number;
    if (at->call != 0)
        o->gap[rank] = at->number;
    if (ork_spin_waits_are_crowded(o, rank))
        ork_retire_all(o);
    ork_spin_waits_note_state(o, rank);
    ork_separate_note_call(o, rank);
    return ork_stamp_act(context, rank, at);
}

/* ---- the whole ---- */

void ork_onesided_ask(struct ork_onesided *o, ork_onesided_may_wait *may_wait, void *context)
{
    o->may_wait = may_wait;
    o->may_wait_context = context;
}

enum ork_status ork_onesided_create(uint32_t nprocs, struct ork_onesided **out)
{
    struct ork_onesided *o = calloc(1, sizeof(*o));

    if (o == NULL)
        return ORK_NOMEM;
    o->nprocs = nprocs;
    o->memory = calloc(nprocs, sizeof(*o->memory));
    o->locks = calloc(nprocs, sizeof(*o->locks));
    o->requests = calloc(nprocs, sizeof(*o->requests));
    o->is_member = calloc(nprocs, sizeof(*o->is_member));
    o->call = calloc(nprocs, sizeof(*o->call));
    o->gap = calloc(nprocs, sizeof(*o->gap));
    o->spin_waits = ork_spin_waits_create(nprocs);
    for (uint32_t r = 0; o->memory != NULL && r < nprocs; r++)
        ork_index_init(&o->memory[r].index);
    struct ork_events_user user = {.context = o,
                                   .call = call,
                                   .completed = completed,
                                   .act = act,
                                   .learn = ork_stamp_learn,
                                   .arrive = ork_stamp_arrive,
                                   .learn_all = ork_stamp_learn_all};
    if (o->memory == NULL || o->locks == NULL || o->requests == NULL || o->is_member == NULL ||
        o->call == NULL || o->gap == NULL || o->spin_waits == NULL ||
        ork_events_create(nprocs, &user, &o->events) != ORK_OK) {
        ork_onesided_destroy(o);
        return ORK_NOMEM;
    }
    *out = o;
    return ORK_OK;
}

static void drop_open(struct ork_onesided *o, struct open_requests *requests, struct member *m)
{
    struct access *a;

    while ((a = ork_epoch_any(m)) != NULL) {
        ork_open_remove(&m->open, requests, &a->item);
        ork_access_unref(o, a);
    }
    while (m->first_held != NULL) {
        a = m->first_held;
        m->first_held = a->next_held;
        ork_access_unref(o, a);
    }
}

/* Of a rank: the buffers that are pending. */
static void drop_buffers(struct ork_onesided *o, struct open_requests *r)
{
    for (uint32_t i = 0; i < r->room; i++) {
        struct open_item *item;
        while ((item = ork_open_named(r, i)) != NULL) {
            ork_open_forget_name(r, item);
            ork_access_unref(o, (struct access *)item);
        }
    }
    free(r->first);
}

static void drop_window(struct ork_onesided *o, struct window *w)
{
    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        struct member *m = &w->member[i];
        drop_open(o, &o->requests[ork_comms_rank_of(w->comm, i)], m);
        ork_separate_release(o, m);
    }
    ork_window_unref(o, w);
}

void ork_onesided_destroy(struct ork_onesided *o)
{
    if (o == NULL)
        return;
    ork_conflict_destroy(o);
    ork_racing_destroy(o);
    for (uint32_t r = 0; o->memory != NULL && r < o->nprocs; r++) {
        while (o->memory[r].oldest != NULL)
            ork_access_retire(o, o->memory[r].oldest);
        ork_index_reset(&o->memory[r].index);
        free(o->memory[r].window);
    }
    while (o->window != NULL) {
        struct window *w = o->window;
        o->window = w->next;
        drop_window(o, w);
    }
    for (uint32_t r = 0; o->requests != NULL && r < o->nprocs; r++)
        drop_buffers(o, &o->requests[r]);
    for (uint32_t r = 0; o->locks != NULL && r < o->nprocs; r++)
        ork_lockset_unref(o->locks[r]);
    ork_spin_waits_destroy(o->spin_waits);
    ork_stamp_destroy(o);
    ork_events_destroy(o->events);
    free(o->memory);
    free(o->locks);
    free(o->requests);
    free(o->is_member);
    free(o->call);
    free(o->gap);
    free(o->outside);
    free(o->stray);
    free(o);
}

enum ork_status ork_onesided_feed(struct ork_onesided *o, uint32_t rank,
                                  const struct ork_record *record, size_t n)
{
    enum ork_status status = ork_events_feed(o->events, rank, record, n);

    return status == ORK_OK && o->failed ? ORK_NOMEM : status;
}

enum ork_status ork_onesided_end(struct ork_onesided *o, uint32_t rank)
{
    ork_events_end(o->events, rank);
    return o->failed ? ORK_NOMEM : ORK_OK;
}

bool ork_onesided_has_windows(const struct ork_onesided *o)
{
    for (uint32_t r = 0; r < o->nprocs; r++) {
        if (o->is_member[r])
            return true;
    }
    return false;
}

const char *ork_onesided_lost(const struct ork_onesided *o)
{
    if (o->lost != NULL)
        return o->lost;
    if (o->has_scattered)
        return "a rank made too many loads and stores without a pattern";
    return o->has_overflowed ? "too many of them were not ordered" : ork_events_stuck(o->events);
}

const char *ork_onesided_unfollowed(const struct ork_onesided *o)
{
    if (o->lost != NULL)
        return o->lost;
    return ork_events_lost(o->events) != NULL ? ork_events_lost(o->events)
                                              : ork_events_stuck(o->events);
}
