/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of an access: live ones are in the index of the memory that they touch. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

bool ork_access_reads(const struct access *a)
{
    return a->seen.touch == ORK_TOUCH_GET || a->seen.touch == ORK_TOUCH_READ ||
           a->seen.touch == ORK_TOUCH_LOAD ||
           (a->seen.touch == ORK_TOUCH_ACCUMULATE && a->seen.op == ORK_REDUCTION_MPI_NO_OP);
}

void ork_pattern_free(struct ork_pattern *pattern)
{
    if (pattern != NULL)
        ork_byteset_reset(&pattern->set);
    free(pattern);
}

struct ork_span ork_access_span(const struct access *a)
{
    struct ork_span span;

    if (a->pattern == NULL)
        return ork_span_of_block((int64_t)a->low, (int64_t)(a->high - a->low));
    bool is_known = ork_span_of_pattern(&span, a->pattern, (int64_t)a->low);
    ORK_ASSERT(is_known); /* it was when the access was made */
    return span;
}

/* RATIONALE: a store of the separate memory model conflicts with updates of all bytes of the
 * windows that it is in. */
struct ork_span ork_access_index_span(const struct ork_onesided *o, const struct access *a)
{
    const struct memory *m = &o->memory[a->target];
    uint64_t low = a->low, high = a->high;
    bool is_wide = false;

    for (uint32_t i = 0; a->is_separate && !ork_access_reads(a) && i < m->windows; i++) {
        const struct place *p = &m->window[i]->place[ork_window_member(m->window[i], a->target)];
        if (!ork_window_has(m->window[i], a->target, a->low, a->high))
            continue;
        low = p->base < low ? p->base : low;
        high = p->base + p->size > high ? p->base + p->size : high;
        is_wide = true;
    }
    return is_wide ? ork_span_of_block((int64_t)low, (int64_t)(high - low)) : ork_access_span(a);
}

bool ork_access_overlaps(const struct access *a, const struct access *b)
{
    struct ork_span x = ork_access_span(a), y = ork_access_span(b);
    struct ork_common common;

    return !ork_spans_are_apart(&x, &y) && ork_spans_overlap(&x, &y, &common) == ORK_YES;
}

void ork_access_unref(struct ork_onesided *o, struct access *a)
{
    ORK_ASSERT(a->refs > 0);
    if (--a->refs > 0)
        return;
    ORK_ASSERT(!a->is_live);
    ork_events_release(a->start);
    ork_events_release(a->acquired);
    ork_lockset_unref(a->locks);
    ork_window_unref(o, a->window);
    ork_pattern_free(a->pattern);
    free(a);
}

static void append(struct memory *m, struct access *a)
{
    ORK_ASSERT(!a->is_live && (m->newest == NULL) == (m->oldest == NULL));
    a->refs++;
    a->is_live = true;
    a->older = m->newest;
    *(m->newest != NULL ? &m->newest->newer : &m->oldest) = a;
    m->newest = a;
}

static void take_out(struct ork_onesided *o, struct memory *m, struct access *a)
{
    ORK_ASSERT(a->is_live && m->oldest != NULL && m->newest != NULL);
    *(a->older != NULL ? &a->older->newer : &m->oldest) = a->newer;
    *(a->newer != NULL ? &a->newer->older : &m->newest) = a->older;
    a->is_live = false;
    ork_access_unref(o, a);
}

void ork_access_retire(struct ork_onesided *o, struct access *a)
{
    struct memory *m = &o->memory[a->target];

    ORK_ASSERT(a->is_live && o->live > 0);
    ork_index_remove(&m->index, a->entry);
    o->live--;
    take_out(o, m, a);
}

void ork_access_replace(struct ork_onesided *o, struct access *old, struct access *a)
{
    struct memory *m = &o->memory[a->target];
    struct ork_span span = ork_access_index_span(o, a);

    ORK_ASSERT(old->is_live && old->target == a->target);
    if (!ork_index_replace(&m->index, old->entry, &span, (uint64_t)(uintptr_t)a)) {
        ork_access_retire(o, old);
        ork_access_insert(o, a);
        return;
    }
    a->entry = old->entry;
    take_out(o, m, old);
    append(m, a);
}

void ork_access_insert(struct ork_onesided *o, struct access *a)
{
    struct memory *m = &o->memory[a->target];
    struct ork_span span = ork_access_index_span(o, a);

    ORK_ASSERT(!a->is_live && a->target < o->nprocs && a->low <= a->high);
    a->entry = ork_index_insert(&m->index, &span, 1, (uint64_t)(uintptr_t)a);
    if (a->entry == ORK_INDEX_NONE) {
        o->failed = true;
        return;
    }
    append(m, a);
    o->live++;
    ORK_ASSERT(m->index.count > 0 && m->index.count <= o->live);
}
