/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical sections of windows: which were granted, and how many are over. An atomic is a
 * section of its location. RATIONALE: it is over when it is granted, because its call waits for
 * nothing but those that were granted before it; its rank makes it when these have been counted. */
#include "order/arbiter/internal.h"

#include <stdlib.h>

enum { ALL = UINT32_MAX };

static bool overlap(uint32_t a, uint32_t b)
{
    return a == ALL || b == ALL || a == b;
}

/* The window and target of a WIN_LOCK or WIN_UNLOCK record. False: it is not followed. */
static bool find(const struct rank *p, struct lock *lock)
{
    const struct ork_record *call = &p->call;

    *lock = (struct lock){.window = ork_arbiter_comm_ref(p, call->comm),
                          .target = call->peer >= 0 ? (uint32_t)call->peer : ALL,
                          .is_exclusive = call->peer >= 0 && call->mode == 1};
    return lock->window.comm != NULL && (call->peer >= 0 || call->peer == ORK_NO_PEER) &&
           (lock->target == ALL || lock->target < lock->window.comm->group->size);
}

static struct locks *locks_of(const struct lock *lock)
{
    const struct place *place = lock->window.comm->state;

    return place->locks;
}

static bool make_locks(const struct ork_comm *window)
{
    struct place *place = window->state;
    struct locks *locks = calloc(1, sizeof(*locks));

    if (locks == NULL)
        return false;
    place->locks = locks;
    locks->shared = calloc(window->group->size, sizeof(*locks->shared));
    locks->exclusive = calloc(window->group->size, sizeof(*locks->exclusive));
    return locks->shared != NULL && locks->exclusive != NULL;
}

static bool has_locks(struct rank *p, const struct lock *lock)
{
    if (locks_of(lock) == NULL && !make_locks(lock->window.comm))
        p->arbiter->failed = true;
    return !p->arbiter->failed;
}

/* The atomic of p->ask. */
static bool find_atomic(struct rank *p, struct lock *lock)
{
    const struct ork_record *ask = &p->ask.record;

    *lock = (struct lock){.window = ork_arbiter_comm_ref(p, ask->comm),
                          .target = (uint32_t)ask->peer,
                          .is_exclusive = ask->tag != 0};
    if (lock->window.comm == NULL || ask->peer < 0 ||
        lock->target >= lock->window.comm->group->size || !has_locks(p, lock))
        return false;
    lock->atomics = ork_table_use(&locks_of(lock)->atomics, lock->target,
                                  (uint64_t)ask->arg2 << 32 | ask->arg, sizeof(*lock->atomics));
    p->arbiter->failed |= lock->atomics == NULL;
    return lock->atomics != NULL;
}

bool ork_arbiter_lock_of(struct rank *p, struct lock *lock)
{
    if (p->ask.open && p->ask.record.mode == ORK_ASK_ATOMIC)
        return find_atomic(p, lock);
    if (!p->inside || p->call.kind != ORK_KIND_WIN_LOCK || !find(p, lock) || !has_locks(p, lock))
        return false;
    for (const struct section *s = locks_of(lock)->first; s != NULL; s = s->next) {
        if (s->member == lock->window.me && overlap(s->target, lock->target))
            return false;
    }
    return true;
}

bool ork_arbiter_locks_conflict(const struct lock *a, const struct lock *b)
{
    return a->window.comm == b->window.comm && a->atomics == b->atomics &&
           overlap(a->target, b->target) && (a->is_exclusive || b->is_exclusive);
}

bool ork_arbiter_lock_is_free(const struct lock *lock)
{
    if (lock->atomics != NULL)
        return true;
    for (const struct section *s = locks_of(lock)->first; s != NULL; s = s->next) {
        if (overlap(s->target, lock->target) && (s->is_exclusive || lock->is_exclusive))
            return false;
    }
    return true;
}

static void add(struct sections *sum, const struct sections *s)
{
    sum->number += s->number;
    sum->end = ork_arbiter_later(sum->end, s->end);
}

