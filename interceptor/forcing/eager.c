/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/eager.h"

#include "common/vec.h"
#include "interceptor/call/call.h"
#include "interceptor/outcomes/locks.h"
#include "interceptor/mpi/next.h"
#include "interceptor/forcing/held.h"
#include "interceptor/ring/recorder.h"

#include <errno.h>

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

void ork_eager_take(const struct ork_lock_call *call)
{
    struct held own = {.win = call->win, .rank = call->rank};

    if (!ork_is_explored || call->rank == ORK_NO_RANK || !begin(call, &own.lock))
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

void ork_eager_give_back(MPI_Win win, int rank)
{
    if (!ork_is_explored)
        return;
    ork_lock();
    struct held *own = find(win, rank);
    if (own != NULL) {
        ork_held_give_back(&own->lock);
        *own = held[--num_held];
    }
    ork_unlock();
}

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

void ork_eager_taken(const struct ork_lock_call *call, int result)
{
    if (ork_is_explored && result == MPI_SUCCESS)
        await_grant(call);
    else
        ork_eager_give_back(call->win, call->rank);
}
