/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of windows: the set that a rank holds. A lock orders nothing, it only excludes others. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

void ork_lockset_unref(struct lockset *set)
{
    if (set == NULL)
        return;
    ORK_ASSERT(set->refs > 0 && set->count > 0);
    if (--set->refs == 0)
        free(set);
}

static struct lockset *make(uint32_t count)
{
    struct lockset *set = malloc(sizeof(*set) + count * sizeof(set->lock[0]));

    if (set != NULL)
        *set = (struct lockset){.refs = 1, .count = count};
    return set;
}

void ork_lock_add(struct ork_onesided *o, uint32_t rank, const struct lock *lock)
{
    ORK_ASSERT(rank < o->nprocs);
    struct lockset *old = o->locks[rank];
    uint32_t had = old == NULL ? 0 : old->count;
    struct lockset *set = make(had + 1);

    if (set == NULL) {
        o->failed = true;
        return;
    }
    if (had > 0)
        memcpy(set->lock, old->lock, had * sizeof(set->lock[0]));
    set->lock[had] = *lock;
    ork_lockset_unref(old);
    o->locks[rank] = set;
}

void ork_lock_remove(struct ork_onesided *o, uint32_t rank, const struct window *w, uint32_t target)
{
    struct lockset *old = o->locks[rank];
    uint32_t had = old == NULL ? 0 : old->count, i = 0;

    while (i < had && (old->lock[i].window != w || old->lock[i].target != target))
        i++;
    if (i == had)
        return;
    struct lockset *set = had > 1 ? make(had - 1) : NULL;
    if (had > 1 && set == NULL) {
        o->failed = true;
        return;
    }
    ORK_ASSERT((set == NULL) == (had == 1)); /* none: it holds no lock any more */
    for (uint32_t k = 0; k + 1 < had; k++)
        set->lock[k] = old->lock[k < i ? k : k + 1];
    ork_lockset_unref(old);
    o->locks[rank] = set;
}

const struct lock *ork_lock_find(const struct ork_onesided *o, uint32_t rank,
                                 const struct window *w, uint32_t target)
{
    const struct lockset *set = o->locks[rank];

    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        const struct lock *l = &set->lock[i];
        if (l->window == w && (l->target == target || l->target == UINT32_MAX))
            return l;
    }
    return NULL;
}

static bool do_exclude(const struct lock *a, const struct lock *b)
{
    return a->window == b->window && (a->is_exclusive || b->is_exclusive) &&
           (a->target == b->target || a->target == UINT32_MAX || b->target == UINT32_MAX);
}

bool ork_lockset_excludes(const struct lockset *a, const struct lockset *b)
{
    for (uint32_t i = 0; a != NULL && b != NULL && i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            if (do_exclude(&a->lock[i], &b->lock[k]))
                return true;
        }
    }
    return false;
}

bool ork_lockset_is_same(const struct lockset *a, const struct lockset *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct lock *x = &a->lock[i], *y = &b->lock[i];
        if (x->window != y->window || x->target != y->target || x->is_exclusive != y->is_exclusive)
            return false;
    }
    return true;
}
