/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to windows, MPI-3.1 section 11.3, and calls that complete them, section 11.5.4. */
#ifndef ORK_OP_RMA_H
#define ORK_OP_RMA_H

#include "interceptor/call/accesses.h"
#include "interceptor/buffers/buffers.h"
#include "interceptor/fastpath/template_maker.h"
#include "interceptor/forcing/atomic.h"
#include "interceptor/objects/windows.h"

/* -- rma -- */

/* The elements at the target. MPI_Fetch_and_op and MPI_Compare_and_swap access one. */
static inline void ork_check_own_memory(const struct ork_call *call, const struct ork_window *w,
                                        const struct ork_args *a)
{
    bool is_one = a->datatype2 == MPI_DATATYPE_NULL;

    ork_window_check_own(call, w, a->target_disp, is_one ? 1 : a->count2,
                         is_one ? a->datatype : a->datatype2);
}

/* Compare the buffers of the call (ork_origins_compare()), or enter them (ork_origins_add()). */
ORK_INLINE void ork_each_origin(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, uint32_t request,
                                void (*handle)(const struct ork_call *call,
                                               const struct ork_origin *origin))
{
    bool has_result = mode == ORK_ACCESS_FETCH || mode == ORK_ACCESS_SWAP;
    bool is_one = a->datatype2 == MPI_DATATYPE_NULL; /* MPI_Fetch_and_op, MPI_Compare_and_swap */
    struct ork_origin o = {
        .win = a->win,
        .target = a->target,
        .request = request,
        .rma = ORK_RMA_ORIGIN,
        .buffer = {.use = mode == ORK_ACCESS_GET ? ORK_BUFFER_WRITTEN : ORK_BUFFER_READ,
                   .address = a->origin,
                   .count = is_one ? 1 : a->count,
                   .type = a->datatype}};

    if (!has_result || a->op != MPI_NO_OP)
        handle(call, &o);
    if (!has_result)
        return;
    o.rma = ORK_RMA_RESULT;
    o.buffer = (struct ork_buffer){.use = ORK_BUFFER_WRITTEN,
                                   .address = a->result,
                                   .count = is_one ? 1 : a->count3,
                                   .type = is_one ? a->datatype : a->datatype3};
    handle(call, &o);
}

/* Do the epochs of the window not know such an access yet? */
ORK_INLINE bool ork_access_is_new(const struct ork_args *a, bool has_request)
{
    const struct ork_window *w = ork_window_of(a->win);

    return ORK_LIKELY(w != NULL) &&
           ORK_UNLIKELY(!ork_epochs_admit(&w->epochs, a->target, has_request)) &&
           !ork_epochs_contain(&w->epochs, a->target, has_request);
}

/* Is the record written after the call? RATIONALE: an ordered atomic may have waited in between,
 * which has records of its own. */
ORK_INLINE bool ork_access_is_late(const struct ork_args *a)
{
    return ORK_UNLIKELY(a->is_ordered) && ork_is_explored;
}

ORK_INLINE void ork_before_rma(const struct ork_call *call, struct ork_args *a, unsigned mode,
                               unsigned flags)
{
    bool has_request = (flags & ORK_F_NONBLOCKING) != 0;

    a->is_ordered = ORK_UNLIKELY(ork_atomics_are_on) && ork_atomic_begin(call, a, mode);
    ork_lock();
    const struct ork_window *w = ork_window_of(a->win);
    a->is_new = ork_access_is_new(a, has_request);
    if (ORK_UNLIKELY(a->is_new))
        ork_window_check_access(call, a->win, a->target, has_request);
    if (w != NULL && ORK_UNLIKELY((uint32_t)a->target == w->epochs.rank))
        ork_check_own_memory(call, w, a);
    if (ORK_UNLIKELY(ork_buffers_known != 0) && !ork_accesses_are_off)
        ork_each_origin(call, a, mode, ORK_REQUEST_NULL, ork_origins_compare);
    if (!has_request && !ork_accesses_are_off && !ork_access_is_late(a) &&
        !ork_access_repeat(call, a, mode))
        ork_access_put(call, a, mode, flags);
    ork_unlock();
}

/* Are the buffers of one-sided calls compared with anything? */
ORK_INLINE bool ork_origins_matter(void)
{
    return ork_watch_is_on || (ork_buffers_are_on && !ork_accesses_are_off);
}

/* The call has returned without an error: what that changes of the tables. `request`: its number,
 * if it has one. RATIONALE: without a number, it may be complete. */
