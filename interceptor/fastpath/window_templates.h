/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates (templates.h) that use windows: accesses, flushes, fences, and calls that
 * open or close an epoch. Postponed are what they change of the epochs (epochs.h) and of the
 * buffers of one-sided calls (origins.h). The order of locks is not: it is kept in full. */
#ifndef ORK_WINDOW_TEMPLATES_H
#define ORK_WINDOW_TEMPLATES_H

#include "interceptor/hooks/op_rma.h"
#include "interceptor/hooks/op_window.h"
#include "interceptor/fastpath/templates.h"

/* The next template, which is a call on a window. RATIONALE: at the same position as in
 * ork_loop_body.templates. */
ORK_INLINE const struct ork_window_template *ork_window_template(void)
{
    return &ork_window_templates[ork_recorder.at];
}

/* Its record is counted before its effect. */
ORK_INLINE void ork_window_template_begin(const struct ork_template *s)
{
    ork_loop_body.is_inside = true;
    ork_template_put(s);
}

/* The call has returned: its effect is postponed. */
ORK_INLINE void ork_window_template_end(const struct ork_template *s)
{
    ork_loop_body.is_inside = false;
    ork_loop_body.is_open = s->is_open;
}

/* -- rma -- */

/* Is it the access of the template? */
ORK_INLINE bool ork_template_is_access(const struct ork_template *s, const struct ork_args *a,
                                       unsigned mode)
{
    if (mode != ORK_ACCESS_PUT && mode != ORK_ACCESS_GET)
        return ork_access_is(&ork_repeated_access[ork_recorder.at], a, mode);
    return s->origin == a->origin && s->target_disp == a->target_disp && s->win == a->win &&
           s->datatype == a->datatype && s->datatype2 == a->datatype2 && s->count == a->count &&
           s->count2 == a->count2 && s->peer == a->target;
}

/* RATIONALE: the record of an access with a request follows the call. */
ORK_INLINE bool ork_template_rma(const struct ork_template *s, const struct ork_args *a,
                                 unsigned mode, unsigned flags)
{
    if (!ork_template_is_access(s, a, mode) || !ork_template_is_next(s))
        return false;
    if ((flags & ORK_F_NONBLOCKING) == 0)
        ork_window_template_begin(s);
    return true;
}

/* The call is not as in the template: what its hook does after it. `request`: NULL: it has none.
 * RATIONALE: its arguments are those of the template; if they need not be in memory, the call is
 * faster. */
void ork_template_other_rma(const struct ork_template *s, MPI_Request *request, unsigned mode,
                            int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_accessed(const struct ork_template *s, const struct ork_args *a,
                                      unsigned mode, unsigned flags, int result)
{
    const bool has_request = (flags & ORK_F_NONBLOCKING) != 0;
    const bool is_present = ORK_LIKELY(result == MPI_SUCCESS && ork_template_is_present());

    if (has_request && is_present && ORK_LIKELY(ork_template_requested(s, a->request))) {
        ork_loop_body.is_open = s->is_open;
        ork_template_put(s);
    } else if (!has_request && is_present) {
        ork_window_template_end(s);
    } else {
        ork_template_other_rma(s, has_request ? a->request : NULL, mode, result);
    }
}

/* -- flush: its record follows its effect -- */

ORK_INLINE bool ork_template_flush(const struct ork_template *s, const struct ork_args *a)
{
    const struct ork_window_template *w = ork_window_template();

    return w->lock.win == a->win && w->lock.rank == a->rank && ork_template_is_next(s);
}

void ork_template_other_flush(const struct ork_template *s, unsigned mode, int result)
    __attribute__((cold, noinline));

ORK_INLINE void ork_template_flushed(const struct ork_template *s, unsigned mode, int result)
{
    if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_template_is_present())) {
        ork_template_other_flush(s, mode, result);
        return;
    }
    ork_loop_body.is_open = s->is_open;
    ork_template_put(s);
}

