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

/* The edge that the pair of events makes, if any. */
static void link_events(struct graph *g, int r, int i, int q, int k)
{
    const struct event *a = &g->p->event[r][i], *b = &g->p->event[q][k];
    bool is_receive = b->type == EVENT_RECV || b->type == EVENT_RECV_ANY;

    if (a->with != b->with || (r == q && i == k))
        return;
    if ((a->type == EVENT_SEND || a->type == EVENT_SSEND) && is_receive) {
        link_nodes(g, enter_of(r, i), exit_of(q, k));
        if (a->type == EVENT_SSEND)
            link_nodes(g, enter_of(q, k), exit_of(r, i));
    }
    if (a->type == b->type && (a->type == EVENT_BARRIER || a->type == EVENT_FENCE))
        link_nodes(g, enter_of(r, i), exit_of(q, k));
    if (a->type == EVENT_BCAST && b->type == EVENT_BCAST && a->peer == r)
        link_nodes(g, enter_of(r, i), exit_of(q, k));
    if (a->type == EVENT_COMPLETE && b->type == EVENT_WAIT_WINDOW)
        link_nodes(g, enter_of(r, i), exit_of(q, k));
}

/* The post of the epoch that contains this access. */
static int post_of(const struct program *p, int rank, int event, int *target)
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
    for (int m = 0; m < NODES; m++) {
        for (int a = 0; a < NODES; a++) {
            if (!g->reach[a][m])
                continue;
            for (int b = 0; b < NODES; b++)
                g->reach[a][b] |= g->reach[m][b];
        }
    }
}

static void make_graph(struct graph *g)
{
    const struct program *p = g->p;

    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++) {
            link_nodes(g, enter_of(r, i), enter_of(r, i));
            link_nodes(g, exit_of(r, i), exit_of(r, i));
            link_nodes(g, enter_of(r, i), exit_of(r, i));
            if (i > 0)
                link_nodes(g, exit_of(r, i - 1), enter_of(r, i));
            if (p->event[r][i].type == EVENT_COMPLETE)
                link_complete(g, r, i);
            for (int q = 0; q < p->ranks; q++) {
                for (int k = 0; k < p->events[q]; k++)
                    link_events(g, r, i, q, k);
            }
        }
    }
    close_graph(g);
}

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
static int end_of(const struct program *p, const struct touch *t)
{
    if (t->is_message)
        return t->at;
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
    g->touch[g->touches++] = t;
}

static void add_plain(struct graph *g, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];

    add_touch(g, (struct touch){.rank = rank,
                                .event = event,
                                .target = rank,
                                .low = e->offset,
                                .length = e->length,
                                .copies = e->copies,
                                .stride = e->stride,
                                .window = e->window,
                                .is_plain = true,
                                .reads = !e->is_store,
                                .site = e->site});
}

/* RATIONALE: what is sent is read before the call, by the one who broadcasts until it returns. What
 * is received is written when the call returns: then the sender's knowledge comes first. */
static void add_buffer(struct graph *g, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];
    bool is_root = e->type == EVENT_BCAST && e->peer == rank;
    bool is_sent = e->type == EVENT_SEND || e->type == EVENT_SSEND || is_root;
    struct touch t = {.rank = rank,
                      .event = event,
                      .target = rank,
                      .low = e->origin,
                      .length = e->length,
                      .copies = 1,
                      .is_plain = true,
                      .is_message = true,
                      .reads = is_sent,
                      .site = e->site};

    t.at = enter_of(rank, event);
    if (is_sent)
        add_touch(g, t);
    t.at = exit_of(rank, event);
    if (!is_sent || is_root)
        add_touch(g, t);
}

static void add_touches(struct graph *g, int rank, int event)
{
    const struct event *e = &g->p->event[rank][event];
    bool is_accumulate = e->kind >= ORK_ACCESS_ACCUMULATE;
    struct touch t = {.rank = rank,
                      .event = event,
                      .target = e->peer,
                      .low = e->offset,
                      .length = e->length,
                      .copies = e->copies,
                      .stride = e->stride,
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
                                .low = e->origin,
                                .length = e->length,
                                .copies = e->copies,
                                .stride = e->stride,
                                .window = e->window,
                                .is_own = true,
                                .reads = !writes,
                                .site = e->site});
}

/* ---- conflicts ---- */

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

static bool has_byte(const struct touch *t, int x)
{
    for (int i = 0; i < t->copies; i++) {
        int low = t->low + i * t->stride;
        if (x >= low && x < low + t->length)
            return true;
    }
    return false;
}

bool has_common_byte(const struct touch *a, const struct touch *b)
{
    for (int x = 0; x < SIZE; x++) {
        if (a->target == b->target && has_byte(a, x) && has_byte(b, x))
            return true;
    }
    return false;
}

/* One of them is a load or store, or a buffer of a call. RATIONALE: in passive epochs a rank may
 * wait until a value shows; all are so small that it may wait for one, and then receive into it. */
static bool is_plain_allowed(const struct touch *a, const struct touch *b)
{
    const struct touch *plain = a->is_plain ? a : b, *other = plain == a ? b : a;
    bool is_element = (other->copies - 1) * other->stride + other->length <= 8;

    return other->is_plain || other->is_own ||
           (a->rank != b->rank && other->window == LOCKED &&
            (a->reads || b->reads || (plain->is_message && is_element)));
}

static bool is_conflict(const struct graph *g, const struct touch *a, const struct touch *b)
{
    if (!has_common_byte(a, b))
        return false;
    if (a->is_accumulate && b->is_accumulate && is_compatible(a, b))
        return false;
    if ((a->is_plain || b->is_plain) && is_plain_allowed(a, b))
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

    memset(&g, 0, sizeof(g));
    memset(e, 0, sizeof(*e));
    g.p = p;
    make_graph(&g);
    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++) {
            if (p->event[r][i].type == EVENT_ACCESS)
                add_touches(&g, r, i);
            else if (p->event[r][i].type == EVENT_TOUCH)
                add_plain(&g, r, i);
            else if (event_has_buffer(&p->event[r][i]))
                add_buffer(&g, r, i);
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

/* ---- the order of events ---- */

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

    memset(&g, 0, sizeof(g));
    memset(o, 0, sizeof(*o));
    g.p = p;
    make_graph(&g);
    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++)
            compare_with_all(&g, r, i, o);
    }
}
