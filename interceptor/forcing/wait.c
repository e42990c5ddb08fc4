/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/wait.h"

#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/polls.h"
#include "interceptor/outcomes/early.h"

#include <time.h>

/* RATIONALE: the library yields the processor in each try, if there are more ranks than processors.
 */
enum { TRIES = 10000, FREE_TRIES = 100, PAUSE_NS = 50000 };

static unsigned tries_of(const struct ork_wait *w)
{
    return w->is_free ? FREE_TRIES : TRIES;
}

static uint32_t releases(const struct ork_wait *w)
{
    return atomic_load_explicit(w->is_free ? &ork_recorder.ring->expired
                                           : &ork_recorder.ring->released,
                                memory_order_relaxed);
}

void ork_wait_begin(struct ork_wait *w, enum ork_call_id id, bool is_free)
{
    w->call = (uint16_t)id;
    w->is_decided = ork_run_is_decided;
    w->is_free = is_free;
    w->is_shown = false;
    w->until_ns = 0;
    w->tries = 0;
    if (w->is_decided)
        ork_decisions_wait_begin(&w->decisions);
    else
        w->released = releases(w);
}

/* RATIONALE: a test does not wait, so the tool would count the rank as one that runs, and would
 * never find that no rank can go on. */
static void show(struct ork_wait *w)
{
    const struct ork_call call = {.id = w->call, .site = ork_thread.site};
    struct ork_record r =
        ORK_RECORD(&call, OPAQUE, .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL);

    if (w->is_shown || w->tries < tries_of(w) || ork_thread.state != ORK_STATE_RUNNING)
        return;
    w->is_shown = true;
    ork_lock();
    ork_send_record(&r);
    ork_set_state(ORK_STATE_BLOCKED);
    ork_unlock();
}

/* False: the rank was released, or has diverged before. */
static bool pause_once(struct ork_wait *w)
{
    int saved = errno;

    if (w->tries < tries_of(w))
        w->tries++;
    else
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    errno = saved;
    return w->released == releases(w) &&
           (w->is_free ? w->tries < FREE_TRIES || !ork_polls_are_late(&w->until_ns)
                       : ork_replay_is_on());
}

bool ork_wait_again(struct ork_wait *w)
{
    if (w->is_decided)
        return !(w->is_free && ork_decided_answer() != NULL) && ork_decided_look(&w->decisions) &&
               !ork_decided_is_ending(&w->decisions);
    show(w);
    if (!pause_once(w))
        return false;
    if (ork_early_is_pending())
        ork_early_answer();
    return true;
}

bool ork_wait_on(struct ork_wait *w)
{
    if (ork_wait_again(w))
        return true;
    if (!w->is_decided && !w->is_free)
        ork_ordered_diverge(ORK_DIVERGED_OUTCOME, (enum ork_call_id)w->call);
    return false;
}

/* RATIONALE: an unsuccessful poll may have no record, and none may follow it. So the end of a wait
 * that has no certain outcome is one. */
static void show_no_more(const struct ork_wait *w)
{
    const struct ork_call call = {.id = w->call, .site = ork_thread.site};
    struct ork_record r = ORK_RECORD(&call, EXIT, .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL);

    ork_lock();
    if (w->is_free)
        ork_send_record(&r);
    ork_set_state(ORK_STATE_RUNNING);
    ork_unlock();
}

void ork_wait_end(const struct ork_wait *w)
{
    if (w->is_decided)
        ork_decisions_wait_end();
    else if (w->is_shown)
        show_no_more(w);
}
