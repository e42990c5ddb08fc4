/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/turn.h"

#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/held.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/turns.h"
#include "interceptor/forcing/wait.h"
#include "interceptor/outcomes/early.h"
#include "interceptor/ring/clock.h"

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

/* ---- waiting for it ---- */

/* Was no section, or atomic, of the location counted for too long? */
struct progress {
    uint32_t latest;
    uint64_t since_ns;
};
static bool is_late(struct progress *p, const struct ork_lock *lock)
{
    uint32_t now = ork_locks_number(lock);

    if (p->since_ns == 0 || now != p->latest)
        *p = (struct progress){.latest = now, .since_ns = ork_clock_ns()};
    return ork_clock_ns() - p->since_ns > ORK_HELD_LIMIT_NS;
}

/* RATIONALE: of a deterministic run: the turn of a lock was decided when the section before it
 * began to end, and the library may grant a lock after its call has returned. False: it is an
 * atomic, and late. */
static bool await_number(enum ork_call_id id, const struct ork_turn *turn, bool is_limited)
{
    struct progress progress = {.since_ns = 0};
    bool goes_on = true, late = false;
    struct ork_wait w;

    if (ork_locks_have_reached(&turn->lock, turn->number))
        return true;
    ork_wait_begin(&w, id, false);
    while (goes_on && !late && !ork_locks_have_reached(&turn->lock, turn->number)) {
        ork_turn_wait(&turn->lock, turn->number);
        ork_turn_progress();
        goes_on = ork_wait_on(&w);
        late = is_limited && is_late(&progress, &turn->lock);
    }
    ork_wait_end(&w);
    return !late;
}

/* ---- of an order ---- */

static void await_recorded(enum ork_call_id id, struct ork_turn *turn)
{
    ork_lock();
    bool is_cut = ork_replay_is_cut();
    const struct ork_choice *c = recorded_lock();
    bool fails = c != NULL && c->tag == ORK_CHOICE_FAILED;
    turn->is_decided = c != NULL && !fails;
    turn->number = turn->is_decided ? (uint32_t)c->tag : 0;
    ork_unlock();
    if (turn->is_decided)
        await_number(id, turn, false);
    else if (!fails && is_cut)
        await_end(id);
    else if (!fails)
        ork_turn_yield(id, &turn->lock, ork_turn_progress);
}

/* ---- of a deterministic run ---- */

/* RATIONALE: a decided lock is granted at once, so its call does not block while receives are
 * deferred. */
static void await_decided_lock(enum ork_call_id id, const struct ork_question *q,
                               struct ork_turn *turn)
{
    const struct ork_decision *d = ork_decided_await(q);

    turn->is_decided = d != NULL && d->decided == ORK_DECIDED_LOCK;
    if (!turn->is_decided) {
        ork_decided_settle();
        return;
    }
    turn->number = (uint32_t)d->source;
    await_number(id, turn, false);
}

static bool await_decided_atomic(enum ork_call_id id, const struct ork_question *q,
                                 struct ork_turn *turn)
{
    static bool has_given_up; /* RATIONALE: one that was late is never counted */

    if (has_given_up)
        return false;
    const struct ork_decision *d = ork_decided_await(q);
    if (d == NULL) /* the rank runs freely */
        return true;
    if (d->decided != ORK_DECIDED_LOCK)
        return false;
    turn->number = (uint32_t)d->source;
    has_given_up = !await_number(id, turn, true);
    return !has_given_up;
}

bool ork_turn_await(enum ork_call_id id, const struct ork_lock *lock,
                    const struct ork_question *question, struct ork_turn *turn)
{
    *turn = (struct ork_turn){.is_decided = false};
    if (lock != NULL)
        turn->lock = *lock;
    if (ork_replay_is_on()) {
        ork_hold_at_next(id);
        if (lock != NULL)
            await_recorded(id, turn);
    } else if (ork_decisions_are_on() && lock == NULL) {
        ork_decided_settle();
    } else if (ork_decisions_are_on() && question->ask == ORK_ASK_ATOMIC) {
        return await_decided_atomic(id, question, turn);
    } else if (ork_decisions_are_on()) {
        await_decided_lock(id, question, turn);
    }
    return true;
}

void ork_turn_is_over(const struct ork_turn *turn)
{
    if (turn->is_decided)
        ork_turn_end(&turn->lock, turn->number);
}
