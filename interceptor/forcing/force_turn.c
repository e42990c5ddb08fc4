/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/force_turn.h"

#include "interceptor/outcomes/early.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/forcing/turns.h"
#include "interceptor/forcing/wait.h"

/* RATIONALE: the library may have to serve others meanwhile, and the tool asks which messages the
 * receives of a rank that waits have taken. */
void ork_turn_progress(void)
{
    int flag;

    REAL(MPI_Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    if (!ork_early_is_pending())
        return;
    ork_early_answer();
    ork_lock();
    ork_early_sweep(ORK_EARLY_FEW);
    ork_unlock();
}

/* RATIONALE: a recording that was cut off ends with locks that had been requested, but not granted.
 * They must not come before those of others that had been. So the first one waits until no rank of
 * the replay can go on; from then on, the rank runs freely. */
static void await_end(enum ork_call_id id)
{
    static _Atomic bool is_over;
    struct ork_wait w;

    ork_wait_begin(&w, id, false);
    while (!atomic_load(&is_over) && ork_wait_again(&w))
        ork_turn_progress();
    ork_wait_end(&w);
    atomic_store(&is_over, true);
}

/* How many conflicting sections were granted before the next lock of the calling thread. NULL: this
 * was not recorded. */
static const struct ork_choice *recorded_lock(void)
{
    uint64_t ordinal = ork_thread.locks + 1;
    const struct ork_choice *c =
        ork_replay_outcome(ORK_CHOICE_LATE_LOCK, ork_thread.ordinal, ordinal);

    if (c == NULL)
        c = ork_replay_outcome(ORK_CHOICE_LOCK, ork_thread.ordinal, ordinal);
    return c;
}

struct ork_turn ork_turn_await(enum ork_call_id id, const struct ork_lock *lock)
{
    struct ork_wait w;
    struct ork_turn turn = {.is_decided = false};

    ork_hold_at_next(id);
    if (lock == NULL)
        return turn;
    ork_lock();
    bool is_cut = ork_replay_is_cut();
    const struct ork_choice *c = recorded_lock();
    bool fails = c != NULL && c->tag == ORK_CHOICE_FAILED;
    turn.lock = *lock;
    turn.is_decided = c != NULL && !fails;
    turn.number = turn.is_decided ? (uint32_t)c->tag : 0;
    ork_unlock();
    if (fails)
        return turn;
    if (!turn.is_decided && is_cut)
        await_end(id);
    else if (!turn.is_decided)
        ork_turn_yield(id, &turn.lock, ork_turn_progress);
    ork_wait_begin(&w, id, false);
    while (turn.is_decided && !ork_locks_have_reached(&turn.lock, turn.number)) {
        ork_turn_wait(&turn.lock, turn.number);
        ork_turn_progress();
        if (!ork_wait_on(&w))
            break;
    }
    ork_wait_end(&w);
    return turn;
}

void ork_turn_is_over(const struct ork_turn *turn)
{
    if (turn->is_decided)
        ork_turn_end(&turn->lock, turn->number);
}
