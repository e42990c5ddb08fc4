/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/eager.h"

#include "common/vec.h"
#include "interceptor/call/call.h"
#include "interceptor/outcomes/locks.h"
#include "interceptor/mpi/next.h"
#include "interceptor/forcing/held.h"
#include "interceptor/ring/recorder.h"

#include <errno.h>

static ork_function real_lock, real_lock_all, real_unlock;

/* ---- locks that this process holds in the shared memory ---- */

struct held {
    MPI_Win win;
    int rank;
    struct ork_lock lock;
};

static struct held *held;
static uint32_t num_held, held_room;

/* NULL: there is none. The recorder's lock is held. */
static struct held *find(MPI_Win win, int rank)
{
    for (uint32_t i = 0; i < num_held; i++) {
        if (held[i].win == win && held[i].rank == rank)
            return &held[i];
    }
    return NULL;
}

/* RATIONALE: the library says what is wrong with a call that is not valid, so that one must not
 * wait. */
static bool begin(const struct ork_lock_call *call, struct ork_lock *lock)
{
    ork_lock();
    bool may = (call->type == MPI_LOCK_EXCLUSIVE || call->type == MPI_LOCK_SHARED) &&
               find(call->win, call->rank) == NULL && ork_locks_find(call, lock);
    ork_unlock();
    return may;
}

static void hold(const struct ork_lock_call *call)
{
    struct held own = {.win = call->win, .rank = call->rank};

    if (!begin(call, &own.lock))
        return;
    ork_held_take(&own.lock, 0);
    int saved = errno;
    ork_lock();
    if (ork_vec_reserve(&held, &held_room, num_held + 1, sizeof(*held)))
        held[num_held++] = own;
    else
        ork_held_give_back(&own.lock);
    ork_unlock();
    errno = saved;
}

static void let_go(MPI_Win win, int rank)
{
    ork_lock();
    struct held *own = find(win, rank);
    if (own != NULL) {
        ork_held_give_back(&own->lock);
        *own = held[--num_held];
    }
    ork_unlock();
}

/* ---- calls ---- */

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
    const struct ork_lock_call call = {
        .win = win, .rank = rank, .type = lock_type, .assertion = assertion};

    hold(&call);
    int result = ((__typeof__(&PMPI_Win_lock))real_lock)(lock_type, rank, assertion, win);
    if (result == MPI_SUCCESS)
        await_grant(&call);
    else
        let_go(win, rank);
    return result;
}

static int eager_MPI_Win_unlock(int rank, MPI_Win win)
{
    int result = ((__typeof__(&PMPI_Win_unlock))real_unlock)(rank, win);

    if (result == MPI_SUCCESS)
        let_go(win, rank);
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
    real_unlock = ork_next(ORK_CALL_MPI_Win_unlock, "PMPI_Win_unlock");
    real_lock_all = ork_next(ORK_CALL_MPI_Win_lock_all, "PMPI_Win_lock_all");
    atomic_store(&ork_next_table[ORK_CALL_MPI_Win_lock], (ork_function)eager_MPI_Win_lock);
    atomic_store(&ork_next_table[ORK_CALL_MPI_Win_unlock], (ork_function)eager_MPI_Win_unlock);
    atomic_store(&ork_next_table[ORK_CALL_MPI_Win_lock_all], (ork_function)eager_MPI_Win_lock_all);
}
