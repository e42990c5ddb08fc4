/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronisation of windows with fences, or with MPI_Win_start, post, complete and wait (MPI-3.1
 * section 11.5). These are counted for each pair of target and origin; a fence is a wave of the
 * window. MPI_Win_start waits for the posts (only under strict semantics, as the standard lets it
 * return early), MPI_Win_wait for the completes. */
#include "detector/calls/call_type.h"
#include "detector/calls/p2p.h"
#include "detector/calls/request.h"
#include "detector/calls/rma.h"
#include "detector/check/happens_before.h"

#include <stdlib.h>
#include <string.h>

/* ---- counters of a pair ---- */

static uint32_t hash_pair(uint32_t comm, uint32_t target, uint32_t origin)
{
    uint64_t h = ((uint64_t)comm << 32 ^ target) * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 29 ^ origin) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

static struct pair **pair_slot(struct ork_detector *d, uint32_t comm, uint32_t target,
                               uint32_t origin)
{
    struct pair **p = &d->windows.pair_hash[hash_pair(comm, target, origin) & (PAIR_BUCKETS - 1)];

    while (*p != NULL && ((*p)->comm != comm || (*p)->target != target || (*p)->origin != origin))
        p = &(*p)->next;
    return p;
}

static struct pair *pair_get(struct ork_detector *d, uint32_t comm, uint32_t target,
                             uint32_t origin)
{
    if (d->windows.pair_hash == NULL) {
        d->windows.pair_hash = calloc(PAIR_BUCKETS, sizeof(struct pair *));
        if (d->windows.pair_hash == NULL) {
            d->failed = true;
            return NULL;
        }
    }
    struct pair **p = pair_slot(d, comm, target, origin);
    if (*p == NULL) {
        struct pair *fresh = ork_pool_get(d, &d->windows.pairs);
        if (fresh == NULL)
            return NULL;
        fresh->comm = comm;
        fresh->target = target;
        fresh->origin = origin;
        *p = fresh;
    }
    return *p;
}

/* Reset a pair whose epochs are all complete. */
static void pair_drop_if_idle(struct ork_detector *d, struct pair *pair)
{
    if (pair->posts != pair->starts || pair->posts != pair->completes)
        return;
    struct pair **p = pair_slot(d, pair->comm, pair->target, pair->origin);
    *p = pair->next;
    ork_pool_put(&d->windows.pairs, pair);
}

/* ---- groups of the open epochs of a process ---- */

static struct win_group *group_find(struct proc *p, uint32_t comm, bool access)
{
    struct win_group *g = p->win_group;

    while (g != NULL && (g->comm != comm || g->access != access))
        g = g->next;
    return g;
}

static void group_close(struct proc *p, struct win_group *group)
{
    struct win_group **g = &p->win_group;

    while (*g != group)
        g = &(*g)->next;
    *g = group->next;
    free(group);
}

/* The processes that `th` names, as the epoch's group. NULL: invalid records, or out of memory. */
static struct win_group *group_open(struct mpi_thread *th, uint32_t comm, bool access)
{
    struct proc *p = th->proc;
    uint32_t count;

    if (th->call.count % 3 != 0 ||
        !ork_runs_are_valid(p->d, th->list, th->call.count / 3, &count)) {
        ork_proc_fault(p, "an epoch of a window with an invalid group");
        return NULL;
    }
    struct win_group *g = malloc(sizeof(*g) + count * sizeof(*g->process));
    if (g == NULL) {
        p->d->failed = true;
        return NULL;
    }
    *g = (struct win_group){.next = p->win_group, .comm = comm, .access = access, .count = count};
    ork_runs_expand(th->list, th->call.count / 3, g->process);
    p->win_group = g;
    return g;
}

static void wake_in(struct proc *p, enum ork_kind kind)
{
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->in_call && p->thread[i]->call.kind == kind)
            ork_thread_wake(p->thread[i]);
    }
}

/* ---- calls ---- */

