/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/eager.h"

#include "interceptor/call.h"
#include "interceptor/locks.h"
#include "interceptor/next.h"
#include "interceptor/recorder.h"

static ork_function real_lock, real_lock_all;

/* RATIONALE: a lock that is no choice point is not waited for, because nothing can conflict with
 * it, or no order of it is known. A flush waits for the grant of the lock. */
static void await_grant(const struct ork_lock_call *call)
{
    struct ork_lock lock;

    ork_lock();
    bool is_choice = ork_locks_find(call, &lock);
    ork_unlock();
    if (!is_choice)
        return;
    if (call->rank == ORK_NO_RANK)
        ORK_NEXT(MPI_Win_flush_all)(call->win);
    else
        ORK_NEXT(MPI_Win_flush)(call->rank, call->win);
}

static int eager_MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win)
{
    int result = ((__typeof__(&PMPI_Win_lock))real_lock)(lock_type, rank, assertion, win);

    if (result == MPI_SUCCESS)
        await_grant(&(struct ork_lock_call){
            .win = win, .rank = rank, .type = lock_type, .assertion = assertion});
    return result;
}

static int eager_MPI_Win_lock_all(int assertion, MPI_Win win)
{
    int result = ((__typeof__(&PMPI_Win_lock_all))real_lock_all)(assertion, win);

    if (result == MPI_SUCCESS)
        await_grant(&(struct ork_lock_call){
            .win = win, .rank = ORK_NO_RANK, .type = MPI_LOCK_SHARED, .assertion = assertion});
    return result;
}

void ork_eager_init(void)
{
    if (!ork_is_explored)
        return;
    ork_locks_are_eager();
    real_lock = ork_next(ORK_CALL_MPI_Win_lock, "PMPI_Win_lock");
    real_lock_all = ork_next(ORK_CALL_MPI_Win_lock_all, "PMPI_Win_lock_all");
    atomic_store(&ork_next_table[ORK_CALL_MPI_Win_lock], (ork_function)eager_MPI_Win_lock);
    atomic_store(&ork_next_table[ORK_CALL_MPI_Win_lock_all], (ork_function)eager_MPI_Win_lock_all);
}
