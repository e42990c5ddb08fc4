/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and their synchronisation, MPI-3.1 sections 11.2 and 11.5. */
#ifndef ORK_OP_WINDOW_H
#define ORK_OP_WINDOW_H

#include "interceptor/call/accesses.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/fastpath/template_maker.h"
#include "interceptor/outcomes/locks.h"
#include "interceptor/hooks/op_comm.h"
#include "interceptor/hooks/op_object.h"
#include "interceptor/objects/windows.h"

/* -- win_maker -- */

ORK_INLINE void ork_before_win_maker(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    ork_lock();
    a->id = ork_comm_id(a->comm);
    ork_enter_object(call, a->id, mode, ork_recorder.fallible);
    ork_unlock();
}

ORK_INLINE void ork_after_win_maker(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                    int result)
{
    ork_leave_maker(call, a, mode, &ork_windows, result == MPI_SUCCESS ? ORK_KEY(*a->newwin) : 0,
                    result);
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_locks_add_window(*a->newwin, a->comm);
    ork_window_add(call, *a->newwin);
    if (ORK_UNLIKELY(ork_watch_is_on) && !ork_accesses_are_off)
        ork_window_watch(*a->newwin);
    ork_access_put_memory(call, *a->newwin, mode);
    ork_unlock();
}

/* -- win_free -- */

ORK_INLINE void ork_before_win_free(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    a->win = a->newwin != NULL ? *a->newwin : MPI_WIN_NULL;
    ork_lock();
    a->id = ork_object_id(&ork_windows, ORK_KEY(a->win));
    ork_locks_remove_window(a->win);
    ork_window_check(call, &(struct ork_window_call){.win = a->win, .kind = ORK_EPOCH_DO_FREE});
    ork_window_remove(a->win);
    ork_origins_complete(a->win, ORK_ORIGIN_ALL_TARGETS);
    ork_enter_object(call, a->id, mode, ork_recorder.fallible);
    ork_unlock();
}

ORK_INLINE void ork_after_win_free(const struct ork_call *call, struct ork_args *a, int result)
{
    ork_leave_freer(call, a, &ork_windows, ORK_KEY(a->win), result);
}

/* -- win_collective -- */

static inline struct ork_window_call ork_fence_of(const struct ork_args *a)
{
    return (struct ork_window_call){
        .win = a->win, .kind = ORK_EPOCH_DO_FENCE, .assertion = a->assertion};
}

ORK_INLINE void ork_before_win_collective(const struct ork_call *call, struct ork_args *a,
                                          unsigned mode)
{
    struct ork_window_call fence = ork_fence_of(a);

    ork_lock();
    if (mode == ORK_COLL_WIN_FENCE)
        ork_window_check(call, &fence);
    struct ork_record r = ork_record_object(call, ork_object_id(&ork_windows, ORK_KEY(a->win)),
                                            mode, ork_recorder.fallible);
    if (mode == ORK_COLL_WIN_FENCE && (a->assertion & MPI_MODE_NOPRECEDE) != 0)
        r.flags |= ORK_F_NO_PRECEDE;
    ork_agreed_put(&r, a->agreed);
    ork_enter_blocking(&r);
    ork_unlock();
}

