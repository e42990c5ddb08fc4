/* SPDX-License-Identifier: BSD-3-Clause */
/* One number for each rank instead of vector clocks that need too much memory: the sum of the
 * components. RATIONALE: what is after an event has no smaller vector, so it has no smaller sum,
 * and the same is true of a sum that is computed with the greatest of what a rank learns. So what
 * has a smaller number than a choice is not after it, and an alternative that is found is possible;
 * the opposite is not true, so fewer are found. Stamps that a message has are replaced when they
 * are used. */
#include "order/causality/vector.h"

#include "common/lower_bound.h"

#include <stdlib.h>

_Static_assert(sizeof(struct vector *) == sizeof(uint64_t), "a stamp has a number or a pointer");

struct sum_change {
    uint64_t sum, time;
};

struct sums_past {
    uint64_t now;
    struct sum_change *change; /* both ascend */
    uint32_t changes, room;
    uint64_t *tick; /* by value of its component, from 1: the sum from which on it is known */
    uint32_t ticks, tick_room;
};

/* ---- stamps: a vector, or a number that is marked by its last bit ---- */

static union stamp stamp_of(uint64_t sum)
{
    return (union stamp){.scalar = sum << 1 | 1};
}

static uint64_t sum_of(union stamp stamp)
{
    uint64_t sum = 0;

    if ((stamp.scalar & 1) != 0)
        return stamp.scalar >> 1;
    for (uint32_t i = 0; stamp.vector != NULL && i < stamp.vector->size; i++)
        sum += stamp.vector->value[i];
    return sum;
}

static void release(union stamp stamp)
{
    if ((stamp.scalar & 1) == 0)
        ork_vector_unref(stamp.vector);
}

static bool merge(union stamp *to, union stamp from)
{
    uint64_t a = sum_of(*to), b = sum_of(from);

    release(*to);
    *to = stamp_of(a > b ? a : b);
    return true;
}

/* ---- ranks ---- */

static bool set(struct sums_past *p, uint64_t sum, uint64_t time)
{
    ORK_ASSERT(sum > p->now);
    ORK_ASSERT(p->changes == 0 || p->change[p->changes - 1].time <= time);
    p->now = sum;
    if (p->changes > 0 && p->change[p->changes - 1].time == time) {
        p->change[p->changes - 1].sum = sum;
        return true;
    }
    if (!ork_vec_reserve(&p->change, &p->room, p->changes + 1, sizeof(*p->change)))
        return false;
    p->change[p->changes++] = (struct sum_change){.sum = sum, .time = time};
    return true;
}

static bool add_tick(struct sums_past *p, uint64_t sum)
{
    ORK_ASSERT(p->ticks == 0 || p->tick[p->ticks - 1] < sum);
    if (!ork_vec_reserve(&p->tick, &p->tick_room, p->ticks + 1, sizeof(*p->tick)))
        return false;
    p->tick[p->ticks++] = sum;
    return true;
}

static struct sums_past *past_of(const struct ork_causality *c, uint32_t rank)
{
    return &((struct clock_state *)c->clock_state)->sums[rank];
}

static uint64_t tick(struct ork_causality *c, uint32_t rank, uint64_t time)
{
    struct sums_past *p = past_of(c, rank);

    return set(p, p->now + 1, time) && add_tick(p, p->now) ? p->ticks : 0;
}

static union stamp take(struct ork_causality *c, uint32_t rank)
{
    return stamp_of(past_of(c, rank)->now);
}

static bool join(struct ork_causality *c, uint32_t rank, union stamp stamp, uint64_t time)
{
    struct sums_past *p = past_of(c, rank);
    uint64_t sum = sum_of(stamp);

    return sum <= p->now || set(p, sum, time);
}

static void sort(struct ork_causality *c)
{
    (void)c; /* the changes of a rank ascend */
}

static uint64_t after(const struct ork_causality *c, uint32_t of, uint32_t rank, uint64_t value)
{
    const struct sums_past *p = past_of(c, of), *own = past_of(c, rank);

    if (value == 0 || value > own->ticks)
        return NEVER;
    ORK_LOWER_BOUND(low, p->changes, i, p->change[i].sum < own->tick[value - 1]);
    return low < p->changes ? p->change[low].time : NEVER;
}

/* ---- instead of vectors ---- */

static int compare(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* What a rank noted of its vector. `known`: room for one, all zero. */
static bool replace(struct past *from, uint32_t own, uint32_t *known, struct sums_past *to)
{
    bool done = true;

    if (from->changes > 0)
        qsort(from->change, from->changes, sizeof(*from->change), compare);
    for (uint32_t i = 0; i < from->changes && done; i++) {
        const struct change *x = &from->change[i];
        ORK_ASSERT(x->value > known[x->slot]);
        done = set(to, to->now + (x->value - known[x->slot]), x->time) &&
               (x->slot + 1 != own || add_tick(to, to->now));
        known[x->slot] = x->value;
    }
    ORK_ASSERT(!done || own == 0 || to->ticks == known[own - 1]);
    free(from->change);
    ork_vector_unref(from->now);
    *from = (struct past){0};
    return done;
}

static void destroy(struct ork_causality *c)
{
    struct clock_state *s = c->clock_state;

    for (uint32_t r = 0; r < c->nprocs; r++) {
        free(s->sums[r].change);
        free(s->sums[r].tick);
    }
    free(s->sums);
    s->sums = NULL;
    ork_clocks_exact.destroy(c);
}

const struct clocks ork_clocks_sums = {.create = NULL,
                                       .destroy = destroy,
                                       .tick = tick,
                                       .take = take,
                                       .release = release,
                                       .component = NULL,
                                       .join = join,
                                       .merge = merge,
                                       .sort = sort,
                                       .after = after};

/* RATIONALE: a summary compares components, of which a sum does not know the one that it needs. */
static void stop(struct ork_causality *c)
{
    for (uint32_t r = 0; r < c->nprocs; r++)
        ork_causality_lose(&c->rank[r],
                           "the vector clocks need more memory than --must:queue-limit");
}

bool ork_causality_limit_clocks(struct ork_causality *c)
{
    struct clock_state *s = c->clock_state;
    bool done = true;

    if (c->limit == 0 || c->clocks != &ork_clocks_exact || s->bytes <= c->limit)
        return true;
    if (c->is_summary) {
        stop(c);
        return true;
    }
    s->sums = calloc(c->nprocs, sizeof(*s->sums));
    if (s->sums == NULL)
        return false;
    c->clocks = &ork_clocks_sums;
    for (uint32_t r = 0; r < c->nprocs && done; r++) {
        uint32_t *known = calloc(s->slots + (size_t)1, sizeof(*known));
        done = known != NULL && replace(&s->past[r], s->slot[r], known, &s->sums[r]);
        free(known);
    }
    return done;
}
