/* SPDX-License-Identifier: BSD-3-Clause */
/* Common to all forced calls: what a call has to do next, and how it waits. */
#include "interceptor/choice.h"
#include "interceptor/force_internal.h"
#include "interceptor/hold.h"

#include <time.h>

ork_function ork_force_real[ORK_CALL_MAX];

void ork_force_replace(enum ork_call_id id, const char *symbol, ork_function forced)
{
    ork_force_real[id] = ork_next(id, symbol);
    atomic_store(&ork_next_table[id], forced);
}

bool ork_force_is_own(enum ork_call_id id)
{
    bool own = ork_thread.call == id && atomic_load_explicit(&ork_recording, memory_order_relaxed);

    if (own)
        ork_thread.call = UINT16_MAX;
    return own;
}

bool ork_force_is_on(enum ork_call_id id)
{
    return ork_force_is_own(id) && ork_replay_is_on();
}

void ork_force_diverge(enum ork_divergence why, enum ork_call_id id)
{
    ork_lock();
    if (ork_replay_is_on())
        ork_replay_diverge(why, (uint16_t)id, ork_thread.site);
    ork_unlock();
}

/* Does the next choice belong to this call? Else the rank has diverged. */
static bool is_next(const struct ork_choice *next, enum ork_choice_kind kind, enum ork_call_id id)
{
    enum ork_divergence why = 0;

    if (next->kind == ORK_CHOICE_END)
        why = ORK_DIVERGED_MORE;
    else if (next->kind != kind || next->call != id)
        why = ORK_DIVERGED_CALL;
    else if (next->place != ork_choice_place_of(ork_thread.site))
        why = ORK_DIVERGED_PLACE;
    if (why != 0)
        ork_replay_diverge(why, (uint16_t)id, ork_thread.site);
    return why == 0;
}

const struct ork_choice *ork_force_next(enum ork_choice_kind kind, enum ork_call_id id)
{
    ork_lock();
    const struct ork_choice *next = ork_replay_next();
    if (next != NULL && (next->kind == ORK_CHOICE_FREE || !is_next(next, kind, id)))
        next = NULL;
    ork_unlock();
    ork_hold_at_choice(next, id);
    return next;
}

enum ork_force_poll ork_force_next_poll(enum ork_choice_kind kind, enum ork_call_id id,
                                        const struct ork_choice **next)
{
    enum ork_force_poll poll = ORK_FORCE_FREE;

    ork_lock();
    *next = ork_replay_next();
    if (*next != NULL && ork_replay_polls_fail(*next))
        poll = ORK_FORCE_FAILS;
    else if (*next != NULL && (*next)->kind != ORK_CHOICE_FREE && is_next(*next, kind, id))
        poll = ORK_FORCE_SUCCEEDS;
    ork_unlock();
    if (poll == ORK_FORCE_SUCCEEDS)
        ork_hold_at_choice(*next, id);
    return poll;
}

/* ---- waiting for the recorded outcome ---- */

/* RATIONALE: the library yields the processor in each try, if there are more ranks than processors.
 */
enum { TRIES = 10000, PAUSE_NS = 50000 };

static uint32_t num_released(void)
{
    return atomic_load_explicit(&ork_recorder.ring->released, memory_order_relaxed);
}

struct ork_force_waiting ork_force_begin_waiting(void)
{
    return (struct ork_force_waiting){.released = num_released()};
}

bool ork_force_pause(struct ork_force_waiting *w)
{
    int saved = errno;

    if (w->tries < TRIES)
        w->tries++;
    else
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    errno = saved;
    return w->released == num_released() && ork_replay_is_on();
}

/* RATIONALE: a test does not wait, so the tool would count the rank as one that runs, and would
 * never find that no rank can go on. */
static void show(struct ork_force_waiting *w, enum ork_call_id id)
{
    const struct ork_call call = {.id = (uint16_t)id, .site = ork_thread.site};
    struct ork_record r =
        ORK_RECORD(&call, OPAQUE, .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL);

    if (w->is_shown || w->tries < TRIES || ork_thread.state != ORK_STATE_RUNNING)
        return;
    w->is_shown = true;
    ork_lock();
    ork_send_record(&r);
    ork_set_state(ORK_STATE_BLOCKED);
    ork_unlock();
}

void ork_force_end_waiting(struct ork_force_waiting *w)
{
    if (!w->is_shown)
        return;
    w->is_shown = false;
    ork_lock();
    ork_set_state(ORK_STATE_RUNNING);
    ork_unlock();
}

bool ork_force_wait_on(struct ork_force_waiting *w, enum ork_call_id id)
{
    show(w, id);
    if (ork_force_pause(w))
        return true;
    ork_force_diverge(ORK_DIVERGED_OUTCOME, id);
    return false;
}
