/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided accesses, and loads and stores of the program itself. */
#include "tests/fuzz/onesided/generate.h"

/* RATIONALE: the standard has requests in passive epochs only. */
static void add_request(struct state *s, struct event *e, int rank)
{
    if (e->window == LOCKED && e->kind != ORK_ACCESS_SWAP && any(s, 3) == 0)
        open_request(s, e, rank, -1);
}

void make_access(struct state *s, int rank, int window, int target)
{
    if (window == STARTED)
        target = s->started[rank];
    if (window == LOCKED && !s->may_lock)
        window = FENCED;
    if (window == LOCKED && !s->has_all[rank] && s->lock[rank][target] == 0)
        return;
    if (target < 0 || !has_room(s))
        return;
    s->p->has_locks |= window == LOCKED;
    struct event *e = add_event(s, rank, EVENT_ACCESS, window, target, 0);
    e->kind = (enum ork_access)any(s, ORK_ACCESS_MAX);
    e->op = 1 + any(s, 2) * 13; /* MPI_SUM, MPI_NO_OP */
    if (e->kind == ORK_ACCESS_ACCUMULATE)
        e->op = 1 + any(s, 2);
    bool is_word = s->is_real && e->kind == ORK_ACCESS_SWAP; /* MPI has it of one element only */
    bool has_gaps = any(s, 3) == 0 && !is_word;
    e->length = is_word ? 1 : 1 + any(s, has_gaps ? 2 : 4);
    e->copies = has_gaps ? 2 + any(s, 2) : 1;
    e->stride = e->length + 1 + any(s, 2);
    e->offset = any(s, SIZE + 1 - event_extent(e));
    e->origin = any(s, 2) == 0 ? -1 : any(s, SIZE + 1 - event_extent(e));
    e->access = s->accesses;
    e->site = any_site(s);
    s->accesses += 3;
    add_request(s, e, rank);
}

void make_touch(struct state *s, int rank)
{
    if (!s->may_touch || !has_room(s))
        return;
    struct event *e = add_event(s, rank, EVENT_TOUCH, any(s, WINDOWS), rank, 0);
    bool has_gaps = any(s, 3) == 0;
    s->p->has_touches = true;
    e->is_store = any(s, 2) == 0;
    e->length = 1 + any(s, has_gaps ? 2 : 4);
    e->copies = has_gaps ? 2 + any(s, 2) : 1;
    e->stride = e->length + 1 + any(s, 2);
    e->offset = any(s, SIZE + 1 - event_extent(e));
    e->site = any_site(s);
    s->accesses += 3;
}

/* RATIONALE: in programs that the MPI library executes, the standard wants a passive epoch. */
void sync_window(struct state *s, int rank)
{
    if (s->p->is_separate && !s->is_real)
        add_event(s, rank, EVENT_SYNC, any(s, WINDOWS), -1, 0);
    else if (s->p->is_separate && s->has_all[rank])
        add_event(s, rank, EVENT_SYNC, LOCKED, -1, 0);
}