/* Those that conflict with the lock. */
static struct sections before(const struct lock *lock)
{
    const struct locks *locks = locks_of(lock);
    struct sections sum = {0, 0};

    if (lock->atomics != NULL) {
        add(&sum, &lock->atomics->updates);
        if (lock->is_exclusive)
            add(&sum, &lock->atomics->reads);
        return sum;
    }
    add(&sum, lock->target == ALL ? &locks->all_exclusive : &locks->exclusive[lock->target]);
    if (lock->is_exclusive) {
        add(&sum, &locks->shared[lock->target]);
        add(&sum, &locks->all_shared);
    }
    return sum;
}

uint32_t ork_arbiter_lock_number(const struct lock *lock)
{
    return before(lock).number & INT32_MAX;
}

uint64_t ork_arbiter_lock_bound(const struct lock *lock, const struct times *bound)
{
    uint64_t most = before(lock).end;

    for (const struct section *s = lock->atomics != NULL ? NULL : locks_of(lock)->first; s != NULL;
         s = s->next) {
        uint32_t rank = ork_comms_rank_of(lock->window.comm, s->member);
        if (overlap(s->target, lock->target) && (s->is_exclusive || lock->is_exclusive))
            most = ork_arbiter_later(most, bound[rank].lock);
    }
    return most;
}

/* An end is an event of its own: who waits for it goes on later than that. */
static void end(struct sections *s, uint64_t time)
{
    s->number++;
    s->end = ork_arbiter_later(s->end, time);
}

static void add_section(struct rank *p, const struct lock *lock)
{
    struct locks *locks = locks_of(lock);
    struct section *s = malloc(sizeof(*s));

    if (s == NULL) {
        p->arbiter->failed = true;
        return;
    }
    *s = (struct section){.member = lock->window.me,
                          .target = lock->target,
                          .is_exclusive = lock->is_exclusive,
                          .next = locks->first};
    locks->first = s;
}

void ork_arbiter_lock_grant(struct rank *p, const struct lock *lock)
{
    ORK_ASSERT(ork_arbiter_lock_is_free(lock));
    p->clock.lock = ork_arbiter_later(p->clock.lock, before(lock).end + 1);
    p->arbiter->bound_is_old = true;
    if (lock->atomics == NULL)
        add_section(p, lock);
    else
        end(lock->is_exclusive ? &lock->atomics->updates : &lock->atomics->reads, p->clock.lock);
}

/* The section of a lock or unlock, which is removed; false: there is none. */
static bool take_section(struct rank *p, struct lock *lock, struct section *taken)
{
    if (!find(p, lock) || locks_of(lock) == NULL)
        return false;
    for (struct section **s = &locks_of(lock)->first; *s != NULL; s = &(*s)->next) {
        struct section *found = *s;
        if (found->member != lock->window.me || found->target != lock->target)
            continue;
        *taken = *found;
        *s = found->next;
        free(found);
        return true;
    }
    return false;
}

void ork_arbiter_lock_end(struct rank *p)
{
    struct section s;
    struct lock lock;

    if (!take_section(p, &lock, &s))
        return;
    struct locks *locks = locks_of(&lock);
    p->clock.lock++;
    if (s.target == ALL) {
        end(&locks->all_shared, p->clock.lock);
    } else if (s.is_exclusive) {
        end(&locks->exclusive[s.target], p->clock.lock);
        end(&locks->all_exclusive, p->clock.lock);
    } else {
        end(&locks->shared[s.target], p->clock.lock);
    }
}

void ork_arbiter_lock_fail(struct rank *p)
{
    struct section s;
    struct lock lock;

    take_section(p, &lock, &s);
}

void ork_arbiter_locks_destroy(struct place *place)
{
    struct locks *locks = place->locks;

    if (locks == NULL)
        return;
    while (locks->first != NULL) {
        struct section *s = locks->first;
        locks->first = s->next;
        free(s);
    }
    ork_table_release(&locks->atomics, NULL, NULL);
    free(locks->shared);
    free(locks->exclusive);
    free(locks);
    place->locks = NULL;
}