static void post(struct mpi_thread *th, const struct comm_ref *ref)
{
    uint32_t comm = ref->comm->id;
    struct proc *p = th->proc;
    struct win_group *g = group_open(th, comm, false);

    for (uint32_t i = 0; g != NULL && i < g->count; i++) {
        struct pair *pair = pair_get(p->d, comm, p->rank, g->process[i]);
        if (pair == NULL)
            return;
        pair->posts++;
        wake_in(p->d->proc[g->process[i]], ORK_KIND_WIN_START);
        wake_in(p->d->proc[g->process[i]], ORK_KIND_WIN_COMPLETE);
    }
}

static void start(struct mpi_thread *th, const struct comm_ref *ref)
{
    uint32_t comm = ref->comm->id;
    struct proc *p = th->proc;
    struct win_group *g = group_open(th, comm, true);

    for (uint32_t i = 0; g != NULL && i < g->count; i++) {
        struct pair *pair = pair_get(p->d, comm, g->process[i], p->rank);
        if (pair == NULL)
            return;
        pair->starts++;
    }
}

static void complete(struct mpi_thread *th, const struct comm_ref *ref)
{
    uint32_t comm = ref->comm->id;
    struct proc *p = th->proc;
    struct win_group *g = group_find(p, comm, true);

    if (g == NULL)
        return;
    for (uint32_t i = 0; i < g->count; i++) {
        struct pair *pair = pair_get(p->d, comm, g->process[i], p->rank);
        if (pair == NULL)
            return;
        pair->completes++;
        wake_in(p->d->proc[g->process[i]], ORK_KIND_WIN_WAIT);
    }
    th->open = g->is_deferred;
}

/* Is the call of `other` that this epoch needs still missing? */
static bool is_missing(struct ork_detector *d, const struct proc *p, const struct win_group *g,
                       uint32_t other)
{
    const struct pair *pair =
        g->access ? pair_get(d, g->comm, other, p->rank) : pair_get(d, g->comm, p->rank, other);

    if (pair == NULL)
        return false;
    return g->access ? pair->posts < pair->starts : pair->completes < pair->posts;
}

static bool any_missing(struct mpi_thread *th, bool access)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    const struct win_group *g = ref == NULL ? NULL : group_find(th->proc, ref->comm->id, access);

    for (uint32_t i = 0; g != NULL && i < g->count; i++) {
        if (is_missing(th->proc->d, th->proc, g, g->process[i]))
            return true;
    }
    return false;
}

static void close_exposure(struct mpi_thread *th, const struct comm_ref *ref)
{
    struct proc *p = th->proc;
    struct win_group *g = group_find(p, ref->comm->id, false);

    if (g == NULL)
        return;
    for (uint32_t i = 0; i < g->count; i++) {
        struct pair *pair = pair_get(p->d, g->comm, p->rank, g->process[i]);
        if (pair != NULL)
            pair_drop_if_idle(p->d, pair);
    }
    group_close(p, g);
}

/* ---- the end of epochs ---- */

static void undo_epoch(struct mpi_thread *th, uint32_t comm, bool access)
{
    struct proc *p = th->proc;
    struct win_group *g = group_find(p, comm, access);

    for (uint32_t i = 0; g != NULL && i < g->count; i++) {
        struct pair *pair = access ? pair_get(p->d, comm, g->process[i], p->rank)
                                   : pair_get(p->d, comm, p->rank, g->process[i]);
        if (pair == NULL)
            return;
        uint32_t *count = access ? &pair->starts : &pair->posts;
        *count -= *count > 0;
        pair_drop_if_idle(p->d, pair);
    }
    if (g != NULL)
        group_close(p, g);
}

void ork_rma_release_groups(struct proc *p)
{
    while (p->win_group != NULL)
        group_close(p, p->win_group);
}

/* ---- types of calls ---- */

static void enter(struct mpi_thread *th,
                  void (*known)(struct mpi_thread *th, const struct comm_ref *ref))
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    th->unknown = ref == NULL;
    if (ref != NULL)
        known(th, ref);
}

static void enter_post(struct mpi_thread *th)
{
    enter(th, post);
}

static void enter_start(struct mpi_thread *th)
{
    enter(th, start);
}

static void enter_complete(struct mpi_thread *th)
{
    enter(th, complete);
}

