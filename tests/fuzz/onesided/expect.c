/* SPDX-License-Identifier: BSD-3-Clause */
/* Which accesses of a program conflict. */
#include "common/assert.h"
#include "tests/fuzz/onesided/expect.h"

#include <string.h>

/* ---- accesses ---- */

static bool completes(const struct touch *t, const struct event *a, const struct event *e)
{
    bool at_origin = t->is_own || t->reads;

    if (e->type == EVENT_WAIT_REQUEST)
        return a->request == e->request && at_origin;
    if (e->window != a->window)
        return false;
    if (e->type == EVENT_FENCE || e->type == EVENT_COMPLETE)
        return true;
    bool is_flush = e->type == EVENT_UNLOCK || e->type == EVENT_FLUSH ||
                    (e->type == EVENT_FLUSH_LOCAL && at_origin);
    return is_flush && (e->peer < 0 || e->peer == a->peer);
}

/* The node from which on it is complete. */
int end_of(const struct program *p, const struct touch *t)
{
    if (t->is_message && !t->is_pending)
        return t->at;
    if (t->is_pending) {
        int over = program_completion(p, t->rank, t->event);
        return over < 0 ? NONE : exit_of(t->rank, over);
    }
    if (t->is_plain)
        return exit_of(t->rank, t->event);
    for (int i = t->event + 1; i < p->events[t->rank]; i++) {
        if (completes(t, &p->event[t->rank][t->event], &p->event[t->rank][i]))
            return enter_of(t->rank, i);
    }
    return NONE;
}

static void add_touch(struct graph *g, struct touch t)
{
    const struct program *p = g->p;

    t.end = end_of(p, &t);
    for (int i = 0; i < t.event; i++) {
        const struct event *e = &p->event[t.rank][i];
        unsigned bits = e->peer < 0 ? ~0u : 1u << e->peer;
        if (e->type == EVENT_LOCK || e->type == EVENT_LOCK_ALL) {
            t.locks |= bits;
            t.exclusive |= e->is_exclusive ? bits : 0;
        } else if (e->type == EVENT_UNLOCK) {
            t.locks &= ~bits;
            t.exclusive &= ~bits;
        }
    }
    ORK_ASSERT(g->touches < ACCESSES_MAX);
    g->touch[g->touches++] = t;
}

static void add_plain(struct graph *g, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];

    add_touch(g, (struct touch){.rank = rank,
                                .event = event,
                                .target = rank,
                                .bytes = event_bytes(e, e->offset),
                                .window = e->window,
                                .is_plain = true,
                                .reads = !e->is_store,
                                .site = e->site});
}

/* The buffers of a message or collective call. */
static void add_buffers(struct graph *g, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];
    struct use use[USES_MAX];
    int n = program_uses(g->p, rank, event, use);

    for (int i = 0; i < n; i++)
        add_touch(g, (struct touch){.rank = rank,
                                    .event = event,
                                    .target = rank,
                                    .bytes = use[i].bytes,
                                    .is_plain = true,
                                    .is_message = true,
                                    .is_pending = use[i].when == WHILE_PENDING,
                                    .reads = !use[i].is_written,
                                    .at = use[i].when == AT_END ? exit_of(rank, event)
                                                                : enter_of(rank, event),
                                    .site = e->site});
}

static void add_touches(struct graph *g, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];
    bool is_accumulate = e->kind >= ORK_ACCESS_ACCUMULATE;
    struct touch t = {.rank = rank,
                      .event = event,
                      .target = e->peer,
                      .bytes = event_bytes(e, e->offset),
                      .window = e->window,
                      .is_accumulate = is_accumulate,
                      .op = e->kind == ORK_ACCESS_SWAP ? 0 : e->op,
                      .site = e->site};

    t.reads = e->kind == ORK_ACCESS_GET || (is_accumulate && t.op == 14);
    add_touch(g, t);
    if (e->origin < 0)
        return;
    bool writes = e->kind != ORK_ACCESS_PUT && e->kind != ORK_ACCESS_ACCUMULATE;
    add_touch(g, (struct touch){.rank = rank,
                                .event = event,
                                .target = rank,
                                .bytes = event_bytes(e, e->origin),
                                .window = e->window,
                                .is_own = true,
                                .reads = !writes,
                                .site = e->site});
}

/* ---- conflicts ---- */

bool touch_begins_after(const struct graph *g, int node, const struct touch *t)
{
    return t->is_message ? node != NONE && g->reach[node][t->at]
                         : begins_after(g, node, t->rank, t->event);
}

static bool is_before(const struct graph *g, const struct touch *a, const struct touch *b)
{
    return touch_begins_after(g, a->end, b);
}

static bool is_compatible(const struct touch *a, const struct touch *b)
{
    if (a->window != b->window)
        return false;
    return a->rank == b->rank || a->op == b->op || a->op == 0 || b->op == 0 || a->op == 14 ||
           b->op == 14;
}

bool has_common_byte(const struct touch *a, const struct touch *b)
{
    return a->target == b->target && (a->bytes & b->bytes) != 0;
}

/* One of them is a load or store, or a buffer of a call. RATIONALE: in passive epochs a rank may
 * wait until a value shows; all are so small that it may wait for one, and then receive into it. */
static bool is_plain_allowed(const struct program *p, const struct touch *a, const struct touch *b)
{
    const struct touch *plain = a->is_plain ? a : b, *other = plain == a ? b : a;
    bool is_late = p->never_waits && plain->reads && !plain->is_message && !other->reads;
    bool is_element = other->bytes >> __builtin_ctz(other->bytes) < 1u << 8;

    return other->is_plain || other->is_own ||
           (a->rank != b->rank && other->window == LOCKED && !is_late &&
            (a->reads || b->reads || (plain->is_message && is_element)));
}

static bool is_conflict(const struct graph *g, const struct touch *a, const struct touch *b)
{
    if (!has_common_byte(a, b))
        return false;
    if (a->is_accumulate && b->is_accumulate && is_compatible(a, b))
        return false;
    if ((a->is_plain || b->is_plain) && is_plain_allowed(g->p, a, b))
        return false;
    return !is_before(g, a, b) && !is_before(g, b, a);
}

/* Is this pair allowed, whatever its bytes and its order? */
static bool is_harmless(const struct touch *a, const struct touch *b)
{
    bool excluded =
        a->rank != b->rank && ((a->exclusive & b->locks) | (a->locks & b->exclusive)) != 0;

    return excluded || (a->rank == b->rank && a->event == b->event) || (a->reads && b->reads);
}

void program_conflicts(const struct program *p, struct expected *e)
{
    static struct graph g;

    memset(e, 0, sizeof(*e));
    make_graph(&g, p);
    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++) {
            if (p->event[r][i].type == EVENT_ACCESS)
                add_touches(&g, r, i);
            else if (p->event[r][i].type == EVENT_TOUCH)
                add_plain(&g, r, i);
            else
                add_buffers(&g, r, i);
        }
    }
    for (int i = 0; i < g.touches; i++) {
        for (int k = 0; k < i; k++) {
            const struct touch *a = &g.touch[i], *b = &g.touch[k];
            if (is_harmless(a, b) || !(is_conflict(&g, a, b) || is_separate_conflict(&g, a, b)))
                continue;
            e->conflict[a->site][b->site] = e->conflict[b->site][a->site] = true;
        }
    }
}
