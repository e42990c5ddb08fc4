/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls. The k-th one on a communicator is a wave, by all its members. A member depends
 * on the calls of those without which it cannot return in any implementation. */
#include "causality/internal.h"

#include <stdlib.h>

static enum merges merges_of_needs(const struct ork_record *call, bool at_root)
{
    bool has_data = call->bytes > 0;

    switch (ork_coll_needs(call->mode)) {
    case ORK_NEEDS_ALL:
        return MERGES_ALL;
    case ORK_NEEDS_DATA_OF_ALL:
        return has_data ? MERGES_ALL : MERGES_NOTHING;
    case ORK_NEEDS_DATA_AT_ROOT:
        return has_data && at_root ? MERGES_ALL : MERGES_NOTHING;
    case ORK_NEEDS_DATA_OF_ROOT:
        return has_data && !at_root && call->peer >= 0 ? MERGES_ROOT : MERGES_NOTHING;
    case ORK_NEEDS_DATA_OF_LOWER:
        return has_data ? MERGES_LOWER : MERGES_NOTHING;
    case ORK_NEEDS_NOTHING:
        break;
    }
    return MERGES_NOTHING;
}

/* MPI-3.1 section 11.5.1: it usually entails a barrier, but need not if it is known to end no
 * epoch. RATIONALE: what the window was used for before is not looked at. A fence that is no
 * barrier without this assertion hides other orders; nobody may rely on that. */
static enum merges merges_of_fence(const struct ork_record *call)
{
    return (call->flags & ORK_F_NO_PRECEDE) != 0 ? MERGES_NOTHING : MERGES_ALL;
}

static enum merges merges_of(struct ork_comm_ref ref, const struct ork_record *call, bool may_know)
{
    bool is_inter = ref.comm->group->inter;
    bool at_root = call->peer >= 0 && (uint32_t)call->peer == ref.me;

    if (may_know)
        return ork_causality_may_merge(ref, call);
    if (call->mode == ORK_COLL_COMM_CREATE_GROUP)
        return MERGES_ALL;
    if (call->mode == ORK_COLL_WIN_FENCE)
        return merges_of_fence(call);
    if (ork_coll_has(call->mode, ORK_HAS_OWN_GROUP | ORK_IS_DYNAMIC))
        return MERGES_NOTHING;
    if (is_inter)
        return call->mode == ORK_COLL_BARRIER ? MERGES_REMOTE : MERGES_NOTHING;
    if (ork_coll_early(call->mode) == ORK_EARLY_NEVER)
        return MERGES_ALL;
    return merges_of_needs(call, at_root);
}

/* `number`: of a new one. */
static struct wave *wave_at(struct ork_comm *comm, uint32_t index, uint64_t number)
{
    struct place *place = comm->state;
    struct wave *w = index < place->end_waves ? place->first_wave : NULL;

    if (place->last_wave != NULL && place->last_wave->index == index)
        return place->last_wave;
    while (w != NULL && w->index != index)
        w = w->next;
    if (w != NULL)
        return w;
    w = calloc(1, sizeof(*w));
    if (w == NULL)
        return NULL;
    w->part = calloc(comm->group->size, sizeof(struct part *));
    if (w->part == NULL) {
        free(w);
        return NULL;
    }
    w->comm = comm;
    w->index = index;
    w->number = number;
    *(place->last_wave != NULL ? &place->last_wave->next : &place->first_wave) = w;
    place->last_wave = w;
    if (index >= place->end_waves)
        place->end_waves = index + 1;
    return w;
}

struct part *ork_causality_part(struct rank *p, struct ork_comm_ref ref,
                                const struct ork_record *call)
{
    struct place *place = ref.comm->state;
    struct wave *w = wave_at(ref.comm, place->calls[ref.me], ++p->causality->waves);
    struct part *part = w == NULL ? NULL : calloc(1, sizeof(*part));

    if (part == NULL) {
        p->causality->failed = true;
        return NULL;
    }
    *part = (struct part){.wave = w,
                          .member = ref.me,
                          .merges = merges_of(ref, call, p->causality->user != NULL),
                          .root = (uint32_t)call->peer,
                          .rank = p};
    w->is_kept |=
        !p->causality->is_summary && (call->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) != 0;
    place->calls[ref.me]++;
    return part;
}

void ork_causality_part_retract(struct part *part)
{
    struct wave *w = part->wave;
    struct place *place = w->comm->state;

    place->calls[part->member]--;
    part->is_retracted = true;
    part->next = w->retracted;
    w->retracted = part;
    if (!part->arrived)
        return;
    w->part[part->member] = NULL;
    w->arrived_before = 0;
    w->arrived--;
}

/* ---- following ---- */

static bool is_complete(const struct wave *w)
{
    return w->arrived == w->comm->group->size;
}

static void wake_members(const struct part *part)
{
    const struct wave *w = part->wave;

    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        if (w->part[i] != NULL)
            ork_causality_wake(w->part[i]->rank);
    }
}

