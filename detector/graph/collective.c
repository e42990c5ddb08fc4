/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for conditions of collective calls. */
#include "detector/coll/wave.h"
#include "detector/graph/graph.h"

static bool emit_lower(struct wait_graph_builder *b, struct wave *w, uint32_t me, uint32_t label)
{
    bool open = false;

    ork_graph_emit_open(b, ORK_WFG_AND, label);
    for (uint32_t i = 0; i < me; i++) {
        if (!ork_wave_has_arrived(w, i))
            open |= ork_graph_emit_atom(b, ork_comm_member(w->comm, me, i), 0);
    }
    ork_graph_emit_close(b);
    return open;
}

static bool emit_permissive_wave(struct wait_graph_builder *b, struct wave *w, uint32_t me,
                                 const struct ork_record *call, uint32_t label)
{
    switch (ork_wave_needs(w, me, call)) {
    case WAVE_NEEDS_ALL:
        return ork_graph_emit_missing(b, w, label);
    case WAVE_NEEDS_ROOT:
        return ork_graph_emit_atom(b, ork_comm_member(w->comm, me, (uint32_t)call->peer), label);
    case WAVE_NEEDS_LOWER:
        return emit_lower(b, w, me, label);
    case WAVE_NEEDS_NOTHING:
        break;
    }
    return ork_graph_emit_true(b);
}

/* MPI_Intercomm_create is collective over the union of both groups (MPI-3.1 section 6.6.2). The
 * members of the other group are known when both leaders have entered. RATIONALE: permissively,
 * only the leaders are needed; they know both groups and need no further data. */
static bool emit_leader_pair(struct wait_graph_builder *b, const struct proc *p, struct wave *w,
                             uint32_t label)
{
    struct leader_pair *g = w->leader_pair;
    struct wave *opposite = ork_wave_opposite(w);
    bool joined = ork_wave_is_joined(w);
    bool open = false;

    ork_graph_emit_open(b, ORK_WFG_AND, label);
    if (!b->permissive_waves) {
        open |= ork_graph_emit_missing(b, w, 0);
        open |= opposite != NULL && ork_graph_emit_missing(b, opposite, 0);
    }
    if (!joined && w->leader != p->rank)
        open |= ork_graph_emit_atom(b, w->leader, 0);
    else if (!joined && g != NULL)
        open |= ork_graph_emit_atom(b, g->leader[g->leader[0] == p->rank], 0);
    ork_graph_emit_close(b);
    return open;
}

/* All connected processes must enter it (MPI-3.1 section 8.7). */
static bool emit_finalize(struct wait_graph_builder *b, struct job *job, uint32_t label)
{
    struct ork_detector *d = b->d;
    bool open = false;

    if (d->num_jobs == 1)
        return ork_graph_emit_missing(b, job->end, label);
    ork_job_mark_connected(d, job);
    ork_graph_emit_open(b, ORK_WFG_AND, label);
    for (uint32_t i = 0; i < d->num_jobs; i++) {
        if (d->job[i]->marked)
            open |= ork_graph_emit_missing(b, d->job[i]->end, 0);
    }
    ork_graph_emit_close(b);
    return open;
}

bool ork_graph_emit_wave(struct wait_graph_builder *b, const struct proc *p, struct wave *w,
                         const struct ork_record *call, uint32_t label)
{
    if (w->issue != 0 || ork_wave_is_complete(w)) /* a mismatch is reported as an issue */
        return ork_graph_emit_true(b);
    if (w->comm->ends != NULL)
        return emit_finalize(b, w->comm->ends, label);
    if (w->first.mode == ORK_COLL_INTERCOMM_CREATE)
        return emit_leader_pair(b, p, w, label);
    if (!b->permissive_waves)
        return ork_graph_emit_missing(b, w, label);
    uint32_t me;
    return ork_wave_member(w, p->rank, &me) ? emit_permissive_wave(b, w, me, call, label)
                                            : ork_graph_emit_true(b);
}
