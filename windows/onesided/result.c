/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told when the run is over, in an order that does not depend on when records came. */
#include "windows/onesided/internal.h"

#include <stdlib.h>
#include <string.h>

enum { OUTSIDES_MAX = 1 << 14 };

static int compare_touched(const struct ork_touched *x, const struct ork_touched *y)
{
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->touch > y->touch) - (x->touch < y->touch);
}

/* RATIONALE: a rank numbers its call sites in the order in which it comes to them. */
static int compare_conflicts(const void *a, const void *b)
{
    const struct ork_conflict *x = &(*(const struct conflict *const *)a)->found;
    const struct ork_conflict *y = &(*(const struct conflict *const *)b)->found;
    int first = compare_touched(&x->first, &y->first);
    int second = compare_touched(&x->second, &y->second);

    if (first != 0 || second != 0)
        return first != 0 ? first : second;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

enum ork_status ork_onesided_conflicts(struct ork_onesided *o, ork_conflict_take *take,
                                       void *context)
{
    ork_conflict_decide(o, NULL);
    if (o->conflicts == 0 || o->failed)
        return o->failed ? ORK_NOMEM : ORK_OK;
    struct conflict **sorted = malloc(o->conflicts * sizeof(struct conflict *));
    if (sorted == NULL)
        return ORK_NOMEM;
    memcpy(sorted, o->conflict, o->conflicts * sizeof(struct conflict *));
    qsort(sorted, o->conflicts, sizeof(struct conflict *), compare_conflicts);
    for (uint32_t i = 0; i < o->conflicts; i++) {
        if (ork_conflict_is_told(o, sorted[i]) && !take(context, &sorted[i]->found))
            break;
    }
    free(sorted);
    return ORK_OK;
}

enum ork_status ork_onesided_racing(struct ork_onesided *o, ork_racing_take *take, void *context)
{
    ork_conflict_decide(o, NULL);
    if (!o->failed)
        ork_racing_list(o, take, context);
    return o->failed ? ORK_NOMEM : ORK_OK;
}

/* ---- accesses outside of a window ---- */

void ork_conflict_outside(struct ork_onesided *o, const struct ork_outside *outside)
{
    for (uint32_t i = 0; i < o->outsides; i++) {
        struct ork_outside *old = &o->outside[i];
        if (old->access.rank == outside->access.rank && old->access.site == outside->access.site) {
            old->times++;
            return;
        }
    }
    if (o->outsides == OUTSIDES_MAX)
        return;
    if (!ork_vec_reserve(&o->outside, &o->outside_room, o->outsides + 1, sizeof(*o->outside))) {
        o->failed = true;
        return;
    }
    o->outside[o->outsides] = *outside;
    o->outside[o->outsides++].times = 1;
}

static int compare_outsides(const void *a, const void *b)
{
    return compare_touched(&((const struct ork_outside *)a)->access,
                           &((const struct ork_outside *)b)->access);
}

void ork_onesided_outside(struct ork_onesided *o, ork_outside_take *take, void *context)
{
    if (o->outsides > 0)
        qsort(o->outside, o->outsides, sizeof(*o->outside), compare_outsides);
    for (uint32_t i = 0; i < o->outsides; i++) {
        if (!take(context, &o->outside[i]))
            return;
    }
}
