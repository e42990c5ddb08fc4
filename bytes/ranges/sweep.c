/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/ranges/sweep.h"

static bool is_same_shape(const struct ork_swept *a, const struct ork_swept *b)
{
    if (a->length != b->length || a->loops != b->loops)
        return false;
    for (uint32_t i = 0; i < a->loops; i++) {
        if (a->loop[i].stride != b->loop[i].stride || a->loop[i].count != b->loop[i].count)
            return false;
    }
    return true;
}

/* All that the level has. */
static struct ork_swept whole(const struct ork_sweep_level *l)
{
    struct ork_swept all = l->each;

    if (l->count > 1)
        all.loop[all.loops++] = (struct ork_dim){.stride = l->stride, .count = l->count};
    return all;
}

/* Does the set repeat what the level has? RATIONALE: the second copy defines the stride; one at the
 * same place adds nothing. */
static bool repeats(struct ork_sweep_level *l, const struct ork_swept *swept)
{
    int64_t from_first = swept->low - l->each.low;

    if (l->count == 0) {
        *l = (struct ork_sweep_level){.each = *swept, .count = 1};
        return true;
    }
    if (!is_same_shape(&l->each, swept))
        return false;
    if (from_first == 0 && l->count == 1)
        return true;
    if (l->count == 1)
        l->stride = from_first;
    else if (from_first != l->stride * l->count)
        return false;
    l->count++;
    return true;
}

/* Add a set to a level; what it interrupts there goes one level up, and at last to the taker. */
static void add(struct ork_sweep *s, const struct ork_swept *swept, ork_sweep_taker *taker,
                void *context)
{
    struct ork_swept next = *swept;

    for (unsigned k = 0; k < ORK_SWEEP_LOOPS; k++) {
        struct ork_sweep_level *l = &s->level[k];
        if (repeats(l, &next))
            return;
        struct ork_swept old = whole(l);
        *l = (struct ork_sweep_level){.each = next, .count = 1};
        next = old;
    }
    taker(context, &next);
}

void ork_sweep_break(struct ork_sweep *s, int64_t low, int64_t size, ork_sweep_taker *taker,
                     void *context)
{
    struct ork_swept block = {.low = s->low, .length = s->length};

    s->low = low;
    s->length = size;
    if (block.length > 0)
        add(s, &block, taker, context);
}

/* From the innermost level on, so that a loop that is complete joins the ones before it. */
void ork_sweep_finish(struct ork_sweep *s, ork_sweep_taker *taker, void *context)
{
    struct ork_swept rest = {.low = s->low, .length = s->length};
    bool has_rest = rest.length > 0;

    for (unsigned k = 0; k < ORK_SWEEP_LOOPS; k++) {
        struct ork_sweep_level *l = &s->level[k];
        if (has_rest && !repeats(l, &rest)) {
            taker(context, &rest);
            has_rest = false;
        }
        if (l->count == 0)
            continue;
        rest = whole(l);
        has_rest = true;
    }
    if (has_rest)
        taker(context, &rest);
    *s = (struct ork_sweep){0};
}

bool ork_swept_bytes(const struct ork_swept *swept, struct ork_byteset *set)
{
    int64_t offset = swept->low;
    bool good;

    *set = (struct ork_byteset){0};
    good = ork_byteset_add_block(set, 0, swept->length);
    for (uint32_t i = 0; i < swept->loops && good; i++) {
        const struct ork_dim *d = &swept->loop[i];
        int64_t back = d->stride < 0 ? d->stride * (d->count - 1) : 0;
        good = ork_byteset_repeat(set, d->count, d->stride < 0 ? -d->stride : d->stride);
        offset += back;
    }
    good = good && ork_byteset_shift(set, offset) && ork_byteset_finish(set);
    if (!good)
        ork_byteset_reset(set);
    return good;
}
