/* SPDX-License-Identifier: BSD-3-Clause */
/* The separate memory model (MPI-3.1 sections 11.4 and 11.7): the events of the owner of the memory
 * that make its private copy and the public copies equal. All windows are made of the same memory.
 */
#include "tests/fuzz/onesided/expect.h"

static bool publishes(enum event_type type)
{
    return type == EVENT_SYNC || type == EVENT_POST || type == EVENT_FENCE || type == EVENT_UNLOCK;
}

static bool acquires(enum event_type type)
{
    return type == EVENT_SYNC || type == EVENT_WAIT_WINDOW || type == EVENT_FENCE ||
           type == EVENT_LOCK || type == EVENT_LOCK_ALL;
}

int published_at(const struct program *p, int rank, int event)
{
    for (int i = event + 1; i < p->events[rank]; i++) {
        if (publishes(p->event[rank][i].type))
            return enter_of(rank, i);
    }
    return NONE;
}

int acquired_at(const struct program *p, int rank, int event)
{
    for (int i = event - 1; i >= 0; i--) {
        if (acquires(p->event[rank][i].type))
            return exit_of(rank, i);
    }
    return NONE;
}

/* Does the one see what the other has done? What only reads is over when it is complete. */
static bool is_seen(const struct graph *g, const struct touch *a, const struct touch *b)
{
    bool is_store = a->is_plain && !a->reads;
    int end = is_store ? published_at(g->p, a->rank, a->event) : a->end;

    if (!b->is_plain || a->reads)
        return touch_begins_after(g, end, b);
    int start = acquired_at(g->p, b->rank, b->event);
    return end != NONE && start != NONE && g->reach[end][start];
}

bool is_separate_conflict(const struct graph *g, const struct touch *a, const struct touch *b)
{
    const struct touch *other = a->is_plain ? b : a;
    bool both_update = !a->reads && !b->reads;

    if (a->is_pending || b->is_pending)
        return false;
    if (!g->p->is_separate || a->is_plain == b->is_plain || other->is_own || a->target != b->target)
        return false;
    return (both_update || has_common_byte(a, b)) && !is_seen(g, a, b) && !is_seen(g, b, a);
}
