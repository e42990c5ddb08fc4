/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores in the separate memory model (MPI-3.1 sections 11.4 and 11.7): a rank loads from
 * and stores to a private copy of its memory in the window, and others access a public copy. A
 * store is visible to others from the next call on by which the rank publishes it, and a load sees
 * what was complete when the rank last brought its private copy up to date. While a store is not
 * published, nothing in the window may be updated by others, and the reverse. */
#include "windows/onesided/internal.h"

enum { STORES_FEW = 1 << 12 };

static bool is_separate(const struct window *w, uint32_t rank)
{
    uint32_t member = ork_window_member(w, rank);

    return member != UINT32_MAX && w->place[member].is_separate;
}

/* RATIONALE: windows with the same memory have one private copy of it. So a call on one of them
 * counts for all: which one a load or store is noted for does not matter. */
static bool has_common_memory(const struct window *a, const struct window *b, uint32_t rank)
{
    if (a == b)
        return true;
    const struct place *x = &a->place[ork_window_member(a, rank)];
    const struct place *y = &b->place[ork_window_member(b, rank)];
    return x->is_dynamic || y->is_dynamic ||
           (x->base < y->base + y->size && y->base < x->base + x->size);
}

/* The windows of the model, from `x` on, that a call of the rank on `w` counts for. */
static struct window *counted(struct window *x, const struct window *w, uint32_t rank)
{
    while (x != NULL && !(is_separate(x, rank) && has_common_memory(x, w, rank)))
        x = x->next;
    return x;
}

static void acquire(struct ork_onesided *o, struct member *m, uint32_t rank)
{
    ork_events_release(m->acquired);
    m->acquired = ork_events_take(o->events, rank);
    m->is_acquiring = false;
}

void ork_separate_acquire(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    if (!is_separate(w, rank))
        return;
    for (struct window *x = counted(o->window, w, rank); x != NULL; x = counted(x->next, w, rank)) {
        struct member *m = ork_window_member_of(x, rank);
        m->acquired_at = ork_stamp_mark(o, rank);
        acquire(o, m, rank);
    }
}

void ork_separate_acquire_later(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    if (!is_separate(w, rank))
        return;
    for (struct window *x = counted(o->window, w, rank); x != NULL; x = counted(x->next, w, rank)) {
        struct member *m = ork_window_member_of(x, rank);
        m->is_acquiring = true;
        m->acquired_at = ork_stamp_mark(o, rank);
        m->call = o->call[rank];
    }
}

/* RATIONALE: a rank learns of others in calls only, so what it knows at its next call is what it
 * knew when the call before returned. */
void ork_separate_note_call(struct ork_onesided *o, uint32_t rank)
{
    for (struct window *w = o->has_separate ? o->window : NULL; w != NULL; w = w->next) {
        struct member *m = ork_window_member_of(w, rank);
        if (m != NULL && m->is_acquiring && m->call != o->call[rank])
            acquire(o, m, rank);
    }
}

static void publish(struct ork_onesided *o, struct member *m, uint32_t value)
{
    while (m->stored != NULL) {
        struct access *a = m->stored;
        m->stored = a->next_stored;
        a->published = value;
        ork_access_unref(o, a);
    }
    m->stores = 0;
}

void ork_separate_publish(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    uint32_t value = 0;

    if (!is_separate(w, rank))
        return;
    for (struct window *x = counted(o->window, w, rank); x != NULL; x = counted(x->next, w, rank)) {
        struct member *m = ork_window_member_of(x, rank);
        ork_stamp_publish(o, x, rank);
        if (m->stored == NULL)
            continue;
        if (value == 0)
            value = ork_events_tick(o->events, rank);
        o->failed |= value == 0;
        publish(o, m, value);
    }
}

void ork_separate_release(struct ork_onesided *o, struct member *m)
{
    while (m->stored != NULL) {
        struct access *a = m->stored;
        m->stored = a->next_stored;
        ork_access_unref(o, a);
    }
    ork_events_release(m->acquired);
    m->acquired = (struct ork_stamp){0};
}

/* Those that later ones of the same call have replaced. */
static void forget_replaced(struct ork_onesided *o, struct member *m)
{
    for (struct access **link = &m->stored; *link != NULL;) {
        struct access *a = *link;
        if (a->is_live) {
            link = &a->next_stored;
            continue;
        }
        *link = a->next_stored;
        m->stores--;
        ork_access_unref(o, a);
    }
    m->store_room = 2 * m->stores + STORES_FEW;
}

static void keep(struct ork_onesided *o, struct member *m, struct access *a)
{
    if (m->stores >= m->store_room)
        forget_replaced(o, m);
    a->refs++;
    a->next_stored = m->stored;
    m->stored = a;
    m->stores++;
}

void ork_separate_touch(struct ork_onesided *o, struct access *a)
{
    struct member *m = &a->window->member[a->member];

    if (!is_separate(a->window, a->seen.rank))
        return;
    if (m->is_acquiring)
        acquire(o, m, a->seen.rank);
    a->is_separate = true;
    a->acquired = ork_events_share(m->acquired);
    if (ork_access_reads(a))
        a->published = a->end;
    else
        keep(o, m, a);
}

/* RATIONALE: an access that is complete is kept as long as a rank may load without seeing it. */
void ork_separate_limit(const struct ork_onesided *o, uint32_t *known)
{
    for (const struct window *w = o->has_separate ? o->window : NULL; w != NULL; w = w->next) {
        for (uint32_t i = 0; i < w->comm->group->size; i++) {
            if (!w->place[i].is_separate)
                continue;
            for (uint32_t r = 0; r < o->nprocs; r++) {
                uint32_t seen = ork_events_component(o->events, w->member[i].acquired, r);
                known[r] = o->is_member[r] && seen < known[r] ? seen : known[r];
            }
        }
    }
}
