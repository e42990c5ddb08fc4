/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/turns.h"

#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/wait.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/ring/sections.h"

#include <errno.h>
#include <time.h>

enum { YIELD_NS = 500000000, PAUSE_NS = 20000, SECOND_NS = 1000000000 };

static _Atomic uint64_t *decided; /* locks of all ranks that are decided, and not yet taken */
static bool is_closed;            /* they need none that is free */

static bool note_choice(void *context, const struct ork_choice *choice)
{
    uint64_t *locks = context;

    *locks += choice->kind == ORK_CHOICE_LOCK && choice->tag != ORK_CHOICE_FAILED;
    is_closed |= choice->kind == ORK_CHOICE_OPEN && choice->tag != 0;
    return true;
}

void ork_turns_init(void)
{
    uint64_t locks = 0;

    if (!ork_replay_is_on() || !ork_replay_is_plan())
        return;
    decided = ork_sections_decided();
    if (decided != NULL && ork_replay_read(0, note_choice, &locks) == ORK_OK)
        atomic_fetch_add(decided, locks);
}

void ork_turn_wait(const struct ork_lock *lock, uint32_t number)
{
    uint64_t own = (uint64_t)number + 1, first;

    if (decided == NULL || lock->targets != 1)
        return;
    _Atomic uint64_t *wanted = ork_sections_wanted(lock->word);
    first = atomic_load(wanted);
    while ((first == 0 || first > own) && !atomic_compare_exchange_weak(wanted, &first, own))
        ;
}

void ork_turn_end(const struct ork_lock *lock, uint32_t number)
{
    uint64_t own = (uint64_t)number + 1;

    if (decided == NULL)
        return;
    if (lock->targets == 1)
        atomic_compare_exchange_strong(ork_sections_wanted(lock->word), &own, 0);
    atomic_fetch_sub(decided, 1);
}

/* A decided lock that waits needs this section, or there is none that is still to come. */
static bool may_go(const struct ork_lock *lock)
{
    uint64_t wanted = atomic_load(ork_sections_wanted(lock->word));

    if (is_closed || atomic_load(decided) == 0)
        return atomic_load(decided) == 0;
    return wanted != 0 && !ork_locks_have_reached(lock, (uint32_t)(wanted - 1));
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

/* False: the rank need not wait any more. */
static bool wait_on(struct ork_wait *w, int64_t begun)
{
    if (is_closed)
        return ork_wait_again(w);
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return now_ns() - begun <= YIELD_NS;
}

void ork_turn_yield(enum ork_call_id id, const struct ork_lock *lock, void (*progress)(void))
{
    static _Atomic bool is_in_vain;
    struct ork_wait w;
    int saved = errno;

    if (decided == NULL || lock->targets != 1 || atomic_load(&is_in_vain) || may_go(lock))
        return;
    int64_t begun = now_ns();
    ork_wait_begin(&w, id, false);
    while (!may_go(lock) && !atomic_load(&is_in_vain)) {
        progress();
        if (!wait_on(&w, begun))
            atomic_store(&is_in_vain, true);
    }
    ork_wait_end(&w);
    errno = saved;
}
