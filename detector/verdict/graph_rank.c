/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for conditions of ranks: those of the calls that their threads are in. */
#include "detector/calls/call.h"
#include "detector/verdict/search.h"

static bool emit_anybody(struct wait_graph_builder *b, struct proc *p)
{
    struct ork_detector *d = b->d;

    if (d->num_jobs == 1)
        return ork_graph_emit_any(b, p->job->world, p->rank, 0);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < d->num_jobs; i++)
        ork_graph_emit_any(b, d->job[i]->world, p->rank, 0);
    ork_graph_emit_close(b);
    return true;
}

/* A process that only polls: one of its requests, or (probes) a message from any rank, would
 * release it. */
static bool emit_polling(struct wait_graph_builder *b, struct proc *p)
{
    bool any = false;

    if (p->polling == ORK_POLL_ANYTHING)
        return emit_anybody(b, p);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < p->num_requests; i++) {
        struct request *r = p->request[i];
        if (r == NULL || !r->in_use || !r->active)
            continue;
        any = true;
        if (r->is_uncertain)
            ork_graph_emit_true(b);
        else
            ork_graph_emit_request(b, p, r, UINT32_MAX);
    }
    if (ork_shared_ready(p) > 0 || (p->shared == NULL && !any))
        ork_graph_emit_true(b);
    else if (p->shared != NULL)
        ork_graph_emit_shared(b, p, false);
    ork_graph_emit_close(b);
    return true;
}

void ork_search_emit_call(struct wait_graph_builder *b, struct mpi_thread *th)
{
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    ork_call_emit(b, th);
    ork_graph_emit_close(b);
}

void ork_search_emit_proc(struct wait_graph_builder *b, struct proc *p)
{
    if (p->stuck) {
        ork_wfg_set_done(b->graph, p->rank);
        return;
    }
    if (p->fault != NULL || p->busy || p->state_lost || ork_search_has_failed(p))
        return;
    if (ork_search_is_gone(p) || (b->permissive && ork_search_is_in_finalize(p))) {
        ork_wfg_set_done(b->graph, p->rank);
        return;
    }
    if (ork_search_is_running(p) && p->polling != ORK_POLL_NONE && p->num_threads == 1) {
        ork_wfg_begin(b->graph, p->rank);
        emit_polling(b, p);
        ork_wfg_end(b->graph);
        return;
    }
    if (ork_search_is_running(p))
        return;
    ork_wfg_begin(b->graph, p->rank);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->in_call) /* otherwise it waits for another thread: no condition */
            ork_search_emit_call(b, p->thread[i]);
    }
    ork_graph_emit_close(b);
    ork_wfg_end(b->graph);
}

bool ork_search_is_open(struct mpi_thread *th)
{
    struct wait_graph_builder b = {.d = th->proc->d,
                                   .permissive_waves = th->proc->d->model.dataflow};

    return ork_call_emit(&b, th);
}
