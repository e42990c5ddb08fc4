/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a program are nodes of a graph: an edge leads from what has happened to what
 * happens later. Each event has a node ENTER and a node EXIT. An access is complete at the ENTER of
 * the call that completes it; another one begins at the EXIT of the event before it. */
#include "tests/fuzz/onesided/expect.h"

#include <string.h>

/* ---- edges, as reachability in one step ---- */

static void link_nodes(struct graph *g, int from, int to)
{
    g->reach[from][to] = true;
}

/* Does data flow from the one rank to the other, in the parts of one collective call? */
static bool is_passed(const struct event *e, int from, int to)
{
    switch ((int)e->type) {
    case EVENT_BCAST:
    case EVENT_SCATTER:
        return e->peer == from;
    case EVENT_REDUCE:
    case EVENT_GATHER:
        return e->peer == to;
    default:
        return e->type >= EVENT_BARRIER && e->type <= EVENT_FENCE;
    }
}

/* The rank knows it when the event is over. */
static void link_to_completion(struct graph *g, int from, int rank, int event)
{
    int over = program_completion(g->p, rank, event);

    if (over >= 0)
        link_nodes(g, from, exit_of(rank, over));
}

static bool is_receive(const struct event *e)
{
    return e->type == EVENT_RECV || e->type == EVENT_RECV_ANY;
}

/* The edge that the pair of events makes, if any. A receive is there as soon as it is posted. */
static void link_events(struct graph *g, int r, int i, int q, int k)
{
    const struct event *a = &g->p->event[r][i], *b = &g->p->event[q][k];

    if (a->with != b->with || (r == q && i == k))
        return;
    if ((a->type == EVENT_SEND || a->type == EVENT_SSEND) && is_receive(b)) {
        link_to_completion(g, enter_of(r, i), q, k);
        if (a->type == EVENT_SSEND)
            link_to_completion(g, enter_of(q, k), r, i);
    }
    if (a->type == b->type && is_passed(a, r, q))
        link_to_completion(g, enter_of(r, i), q, k);
    if (a->type == EVENT_COMPLETE && b->type == EVENT_WAIT_WINDOW)
        link_nodes(g, enter_of(r, i), exit_of(q, k));
}

static void link_from_send(struct graph *g, int number, int rank, int event)
{
    for (int r = 0; r < g->p->ranks; r++) {
        for (int i = 0; i < g->p->events[r]; i++) {
            const struct event *e = &g->p->event[r][i];
            if ((e->type == EVENT_SEND || e->type == EVENT_SSEND) && e->with == number)
                link_to_completion(g, enter_of(r, i), rank, event);
        }
    }
}

/* A receive from any source takes the first message that comes. So when a later one of the same tag
 * has a message, it has one, too (MPI-3.1 section 3.5). */
static void link_forced(struct graph *g, int rank, int event)
{
    const struct event *any = &g->p->event[rank][event];

    for (int i = event + 1; i < g->p->events[rank] && any->type == EVENT_RECV_ANY; i++) {
        const struct event *later = &g->p->event[rank][i];
        if (is_receive(later) && later->tag == any->tag)
            link_from_send(g, any->with, rank, i);
    }
}

/* The post of the epoch that contains this access. */
int post_of(const struct program *p, int rank, int event, int *target)
{
    int with = NONE;

    for (int i = event; i >= 0 && with == NONE; i--) {
        if (p->event[rank][i].type == EVENT_START)
            with = p->event[rank][i].with;
    }
    *target = p->event[rank][event].peer;
    for (int i = 0; i < p->events[*target]; i++) {
        const struct event *e = &p->event[*target][i];
        if (e->type == EVENT_POST && e->with == with)
            return i;
    }
    return NONE;
}

/* The end of an epoch of MPI_Win_start with accesses comes after the post. */
static void link_complete(struct graph *g, int rank, int event)
{
    int target;

    for (int i = event - 1; i >= 0 && g->p->event[rank][i].type != EVENT_START; i--) {
        const struct event *e = &g->p->event[rank][i];
        if (e->type != EVENT_ACCESS || e->window != STARTED)
            continue;
        int post = post_of(g->p, rank, i, &target);
        link_nodes(g, enter_of(target, post), exit_of(rank, event));
        /* what the end of the epoch tells includes it */
        link_nodes(g, enter_of(target, post), enter_of(rank, event));
    }
}

static void close_graph(struct graph *g)
{
    int nodes = g->p->ranks * EVENTS_MAX * 2;

    for (int m = 0; m < nodes; m++) {
        for (int a = 0; a < nodes && g->reach[m][m]; a++) {
            if (!g->reach[a][m])
                continue;
            for (int b = 0; b < nodes; b++)
                g->reach[a][b] |= g->reach[m][b];
        }
    }
}

void make_graph(struct graph *g, const struct program *p)
{
    memset(g, 0, sizeof(*g));
    g->p = p;

    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++) {
            link_nodes(g, enter_of(r, i), enter_of(r, i));
            link_nodes(g, exit_of(r, i), exit_of(r, i));
            link_nodes(g, enter_of(r, i), exit_of(r, i));
            if (i > 0)
                link_nodes(g, exit_of(r, i - 1), enter_of(r, i));
            if (p->event[r][i].type == EVENT_COMPLETE)
                link_complete(g, r, i);
            link_forced(g, r, i);
            for (int q = 0; q < p->ranks; q++) {
                for (int k = 0; k < p->events[q]; k++)
                    link_events(g, r, i, q, k);
            }
        }
    }
    close_graph(g);
}

bool begins_after(const struct graph *g, int node, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];
    int target;

    if (node == NONE)
        return false;
    if (e->type != EVENT_ACCESS)
        return g->reach[node][enter_of(rank, event)];
    if (event > 0 && g->reach[node][exit_of(rank, event - 1)])
        return true;
    if (e->window != STARTED)
        return false;
    int post = post_of(g->p, rank, event, &target);
    return g->reach[node][enter_of(target, post)];
}
