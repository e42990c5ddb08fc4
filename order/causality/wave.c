/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls. The k-th one on a communicator is a wave, by all its members; so is the k-th
 * start of a persistent operation. A member depends on the calls of those without which it cannot
 * return in any implementation. */
#include "order/causality/internal.h"

#include <stdlib.h>

bool ork_causality_series_init(struct series *series, uint32_t members)
{
    series->calls = calloc(members, sizeof(*series->calls));
    return series->calls != NULL;
}

struct series *ork_causality_starts(struct ork_comm *comm, uint32_t made)
{
    struct place *place = comm->state;
    struct series *series = place->started;

    while (series != NULL && series->made != made)
        series = series->next;
    if (series != NULL)
        return series;
    series = calloc(1, sizeof(*series));
    if (series == NULL || !ork_causality_series_init(series, comm->group->size)) {
        free(series);
        return NULL;
    }
    series->made = made;
    series->next = place->started;
    place->started = series;
    return series;
}

/* Nothing will be started any more. */
static void remove_if_over(const struct ork_comm *comm, struct series *series)
{
    struct place *place = comm->state;
    struct series **i = &place->started;

    if (series->freed < comm->group->size || series->first != NULL)
        return;
    while (*i != series)
        i = &(*i)->next;
    *i = series->next;
    free(series->calls);
    free(series);
}

void ork_causality_starts_end(struct ork_comm *comm, struct series *starts)
{
    starts->freed++;
    remove_if_over(comm, starts);
}

/* `number`: of a new one. */
static struct wave *wave_at(struct ork_comm *comm, struct series *series, uint32_t index,
                            uint64_t number)
{
    struct wave *w = index < series->end ? series->first : NULL;

    ORK_ASSERT(index <= series->end && (series->first == NULL) == (series->last == NULL));
    if (series->last != NULL && series->last->index == index)
        return series->last;
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
    w->series = series;
    w->index = index;
    w->number = number;
    *(series->last != NULL ? &series->last->next : &series->first) = w;
    series->last = w;
    if (index >= series->end)
        series->end = index + 1;
    return w;
}

struct part *ork_causality_part(struct rank *p, struct ork_comm_ref ref, struct series *series,
                                const struct ork_record *call, const uint32_t *list)
{
    ORK_ASSERT(ref.me < ref.comm->group->size);
    struct wave *w = wave_at(ref.comm, series, series->calls[ref.me], ++p->causality->waves);
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
        ork_causality_cross(part, call);
        ork_causality_find_needs(part, call, list);
    }
    w->is_kept |=
        !p->causality->is_summary && (call->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) != 0;
    series->calls[ref.me]++;
    return part;
}

void ork_causality_part_retract(struct part *part)
{
    struct wave *w = part->wave;

    ORK_ASSERT(!part->is_retracted && w->series->calls[part->member] > 0);
    w->series->calls[part->member]--;
    part->is_retracted = true;
    part->next = w->retracted;
    w->retracted = part;
    if (!part->arrived)
        return;
    ORK_ASSERT(w->part[part->member] == part && w->arrived > 0);
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

    ORK_ASSERT(!part->arrived && !part->is_retracted && w->part[part->member] == NULL);
    part->time = part->rank->time;
    part->stamp = c->clocks->take(c, part->rank->number);
    w->part[part->member] = part;
    part->arrived = true;
    w->arrived++;
    ORK_ASSERT(w->arrived <= w->comm->group->size);
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
    struct series *series = w->series;
    struct wave *before = NULL;

    ORK_ASSERT(part->arrived && w->left < w->arrived);
    if (++w->left < w->comm->group->size || w->is_kept)
        return;
    for (struct wave *i = series->first; i != w; i = i->next)
        before = i;
    *(before != NULL ? &before->next : &series->first) = w->next;
    if (series->last == w)
        series->last = before;
    const struct ork_comm *comm = w->comm;
    free_parts(part->rank->causality, w);
    remove_if_over(comm, series);
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

static void release_series(struct ork_causality *c, struct series *series)
{
    while (series->first != NULL) {
        struct wave *w = series->first;
        series->first = w->next;
        free_parts(c, w);
    }
    free(series->calls);
}

void ork_causality_waves_destroy(struct ork_causality *c, struct place *place)
{
    release_series(c, &place->calls);
    while (place->started != NULL) {
        struct series *series = place->started;
        place->started = series->next;
        release_series(c, series);
        free(series);
    }
    free(place->persistent);
}
