/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks, MPI-3.1 section 11.5; atomics, section 11.3.4. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/decided.h"
#include "interceptor/outcomes/locks.h"
#include "interceptor/objects/windows.h"
#include "interceptor/ring/clock.h"

/* ---- locks ---- */

/* Is it a choice? Those that are none are not decided, either. */
static bool is_choice(const struct ork_lock_call *call, struct ork_lock *lock)
{
    ork_lock();
    bool found = (call->type == MPI_LOCK_EXCLUSIVE || call->type == MPI_LOCK_SHARED) &&
                 ork_locks_find(call, lock);
    ork_unlock();
    return found;
}

/* RATIONALE: its lock was decided when the section before it began to end, and the library may
 * grant a lock after its call has returned. */
static void await_sections(const struct ork_lock *lock, uint32_t number)
{
    struct ork_decision_wait w;

    if (ork_locks_have_reached(lock, number))
        return;
    ork_decisions_wait_begin(&w);
    while (!ork_locks_have_reached(lock, number) && ork_decided_look(&w)) {
        /* look again */
    }
    ork_decisions_wait_end();
}

/* RATIONALE: a decided lock is granted at once, so its call does not block while receives are
 * deferred. */
static void await_turn(enum ork_call_id id, const struct ork_lock_call *call)
{
    const struct ork_question q = {.ask = ORK_ASK_LOCK, .comm = MPI_COMM_NULL};
    const struct ork_decision *d = NULL;
    struct ork_lock lock;

    if (!ork_is_decided(id))
        return;
    if (is_choice(call, &lock))
        d = ork_decided_await(&q);
    if (d != NULL && d->decided == ORK_DECIDED_LOCK)
        await_sections(&lock, (uint32_t)d->source);
    else
        ork_decided_settle();
}

static int imposed_MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win)
{
    await_turn(ORK_CALL_MPI_Win_lock,
               &(struct ork_lock_call){
                   .win = win, .rank = rank, .type = lock_type, .assertion = assertion});
    return REAL(MPI_Win_lock)(lock_type, rank, assertion, win);
}

static int imposed_MPI_Win_lock_all(int assertion, MPI_Win win)
{
    await_turn(ORK_CALL_MPI_Win_lock_all, &(struct ork_lock_call){.win = win,
                                                                  .rank = ORK_NO_RANK,
                                                                  .type = MPI_LOCK_SHARED,
                                                                  .assertion = assertion});
    return REAL(MPI_Win_lock_all)(assertion, win);
}

/* The call that releases a lock blocks only if it has to wait for the lock. */
static void before_unlock(enum ork_call_id id, MPI_Win win, int rank)
{
    const struct ork_lock_call call = {.win = win, .rank = rank, .type = MPI_LOCK_SHARED};
    struct ork_lock lock;

    if (ork_is_decided(id) && !is_choice(&call, &lock))
        ork_decided_settle();
}

static int imposed_MPI_Win_unlock(int rank, MPI_Win win)
{
    before_unlock(ORK_CALL_MPI_Win_unlock, win, rank);
    return REAL(MPI_Win_unlock)(rank, win);
}

static int imposed_MPI_Win_unlock_all(MPI_Win win)
{
    before_unlock(ORK_CALL_MPI_Win_unlock_all, win, ORK_NO_RANK);
    return REAL(MPI_Win_unlock_all)(win);
}

/* ---- atomics ---- */

/* RATIONALE: the atomics before it are being made, unless a process is stopped, or ends inside its
 * call. Then the run must go on: the access is no choice, and the report names it. */
#define LIMIT_NS UINT64_C(10000000000)

/* Wait until `number` atomics were made; false: for so long, none of them was. */
static bool await_atomics(const struct ork_lock *location, uint32_t number)
{
    struct ork_decision_wait w;
    uint32_t latest = ork_locks_number(location);
    uint64_t since_ns = ork_clock_ns();
    bool is_on = true, is_late = false;

    ork_decisions_wait_begin(&w);
    while (is_on && !is_late && !ork_locks_have_reached(location, number)) {
        is_on = ork_decided_look(&w);
        uint32_t now = ork_locks_number(location);
        if (now != latest)
            since_ns = ork_clock_ns();
        latest = now;
        is_late = ork_clock_ns() - since_ns > LIMIT_NS;
    }
    ork_decisions_wait_end();
    return !is_late;
}

bool ork_decided_await_atomic(const struct ork_args *a, const struct ork_lock *location)
{
    static bool has_given_up; /* RATIONALE: one that was late is never counted */
    const struct ork_question q = {.ask = ORK_ASK_ATOMIC,
                                   .comm = MPI_COMM_NULL,
                                   .win = a->win,
                                   .target = a->target,
                                   .displacement = a->target_disp,
                                   .is_update = location->is_exclusive};

    if (has_given_up)
        return false;
    const struct ork_decision *d = ork_decided_await(&q);
    if (d == NULL) /* the rank runs freely */
        return true;
    if (d->decided != ORK_DECIDED_LOCK)
        return false;
    const uint32_t number = (uint32_t)d->source;
    has_given_up = !ork_locks_have_reached(location, number) && !await_atomics(location, number);
    return !has_given_up;
}

void ork_decided_window_init(void)
{
    ORK_IMPOSE(MPI_Win_lock);
    ORK_IMPOSE(MPI_Win_lock_all);
    ORK_IMPOSE(MPI_Win_unlock);
    ORK_IMPOSE(MPI_Win_unlock_all);
}
