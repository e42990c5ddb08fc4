/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronisation of windows (MPI-3.1 section 11.5). General active target: counters of each pair
 * of target and origin. Passive target: a list of epochs. A fence is a wave of the window.
 *
 * MPI_Win_start waits for the posts (only under strict semantics, as the standard lets it return
 * early), MPI_Win_wait for the completes, and a lock for the epochs that exclude it, in the order
 * in which the detector saw them. */
#include "detector/calls/call_type.h"
#include "detector/calls/rma.h"
#include "detector/check/happens_before.h"
#include "detector/check/lock_order.h"

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
    group_close(p, g);
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

/* ---- passive target ---- */

static bool excludes(const struct lock *a, const struct lock *b)
{
    return a->proc != b->proc && ork_lock_names_exclude(&a->name, &b->name);
}

static bool can_be_granted(const struct comm *c, const struct lock *wanted)
{
    for (const struct lock *l = c->lock; l != NULL; l = l->next) {
        if (l->granted && excludes(l, wanted))
            return false;
    }
    return true;
}

static void lock(struct mpi_thread *th, const struct comm_ref *ref)
{
    struct ork_detector *d = th->proc->d;
    uint32_t target = UINT32_MAX;

    if (th->call.peer != ORK_NO_PEER && !ork_comm_peer(ref, th->call.peer, &target)) {
        th->unknown = th->call.peer != ORK_PROC_NULL;
        return;
    }
    struct lock *l = ork_pool_get(d, &d->windows.locks);
    if (l == NULL)
        return;
    *l = (struct lock){
        .held_next = th->proc->lock,
        .proc = th->proc,
        .thread = th,
        .name = {.comm = ref->comm->id, .target = target, .exclusive = th->call.mode == 1},
        .learned = ork_seen_at_lock(th->proc),
        .asked = ++d->seq,
        .call = th->call};
    th->proc->lock = l;
    l->granted = can_be_granted(ref->comm, l);
    struct lock **end = &ref->comm->lock; /* oldest first */
    while (*end != NULL)
        end = &(*end)->next;
    *end = l;
    th->open = !l->granted;
}

static void grant_waiting(struct comm *c)
{
    for (struct lock *l = c->lock; l != NULL; l = l->next) {
        if (!l->granted && can_be_granted(c, l)) {
            l->granted = true;
            ork_thread_part_done(l->thread);
        }
    }
}

/* Was this lock granted without evidence, because its owner has made no call since? */
static bool is_only_assumed(const struct lock *l)
{
    const struct mpi_thread *h = l->thread;

    return !h->over && !h->in_call && h->call.kind == ORK_KIND_WIN_LOCK && h->queue.count == 0;
}

void ork_rma_has_lock(struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    struct lock *mine = ref == NULL ? NULL : ref->comm->lock;

    while (mine != NULL && (mine->thread != th || mine->granted))
        mine = mine->next;
    if (mine == NULL)
        return;
    for (struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (l->granted && excludes(l, mine) && !is_only_assumed(l))
            return; /* the other owner made progress too: the library defers both locks */
    }
    for (struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (!l->granted || !excludes(l, mine))
            continue;
        l->granted = false; /* it was the other order: that thread waits in its call */
        l->thread->in_call = l->thread->blocks_bulk = true;
        l->thread->open = 1;
        ork_proc_set_bulk_blocker(l->proc, BULK_IN_CALL, true);
    }
    mine->granted = true;
    th->open = 0;
}

static void drop_lock(struct ork_detector *d, struct lock *gone)
{
    struct lock **l = &gone->proc->lock;

    while (*l != gone)
        l = &(*l)->held_next;
    *l = gone->held_next;
    ork_pool_put(&d->windows.locks, gone);
}

static void unlock(struct mpi_thread *th, const struct comm_ref *ref)
{
    struct ork_detector *d = th->proc->d;
    uint32_t target = UINT32_MAX;

    if (th->call.peer != ORK_NO_PEER && !ork_comm_peer(ref, th->call.peer, &target))
        return;
    struct lock **l = &ref->comm->lock;
    while (*l != NULL && ((*l)->proc != th->proc || (*l)->name.target != target))
        l = &(*l)->next;
    if (*l == NULL)
        return;
    struct lock *gone = *l;
    *l = gone->next;
    drop_lock(d, gone);
    th->proc->window_inspected = true;
    grant_waiting(ref->comm);
}

/* ---- the end of locks, epochs and windows ---- */

static void report_order(struct mpi_thread *th)
{
    const struct lock *l = th->call.peer == ORK_PROC_NULL ? NULL : th->proc->lock;

    while (l != NULL && l->thread != th)
        l = l->held_next;
    if (l != NULL)
        ork_lock_order_got(th->proc, l);
}

static void undo_lock(struct mpi_thread *th, struct comm *c)
{
    struct lock **l = &c->lock;
    struct lock **latest = NULL;

    for (; *l != NULL; l = &(*l)->next) {
        if ((*l)->thread == th)
            latest = l;
    }
    if (latest == NULL)
        return;
    struct lock *gone = *latest;
    *latest = gone->next;
    drop_lock(th->proc->d, gone);
    grant_waiting(c);
}

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

void ork_rma_release(struct ork_detector *d, struct comm *c)
{
    while (c->lock != NULL) {
        struct lock *next = c->lock->next;
        drop_lock(d, c->lock);
        c->lock = next;
    }
    ork_lock_order_forget(d, c->id);
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

static void enter_lock(struct mpi_thread *th)
{
    enter(th, lock);
}

static void enter_unlock(struct mpi_thread *th)
{
    enter(th, unlock);
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

static void leave_lock(struct mpi_thread *th)
{
    if (!th->unknown)
        report_order(th);
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

static void fail_lock(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    (void)exit;
    if (ref != NULL && !th->unknown)
        undo_lock(th, ref->comm);
}

/* It is no longer known what the call waits for. */
static bool relax(struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    if (ref == NULL)
        return false;
    for (struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (l->thread == th && !l->granted)
            l->granted = true; /* it is unknown which thread is first: grant it to both */
    }
    th->open = 0;
    th->unknown = true;
    return true;
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

static bool wait_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return epoch_condition(b, th, false);
}

/* The owner of a lock cannot be observed, so any possible owner may release the waiting thread. */
static bool lock_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    const struct lock *mine = ref == NULL ? NULL : ref->comm->lock;
    bool open = false;

    while (mine != NULL && (mine->thread != th || mine->granted))
        mine = mine->next;
    if (b->permissive || th->open == 0 || mine == NULL)
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (const struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (l->granted && excludes(l, mine))
            open |= ork_graph_emit_atom(b, l->proc->rank, 0);
    }
    if (!open)
        ork_graph_emit_true(b);
    ork_graph_emit_close(b);
    return open;
}

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
    .relax = relax,
    .wait_condition = start_condition,
};

const struct call_type ork_call_type_win_complete = {
    .enter = enter_complete,
    .leave = leave,
    .relax = relax,
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

const struct call_type ork_call_type_win_lock = {
    .enter = enter_lock,
    .leave = leave_lock,
    .on_error = fail_lock,
    .relax = relax,
    .wait_condition = lock_condition,
};

const struct call_type ork_call_type_win_unlock = {
    .enter = enter_unlock,
    .leave = leave,
    .relax = relax,
};
