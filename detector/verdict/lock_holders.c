/* SPDX-License-Identifier: BSD-3-Clause */
/* The locks of windows that a rank waits for. Reads only. */
#include "detector/check/lock_order.h"
#include "detector/verdict/search.h"

/* The lock that a thread of the process asks for; NULL: none. */
static const struct lock *asked_for(const struct proc *p)
{
    for (const struct lock *l = p->lock; l != NULL; l = l->held_next) {
        if (!l->granted && l->thread->in_call && l->thread->open > 0 &&
            l->thread->call.kind == ORK_KIND_WIN_LOCK)
            return l;
    }
    return NULL;
}

/* Did MPI_Win_lock return? RATIONALE: as long as its owner has made no other call, a lock may have
 * been granted here before another one that the library granted first. */
static bool is_taken(const struct lock *l)
{
    const struct mpi_thread *th = l->thread;
    bool is_latest_call = l->is_latest && th->call.kind == ORK_KIND_WIN_LOCK;

    return l->granted && !l->in_doubt && (l->is_counted || !is_latest_call);
}

bool ork_detector_lock_holder(const struct ork_detector *d, uint32_t rank, uint32_t i,
                              struct ork_lock_holder *holder)
{
    struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    const struct lock *mine = p != NULL ? asked_for(p) : NULL;
    const struct comm_ref *ref = mine != NULL ? ork_comm_ref(p, mine->call.comm) : NULL;

    for (const struct lock *l = ref != NULL ? ref->comm->lock : NULL; l != NULL; l = l->next) {
        if (!is_taken(l) || l->proc == p || !ork_lock_names_exclude(&l->name, &mine->name) ||
            i-- > 0)
            continue;
        *holder = (struct ork_lock_holder){.rank = l->proc->rank,
                                           .call = l->call,
                                           .is_counted = l->is_counted,
                                           .before = l->before};
        return true;
    }
    return false;
}
