/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for conditions of ranks: of what their threads are in. */
#include "detector/verdict/graph.h"
#include "detector/verdict/search.h"

static bool emit_anybody(struct builder *b, struct proc *p)
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

/* A process that does nothing but ask: one of its requests, or (probes) a message of anybody, would
 * let it go on. */
static bool emit_polling(struct builder *b, struct proc *p)
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
        ork_graph_emit_request(b, p, r, UINT32_MAX);
    }
    if (p->bag_complete > 0 || (p->bag == NULL && !any))
        ork_graph_emit_true(b);
    else if (p->bag != NULL)
        ork_graph_emit_bag(b, p, false);
    ork_graph_emit_close(b);
    return true;
}

void ork_graph_emit_call(struct builder *b, struct strand *st)
{
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    ork_graph_emit_strand(b, st);
    ork_graph_emit_close(b);
}

void ork_graph_emit_proc(struct builder *b, struct proc *p)
{
    if (p->fault != NULL || p->busy || p->misled || ork_search_has_failed(p))
        return;
    if (ork_search_is_gone(p) || (b->lazy && ork_search_is_in_finalize(p))) {
        ork_wfg_set_done(b->graph, p->rank);
        return;
    }
    if (ork_search_is_running(p) && p->polling != ORK_POLL_NONE && p->num_strands == 1) {
        ork_wfg_begin(b->graph, p->rank);
        emit_polling(b, p);
        ork_wfg_end(b->graph);
        return;
    }
    if (ork_search_is_running(p))
        return;
    ork_wfg_begin(b->graph, p->rank);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->held) /* else it waits for another strand, and so for nothing else */
            ork_graph_emit_call(b, p->strand[i]);
    }
    ork_graph_emit_close(b);
    ork_wfg_end(b->graph);
}
