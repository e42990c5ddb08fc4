/* SPDX-License-Identifier: BSD-3-Clause */
/* The strands of a process: how they come and go. */
#include "detector/state/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct strand *ork_strand_find_live(const struct proc *p, uint16_t thread)
{
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->thread == thread && !p->strand[i]->over)
            return p->strand[i];
    }
    return NULL;
}

/* One that is not in use, or a new one. NULL: out of memory. */
static struct strand *take_parked(struct proc *p)
{
    struct strand *st = p->parked;

    if (st == NULL)
        return ork_lines_alloc(1, sizeof(*st));
    p->parked = st->parked;
    st->parked = NULL;
    st->over = false;
    st->turn = TURN_NOW;
    st->behind = NULL;
    st->released = 0;
    return st;
}

/* After a change of strand[]. */
static void count_strands(struct proc *p)
{
    bool inside = false;

    p->first = p->num_strands > 0 ? p->strand[0] : NULL;
    p->several |= p->num_strands > 1;
    ork_proc_set_odd(p, ODD_STRANDS, p->num_strands != 1 || p->first->thread != 0);
    for (uint32_t i = 0; i < p->num_strands; i++)
        inside |= p->strand[i]->is_odd;
    ork_proc_set_odd(p, ODD_INSIDE, inside);
}

struct strand *ork_strand_find(struct proc *p, uint16_t thread)
{
    struct ork_detector *d = p->d;
    struct strand *st = ork_strand_find_live(p, thread);

    if (st != NULL)
        return st;
    if (p->num_strands == p->strand_cap &&
        !ork_grow(d, &p->strand, &p->strand_cap, p->num_strands + 1, sizeof(struct strand *)))
        return NULL;
    if ((st = take_parked(p)) == NULL) {
        d->failed = true;
        return NULL;
    }
    st->proc = p;
    st->thread = thread;
    st->call = (struct ork_record){.kind = ORK_KIND_CONT};
    st->made_on = MADE_ON_NONE;
    p->strand[p->num_strands++] = st;
    count_strands(p);
    return st;
}

/* It has come to its end. */
void ork_strand_park(struct strand *st)
{
    struct proc *p = st->proc;
    uint32_t at = 0;

    assert(!st->in_work);
    while (p->strand[at] != st)
        at++;
    p->num_strands--;
    memmove(&p->strand[at], &p->strand[at + 1], (p->num_strands - at) * sizeof(*p->strand));
    st->parked = p->parked;
    p->parked = st;
    count_strands(p);
}

void ork_strand_destroy(struct strand *st)
{
    free(st->list);
    free(st->outcome);
    free(st->queue.slot);
    free(st->queue.when);
    free(st->names);
    free(st);
}

/* All threads are past MPI_Finalize. */
static bool has_left_finalize(const struct proc *p)
{
    return p->ended && p->end == ORK_END_FINISHED;
}

bool ork_strand_has_moved(const struct strand *st)
{
    return st->held && (st->exited || st->returned || st->over || st->queue.count > 0 ||
                        has_left_finalize(st->proc));
}
