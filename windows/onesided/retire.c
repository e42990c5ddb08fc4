/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses are forgotten when every rank that makes accesses knows that they are complete: then all
 * later accesses come after them. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

enum { LIVE_FEW = 1 << 12, LIVE_MOST = 1 << 20 };

/* Lower `known` to what a rank knew when it made an access. */
static void limit(const struct ork_onesided *o, const struct access *a, uint32_t *known)
{
    for (uint32_t r = 0; r < o->nprocs; r++) {
        uint32_t value = ork_events_component(o->events, a->start, r);
        known[r] = value < known[r] ? value : known[r];
    }
}

/* RATIONALE: an access that waits for MPI_Win_post is compared later, but was made before. */
static void limit_to_held(const struct ork_onesided *o, uint32_t *known)
{
    for (const struct window *w = o->held > 0 ? o->window : NULL; w != NULL; w = w->next) {
        for (uint32_t i = 0; i < w->comm->group->size; i++) {
            for (const struct access *a = w->member[i].first_held; a != NULL; a = a->next_held)
                limit(o, a, known);
        }
    }
}

/* known[a]: what all these ranks know of the component of rank a. */
static void find_known(const struct ork_onesided *o, uint32_t *known)
{
    for (uint32_t r = 0; r < o->nprocs; r++)
        known[r] = UINT32_MAX;
    for (uint32_t r = 0; r < o->nprocs; r++) {
        if (!o->is_member[r] || ork_events_is_silent(o->events, r))
            continue;
        struct ork_stamp now = ork_events_take(o->events, r);
        for (uint32_t a = 0; a < o->nprocs; a++) {
            uint32_t value = o->is_member[a] ? ork_events_component(o->events, now, a) : 0;
            known[a] = value < known[a] ? value : known[a];
        }
        ork_events_release(now);
    }
}

static bool is_over(const struct access *a, const uint32_t *known)
{
    uint32_t end = a->is_separate ? a->published : a->end;

    return end != 0 && end <= known[a->seen.rank];
}

/* What of the rank's own component its live updates by others know. RATIONALE: a load that they may
 * have shown to allows a later store (may_have_waited() in conflict.c). */
static uint32_t known_by_updates(const struct ork_onesided *o, const struct memory *m,
                                 uint32_t rank, const uint32_t *known)
{
    uint32_t least = UINT32_MAX;

    for (const struct access *a = m->oldest; a != NULL; a = a->newer) {
        if (ork_access_reads(a) || a->seen.rank == rank || is_over(a, known))
            continue;
        uint32_t value = ork_events_component(o->events, a->start, rank);
        least = value < least ? value : least;
    }
    return least;
}

static void retire_known(struct ork_onesided *o, uint32_t rank, const uint32_t *known)
{
    struct memory *m = &o->memory[rank];
    uint32_t shown = known_by_updates(o, m, rank, known);

    for (struct access *a = m->oldest, *newer; a != NULL; a = newer) {
        newer = a->newer;
        bool is_load = ork_access_is_plain(a) && ork_access_reads(a);
        if (is_over(a, known) && (!is_load || a->end <= shown))
            ork_access_retire(o, a);
    }
}

/* RATIONALE: the memory of the tool is limited, whatever the program does. */
static void retire_oldest(struct ork_onesided *o)
{
    uint32_t each = LIVE_MOST / 2 / o->nprocs + 1;

    for (uint32_t r = 0; r < o->nprocs; r++) {
        struct memory *m = &o->memory[r];
        for (uint32_t n = m->index.count; n > each && m->oldest != NULL; n--)
            ork_access_retire(o, m->oldest);
    }
    o->has_overflowed = true;
}

static void retire(struct ork_onesided *o, uint32_t *known)
{
    find_known(o, known);
    limit_to_held(o, known);
    ork_separate_limit(o, known);
    ork_conflict_decide(o, known);
    for (uint32_t r = 0; r < o->nprocs; r++)
        retire_known(o, r, known);
    ork_spin_waits_retire(o, known);
    if (o->live > LIVE_MOST)
        retire_oldest(o);
    ORK_ASSERT(o->live <= LIVE_MOST + o->nprocs);
    o->live_limit = 2 * o->live > LIVE_FEW ? 2 * o->live : LIVE_FEW;
}

/* Room for what all ranks know. NULL: out of memory. */
static uint32_t *new_known(struct ork_onesided *o)
{
    uint32_t *known = malloc(o->nprocs * sizeof(*known));

    o->failed |= known == NULL;
    return known;
}

void ork_retire(struct ork_onesided *o)
{
    if (o->live < o->live_limit && !ork_spin_waits_are_many(o))
        return;
    uint32_t *known = new_known(o);
    if (known != NULL)
        retire(o, known);
    free(known);
}

/* Lower `known` to what the ranks knew when they made the live accesses. */
static void limit_to_live(const struct ork_onesided *o, uint32_t *known)
{
    for (uint32_t r = 0; r < o->nprocs; r++) {
        for (const struct access *a = o->memory[r].oldest; a != NULL; a = a->newer)
            limit(o, a, known);
    }
}

void ork_retire_all(struct ork_onesided *o)
{
    uint32_t *known = new_known(o);

    if (known != NULL) {
        retire(o, known);
        limit_to_live(o, known);
        ork_spin_waits_forget_states(o, known);
    }
    free(known);
}
