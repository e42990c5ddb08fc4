/* SPDX-License-Identifier: BSD-3-Clause */
/* Lazy Lamport clocks: one number for each rank. What is not after a choice by them is not after
 * it; the opposite is not true, so fewer alternatives are found. */
#include "order/causality/internal.h"

#include "common/lower_bound.h"

#include <stdlib.h>

struct change {
    uint64_t value, time;
};

struct past {
    uint64_t now;
    struct change *change;
    uint32_t changes, room;
};

static bool create(struct ork_causality *c)
{
    c->clock_state = calloc(c->nprocs, sizeof(struct past));
    return c->clock_state != NULL;
}

static void destroy(struct ork_causality *c)
{
    struct past *past = c->clock_state;

    for (uint32_t r = 0; past != NULL && r < c->nprocs; r++)
        free(past[r].change);
    free(past);
}

static bool set(const struct ork_causality *c, struct past *p, uint64_t value, uint64_t time)
{
    p->now = value;
    if (c->is_summary)
        return true;
    if (!ork_vec_reserve(&p->change, &p->room, p->changes + 1, sizeof(*p->change)))
        return false;
    p->change[p->changes++] = (struct change){.value = value, .time = time};
    return true;
}

static uint64_t tick(struct ork_causality *c, uint32_t rank, uint64_t time)
{
    struct past *p = (struct past *)c->clock_state + rank;

    return set(c, p, p->now + 1, time) ? p->now : 0;
}

static union stamp take(struct ork_causality *c, uint32_t rank)
{
    return (union stamp){.scalar = ((const struct past *)c->clock_state)[rank].now};
}

static void release(union stamp stamp)
{
    (void)stamp;
}

static uint64_t component(const struct ork_causality *c, union stamp stamp, uint32_t rank)
{
    (void)c;
    (void)rank;
    return stamp.scalar;
}

static bool join(struct ork_causality *c, uint32_t rank, union stamp stamp, uint64_t time)
{
    struct past *p = (struct past *)c->clock_state + rank;

    return stamp.scalar <= p->now || set(c, p, stamp.scalar, time);
}

static bool merge(union stamp *to, union stamp from)
{
    if (from.scalar > to->scalar)
        to->scalar = from.scalar;
    return true;
}

static void sort(struct ork_causality *c)
{
    (void)c; /* the changes of a rank ascend */
}

static uint64_t after(const struct ork_causality *c, uint32_t of, uint32_t rank, uint64_t value)
{
    const struct past *p = (const struct past *)c->clock_state + of;

    (void)rank;
    ORK_LOWER_BOUND(low, p->changes, i, p->change[i].value < value);
    return low < p->changes ? p->change[low].time : NEVER;
}

const struct clocks ork_clocks_scalar = {.create = create,
                                         .destroy = destroy,
                                         .tick = tick,
                                         .take = take,
                                         .release = release,
                                         .component = component,
                                         .join = join,
                                         .merge = merge,
                                         .sort = sort,
                                         .after = after,
                                         .joins_early = false};
