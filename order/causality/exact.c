/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector clocks with one component for each rank that makes choices. They are shared and copied on
 * write; each rank logs the changes of its own. */
#include "order/causality/vector.h"

#include "common/lower_bound.h"

static bool create(struct ork_causality *c)
{
    struct clock_state *s = calloc(1, sizeof(*s));

    c->clock_state = s;
    if (s == NULL)
        return false;
    s->past = calloc(c->nprocs, sizeof(*s->past));
    s->slot = calloc(c->nprocs, sizeof(*s->slot));
    return s->past != NULL && s->slot != NULL;
}

void ork_vector_share(struct vector *v)
{
    if (v != NULL)
        v->refs++;
}

static void release(union stamp stamp)
{
    ork_vector_unref(stamp.vector);
}

static void destroy(struct ork_causality *c)
{
    struct clock_state *s = c->clock_state;

    if (s == NULL)
        return;
    for (uint32_t r = 0; s->past != NULL && r < c->nprocs; r++) {
        ork_vector_unref(s->past[r].now);
        free(s->past[r].change);
    }
    free(s->past);
    free(s->slot);
    free(s);
}

/* RATIONALE: vectors without a limit may be released after the state (events.h). */
static uint64_t *counter_of(const struct ork_causality *c)
{
    return c->limit > 0 ? &((struct clock_state *)c->clock_state)->bytes : NULL;
}

/* Make *v the only reference to a vector with at least `size` components. */
static bool own(struct vector **v, uint32_t size, uint64_t *bytes)
{
    struct vector *old = *v;
    uint32_t had = old == NULL ? 0 : old->size;

    if (old != NULL && old->refs == 1 && had >= size)
        return true;
    size = size > had ? size : had;
    struct vector *copy = calloc(1, ork_vector_bytes(size));
    if (copy == NULL)
        return false;
    *copy = (struct vector){.bytes = bytes, .refs = 1, .size = size};
    if (bytes != NULL)
        *bytes += ork_vector_bytes(size);
    ORK_ASSERT(size >= had);
    if (had > 0)
        memcpy(copy->value, old->value, had * sizeof(copy->value[0]));
    ork_vector_unref(old);
    *v = copy;
    return true;
}

static bool note(const struct ork_causality *c, struct past *p, uint32_t slot, uint32_t value,
                 uint64_t time)
{
    if (c->is_summary)
        return true;
    if (!ork_vec_reserve(&p->change, &p->room, p->changes + 1, sizeof(*p->change)))
        return false;
    p->change[p->changes++] = (struct change){.slot = slot, .value = value, .time = time};
    if (c->limit > 0)
        *counter_of(c) += sizeof(*p->change);
    return true;
}

static uint64_t tick(struct ork_causality *c, uint32_t rank, uint64_t time)
{
    struct clock_state *s = c->clock_state;
    struct past *p = &s->past[rank];

    if (s->slot[rank] == 0)
        s->slot[rank] = ++s->slots;
    uint32_t slot = s->slot[rank] - 1;
    ORK_ASSERT(slot < s->slots && s->slots <= c->nprocs);
    if (!own(&p->now, slot + 1, counter_of(c)) || !note(c, p, slot, p->now->value[slot] + 1, time))
        return 0;
    return ++p->now->value[slot];
}

static union stamp take(struct ork_causality *c, uint32_t rank)
{
    const struct clock_state *s = c->clock_state;
    struct vector *v = s->past[rank].now;

    if (v != NULL)
        v->refs++;
    return (union stamp){.vector = v};
}

static uint64_t component(const struct ork_causality *c, union stamp stamp, uint32_t rank)
{
    const struct clock_state *s = c->clock_state;
    uint32_t slot = s->slot[rank];

    return slot == 0 || stamp.vector == NULL || slot > stamp.vector->size
               ? 0
               : stamp.vector->value[slot - 1];
}

/* From here on, `from` has greater components; UINT32_MAX: it has none. */
static uint32_t first_greater(const struct vector *v, const struct vector *from, uint32_t i)
{
    for (; i < from->size; i++) {
        if (from->value[i] > (v != NULL && i < v->size ? v->value[i] : 0))
            return i;
    }
    return UINT32_MAX;
}

static bool join(struct ork_causality *c, uint32_t rank, union stamp stamp, uint64_t time)
{
    struct past *p = &((struct clock_state *)c->clock_state)->past[rank];
    const struct vector *from = stamp.vector;

    if (from == NULL || from == p->now)
        return true;
    uint32_t i = first_greater(p->now, from, 0);
    if (i == UINT32_MAX)
        return true;
    if (!own(&p->now, from->size, counter_of(c)))
        return false;
    c->rank[rank].learned++;
    for (; i != UINT32_MAX; i = first_greater(p->now, from, i + 1)) {
        if (!note(c, p, i, from->value[i], time))
            return false;
        p->now->value[i] = from->value[i];
    }
    return true;
}

static bool merge(union stamp *to, union stamp from)
{
    if (from.vector == NULL || from.vector == to->vector)
        return true;
    uint32_t i = first_greater(to->vector, from.vector, 0);
    if (i == UINT32_MAX)
        return true;
    if (to->vector == NULL) {
        to->vector = from.vector;
        to->vector->refs++;
        return true;
    }
    if (!own(&to->vector, from.vector->size, from.vector->bytes))
        return false;
    for (; i < from.vector->size; i++) {
        if (from.vector->value[i] > to->vector->value[i])
            to->vector->value[i] = from.vector->value[i];
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void sort(struct ork_causality *c)
{
    struct clock_state *s = c->clock_state;

    for (uint32_t r = 0; r < c->nprocs; r++) {
        struct past *p = &s->past[r];
        ORK_ASSERT(p->sorted <= p->changes);
        if (p->sorted < p->changes)
            qsort(p->change, p->changes, sizeof(*p->change), compare);
        p->sorted = p->changes;
    }
}

static uint64_t after(const struct ork_causality *c, uint32_t of, uint32_t rank, uint64_t value)
{
    const struct clock_state *s = c->clock_state;
    const struct past *p = &s->past[of];

    if (s->slot[rank] == 0)
        return NEVER;
    struct change key = {.slot = s->slot[rank] - 1, .value = (uint32_t)value};
    ORK_LOWER_BOUND(low, p->changes, i, compare(&p->change[i], &key) < 0);
    return low < p->changes && p->change[low].slot == key.slot ? p->change[low].time : NEVER;
}

const struct clocks ork_clocks_exact = {.create = create,
                                        .destroy = destroy,
                                        .tick = tick,
                                        .take = take,
                                        .release = release,
                                        .component = component,
                                        .join = join,
                                        .merge = merge,
                                        .sort = sort,
                                        .after = after};