void ork_causality_arrive(struct part *part)
{
    struct ork_causality *c = part->rank->causality;
    struct wave *w = part->wave;

    part->time = part->rank->time;
    part->stamp = c->clocks->take(c, part->rank->number);
    w->part[part->member] = part;
    part->arrived = true;
    w->arrived++;
    part->mark = part->rank->mark;
    ork_causality_tell_arrival(part->rank, w->number);
    if (!c->clocks->merge(&w->all, part->stamp))
        c->failed = true;
    if (w->is_awaited || is_complete(w))
        wake_members(part);
}

bool ork_causality_part_needs(const struct part *part, uint32_t member)
{
    const struct ork_group *g = part->wave->comm->group;

    switch (part->merges) {
    case MERGES_ALL:
        return true;
    case MERGES_ROOT:
        return member == part->root;
    case MERGES_LOWER:
        return member < part->member;
    case MERGES_REMOTE:
        return (member < g->local) != (part->member < g->local);
    case MERGES_NOTHING:
        break;
    }
    return false;
}

/* Is a member missing that may still arrive? */
static bool lacks(const struct part *part, uint32_t member)
{
    const struct wave *w = part->wave;
    const struct rank *ranks = part->rank->causality->rank;

    return w->part[member] == NULL &&
           !ork_causality_is_silent(&ranks[ork_comms_rank_of(w->comm, member)]);
}

bool ork_causality_part_is_over(const struct part *part)
{
    struct wave *w = part->wave;

    if (part->merges == MERGES_NOTHING || is_complete(w))
        return true;
    while (w->part[w->arrived_before] != NULL)
        w->arrived_before++;
    for (uint32_t i = w->arrived_before; i < w->comm->group->size; i++) {
        if (ork_causality_part_needs(part, i) && lacks(part, i)) {
            w->is_awaited = part->merges != MERGES_ALL;
            return false;
        }
        part->rank->causality->is_uncertain |=
            ork_causality_part_needs(part, i) && w->part[i] == NULL;
    }
    return true;
}

static void free_parts(const struct clocks *clocks, struct wave *w)
{
    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        if (w->part[i] != NULL)
            clocks->release(w->part[i]->stamp);
        free(w->part[i]);
    }
    clocks->release(w->all);
    while (w->retracted != NULL) {
        struct part *part = w->retracted;
        w->retracted = part->next;
        clocks->release(part->stamp);
        free(part);
    }
    free(w->part);
    free(w);
}

void ork_causality_part_leave(struct part *part)
{
    struct wave *w = part->wave;
    struct place *place = w->comm->state;
    struct wave *before = NULL;

    if (++w->left < w->comm->group->size || w->is_kept)
        return;
    for (struct wave *i = place->first_wave; i != w; i = i->next)
        before = i;
    *(before != NULL ? &before->next : &place->first_wave) = w->next;
    if (place->last_wave == w)
        place->last_wave = before;
    free_parts(part->rank->causality->clocks, w);
}

/* The members on which it depends, one by one. */
static bool join_some(struct part *part, uint64_t time)
{
    struct ork_causality *c = part->rank->causality;
    const struct wave *w = part->wave;
    bool good = true;

    for (uint32_t i = 0; good && i < w->comm->group->size; i++) {
        if (ork_causality_part_needs(part, i) && w->part[i] != NULL)
            good = c->clocks->join(c, part->rank->number, w->part[i]->stamp, time);
    }
    return good;
}

static void tell_what_it_learned(const struct part *part)
{
    const struct wave *w = part->wave;

    if (part->merges == MERGES_NOTHING)
        return;
    if (part->merges == MERGES_ALL) {
        ork_causality_learn_all(part->rank, w->number);
        return;
    }
    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        if (ork_causality_part_needs(part, i) && w->part[i] != NULL)
            ork_causality_learn(part->rank, ork_comms_rank_of(w->comm, i), w->part[i]->mark);
    }
}

bool ork_causality_part_join(struct part *part, uint64_t time)
{
    struct ork_causality *c = part->rank->causality;
    struct wave *w = part->wave;
    uint32_t rank = part->rank->number;
    bool good = true;

    if (part->merges == MERGES_ALL)
        good = c->clocks->join(c, rank, w->all, time);
    else if (part->merges == MERGES_ROOT)
        good = part->root >= w->comm->group->size || w->part[part->root] == NULL ||
               c->clocks->join(c, rank, w->part[part->root]->stamp, time);
    else if (part->merges != MERGES_NOTHING)
        good = join_some(part, time);
    tell_what_it_learned(part);
    return good;
}

void ork_causality_waves_destroy(const struct clocks *clocks, struct place *place)
{
    while (place->first_wave != NULL) {
        struct wave *w = place->first_wave;
        place->first_wave = w->next;
        free_parts(clocks, w);
    }
}
