/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls. The k-th one on a communicator is a wave, by all its members; those of its
 * members that cannot return before others have called it merge the clocks of these. */
#include "order/arbiter/internal.h"

#include <stdlib.h>

enum merges { MERGES_NOTHING, MERGES_ROOT, MERGES_ALL };

static enum merges merges_of(const struct rank *p)
{
    const struct ork_record *call = &p->call;
    bool at_root = call->peer >= 0 && (uint32_t)call->peer == p->coll.me;

    if (p->coll.comm->group->inter || (call->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) ||
        ork_coll_has(call->mode, ORK_HAS_OWN_GROUP | ORK_IS_DYNAMIC))
        return MERGES_NOTHING;
    if (ork_coll_early(call->mode) == ORK_EARLY_NEVER)
        return MERGES_ALL;
    switch (ork_coll_needs(call->mode)) {
    case ORK_NEEDS_ALL:
        return MERGES_ALL;
    case ORK_NEEDS_DATA_OF_ALL:
        return call->bytes > 0 ? MERGES_ALL : MERGES_NOTHING;
    case ORK_NEEDS_DATA_AT_ROOT:
        return call->bytes > 0 && at_root ? MERGES_ALL : MERGES_NOTHING;
    case ORK_NEEDS_DATA_OF_ROOT:
        return call->bytes > 0 && !at_root && call->peer >= 0 ? MERGES_ROOT : MERGES_NOTHING;
    case ORK_NEEDS_NOTHING:
    case ORK_NEEDS_DATA_OF_LOWER:
        break;
    }
    return MERGES_NOTHING;
}

static struct wave *wave_at(struct rank *p, struct place *place, uint32_t index)
{
    struct wave *w = place->first_wave;

    ORK_ASSERT((place->first_wave == NULL) == (place->last_wave == NULL));
    if (place->last_wave != NULL && place->last_wave->index == index)
        return place->last_wave;
    while (w != NULL && w->index != index)
        w = w->next;
    if (w != NULL)
        return w;
    w = calloc(1, sizeof(*w));
    if (w == NULL) {
        p->arbiter->failed = true;
        return NULL;
    }
    w->index = index;
    *(place->last_wave != NULL ? &place->last_wave->next : &place->first_wave) = w;
    place->last_wave = w;
    return w;
}

static void wake_members(struct ork_arbiter *a, const struct ork_comm *comm)
{
    for (uint32_t i = 0; i < comm->group->size; i++)
        ork_arbiter_rank_wake(ork_arbiter_member(a, comm, i));
}

/* RATIONALE: a root may be many calls ahead of the other members: no array for it. */
static bool add_entry(struct wave *w, uint32_t size, uint32_t member, struct times clock)
{
    if (w->arrived == 0) {
        w->first = clock;
        w->first_member = member;
    } else if (w->entry == NULL) {
        w->entry = calloc(size, sizeof(*w->entry));
        if (w->entry == NULL)
            return false;
        w->entry[w->first_member] = w->first;
    }
    if (w->entry != NULL)
        w->entry[member] = clock;
    return true;
}

void ork_arbiter_wave_arrive(struct rank *p, struct ork_comm_ref ref)
{
    struct place *place = ref.comm->state;
    struct wave *w = wave_at(p, place, place->calls[ref.me]);

    if (w == NULL)
        return;
    if (!add_entry(w, ref.comm->group->size, ref.me, p->clock)) {
        p->arbiter->failed = true;
        return;
    }
    place->calls[ref.me]++;
    p->coll = ref;
    p->wave = w;
    w->arrived++;
    ORK_ASSERT(w->arrived <= ref.comm->group->size);
    w->latest = ork_times_later(w->latest, p->clock);
    if (w->is_awaited)
        wake_members(p->arbiter, ref.comm);
    p->arbiter->bound_is_old = true;
}

void ork_arbiter_wave_retract(struct rank *p)
{
    if (p->wave == NULL)
        return;
    struct place *place = p->coll.comm->state;
    ORK_ASSERT(p->wave->arrived > 0);
    p->wave->arrived--;
    place->calls[p->coll.me]--;
    p->wave = NULL;
}

