/* SPDX-License-Identifier: BSD-3-Clause */
/* The strict analysis catches up with a run that could continue only because a send was buffered or
 * a collective did not wait. */
#include "detector/calls/call.h"
#include "detector/calls/progress.h"
#include "detector/verdict/reveal.h"
#include "detector/verdict/search.h"

static bool relax_proc(struct proc *p, bool is_deadlocked)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_threads; i++)
        any |= ork_thread_relax(p->thread[i], is_deadlocked);
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

static uint32_t reveal_all(struct ork_detector *d)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < d->nprocs; r++)
        n += ork_reveal_outcomes(d->proc[r]);
    return n;
}

enum ork_status ork_detector_reveal(struct ork_detector *d, uint32_t *found)
{
    *found = 0;
    return finish(d, reveal_all(d), found);
}

/* Is the strict analysis of this process independent of all records still to come? */
static bool is_at_rest(const struct proc *p)
{
    if (ork_search_is_gone(p))
        return true;
    if (p->fault != NULL || p->state_lost || p->busy || p->num_threads == 0)
        return false;
    for (uint32_t i = 0; i < p->num_threads; i++) {
        struct mpi_thread *th = p->thread[i];
        if (th->in_call ? !ork_thread_run_is_ahead(th) && !ork_search_is_open(th)
                        : th->thread_order == ORDER_FREE)
            return false;
    }
    return true;
}

/* Relax the sender of a message that the run has delivered. */
static uint32_t relax_sender(struct ork_detector *d, const struct op *recv)
{
    if (recv == NULL || recv->is_send || !recv->observed || recv->q->src == ORK_ANY_SOURCE)
        return 0;
    return relax_proc(d->proc[recv->q->src], false);
}

/* Relax the senders that `th` still waits for although the run continued after its call. */
static uint32_t relax_senders(struct mpi_thread *th)
{
    struct ork_detector *d = th->proc->d;
    uint32_t n = relax_sender(d, th->recv);

    for (uint32_t i = 0; th->call.kind == ORK_KIND_WAIT && i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL)
            n += relax_sender(d, r->op);
    }
    return n;
}

/* The run passed a call whose messages have receives that may have taken them: it is only unknown
 * which did. */
static bool release_undecided(struct proc *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_threads; i++) {
        struct mpi_thread *th = p->thread[i];
        if (!ork_thread_run_is_ahead(th) || ork_search_is_open(th) || !ork_call_relax(th))
            continue;
        p->depends_on_buffering = any = true;
        ork_thread_wake(th);
    }
    return any;
}

static bool release_completed(struct proc *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_threads; i++) {
        struct mpi_thread *th = p->thread[i];
        if (!ork_thread_run_is_ahead(th) || !ork_call_release_completed(th))
            continue;
        p->depends_on_buffering = any = true;
        ork_thread_wake(th);
    }
    return any;
}

enum ork_status ork_detector_catch_up(struct ork_detector *d, bool over, uint32_t *passed)
{
    uint32_t n = 0;

    *passed = 0;
    for (uint32_t r = 0; r < d->nprocs && !over; r++) {
        if (!is_at_rest(d->proc[r]))
            return ORK_OK;
    }
    n = reveal_all(d);
    for (uint32_t r = 0; r < d->nprocs && n == 0; r++)
        n += release_undecided(d->proc[r]);
    for (uint32_t r = 0; r < d->nprocs && n == 0; r++) {
        struct proc *p = d->proc[r];
        for (uint32_t i = 0; i < p->num_threads; i++) {
            if (ork_thread_run_is_ahead(p->thread[i]))
                n += relax_senders(p->thread[i]);
        }
    }
    for (uint32_t r = 0; r < d->nprocs && n == 0; r++)
        n += relax_proc(d->proc[r], false);
    for (uint32_t r = 0; r < d->nprocs && n == 0; r++)
        n += release_completed(d->proc[r]);
    return finish(d, n, passed);
}
