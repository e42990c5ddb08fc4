/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches of the wait-for graph of the current state, of all ranks or of single calls. */
#include "detector/graph/graph.h"
#include "detector/verdict/search.h"

#include <stdlib.h>

/* Create an empty graph of `nodes` processes. NULL: out of memory. */
static struct ork_search *search_new(struct ork_detector *d, uint32_t nodes)
{
    struct ork_search *s = d->failed ? NULL : calloc(1, sizeof(*s));

    if (s == NULL || ork_wfg_create(nodes, &s->wfg) != ORK_OK) {
        free(s);
        return NULL;
    }
    d->counts.searches++;
    return s;
}

static struct wait_graph_builder builder_of(struct ork_detector *d, struct ork_search *s,
                                            enum ork_semantics semantics)
{
    return (struct wait_graph_builder){.d = d,
                                       .graph = s->wfg,
                                       .search = s,
                                       .permissive = semantics == ORK_PERMISSIVE,
                                       .permissive_waves =
                                           semantics == ORK_PERMISSIVE || d->model.dataflow};
}

/* Search the graph of `s`. The caller owns *out; on failure `s` is freed. */
static enum ork_status search_finish(struct ork_detector *d, struct ork_search *s,
                                     struct ork_search **out)
{
    enum ork_status status = ork_wfg_search(s->wfg);

    if (status != ORK_OK || d->failed) {
        ork_search_destroy(s);
        return d->failed ? ORK_NOMEM : status;
    }
    *out = s;
    return ORK_OK;
}

enum ork_status ork_detector_search(struct ork_detector *d, enum ork_semantics semantics,
                                    struct ork_search **out)
{
    struct ork_search *s = search_new(d, d->nprocs);

    if (s == NULL)
        return ORK_NOMEM;
    struct wait_graph_builder b = builder_of(d, s, semantics);
    for (uint32_t r = 0; r < d->nprocs; r++)
        ork_search_emit_proc(&b, d->proc[r]);
    return search_finish(d, s, out);
}

/* ---- calls that never return, whatever the other threads of their ranks do ---- */

/* Is it in a call while other threads of its rank may act? */
static bool is_one_of_several(const struct mpi_thread *th)
{
    const struct proc *p = th->proc;

    return th->in_call && !th->unknown && !ork_thread_run_is_ahead(th) &&
           (p->num_threads > 1 || p->busy) && p->fault == NULL && !p->state_lost &&
           !ork_search_is_gone(p) && !ork_search_is_in_finalize(p);
}

/* The number of such calls; also 0 if all ranks may still make calls. */
static uint32_t count_calls(const struct ork_detector *d)
{
    uint32_t n = 0;
    bool any_gone = false;

    for (uint32_t r = 0; r < d->nprocs; r++) {
        const struct proc *p = d->proc[r];
        any_gone |= ork_search_is_gone(p) || ork_search_is_in_finalize(p);
        for (uint32_t i = 0; i < p->num_threads; i++)
            n += is_one_of_several(p->thread[i]);
    }
    return any_gone ? n : 0;
}

/* Search the permissive graph of all ranks, followed by one node for each such call. */
static enum ork_status search_each_call(struct ork_detector *d, uint32_t calls,
                                        struct ork_search **out)
{
    struct ork_search *s = search_new(d, d->nprocs + calls);
    uint32_t node = d->nprocs;

    if (s == NULL)
        return ORK_NOMEM;
    struct wait_graph_builder b = builder_of(d, s, ORK_PERMISSIVE);
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        ork_search_emit_proc(&b, p);
        for (uint32_t i = 0; i < p->num_threads; i++) {
            if (!is_one_of_several(p->thread[i]))
                continue;
            ork_wfg_begin(b.graph, node++);
            ork_search_emit_call(&b, p->thread[i]);
            ork_wfg_end(b.graph);
        }
    }
    ORK_ASSERT(node == d->nprocs + calls);
    return search_finish(d, s, out);
}

/* The first such call of `p` that never returns; NULL: none. *node: in, the node of the first call
 * of `p`; out, that of the next rank. */
static struct mpi_thread *dead_call(const struct proc *p, const struct ork_search *each,
                                    uint32_t *node)
{
    struct mpi_thread *dead = NULL;

    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (!is_one_of_several(p->thread[i]))
            continue;
        if (ork_wfg_is_deadlocked(each->wfg, (*node)++) && dead == NULL)
            dead = p->thread[i];
    }
    return dead;
}

/* Search only what is certain. RATIONALE: a rank that has only one call that never returns may
 * release others. */
static enum ork_status search_dead_calls(struct ork_detector *d, const struct ork_search *each,
                                         struct ork_search **out)
{
    struct ork_search *s = search_new(d, d->nprocs);
    uint32_t node = d->nprocs;

    if (s == NULL || (s->rank = calloc(d->nprocs, sizeof(*s->rank))) == NULL) {
        ork_search_destroy(s);
        return ORK_NOMEM;
    }
    struct wait_graph_builder b = builder_of(d, s, ORK_STRICT);
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        struct mpi_thread *dead = dead_call(p, each, &node);
        s->rank[r] = ork_detector_rank(d, r);
        if (dead != NULL) {
            s->rank[r].status = ORK_RANK_BLOCKED;
            s->rank[r].moved = false;
            ork_rank_view_set_call(&s->rank[r], dead);
            ork_wfg_begin(b.graph, r);
            ork_search_emit_call(&b, dead);
            ork_wfg_end(b.graph);
        } else if (ork_wfg_is_deadlocked(each->wfg, r)) {
            ork_search_emit_proc(&b, p);
        }
    }
    return search_finish(d, s, out);
}

enum ork_status ork_detector_search_calls(struct ork_detector *d, struct ork_search **out)
{
    struct ork_search *each = NULL;
    uint32_t calls = count_calls(d), dead = 0;

    *out = NULL;
    if (calls == 0)
        return ORK_OK;
    enum ork_status status = search_each_call(d, calls, &each);
    if (status != ORK_OK)
        return status;
    for (uint32_t i = 0; i < calls; i++)
        dead += ork_wfg_is_deadlocked(each->wfg, d->nprocs + i);
    if (dead > 0)
        status = search_dead_calls(d, each, out);
    ork_search_destroy(each);
    return status;
}

void ork_search_destroy(struct ork_search *search)
{
    if (search == NULL)
        return;
    ork_wfg_destroy(search->wfg);
    free(search->term);
    free(search->hub);
    free(search->rank);
    free(search);
}