/* RATIONALE: a library may wait for the targets as late as here. */
static bool complete_is_over(struct mpi_thread *th)
{
    if (th->unknown || th->open == 0)
        return !th->unknown || ork_thread_run_is_ahead(th);
    return !any_missing(th, true);
}

static void leave_complete(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    struct win_group *g = ref == NULL ? NULL : group_find(th->proc, ref->comm->id, true);

    if (g != NULL)
        group_close(th->proc, g);
    ork_seen_everything(th->proc);
}

static void enter_wait(struct mpi_thread *th)
{
    th->unknown = ork_comm_ref(th->proc, th->call.comm) == NULL;
}

static void tested(struct mpi_thread *th, const struct comm_ref *ref)
{
    close_exposure(th, ref);
    th->proc->window_inspected = true;
}

static void enter_tested(struct mpi_thread *th)
{
    enter(th, tested);
}

static bool start_is_over(struct mpi_thread *th)
{
    return th->unknown ? ork_thread_run_is_ahead(th) : !any_missing(th, true);
}

static bool wait_is_over(struct mpi_thread *th)
{
    return th->unknown ? ork_thread_run_is_ahead(th) : !any_missing(th, false);
}

static void leave(struct mpi_thread *th)
{
    ork_seen_everything(th->proc);
}

static void leave_wait(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    if (ref != NULL)
        close_exposure(th, ref);
    ork_seen_everything(th->proc);
}

static void fail_post(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    (void)exit;
    if (ref != NULL && !th->unknown)
        undo_epoch(th, ref->comm->id, false);
}

static void fail_start(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    (void)exit;
    if (ref != NULL && !th->unknown)
        undo_epoch(th, ref->comm->id, true);
}

/* It is no longer known what the call waits for. */
static bool relax(struct mpi_thread *th)
{
    th->open = 0;
    th->unknown = true;
    return ork_comm_ref(th->proc, th->call.comm) != NULL;
}

static bool relax_start(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    struct win_group *g = ref == NULL ? NULL : group_find(th->proc, ref->comm->id, true);

    if (g != NULL)
        g->is_deferred = true;
    return relax(th);
}

static bool epoch_condition(struct wait_graph_builder *b, struct mpi_thread *th, bool access)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    const struct win_group *g = ref == NULL ? NULL : group_find(th->proc, ref->comm->id, access);
    bool open = false;

    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    for (uint32_t i = 0; g != NULL && i < g->count; i++) {
        if (is_missing(th->proc->d, th->proc, g, g->process[i]))
            open |= ork_graph_emit_atom(b, g->process[i], 0);
    }
    ork_graph_emit_close(b);
    return open;
}

static bool start_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return b->permissive ? ork_graph_emit_true(b) : epoch_condition(b, th, true);
}

static bool complete_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return th->open == 0 ? ork_graph_emit_true(b) : start_condition(b, th);
}

static bool wait_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return epoch_condition(b, th, false);
}

/* An access or a flush does not wait for other ranks: who holds a lock is decided when it is
 * requested. */
static void enter_access(struct mpi_thread *th)
{
    if ((th->call.flags & ORK_F_NONBLOCKING) != 0)
        ork_p2p_give_to_request(th, &th->call, NULL);
}

const struct call_type ork_call_type_access = {.enter = enter_access};

const struct call_type ork_call_type_win_post = {
    .enter = enter_post,
    .leave = leave,
    .on_error = fail_post,
    .relax = relax,
};

const struct call_type ork_call_type_win_start = {
    .enter = enter_start,
    .is_complete = start_is_over,
    .leave = leave,
    .on_error = fail_start,
    .relax = relax_start,
    .wait_condition = start_condition,
};

const struct call_type ork_call_type_win_complete = {
    .enter = enter_complete,
    .is_complete = complete_is_over,
    .leave = leave_complete,
    .relax = relax,
    .wait_condition = complete_condition,
};

const struct call_type ork_call_type_win_wait = {
    .enter = enter_wait,
    .is_complete = wait_is_over,
    .leave = leave_wait,
    .wait_condition = wait_condition,
};

const struct call_type ork_call_type_win_tested = {
    .enter = enter_tested,
    .leave = leave,
    .relax = relax,
};
