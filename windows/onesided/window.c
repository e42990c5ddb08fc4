/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and where their memory is. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

static void clear(struct queue *q)
{
    for (uint32_t i = q->first; i < q->count; i++)
        ork_events_release(q->told[i].stamp);
    free(q->told);
}

void ork_partners_release(struct partners *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        ork_events_release(p->item[i].posted.stamp);
    free(p->item);
    *p = (struct partners){0};
}

static void forget_epochs(struct window *w)
{
    while (w->pair != NULL) {
        struct pair *p = w->pair;
        w->pair = p->next;
        clear(&p->posts);
        clear(&p->completes);
        free(p);
    }
    for (uint32_t i = 0; w->member != NULL && i < w->comm->group->size; i++) {
        ork_partners_release(&w->member[i].start);
        ork_partners_release(&w->member[i].post);
    }
}

static struct window *make(struct ork_comm *comm)
{
    struct window *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->refs = 1;
    w->comm = comm;
    w->place = calloc(comm->group->size, sizeof(*w->place));
    w->member = calloc(comm->group->size, sizeof(*w->member));
    return w;
}

struct window *ork_window_get(struct ork_onesided *o, struct ork_comm *comm)
{
    struct window *w = o->window;

    while (w != NULL && w->comm != comm)
        w = w->next;
    if (w != NULL)
        return w;
    w = make(comm);
    if (w == NULL || w->place == NULL || w->member == NULL) {
        o->failed = true;
        if (w != NULL)
            ork_window_unref(o, w);
        return NULL;
    }
    for (uint32_t i = 0; i < comm->group->size; i++)
        o->is_member[ork_comms_rank_of(comm, i)] = true;
    w->next = o->window;
    o->window = w;
    ork_events_tick_sends(o->events);
    return w;
}

void ork_window_ref(struct window *w)
{
    w->refs++;
}

void ork_window_unref(struct ork_onesided *o, struct window *w)
{
    ORK_ASSERT(w->refs > 0);
    if (--w->refs > 0)
        return;
    forget_epochs(w);
    ork_stamp_forget(o, w);
    for (uint32_t i = 0; w->member != NULL && i < w->comm->group->size; i++) {
        ork_open_release(&w->member[i].open);
        free(w->member[i].region);
    }
    free(w->place);
    free(w->member);
    free(w);
}

static bool is_at_fixed_address(const struct ork_record *record)
{
    return record->mode != ORK_COLL_WIN_CREATE_DYNAMIC;
}

void ork_window_wake(struct ork_onesided *o, const struct window *w)
{
    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        if (w->member[i].waits)
            ork_events_wake(o->events, ork_comms_rank_of(w->comm, i));
        w->member[i].waits = false;
    }
}

static void forget_memory(struct memory *m, const struct window *w)
{
    for (uint32_t i = 0; i < m->windows; i++) {
        if (m->window[i] == w) {
            m->window[i] = m->window[--m->windows];
            return;
        }
    }
}

void ork_window_memory(struct ork_onesided *o, struct window *w, struct ork_comm_ref ref,
                       const struct ork_record *record)
{
    ORK_ASSERT(ref.me < w->comm->group->size);
    struct place *p = &w->place[ref.me];
    struct memory *m = &o->memory[ork_comms_rank_of(ref.comm, ref.me)];
    uint64_t size = record->bytes < (uint64_t)ORK_OFFSET_LIMIT ? record->bytes : 0;

    if (p->is_known) /* of records that are invalid */
        forget_memory(m, w);
    *p = (struct place){.is_known = true,
                        .is_dynamic = !is_at_fixed_address(record),
                        .is_unordered = (record->arg2 & ORK_WINDOW_UNORDERED) != 0,
                        .has_regions = (record->arg2 & ORK_WINDOW_REGIONS) != 0,
                        .is_separate =
                            (record->arg2 & (ORK_WINDOW_SEPARATE | ORK_WINDOW_PORTABLE)) != 0,
                        .is_portable = (record->arg2 & ORK_WINDOW_SEPARATE) == 0,
                        .base = record->extra,
                        .size = size,
                        .unit = record->arg};
    o->has_touches |= (record->arg2 & ORK_WINDOW_TOUCHED) != 0;
    o->has_shared |= record->mode == ORK_COLL_WIN_ALLOCATE_SHARED && w->comm->group->size > 1;
    w->member[ref.me].number = record->comm;
    o->has_separate |= p->is_separate;
    if (!p->is_dynamic && size > 0 && p->base < (uint64_t)ORK_OFFSET_LIMIT) {
        if (!ork_vec_reserve(&m->window, &m->window_room, m->windows + 1, sizeof(*m->window))) {
            o->failed = true;
            return;
        }
        m->window[m->windows++] = w;
    }
    ork_window_wake(o, w);
}

void ork_window_free(struct ork_onesided *o, struct window *w, uint32_t member)
{
    forget_memory(&o->memory[ork_comms_rank_of(w->comm, member)], w);
    if (++w->freed < w->comm->group->size)
        return;
    struct window **link = &o->window;
    while (*link != NULL && *link != w)
        link = &(*link)->next;
    if (*link == NULL)
        return;
    *link = w->next;
    ork_window_unref(o, w);
}

uint32_t ork_window_member(const struct window *w, uint32_t rank)
{
    const struct ork_group *g = w->comm->group;

    if (g->member == NULL)
        return rank < g->size ? rank : UINT32_MAX;
    for (uint32_t i = 0; i < g->size; i++) {
        if (g->member[i] == rank)
            return i;
    }
    return UINT32_MAX;
}

bool ork_window_has(const struct window *w, uint32_t rank, uint64_t low, uint64_t high)
{
    uint32_t member = ork_window_member(w, rank);

    ORK_ASSERT(member != UINT32_MAX);
    const struct place *p = &w->place[member];

    return !p->is_dynamic && low < p->base + p->size && high > p->base;
}

bool ork_window_contains(const struct memory *m, uint32_t rank, uint64_t low, uint64_t high)
{
    for (uint32_t i = 0; i < m->windows; i++) {
        if (ork_window_has(m->window[i], rank, low, high))
            return true;
    }
    return false;
}

struct member *ork_window_member_of(const struct window *w, uint32_t rank)
{
    uint32_t member = ork_window_member(w, rank);

    return member == UINT32_MAX ? NULL : &w->member[member];
}
