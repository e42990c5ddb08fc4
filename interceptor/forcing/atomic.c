/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/atomic.h"

#include "common/hash.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/held.h"
#include "interceptor/forcing/turn.h"
#include "interceptor/forcing/wait.h"
#include "interceptor/forcing/polls.h"
#include "interceptor/objects/types.h"
#include "interceptor/objects/windows.h"
#include "interceptor/preload/thread_storage.h"

#include <string.h>

/* Of the access that the thread is in. */
ORK_THREAD_LOCAL(struct ork_turn, ork_atomic_own);
/* The tool has decided its turn: others wait until it is counted. */
ORK_THREAD_LOCAL(bool, ork_atomic_is_awaited);

/* ---- which accesses are ordered ---- */

/* Does it access one element, of a predefined type? MPI_Fetch_and_op does, and so does
 * MPI_Compare_and_swap. */
static bool is_of_one(const struct ork_args *a)
{
    bool is_one = a->datatype2 == MPI_DATATYPE_NULL;

    return ork_type_predefined(is_one ? a->datatype : a->datatype2) != ORK_TYPE_UNKNOWN &&
           (is_one || a->count2 == 1);
}

/* Does its outcome, or that of others, depend on its place? */
static bool matters(const struct ork_args *a, unsigned mode)
{
    if (mode == ORK_ACCESS_ACCUMULATE)
        return a->op != MPI_NO_OP &&
               !ork_access_commutes(ork_op_number(a->op), ork_access_type(a->datatype2));
    return mode == ORK_ACCESS_FETCH || mode == ORK_ACCESS_SWAP;
}

/* Is the target certainly in a passive epoch? RATIONALE: else the flush would be wrong. */
static bool is_passive(const struct ork_window *w, int target)
{
    const struct ork_epochs *e = &w->epochs;
    const unsigned active = ORK_EPOCH_POSSIBLE | ORK_EPOCH_FENCE | ORK_EPOCH_START;

    if (e->doubtful != 0 || (e->open & active) != 0)
        return false;
    return (e->open & (ORK_EPOCH_LOCK | ORK_EPOCH_LOCK_ALL)) != 0 &&
           (ork_epochs_admit(e, target, false) || ork_epochs_contain(e, target, false));
}

/* RATIONALE: a recording without ordered atomics (MUST_Order of a run that nobody wanted to record)
 * can be replayed, too. Where one was cut off, what comes next waits as a lock does. */
static bool is_of_replay(const struct ork_call *call)
{
    static bool has_them;

    if (!ork_replay_is_on() || ork_replay_is_plan())
        return true;
    const struct ork_choice *next = ork_replay_next();
    bool is_next = next != NULL && next->kind == ORK_CHOICE_LOCK && next->call == call->id;
    has_them |= is_next;
    return is_next || (next == NULL && has_them);
}

static bool find(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                 struct ork_lock *location)
{
    const struct ork_window *w;
    bool found = false;

    ork_lock();
    if (matters(a, mode) && is_of_one(a) && !ork_accesses_are_off)
        w = ork_window_of(a->win);
    else
        w = NULL;
    if (w != NULL && is_passive(w, a->target) && is_of_replay(call))
        found = ork_atomics_find(a->win, a->target, a->target_disp,
                                 mode == ORK_ACCESS_SWAP || a->op != MPI_NO_OP, location);
    ork_unlock();
    return found;
}

bool ork_atomic_begin(const struct ork_call *call, const struct ork_args *a, unsigned mode)
{
    struct ork_lock location;

    if (!find(call, a, mode, &location))
        return false;
    const struct ork_question q = {.ask = ORK_ASK_ATOMIC,
                                   .comm = MPI_COMM_NULL,
                                   .win = a->win,
                                   .target = a->target,
                                   .displacement = a->target_disp,
                                   .is_update = location.is_exclusive};
    ork_atomics_were_made = true;
    ork_atomic_is_awaited = ork_decisions_are_on();
    if (!ork_turn_await((enum ork_call_id)call->id, &location, &q, &ork_atomic_own))
        return false;
    if (ork_held_take(&ork_atomic_own.lock, ORK_HELD_LIMIT_NS))
        return true;
    ork_turn_is_over(&ork_atomic_own);
    return false;
}

/* ---- MPI_Compare_and_swap ---- */

/* Has it found another value than it compares with? */
static bool has_failed(const struct ork_args *a)
{
    return memcmp(a->result, a->compare, ork_dense_size(a->datatype)) != 0;
}

static uint32_t hash_operands(const struct ork_args *a)
{
    const unsigned char *compare = a->compare, *origin = a->origin;
    uint64_t hash = 0;

    for (uint64_t i = 0; i < ork_dense_size(a->datatype); i++)
        hash = ork_hash_add(hash, (uint64_t)compare[i] << 8 | origin[i]);
    return (uint32_t)hash;
}

static bool swap_again(const struct ork_args *a)
{
    void *result = (void *)(uintptr_t)a->result;

    return ORK_NEXT(MPI_Compare_and_swap)(a->origin, a->compare, result, a->datatype, a->target,
                                          a->target_disp, a->win) == MPI_SUCCESS &&
           ORK_NEXT(MPI_Win_flush)(a->target, a->win) == MPI_SUCCESS && !has_failed(a);
}

/* RATIONALE: a loop that repeats it until it succeeds is a wait: how often it fails is no order of
 * its own. Others have the location between two tries. */
static void swap_until_done(enum ork_call_id id, const struct ork_args *a)
{
    struct ork_wait w;
    bool is_done = false, goes_on = true;

    ork_wait_begin(&w, id, true);
    while (goes_on && !is_done) {
        ork_held_give_back(&ork_atomic_own.lock);
        ork_turn_progress();
        goes_on = ork_wait_on(&w);
        ork_held_take(&ork_atomic_own.lock, 0);
        is_done = goes_on && swap_again(a);
    }
    ork_wait_end(&w);
    ork_polls_have_waited(id, is_done);
}

/* ---- the end ---- */

struct ork_atomic_outcome ork_atomic_end(const struct ork_call *call, const struct ork_args *a,
                                         unsigned mode, int result)
{
    const enum ork_call_id id = (enum ork_call_id)call->id;
    struct ork_atomic_outcome out = {.order = ork_atomic_own.lock.is_exclusive ? ORK_ATOMIC_UPDATES
                                                                               : ORK_ATOMIC_READS};

    if (result == MPI_SUCCESS)
        out.is_made = ORK_NEXT(MPI_Win_flush)(a->target, a->win) == MPI_SUCCESS;
    if (out.is_made && mode == ORK_ACCESS_SWAP) {
        out.operands = hash_operands(a);
        if (ork_is_explored && !ork_atomic_own.is_decided && has_failed(a) &&
            ork_polls_wait(id) == ORK_OUTCOME_WAITS)
            swap_until_done(id, a);
        if (has_failed(a))
            out.order = ORK_ATOMIC_FAILS;
    }
    out.is_counted =
        out.is_made || ork_atomic_is_awaited || (ork_atomic_own.is_decided && !ork_is_explored);
    if (out.is_counted)
        out.number = ork_locks_count(&ork_atomic_own.lock);
    out.location = ork_atomic_own.lock;
    ork_held_give_back(&ork_atomic_own.lock);
    ork_turn_is_over(&ork_atomic_own);
    return out;
}
