/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of one rank that are in use at the same time, although one of them is written. */
#include "tests/fuzz/onesided/expect.h"

#include <string.h>

/* What an event uses, all in all. */
struct used {
    unsigned read, written;
};

/* Of a call, all buffers; but in place, only what it accesses. */
static struct used used_by(const struct program *p, int rank, int index)
{
    const struct event *e = &p->event[rank][index];
    struct used u = {0};
    struct use use[USES_MAX];
    int n = program_uses(p, rank, index, use);

    for (int i = 0; i < n; i++) {
        if (use[i].is_written)
            u.written |= use[i].bytes;
        else
            u.read |= use[i].bytes;
    }
    if (e->type == EVENT_TOUCH)
        *(e->is_store ? &u.written : &u.read) = event_bytes(e, e->offset);
    return u;
}

/* The buffer of a one-sided call. */
static struct used used_at_origin(const struct event *e)
{
    unsigned bytes = e->origin >= 0 ? event_bytes(e, e->origin) : 0;
    bool writes = e->kind != ORK_ACCESS_PUT && e->kind != ORK_ACCESS_ACCUMULATE;

    return (struct used){.read = writes ? 0 : bytes, .written = writes ? bytes : 0};
}

/* What stays in use after the call of the event, until this node. */
static struct used used_until(const struct program *p, int rank, int index, int *node)
{
    const struct event *e = &p->event[rank][index];
    const struct touch t = {.rank = rank, .event = index, .is_own = true};

    if (e->type == EVENT_ACCESS) {
        *node = end_of(p, &t);
        return used_at_origin(e);
    }
    int over = program_completion(p, rank, index);
    *node = over < 0 ? NONE : enter_of(rank, over);
    return event_is_pending(e) ? used_by(p, rank, index) : (struct used){0};
}

void program_overlaps(const struct program *p, struct expected *x)
{
    int until;

    memset(x, 0, sizeof(*x));
    for (int r = 0; r < p->ranks; r++) {
        for (int i = 0; i < p->events[r]; i++) {
            struct used a = used_until(p, r, i, &until);
            bool is_access = p->event[r][i].type == EVENT_ACCESS;
            for (int k = i + 1; k < p->events[r]; k++) {
                struct used b = used_by(p, r, k);
                bool is_seen = !is_access || p->event[r][k].type == EVENT_TOUCH;
                bool is_in_use = until == NONE || enter_of(r, k) < until;
                bool meet = (a.written & (b.read | b.written)) != 0 || (a.read & b.written) != 0;
                if (is_seen && is_in_use && meet)
                    x->conflict[p->event[r][i].site][p->event[r][k].site] = true;
            }
        }
    }
}
