/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls. The k-th one on a communicator is a wave, by all its members. A member depends
 * on the calls of those without which it cannot return in any implementation. */
#include "causality/internal.h"

#include <stdlib.h>

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
    *part = (struct part){.wave = w, .member = ref.me, .rank = p};
    if (p->causality->user != NULL) {
        part->merges = ork_causality_may_merge(ref, call);
        part->root = (uint32_t)call->peer;
    } else {
        /* RATIONALE: a persistent call has been made before, and its counts are not kept */
        ork_causality_cross(part, call);
        ork_causality_find_needs(part, call, p->call.kind == ORK_KIND_COLL ? p->call_list : NULL);
    }
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

static void wake_members(const struct wave *w)
{
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
        wake_members(w);
    const struct wave *other = ork_causality_other_side(w);
    if (other != NULL && is_complete(w))
        wake_members(other);
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
    case MERGES_LISTED:
        return (part->needed[member / 8] >> member % 8 & 1) != 0;
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

    if (part->merges == MERGES_NOTHING)
        return true;
    if (is_complete(w))
        return ork_causality_is_crossed(part->rank->causality, w);
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

void ork_causality_part_destroy(struct part *part)
{
    if (part != NULL)
        free(part->needed);
    free(part);
}

static void free_parts(struct ork_causality *c, struct wave *w)
{
    const struct clocks *clocks = c->clocks;

    ork_causality_crossing_leave(c, w);
    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        if (w->part[i] != NULL)
            clocks->release(w->part[i]->stamp);
        ork_causality_part_destroy(w->part[i]);
    }
    clocks->release(w->all);
    while (w->retracted != NULL) {
        struct part *part = w->retracted;
        w->retracted = part->next;
        clocks->release(part->stamp);
        ork_causality_part_destroy(part);
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
    free_parts(part->rank->causality, w);
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

void ork_causality_waves_destroy(struct ork_causality *c, struct place *place)
{
    while (place->first_wave != NULL) {
        struct wave *w = place->first_wave;
        place->first_wave = w->next;
        free_parts(c, w);
    }
}
