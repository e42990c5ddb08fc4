/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks, MPI-3.1 section 11.5. */
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/eager.h"
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/real.h"
#include "interceptor/forcing/turn.h"
#include "interceptor/forcing/turns.h"

/* Is it a choice? Those that are none have no turn. */
static bool is_choice(const struct ork_lock_call *call, struct ork_lock *lock)
{
    ork_lock();
    bool found = (call->type == MPI_LOCK_EXCLUSIVE || call->type == MPI_LOCK_SHARED) &&
                 ork_locks_find(call, lock);
    ork_unlock();
    return found;
}

/* Before the real call. */
static struct ork_turn begin(enum ork_call_id id, const struct ork_lock_call *call)
{
    const struct ork_question q = {.ask = ORK_ASK_LOCK, .comm = MPI_COMM_NULL};
    struct ork_turn turn = {.is_decided = false};
    struct ork_lock lock;

    if (ork_is_imposed(id))
        ork_turn_await(id, is_choice(call, &lock) ? &lock : NULL, &q, &turn);
    ork_eager_take(call);
    return turn;
}

static int end(const struct ork_turn *turn, const struct ork_lock_call *call, int result)
{
    ork_eager_taken(call, result);
    ork_turn_is_over(turn);
    return result;
}

static int imposed_MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win)
{
    const struct ork_lock_call call = {
        .win = win, .rank = rank, .type = lock_type, .assertion = assertion};
    struct ork_turn turn = begin(ORK_CALL_MPI_Win_lock, &call);

    return end(&turn, &call, REAL(MPI_Win_lock)(lock_type, rank, assertion, win));
}

static int imposed_MPI_Win_lock_all(int assertion, MPI_Win win)
{
    const struct ork_lock_call call = {
        .win = win, .rank = ORK_NO_RANK, .type = MPI_LOCK_SHARED, .assertion = assertion};
    struct ork_turn turn = begin(ORK_CALL_MPI_Win_lock_all, &call);

    return end(&turn, &call, REAL(MPI_Win_lock_all)(assertion, win));
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
    int result = REAL(MPI_Win_unlock)(rank, win);
    if (result == MPI_SUCCESS)
        ork_eager_give_back(win, rank);
    return result;
}

static int imposed_MPI_Win_unlock_all(MPI_Win win)
{
    before_unlock(ORK_CALL_MPI_Win_unlock_all, win, ORK_NO_RANK);
    return REAL(MPI_Win_unlock_all)(win);
}

void ork_impose_locks(void)
{
    ork_turns_init();
    ORK_IMPOSE(MPI_Win_lock);
    ORK_IMPOSE(MPI_Win_lock_all);
    ORK_IMPOSE(MPI_Win_unlock);
    ORK_IMPOSE(MPI_Win_unlock_all);
}