ORK_INLINE void ork_access_follow(const struct ork_call *call, const struct ork_args *a,
                                  unsigned mode, bool has_request, uint32_t request)
{
    if (a->is_new)
        ork_window_follow_access(call, a->win, a->target);
    if (has_request && (request == ORK_REQUEST_NULL || request == ORK_REQUEST_UNKNOWN))
        return;
    if (ork_origins_matter())
        ork_each_origin(call, a, mode, has_request ? request : ORK_REQUEST_NULL, ork_origins_add);
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_access(const struct ork_call *call, const struct ork_args *a,
                                 unsigned mode, bool has_request, int result)
{
    bool is_bound;

    if (!ork_accesses_are_off && ork_template_is_wanted(call, result, &is_bound))
        ork_template_make_access(call, a, mode, has_request, is_bound);
}

/* An ordered atomic has returned: its record, if it has none so far, and its choice. */
static __attribute__((cold, noinline)) void ork_after_ordered(const struct ork_call *call,
                                                              const struct ork_args *a,
                                                              unsigned mode, unsigned flags,
                                                              int result)
{
    const struct ork_atomic_outcome o = ork_atomic_end(call, a, mode, result);
    bool has_request = (flags & ORK_F_NONBLOCKING) != 0;

    ork_lock();
    if (has_request ? result == MPI_SUCCESS : ork_access_is_late(a))
        ork_access_put(call, a, mode, flags);
    if (o.is_made)
        ork_atomics_choose(call, &o.location, a->target, o.number, o.order, o.operands);
    else
        ork_choice_lock_failed(call, a->target,
                               o.is_counted ? (int32_t)o.number : ORK_CHOICE_FAILED);
    if (result != MPI_SUCCESS && !has_request)
        ork_put_error(call, result);
    if (result == MPI_SUCCESS)
        ork_access_follow(call, a, mode, has_request,
                          has_request ? ork_request_find(*a->request).id : ORK_REQUEST_NULL);
    ork_unlock();
}

/* RATIONALE: an access that fails starts no epoch. One with a request is always recorded, because
 * its request has a number. */
ORK_INLINE void ork_after_rma(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                              unsigned flags, int result)
{
    bool has_request = (flags & ORK_F_NONBLOCKING) != 0;

    if (ORK_UNLIKELY(a->is_ordered)) {
        ork_after_ordered(call, a, mode, flags, result);
        return;
    }
    if (ORK_LIKELY(!has_request && !a->is_new && result == MPI_SUCCESS && !ork_origins_matter())) {
        ork_maker_access(call, a, mode, false, result);
        return;
    }
    ork_lock();
    if (result == MPI_SUCCESS && has_request)
        ork_access_put(call, a, mode, flags);
    else if (result != MPI_SUCCESS && !has_request && !ork_accesses_are_off)
        ork_put_error(call, result);
    if (result == MPI_SUCCESS)
        ork_access_follow(call, a, mode, has_request,
                          has_request ? ork_request_find(*a->request).id : ORK_REQUEST_NULL);
    ork_unlock();
    ork_maker_access(call, a, mode, has_request, result);
}

/* -- flush: the mode is the kind of event; with ORK_FLUSH_LOCAL, only at the origin -- */

enum { ORK_FLUSH_LOCAL = 1 << 8 };

/* Is it certainly right? */
ORK_INLINE bool ork_flush_is_admitted(const struct ork_window_call *what)
{
    const struct ork_window *w = ork_window_of(what->win);

    if (w == NULL || what->kind == ORK_EPOCH_DO_SYNC || what->target < 0)
        return false;
    return (w->epochs.open & ORK_EPOCH_LOCK_ALL) != 0 ||
           (what->kind == ORK_EPOCH_DO_FLUSH && w->epochs.admitted == (uint32_t)what->target + 1);
}

ORK_INLINE void ork_before_flush(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    struct ork_window_call what = {
        .win = a->win,
        .kind = (enum ork_epoch_event_kind)(mode & ~(unsigned)ORK_FLUSH_LOCAL),
        .target = a->rank};

    ork_lock();
    if (ORK_UNLIKELY(!ork_flush_is_admitted(&what)))
        ork_window_check(call, &what);
    ork_unlock();
}

ORK_INLINE void ork_flush_follow(const struct ork_args *a)
{
    ork_origins_complete(a->win, a->rank == ORK_NO_RANK ? ORK_ORIGIN_ALL_TARGETS : a->rank);
}

ORK_INLINE void ork_after_flush(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, int result)
{
    bool is_quiet = ork_accesses_are_off && !ork_watch_is_on;

    if (result != MPI_SUCCESS || is_quiet)
        return;
    ork_lock();
    if (mode == ORK_EPOCH_DO_SYNC) {
        ork_access_put_sync(call, a->win);
        ork_unlock();
        return;
    }
    ork_flush_follow(a);
    if (ork_accesses_are_off) {
        ork_unlock();
        return;
    }
    struct ork_record r =
        ORK_RECORD(call, WIN_FLUSH,
                   .mode = (mode & ORK_FLUSH_LOCAL) != 0 ? ORK_FLUSH_ORIGIN : ORK_FLUSH_TARGET,
                   .comm = ork_object_id(&ork_windows, ORK_KEY(a->win)),
                   .request = ORK_REQUEST_NULL, .peer = ork_peer(a->rank));
    ork_send_record(&r);
    ork_unlock();
    const struct ork_window_template template = {.lock = {.win = a->win, .rank = a->rank},
                                                 .kind = ORK_WINDOW_STEP_FLUSH};
    ork_maker_window(call, &template, result);
}

/* -- win_attach, win_detach -- */

ORK_INLINE void ork_before_win_attach(const struct ork_call *call, struct ork_args *a)
{
    ork_lock();
    ork_window_check_attach(call, a->win, a->base, a->size);
    ork_unlock();
}

ORK_INLINE void ork_after_win_attach(const struct ork_call *call, const struct ork_args *a,
                                     int result)
{
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_window_attached(call, a->win, a->base, a->size);
    ork_unlock();
}

/* RATIONALE: forgotten before the call, because then another thread may attach the memory. */
ORK_INLINE void ork_before_win_detach(const struct ork_call *call, struct ork_args *a)
{
    ork_lock();
    ork_window_detach(call, a->win, a->base);
    ork_unlock();
}

/* -- win_shared: MPI_Win_shared_query -- */

ORK_INLINE void ork_before_win_shared(const struct ork_call *call, struct ork_args *a)
{
    ork_lock();
    ork_window_check_shared(call, a->win);
    ork_unlock();
}

#endif
