/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests for window locks, and for turns of atomics: which of them is the next one. They are
 * ordered by (time, rank), of the clock of locks. RATIONALE: it counts one-sided calls, too. So a
 * rank that polls the memory of a window, and neither sends nor receives, does not stay behind the
 * request of a rank for which it waits. */
#include "order/arbiter/answer.h"

/* Does an earlier request of this rank conflict? */
static bool is_behind(const struct rank *p, const struct lock *lock, struct rank *other)
{
    struct lock wanted;

    return ork_ask_is_waiting(other) && ork_ask_is_lock(&other->ask) &&
           ork_arbiter_stamp_is_less(other->ask.at, p->ask.at) &&
           ork_arbiter_lock_of(other, &wanted) && ork_arbiter_locks_conflict(&wanted, lock);
}

/* Can this rank still ask for an earlier lock? */
static bool may_be_earlier(const struct rank *p, const struct rank *other)
{
    const struct stamp at = {.time = p->arbiter->bound[other->number].lock,
                             .sender = other->number};

    return ork_arbiter_stamp_is_less(at, p->ask.at);
}

enum turn ork_turn_of(const struct rank *p, const struct lock *lock, uint32_t *by)
{
    const struct ork_comm *window = lock->window.comm;
    enum turn turn = TURN_NOW;

    if (!ork_arbiter_lock_is_free(lock))
        return TURN_HELD;
    for (uint32_t i = 0; i < window->group->size; i++) {
        struct rank *other = ork_arbiter_member(p->arbiter, window, i);
        if (other == p)
            continue;
        if (is_behind(p, lock, other))
            return TURN_BEHIND;
        if (turn != TURN_NOW || !may_be_earlier(p, other))
            continue;
        turn = TURN_UNSURE;
        if (by != NULL)
            *by = other->number;
    }
    return turn;
}

bool ork_arbiter_is_held_up(const struct ork_arbiter *a, uint32_t rank, uint32_t *by,
                            uint64_t *bound)
{
    ORK_ASSERT(rank < a->nprocs);
    struct rank *p = &a->rank[rank];
    struct lock lock;

    if (!ork_ask_is_waiting(p) || !ork_ask_is_lock(&p->ask) || !ork_arbiter_lock_of(p, &lock) ||
        ork_turn_of(p, &lock, by) != TURN_UNSURE)
        return false;
    *bound = a->bound[*by].lock;
    return true;
}
