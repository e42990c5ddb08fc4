/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks in a replay: each waits until the sections are over that were granted before it. */
#include "interceptor/outcomes/early.h"
#include "interceptor/forcing/force_internal.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/outcomes/locks.h"
#include "interceptor/forcing/turns.h"

/* RATIONALE: the library may have to serve others meanwhile, and the tool asks which messages the
 * receives of a rank that waits have taken. */
static void make_progress(void)
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
static void await_end(void)
{
    static _Atomic bool is_over;
    struct ork_force_waiting w = ork_force_begin_waiting();

    while (!atomic_load(&is_over) && ork_force_pause(&w))
        make_progress();
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

/* A lock before its real call. */
struct turn {
    struct ork_lock lock;
    bool is_decided;
    uint32_t number; /* of sections before it, if that is decided */
};

static struct turn await_turn(enum ork_call_id id, const struct ork_lock_call *call)
{
    struct ork_force_waiting w = ork_force_begin_waiting();
    struct turn turn = {.is_decided = false};

    if (!ork_force_is_on(id))
        return turn;
    ork_hold_at_next(id);
    ork_lock();
    bool is_choice = ork_locks_find(call, &turn.lock);
    bool is_cut = ork_replay_is_cut();
    const struct ork_choice *c = is_choice ? recorded_lock() : NULL;
    turn.is_decided = c != NULL;
    turn.number = c != NULL ? (uint32_t)c->tag : 0;
    ork_unlock();
    if (is_choice && !turn.is_decided && is_cut)
        await_end();
    else if (is_choice && !turn.is_decided)
        ork_turn_yield(&turn.lock, make_progress);
    while (turn.is_decided && !ork_locks_have_reached(&turn.lock, turn.number)) {
        ork_turn_wait(&turn.lock, turn.number);
        make_progress();
        if (!ork_force_wait_on(&w, id))
            break;
    }
    return turn;
}

static int forced_MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win)
{
    struct turn turn =
        await_turn(ORK_CALL_MPI_Win_lock,
                   &(struct ork_lock_call){
                       .win = win, .rank = rank, .type = lock_type, .assertion = assertion});
    int result = REAL(MPI_Win_lock)(lock_type, rank, assertion, win);

    if (turn.is_decided)
        ork_turn_end(&turn.lock, turn.number);
    return result;
}

static int forced_MPI_Win_lock_all(int assertion, MPI_Win win)
{
    struct turn turn = await_turn(
        ORK_CALL_MPI_Win_lock_all,
        &(struct ork_lock_call){
            .win = win, .rank = ORK_NO_RANK, .type = MPI_LOCK_SHARED, .assertion = assertion});
    int result = REAL(MPI_Win_lock_all)(assertion, win);

    if (turn.is_decided)
        ork_turn_end(&turn.lock, turn.number);
    return result;
}

void ork_force_init_locks(void)
{
    ork_turns_init();
    ORK_FORCE(MPI_Win_lock);
    ORK_FORCE(MPI_Win_lock_all);
}
