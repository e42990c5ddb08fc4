/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process is up to. */
#include "detector/verdict/search.h"

static bool is_resting(const struct strand *st)
{
    return st->thread < 64 && (st->proc->resting >> st->thread & 1) != 0 && st->queue.count == 0;
}

bool ork_search_is_running(const struct proc *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_strands; i++) {
        const struct strand *st = p->strand[i];
        if (!st->held && st->turn != TURN_AFTER && !is_resting(st))
            return true;
        any |= st->held;
    }
    return p->num_strands == 0 || (p->resting != 0 && !any);
}

bool ork_search_has_failed(const struct proc *p)
{
    return p->ended && p->end == ORK_END_FAILED;
}

bool ork_search_is_gone(const struct proc *p)
{
    if (!p->ended || p->end == ORK_END_KILLED || ork_search_has_failed(p))
        return false;
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (ork_strand_has_moved(p->strand[i]) || p->strand[i]->turn != TURN_NOW)
            return false; /* strictly it never got there */
    }
    return true;
}

bool ork_search_is_in_finalize(const struct proc *p)
{
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->held && p->strand[i]->call.kind == ORK_KIND_FINALIZE)
            return true;
    }
    return false;
}

struct strand *ork_search_shown(const struct proc *p)
{
    struct strand *st = p->num_strands > 0 ? p->strand[0] : NULL;

    for (uint32_t i = 0; i < p->num_strands && !st->held; i++)
        st = p->strand[i];
    return st;
}
