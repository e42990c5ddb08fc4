/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a process can act, has failed or has stopped. */
#include "detector/verdict/search.h"

static bool is_resting(const struct mpi_thread *th)
{
    return th->thread < 64 && (th->proc->resting >> th->thread & 1) != 0 && th->queue.count == 0;
}

bool ork_search_is_running(const struct proc *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->num_threads; i++) {
        const struct mpi_thread *th = p->thread[i];
        if (!th->in_call && th->thread_order != ORDER_WAIT_PROGRAM && !is_resting(th))
            return true;
        any |= th->in_call;
    }
    return p->num_threads == 0 || (p->resting != 0 && !any);
}

bool ork_search_has_failed(const struct proc *p)
{
    return p->ended && p->end == ORK_END_FAILED;
}

bool ork_search_is_gone(const struct proc *p)
{
    if (!p->ended || p->end == ORK_END_KILLED || ork_search_has_failed(p))
        return false;
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (ork_thread_run_is_ahead(p->thread[i]) || p->thread[i]->thread_order != ORDER_FREE)
            return false; /* under strict semantics it has not ended yet */
    }
    return true;
}

bool ork_search_is_in_finalize(const struct proc *p)
{
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->in_call && p->thread[i]->call.kind == ORK_KIND_FINALIZE)
            return true;
    }
    return false;
}

struct mpi_thread *ork_search_shown(const struct proc *p)
{
    struct mpi_thread *th = p->num_threads > 0 ? p->thread[0] : NULL;

    for (uint32_t i = 0; i < p->num_threads && !th->in_call; i++)
        th = p->thread[i];
    return th;
}
