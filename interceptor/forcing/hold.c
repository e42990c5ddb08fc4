/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/hold.h"

#include "interceptor/outcomes/choice.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/requests/requests.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>

enum { PAUSE_MS = 20 };

/* Where this rank stops: a choice, and the choice that its call makes first. Number 0: nowhere. */
static struct ork_choice stop, first;
static uint64_t wanted; /* number of `stop` in its thread */
static _Atomic bool has_stopped;
bool ork_hold_is_wanted;

/* ---- where ---- */

/* RATIONALE: a call that completes requests tells first which ones (TEST, WAIT), then what those
 * receives got. MPI_Wait and MPI_Waitall only tell the latter: see ork_hold_at_requests(). */
static bool is_result(const struct ork_choice *c)
{
    bool of_request =
        c->kind == ORK_CHOICE_CANCEL || (c->kind == ORK_CHOICE_RECEIVE && c->post > 0);

    return of_request && c->call != ORK_CALL_MPI_Wait && c->call != ORK_CALL_MPI_Waitall;
}

static bool take(void *context, const struct ork_choice *choice)
{
    (void)context;
    if (!is_result(choice))
        first = *choice;
    if (choice->number < wanted)
        return true;
    stop = *choice;
    return false;
}

void ork_hold_init(void)
{
    const struct ork_ring *ring = ork_recorder.ring;

    wanted = atomic_load(&ring->stop_choice);
    if (ork_replay_is_on() && wanted > 0)
        ork_replay_read(atomic_load(&ring->stop_thread), take, NULL);
    ork_hold_is_wanted = stop.number != 0;
}

static void stop_here(enum ork_call_id id)
{
    if (!atomic_exchange(&has_stopped, true))
        ork_hold_wait(id, ork_thread.site, stop.number);
}

void ork_hold_look_at_choice(const struct ork_choice *next, enum ork_call_id id)
{
    if (next->number == first.number && next->thread == first.thread)
        stop_here(id);
}

void ork_hold_at_next(enum ork_call_id id)
{
    if (!ork_hold_is_wanted || !ork_replay_is_on())
        return;
    ork_lock();
    const struct ork_choice *next = ork_replay_next();
    ork_unlock();
    ork_hold_at_choice(next, id);
}

/* Is the recorded outcome of this request the choice at which to stop? */
static bool is_stop(MPI_Request request)
{
    struct ork_request found = ork_request_find(request);
    bool wildcard = (found.flags & ORK_R_WILDCARD) != 0;

    return (found.flags & ORK_R_OBSERVED) != 0 &&
           stop.kind == (wildcard ? ORK_CHOICE_RECEIVE : ORK_CHOICE_CANCEL) &&
           ork_choice_names(&stop, found.id);
}

void ork_hold_look_at_requests(int count, const MPI_Request *request, enum ork_call_id id)
{
    bool found = false;

    if (stop.call != id || !ork_replay_is_on())
        return;
    ork_lock();
    for (int i = 0; i < count && !found; i++)
        found = is_stop(request[i]);
    ork_unlock();
    if (found)
        stop_here(id);
}

/* ---- waiting ---- */

static void put_held(enum ork_call_id id, uint32_t site, uint64_t choice)
{
    ork_lock();
    ork_put(&(struct ork_record){.kind = ORK_KIND_HELD,
                                 .call = (uint16_t)id,
                                 .thread = ork_thread.index,
                                 .site = site,
                                 .request = ORK_REQUEST_NULL,
                                 .peer = ORK_NO_PEER,
                                 .extra = choice});
    ork_publish();
    ork_set_state((enum ork_state)ork_thread.state);
    ork_unlock();
}

/* False: the leaf has ended. Nothing is sent on the socket, so any event on it is the end. */
static bool sleep_a_moment(void)
{
    struct pollfd p = {.fd = ork_recorder.socket, .events = POLLIN | POLLRDHUP};

    return poll(&p, 1, PAUSE_MS) <= 0;
}

/* RATIONALE: where only a process's parents may debug it (Yama), the user's debugger may do so from
 * here on. */
static void admit_debugger(void)
{
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

void ork_hold_wait(enum ork_call_id id, uint32_t site, uint64_t choice)
{
    struct ork_ring *ring = ork_recorder.ring;
    int saved = errno, cancelled;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
    admit_debugger();
    put_held(id, site, choice);
    while (atomic_load(&ring->hold) != ORK_HOLD_OVER) {
        if (!sleep_a_moment())
            atomic_store(&ring->hold, ORK_HOLD_OVER);
    }
    pthread_setcancelstate(cancelled, NULL);
    errno = saved;
}
