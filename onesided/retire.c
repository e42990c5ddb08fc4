/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses are forgotten when every rank that makes accesses knows that they are complete: then all
 * later accesses come after them. */
#include "onesided/internal.h"

#include <stdlib.h>

enum { LIVE_FEW = 1 << 12, LIVE_MOST = 1 << 20 };

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

static void retire_known(struct ork_onesided *o, struct memory *m, const uint32_t *known)
{
    for (struct access *a = m->oldest, *newer; a != NULL; a = newer) {
        newer = a->newer;
        uint32_t end = a->is_separate ? a->published : a->end;
        if (end != 0 && end <= known[a->seen.rank])
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

void ork_retire(struct ork_onesided *o)
{
    if (o->live < o->live_limit && !ork_flags_are_many(o))
        return;
    uint32_t *known = malloc(o->nprocs * sizeof(*known));
    if (known == NULL) {
        o->failed = true;
        return;
    }
    find_known(o, known);
    ork_separate_limit(o, known);
    ork_conflict_decide(o, known);
    for (uint32_t r = 0; r < o->nprocs; r++)
        retire_known(o, &o->memory[r], known);
    ork_flags_retire(o, known);
    if (o->live > LIVE_MOST)
        retire_oldest(o);
    o->live_limit = 2 * o->live > LIVE_FEW ? 2 * o->live : LIVE_FEW;
    free(known);
}