static bool has_arrived(const struct rank *p, uint32_t member)
{
    const struct place *place = p->coll.comm->state;

    return place->calls[member] > p->wave->index;
}

/* Will some member never arrive, as far as this is known? */
static bool lacks_for_ever(const struct rank *p)
{
    const struct ork_comm *comm = p->coll.comm;

    for (uint32_t i = 0; i < comm->group->size; i++) {
        if (!has_arrived(p, i) &&
            ork_arbiter_rank_is_silent(ork_arbiter_member(p->arbiter, comm, i)))
            return true;
    }
    return false;
}

bool ork_arbiter_wave_is_complete(const struct rank *p)
{
    return p->wave->arrived == p->coll.comm->group->size;
}

/* The clock of a member that has arrived. */
static struct times entry_of(const struct wave *w, uint32_t member)
{
    return w->entry != NULL ? w->entry[member] : w->first;
}

static bool merge_root(struct rank *p)
{
    const struct wave *w = p->wave;
    uint32_t root = (uint32_t)p->call.peer;

    if (root >= p->coll.comm->group->size)
        return true;
    if (!has_arrived(p, root))
        return ork_arbiter_rank_is_silent(ork_arbiter_member(p->arbiter, p->coll.comm, root));
    ork_arbiter_rank_merge(p, entry_of(w, root));
    return true;
}

static bool merge_all(struct rank *p)
{
    if (!ork_arbiter_wave_is_complete(p))
        return lacks_for_ever(p);
    ork_arbiter_rank_merge(p, p->wave->latest);
    return true;
}

bool ork_arbiter_wave_merge(struct rank *p)
{
    enum merges merges = p->wave == NULL ? MERGES_NOTHING : merges_of(p);

    if (merges == MERGES_NOTHING)
        return true;
    bool is_known = merges == MERGES_ROOT ? merge_root(p) : merge_all(p);
    p->wave->is_awaited |= !is_known;
    return is_known;
}

void ork_arbiter_wave_leave(struct rank *p)
{
    struct wave *w = p->wave;

    p->wave = NULL;
    ORK_ASSERT(w == NULL || w->left < w->arrived);
    if (w == NULL || ++w->left < p->coll.comm->group->size)
        return;
    struct place *place = p->coll.comm->state;
    struct wave *before = NULL;
    for (struct wave *i = place->first_wave; i != w; i = i->next)
        before = i;
    *(before != NULL ? &before->next : &place->first_wave) = w->next;
    if (place->last_wave == w)
        place->last_wave = before;
    free(w->entry);
    free(w);
}

/* Lower bound of the clocks that the member has when it calls this; 0 if it has already done so. */
static struct times entry_bound(const struct rank *p, const struct times *bound, uint32_t member)
{
    if (has_arrived(p, member))
        return (struct times){0, 0};
    return bound[ork_comms_rank_of(p->coll.comm, member)];
}

/* As merge_root() has it, so that the bound does not fall when the root arrives. */
static struct times after_root(const struct rank *p, const struct times *bound, uint32_t root)
{
    if (has_arrived(p, root))
        return ork_times_after(entry_of(p->wave, root), 2);
    return ork_times_after(bound[ork_comms_rank_of(p->coll.comm, root)], 1);
}

struct times ork_arbiter_wave_bound(const struct rank *p, const struct times *bound,
                                    struct times least)
{
    const struct ork_group *g = p->coll.comm->group;
    enum merges merges = merges_of(p);
    struct times most = least;

    if (merges == MERGES_ROOT && (uint32_t)p->call.peer < g->size)
        return ork_times_later(least, after_root(p, bound, (uint32_t)p->call.peer));
    for (uint32_t i = 0; merges == MERGES_ALL && i < g->size; i++)
        most = ork_times_later(most, ork_times_after(entry_bound(p, bound, i), 1));
    return most;
}

void ork_arbiter_waves_destroy(struct place *place)
{
    while (place->first_wave != NULL) {
        struct wave *w = place->first_wave;
        place->first_wave = w->next;
        free(w->entry);
        free(w);
    }
}
