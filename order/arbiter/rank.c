/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock of a rank, and whether its records can be followed. */
#include "order/arbiter/internal.h"

void ork_arbiter_rank_init(struct ork_arbiter *a, uint32_t number)
{
    struct rank *p = &a->rank[number];

    p->arbiter = a;
    p->number = number;
}

void ork_arbiter_rank_wake(struct rank *p)
{
    if (p->ready || (p->queued == 0 && !p->is_over))
        return;
    p->ready = true;
    p->ready_next = p->arbiter->ready;
    p->arbiter->ready = p;
}

void ork_arbiter_rank_wake_all(struct ork_arbiter *a)
{
    for (uint32_t r = 0; r < a->nprocs; r++)
        ork_arbiter_rank_wake(&a->rank[r]);
}

void ork_arbiter_ask_ended(struct rank *p)
{
    p->arbiter->ending -= p->ask.ending != ENDING_NOT;
    p->ask.ending = ENDING_NOT;
}

void ork_arbiter_rank_lose(struct rank *p)
{
    if (p->lost)
        return;
    p->lost = true;
    p->inside = p->is_over = false;
    ork_arbiter_ask_ended(p);
    p->ask.open = false;
    p->queued = 0;
    p->arbiter->bound_is_old = true;
    ork_arbiter_rank_wake_all(p->arbiter);
}

void ork_arbiter_rank_merge(struct rank *p, struct times at)
{
    p->clock = ork_times_later(p->clock, ork_times_after(at, 1));
    p->arbiter->bound_is_old = true;
}

void ork_arbiter_rank_take(struct rank *p, struct stamp took)
{
    ork_arbiter_rank_merge(p, (struct times){.message = took.time, .lock = took.lock});
}