/* A fence has returned without an error: what that changes of the tables. */
ORK_INLINE void ork_fence_follow(const struct ork_call *call, const struct ork_args *a)
{
    const struct ork_window_call fence = ork_fence_of(a);

    ork_window_follow(call, &fence);
    ork_origins_complete(a->win, ORK_ORIGIN_ALL_TARGETS);
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_fence(const struct ork_call *call, const struct ork_args *a, int result)
{
    const struct ork_window_template template = {.lock = {.win = a->win, .assertion = a->assertion},
                                                 .kind = ORK_WINDOW_STEP_FENCE};

    ork_maker_window(call, &template, result);
}

ORK_INLINE void ork_after_win_collective(const struct ork_call *call, const struct ork_args *a,
                                         unsigned mode, int result)
{
    ork_lock();
    ork_leave_coll(call, result, false);
    if (mode == ORK_COLL_WIN_FENCE && result == MPI_SUCCESS)
        ork_fence_follow(call, a);
    else if (mode == ORK_COLL_WIN_FENCE)
        ork_origins_complete(a->win, ORK_ORIGIN_ALL_TARGETS);
    ork_unlock();
    if (mode == ORK_COLL_WIN_FENCE)
        ork_maker_fence(call, a, result);
}

/* -- epoch: a call that opens or closes one; the mode is the kind of its record -- */

static inline bool ork_is_no_epoch(const struct ork_args *a, unsigned mode)
{
    if (mode == ORK_KIND_WIN_POST || mode == ORK_KIND_WIN_START)
        return a->group == MPI_GROUP_NULL;
    return (a->lock_type != MPI_LOCK_EXCLUSIVE && a->lock_type != MPI_LOCK_SHARED) ||
           (a->rank < 0 && a->rank != ORK_NO_RANK && a->rank != MPI_PROC_NULL);
}

static inline struct ork_window_call ork_epoch_of(const struct ork_args *a, unsigned mode)
{
    bool is_all = a->rank == ORK_NO_RANK;
    struct ork_window_call what = {.win = a->win, .target = a->rank, .group = a->group};

    if (mode == ORK_KIND_WIN_LOCK)
        what.kind = is_all ? ORK_EPOCH_DO_LOCK_ALL : ORK_EPOCH_DO_LOCK;
    else if (mode == ORK_KIND_WIN_UNLOCK)
        what.kind = is_all ? ORK_EPOCH_DO_UNLOCK_ALL : ORK_EPOCH_DO_UNLOCK;
    else if (mode == ORK_KIND_WIN_START)
        what.kind = ORK_EPOCH_DO_START;
    else if (mode == ORK_KIND_WIN_COMPLETE)
        what.kind = ORK_EPOCH_DO_COMPLETE;
    else
        what.kind = mode == ORK_KIND_WIN_POST ? ORK_EPOCH_DO_POST : ORK_EPOCH_DO_WAIT;
    return what;
}

ORK_INLINE void ork_before_epoch(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    struct ork_window_call what = ork_epoch_of(a, mode);

    ork_lock();
    ork_window_check(call, &what);
    ork_early_ask();
    struct ork_record r = ORK_RECORD(call, CONT, .mode = a->lock_type == MPI_LOCK_EXCLUSIVE,
                                     .comm = ork_object_id(&ork_windows, ORK_KEY(a->win)),
                                     .request = ORK_REQUEST_NULL, .peer = ork_peer(a->rank));
    r.kind = (uint8_t)mode;
    if (mode == ORK_KIND_WIN_LOCK)
        r.arg = ork_locks_order(&(struct ork_lock_call){
            .win = a->win, .rank = a->rank, .type = a->lock_type, .assertion = a->assertion});
    if (mode == ORK_KIND_WIN_LOCK && ORK_UNLIKELY(ork_is_explored)) {
        r.arg2 = ork_choice_place_of(call->site);
        r.extra = ork_thread.choices + 1;
    }
    ork_make_opaque(&r, ork_is_no_epoch(a, mode));
    if (a->group != MPI_GROUP_NULL)
        ork_put_group(&r, a->group);
    else
        ork_send_record(&r);
    if (mode != ORK_KIND_WIN_POST)
        ork_enter();
    ork_unlock();
    if (mode == ORK_KIND_WIN_UNLOCK)
        ork_locks_leave(call, &(struct ork_lock_call){.win = a->win, .rank = a->rank});
}

static inline struct ork_lock_call ork_lock_call_of(const struct ork_args *a)
{
    return (struct ork_lock_call){
        .win = a->win, .rank = a->rank, .type = a->lock_type, .assertion = a->assertion};
}

/* A lock that is a choice: its outcome, which others need to know. */
ORK_INLINE void ork_put_locked(const struct ork_call *call, uint32_t since)
{
    struct ork_record r =
        ORK_RECORD(call, EXIT, .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER,
                   .tag = (int32_t)since, .extra = ork_choice_name(ork_thread.choices));

    ork_send_record(&r);
}

ORK_INLINE void ork_after_lock(const struct ork_call *call, const struct ork_args *a, int result)
{
    const struct ork_lock_call lock = ork_lock_call_of(a);
    uint32_t since;

    ork_lock();
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_locks_fail(call, &lock);
    else if (ork_locks_take(call, &lock, &since))
        ork_put_locked(call, since);
    ork_unlock();
}

/* The call has returned without an error: what that changes of the tables. */
ORK_INLINE void ork_epoch_follow(const struct ork_call *call, const struct ork_args *a,
                                 unsigned mode)
{
    const struct ork_window_call what = ork_epoch_of(a, mode);

    ork_window_follow(call, &what);
    if (mode == ORK_KIND_WIN_UNLOCK || mode == ORK_KIND_WIN_COMPLETE)
        ork_origins_complete(a->win, a->rank == ORK_NO_RANK ? ORK_ORIGIN_ALL_TARGETS : a->rank);
}

ORK_INLINE void ork_after_epoch(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, int result)
{
    if (result == MPI_SUCCESS) {
        ork_lock();
        ork_epoch_follow(call, a, mode);
        ork_unlock();
    }
    if (mode == ORK_KIND_WIN_LOCK)
        ork_after_lock(call, a, result);
    if (mode == ORK_KIND_WIN_POST)
        ork_after_local(call, result);
    else
        ork_exit_plain(call, result);
    const struct ork_window_template template = {.lock = ork_lock_call_of(a),
                                                 .group = a->group,
                                                 .mode = (uint16_t)mode,
                                                 .kind = ORK_WINDOW_STEP_EPOCH};
    ork_maker_window(call, &template, result);
}

/* -- win_test -- */

/* RATIONALE: it looks at the epochs, so what is postponed is flushed even if it will not be
 * successful. While templates are made, nothing is postponed. */
ORK_INLINE void ork_before_win_test(const struct ork_call *call, struct ork_args *a)
{
    if (ORK_UNLIKELY(ork_loop_body.is_on))
        ork_loop_body_polled();
    ork_lock();
    ork_window_check(call, &(struct ork_window_call){.win = a->win, .kind = ORK_EPOCH_DO_WAIT});
    ork_unlock();
    ork_poll_begin();
}

/* It was successful, and has made its choice: its record, and what it changes of the tables. */
ORK_INLINE void ork_put_win_tested(const struct ork_call *call, const struct ork_args *a)
{
    ork_epoch_follow(call, a, ORK_KIND_WIN_TESTED);
    struct ork_record r =
        ORK_RECORD(call, WIN_TESTED, .comm = ork_object_id(&ork_windows, ORK_KEY(a->win)),
                   .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER,
                   .extra = ork_choice_name(ork_thread.choices));
    ork_send_record(&r);
}

ORK_INLINE void ork_after_win_test(const struct ork_call *call, struct ork_args *a, int result)
{
    const struct ork_args known = {.win = a->win, .rank = ORK_NO_RANK};

    if (result != MPI_SUCCESS)
        return;
    if (!*a->flag) {
        if (ORK_UNLIKELY(ork_is_explored))
            ork_poll_failed_window(call, a->win);
        ork_poll_other(call->site, call->id);
        return;
    }
    if (!ork_loop_body.is_on)
        ork_loop_body_polled();
    ork_lock();
    ork_choice_tested(call, NULL, 0);
    ork_put_win_tested(call, &known);
    ork_unlock();
    const struct ork_window_template template = {.lock = {.win = a->win, .rank = ORK_NO_RANK},
                                                 .mode = ORK_KIND_WIN_TESTED,
                                                 .kind = ORK_WINDOW_STEP_EPOCH};
    ork_maker_window(call, &template, result);
}

/* -- win_name -- */

ORK_INLINE void ork_after_win_name(const struct ork_call *call, struct ork_args *a, int result)
{
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_put_name(call, ork_object_id(&ork_windows, ORK_KEY(a->win)), a->name);
    ork_unlock();
}

#endif
