/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of a program are complete before others begin. */
#include "tests/fuzz/onesided/expect.h"

#include <string.h>

static bool is_read(const struct event *e)
{
    bool is_accumulate = e->kind >= ORK_ACCESS_ACCUMULATE && e->kind != ORK_ACCESS_SWAP;

    return e->kind == ORK_ACCESS_GET || (is_accumulate && e->op == 14);
}

static int end_of_event(const struct program *p, int rank, int event, bool at_origin)
{
    const struct event *e = &p->event[rank][event];
    struct touch t = {.rank = rank, .event = event, .is_own = at_origin};

    if (e->type == EVENT_TOUCH && e->is_store && p->is_separate && !at_origin)
        return published_at(p, rank, event);
    if (e->type != EVENT_ACCESS)
        return exit_of(rank, event);
    t.reads = is_read(e);
    return end_of(p, &t);
}

/* Is the event, with this end, complete before event i of rank r? */
static bool is_complete(const struct graph *g, int end, int rank, int event, int r, int i)
{
    const struct event *a = &g->p->event[rank][event], *b = &g->p->event[r][i];

    if (rank == r && a->type == EVENT_TOUCH && b->type == EVENT_TOUCH)
        return event < i;
    if (g->p->is_separate && b->type == EVENT_TOUCH && a->type == EVENT_ACCESS && a->peer == r &&
        !is_read(a)) {
        int start = acquired_at(g->p, r, i);
        return end != NONE && start != NONE && g->reach[end][start];
    }
    return begins_after(g, end, r, i);
}

static void compare_with_all(const struct graph *g, int rank, int event, struct program_order *o)
{
    const struct program *p = g->p;
    int a = program_event(rank, event), target;
    int end = end_of_event(p, rank, event, false), origin = end_of_event(p, rank, event, true);

    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++) {
            int b = program_event(r, i);
            bool is_held = p->event[r][i].type == EVENT_ACCESS && p->event[r][i].window == STARTED;
            int post = is_held ? post_of(p, r, i, &target) : 0;
            o->before[a][b] = a != b && is_complete(g, end, rank, event, r, i);
            o->before_at_origin[a][b] = a != b && begins_after(g, origin, r, i);
            o->tells[a][b] = g->reach[enter_of(rank, event)][exit_of(r, i)] ||
                             (is_held && rank == target && event == post);
        }
    }
}

void program_order(const struct program *p, struct program_order *o)
{
    static struct graph g;

    memset(o, 0, sizeof(*o));
    make_graph(&g, p);
    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++)
            compare_with_all(&g, r, i, o);
    }
}
