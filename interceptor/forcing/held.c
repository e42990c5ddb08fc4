/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/held.h"

#include "interceptor/forcing/pause.h"
#include "interceptor/mpi/next.h"
#include "interceptor/ring/clock.h"
#include "interceptor/ring/sections.h"

bool ork_held_try(const struct ork_lock *lock)
{
    _Atomic uint64_t *word = ork_sections_held(lock->word);
    uint64_t now = atomic_load(word);

    if (lock->is_exclusive)
        return now == 0 && atomic_compare_exchange_strong(word, &now, ORK_SECTIONS_EXCLUSIVE);
    return now < ORK_SECTIONS_EXCLUSIVE &&
           atomic_compare_exchange_strong(word, &now, now + ORK_SECTIONS_SHARED);
}

void ork_held_give_back(const struct ork_lock *lock)
{
    atomic_fetch_sub(ork_sections_held(lock->word),
                     lock->is_exclusive ? ORK_SECTIONS_EXCLUSIVE : ORK_SECTIONS_SHARED);
}

/* RATIONALE: the library may have to serve others meanwhile. */
static void make_progress(void)
{
    int flag;

    ORK_NEXT(MPI_Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

bool ork_held_take(const struct ork_lock *lock, uint64_t limit_ns)
{
    struct ork_pause pause = {0};
    uint64_t begun_ns = 0;

    while (!ork_held_try(lock)) {
        if (limit_ns > 0 && begun_ns == 0)
            begun_ns = ork_clock_ns();
        else if (limit_ns > 0 && ork_clock_ns() - begun_ns > limit_ns)
            return false;
        make_progress();
        ork_pause_once(&pause);
    }
    return true;
}
