/* SPDX-License-Identifier: BSD-3-Clause */
/* Letting strict semantics catch up with the run, where the run could go on only because a send was
 * buffered or a collective did not wait. */
#include "detector/calls/call.h"
#include "detector/calls/progress.h"
#include "detector/verdict/search.h"

static bool relax_proc(struct proc *p, bool is_deadlocked)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_strands; i++)
        any |= ork_strand_relax(p->strand[i], is_deadlocked);
    return any;
}

static enum ork_status finish(struct ork_detector *d, uint32_t n, uint32_t *passed)
{
    ork_run_work(d);
    if (d->failed)
        return ORK_NOMEM;
    *passed = n;
    return ORK_OK;
}

enum ork_status ork_detector_relax(struct ork_detector *d, const struct ork_search *search,
                                   uint32_t *passed)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < d->nprocs; r++) {
        if (ork_wfg_is_deadlocked(search->wfg, r))
            n += relax_proc(d->proc[r], true);
    }
    return finish(d, n, passed);
}

/* Can no record that is still to come change what strict semantics makes of this process? */
static bool is_at_rest(const struct proc *p)
{
    if (ork_search_is_gone(p))
        return true;
    if (p->fault != NULL || p->misled || p->busy || p->num_strands == 0)
        return false;
    for (uint32_t i = 0; i < p->num_strands; i++) {
        struct strand *st = p->strand[i];
        if (st->held ? !ork_strand_has_moved(st) && !ork_search_is_open(st) : st->turn == TURN_NOW)
            return false;
    }
    return true;
}

/* Let the sender of a message go on that the run has delivered. */
static uint32_t relax_sender(struct ork_detector *d, const struct op *recv)
{
    if (recv == NULL || recv->is_send || !recv->observed || recv->q->src == ORK_ANY_SOURCE)
        return 0;
    return relax_proc(d->proc[recv->q->src], false);
}

/* The senders that `st`, past which the run went, lacks. */
static uint32_t relax_senders(struct strand *st)
{
    struct ork_detector *d = st->proc->d;
    uint32_t n = relax_sender(d, st->recv);

    for (uint32_t i = 0; st->call.kind == ORK_KIND_WAIT && i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r != NULL)
            n += relax_sender(d, r->op);
    }
    return n;
}

static bool let_go(struct proc *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_strands; i++) {
        struct strand *st = p->strand[i];
        if (!ork_strand_has_moved(st) || !ork_call_let_go(st))
            continue;
        p->qualified = any = true;
        ork_strand_wake(st);
    }
    return any;
}

enum ork_status ork_detector_follow(struct ork_detector *d, bool over, uint32_t *passed)
{
    uint32_t n = 0;

    *passed = 0;
    for (uint32_t r = 0; r < d->nprocs && !over; r++) {
        if (!is_at_rest(d->proc[r]))
            return ORK_OK;
    }
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        for (uint32_t i = 0; i < p->num_strands; i++) {
            if (ork_strand_has_moved(p->strand[i]))
                n += relax_senders(p->strand[i]);
        }
    }
    for (uint32_t r = 0; r < d->nprocs && n == 0; r++)
        n += relax_proc(d->proc[r], false);
    for (uint32_t r = 0; r < d->nprocs && n == 0; r++)
        n += let_go(d->proc[r]);
    return finish(d, n, passed);
}