/* -- win_collective: MPI_Win_fence -- */

ORK_INLINE bool ork_template_win_collective(const struct ork_template *s, const struct ork_args *a)
{
    const struct ork_window_template *w = ork_window_template();

    if (w->lock.win != a->win || w->lock.assertion != a->assertion || !ork_template_is_next(s))
        return false;
    ork_window_template_begin(s);
    ork_set_state(ORK_STATE_BLOCKED);
    return true;
}

void ork_template_other_fence(const struct ork_template *s, const struct ork_args *a, unsigned mode,
                              int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_fenced(const struct ork_template *s, const struct ork_args *a,
                                    unsigned mode, int result)
{
    if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_template_is_present())) {
        ork_template_other_fence(s, a, mode, result);
        return;
    }
    ork_set_state(ORK_STATE_RUNNING);
    ork_window_template_end(s);
}

/* -- epoch -- */

ORK_INLINE bool ork_template_epoch(const struct ork_template *s, const struct ork_args *a,
                                   unsigned mode)
{
    const struct ork_window_template *w = ork_window_template();

    if (w->lock.win != a->win || w->lock.rank != a->rank || w->group != a->group ||
        w->lock.type != a->lock_type || w->lock.assertion != a->assertion ||
        !ork_template_is_next(s))
        return false;
    const struct ork_call call = ork_template_call(s);
    ork_window_template_begin(s);
    if (mode != ORK_KIND_WIN_POST)
        ork_set_state(ORK_STATE_BLOCKED);
    if (mode == ORK_KIND_WIN_UNLOCK)
        ork_locks_leave(&call, &w->lock);
    return true;
}

/* The choice of a lock is made in full. Its EXIT record is the next one of the repetition if the
 * number and the choice are those of the template. */
ORK_INLINE void ork_template_locked(const struct ork_template *s,
                                    const struct ork_window_template *w,
                                    const struct ork_call *call)
{
    uint32_t since;

    if (!w->is_choice || !ork_locks_take_found(call, &w->lock, &w->found, &since))
        return;
    if (ORK_LIKELY(since == w->since) && ork_template_names(s) && ork_template_has_room())
        ork_template_put_exit(s);
    else
        ork_put_locked(call, since);
}

void ork_template_other_epoch(const struct ork_template *s, struct ork_args *a, unsigned mode,
                              int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_epoch_passed(const struct ork_template *s, struct ork_args *a,
                                          unsigned mode, int result)
{
    const struct ork_call call = ork_template_call(s);

    if (ORK_UNLIKELY(result != MPI_SUCCESS || !ork_template_is_present())) {
        ork_template_other_epoch(s, a, mode, result);
        return;
    }
    ork_window_template_end(s);
    if (mode == ORK_KIND_WIN_LOCK)
        ork_template_locked(s, &ork_window_templates[s - ork_loop_body.templates], &call);
    if (mode != ORK_KIND_WIN_POST)
        ork_set_state(ORK_STATE_RUNNING);
}

/* -- win_test: an unsuccessful one leaves the template where it is -- */

ORK_INLINE bool ork_template_win_test(const struct ork_template *s, const struct ork_args *a)
{
    if (ork_window_template()->lock.win != a->win || !ork_template_is_next(s))
        return false;
    ork_poll_begin();
    return true;
}

void ork_template_other_win_test(const struct ork_template *s) __attribute__((cold, noinline));

ORK_INLINE void ork_template_win_tested(const struct ork_template *s, const struct ork_args *a,
                                        int result)
{
    const struct ork_call call = ork_template_call(s);

    if (result != MPI_SUCCESS)
        return;
    if (!*a->flag) {
        ork_poll_other(s->site, s->call);
        return;
    }
    ork_choice_tested(&call, NULL, 0);
    if (ork_template_names(s)) {
        ork_loop_body.is_open = s->is_open;
        ork_template_put_named(s);
    } else {
        ork_template_other_win_test(s);
    }
}

#endif
