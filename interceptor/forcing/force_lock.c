/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks in a replay: each waits until the sections are over that were granted before it. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/force_turn.h"
#include "interceptor/forcing/turns.h"

static struct ork_turn await_turn(enum ork_call_id id, const struct ork_lock_call *call)
{
    struct ork_lock lock;

    if (!ork_force_is_on(id))
        return (struct ork_turn){.is_decided = false};
    ork_lock();
    bool is_choice = ork_locks_find(call, &lock);
    ork_unlock();
    return ork_turn_await(id, is_choice ? &lock : NULL);
}

static int imposed_MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win)
{
    struct ork_turn turn =
        await_turn(ORK_CALL_MPI_Win_lock,
                   &(struct ork_lock_call){
                       .win = win, .rank = rank, .type = lock_type, .assertion = assertion});
    int result = REAL(MPI_Win_lock)(lock_type, rank, assertion, win);

    ork_turn_is_over(&turn);
    return result;
}

static int imposed_MPI_Win_lock_all(int assertion, MPI_Win win)
{
    struct ork_turn turn = await_turn(
        ORK_CALL_MPI_Win_lock_all,
        &(struct ork_lock_call){
            .win = win, .rank = ORK_NO_RANK, .type = MPI_LOCK_SHARED, .assertion = assertion});
    int result = REAL(MPI_Win_lock_all)(assertion, win);

    ork_turn_is_over(&turn);
    return result;
}

void ork_force_init_locks(void)
{
    ork_turns_init();
    ORK_IMPOSE(MPI_Win_lock);
    ORK_IMPOSE(MPI_Win_lock_all);
}
