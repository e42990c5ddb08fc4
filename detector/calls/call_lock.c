/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of windows (MPI-3.1 section 11.5.3): a list of epochs of each window. A lock waits for the
 * epochs that exclude it. Records do not show in which order locks are granted. The order here is
 * one that explains the records, but it need not be that of the run. So a lock never waits if the
 * run has passed it. */
#include "detector/calls/call_type.h"
#include "detector/calls/rma.h"
#include "detector/check/happens_before.h"
#include "detector/check/lock_order.h"
#include "detector/state/lock_numbers.h"
#include "record/lock_number.h"

static void wake_unlocking(struct proc *p)
{
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->in_call && p->thread[i]->call.kind == ORK_KIND_WIN_UNLOCK)
            ork_thread_wake(p->thread[i]);
    }
}

static bool can_be_granted(const struct comm *c, const struct lock *wanted)
{
    for (const struct lock *l = c->lock; l != NULL; l = l->next) {
        if (l->granted && ork_lock_excludes(l, wanted))
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
        .is_latest = true,
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
    if (th->open > 0 && ork_thread_run_is_ahead(th))
        ork_rma_has_lock(th);
    else if (th->open > 0)
        ork_lock_break_cycle(th);
}

static void grant_waiting(struct comm *c)
{
    for (struct lock *l = c->lock; l != NULL; l = l->next) {
        if (!l->granted && can_be_granted(c, l)) {
            l->granted = true;
            ork_thread_part_done(l->thread);
        } else if (l->in_doubt) {
            wake_unlocking(l->proc);
        }
    }
}

/* Was this lock granted without evidence, because its owner has made no call since? Its call may
 * not even be over here, if the lock was granted only now. */
static bool is_only_assumed(const struct lock *l)
{
    const struct mpi_thread *h = l->thread;

    return l->is_latest && !h->over && h->call.kind == ORK_KIND_WIN_LOCK && h->queue.count == 0;
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
        if (l->granted && ork_lock_excludes(l, mine) && !is_only_assumed(l)) {
            ork_lock_break_cycle(th);
            return; /* its owner made progress, too: it is unknown which of them is first */
        }
    }
    for (struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (!l->granted || !ork_lock_excludes(l, mine))
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

/* The lock that `th` releases; the link is NULL if there is none. */
static struct lock **released_lock(const struct mpi_thread *th, const struct comm_ref *ref)
{
    uint32_t target = UINT32_MAX;
    bool is_named = th->call.peer == ORK_NO_PEER || ork_comm_peer(ref, th->call.peer, &target);
    struct lock **l = &ref->comm->lock;

    while (*l != NULL && (!is_named || (*l)->proc != th->proc || (*l)->name.target != target))
        l = &(*l)->next;
    return l;
}

static void release_lock(struct mpi_thread *th, const struct comm_ref *ref, struct lock **link)
{
    struct lock *gone = *link;

    *link = gone->next;
    drop_lock(th->proc->d, gone);
    th->proc->window_inspected = true;
    grant_waiting(ref->comm);
}

/* Can `holder` be the reason why `mine`, which is in doubt, is not granted yet? */
static bool defers(const struct lock *holder, const struct lock *mine)
{
    return holder->granted && !holder->in_doubt && ork_lock_excludes(holder, mine);
}

static bool is_deferred(const struct comm *c, const struct lock *mine)
{
    for (const struct lock *l = c->lock; mine->in_doubt && l != NULL; l = l->next) {
        if (defers(l, mine))
            return true;
    }
    return false;
}

static void unlock(struct mpi_thread *th, const struct comm_ref *ref)
{
    struct lock **l = released_lock(th, ref);

    if (*l == NULL)
        return;
    th->open = is_deferred(ref->comm, *l);
    if (th->open == 0)
        release_lock(th, ref, l);
}

void ork_rma_note_order(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    struct lock *l = th->proc->lock;

    while (l != NULL && (l->thread != th || !l->is_latest))
        l = l->held_next;
    if (l == NULL || ref == NULL || ref->comm->self || exit->extra == 0 || exit->tag < 0)
        return;
    uint32_t *latest = ork_lock_number_of(th->proc->d, ref, l);
    if (latest == NULL)
        return;
    l->is_counted = true;
    l->before = ork_lock_number(latest, exit);
}

/* ---- the end of locks and windows ---- */

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

void ork_rma_release(struct ork_detector *d, struct comm *c)
{
    while (c->lock != NULL) {
        struct lock *next = c->lock->next;
        drop_lock(d, c->lock);
        c->lock = next;
    }
    ork_lock_order_forget(d, c->id);
}

/* ---- types of calls ---- */

static void enter_lock(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    for (struct lock *l = th->proc->lock; l != NULL; l = l->held_next)
        l->is_latest &= l->thread != th;
    th->unknown = ref == NULL;
    if (ref != NULL)
        lock(th, ref);
}

static void enter_unlock(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    th->unknown = ref == NULL;
    if (ref != NULL)
        unlock(th, ref);
}

/* RATIONALE: a library may grant the lock as late as here. */
static bool unlock_is_over(struct mpi_thread *th)
{
    if (th->unknown || th->open == 0 || ork_thread_run_is_ahead(th))
        return !th->unknown || ork_thread_run_is_ahead(th);
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    const struct lock *mine = ref == NULL ? NULL : *released_lock(th, ref);

    return mine == NULL || !is_deferred(ref->comm, mine);
}

/* Release the lock if it was not released when the call began. */
static void release_deferred(struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    struct lock **l = th->open > 0 && ref != NULL ? released_lock(th, ref) : NULL;

    if (l != NULL && *l != NULL)
        release_lock(th, ref, l);
}

static void leave_unlock(struct mpi_thread *th)
{
    release_deferred(th);
    ork_seen_everything(th->proc);
}

static void leave_lock(struct mpi_thread *th)
{
    if (!th->unknown)
        report_order(th);
    ork_seen_everything(th->proc);
}

static void fail_lock(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    (void)exit;
    if (ref != NULL && !th->unknown)
        undo_lock(th, ref->comm);
}

/* An epoch ends with its MPI_Win_unlock, whatever that returns. */
static void fail_unlock(struct mpi_thread *th, const struct ork_record *exit)
{
    (void)exit;
    release_deferred(th);
}

/* It is no longer known what the call waits for. */
static bool relax_lock(struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    if (ref == NULL)
        return false;
    for (struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (l->thread == th && !l->granted)
            l->granted = l->in_doubt = true; /* it is unknown which thread is first */
    }
    th->open = 0;
    th->unknown = true;
    return true;
}

/* The owner of a lock cannot be observed, so any possible owner may release the waiting thread. */
static bool lock_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    const struct lock *mine = ref == NULL ? NULL : ref->comm->lock;
    bool open = false;

    while (mine != NULL && (mine->thread != th || mine->granted))
        mine = mine->next;
    if (b->permissive || th->open == 0 || mine == NULL || ork_thread_run_is_ahead(th))
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (const struct lock *l = ref->comm->lock; l != NULL; l = l->next) {
        if (l->granted && ork_lock_excludes(l, mine))
            open |= ork_graph_emit_atom(b, l->proc->rank, 0);
    }
    if (!open)
        ork_graph_emit_true(b);
    ork_graph_emit_close(b);
    return open;
}

static bool unlock_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    const struct lock *mine = ref == NULL ? NULL : *released_lock(th, ref);
    bool open = false;

    if (b->permissive || th->open == 0 || mine == NULL || ork_thread_run_is_ahead(th))
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    for (const struct lock *l = ref->comm->lock; mine->in_doubt && l != NULL; l = l->next) {
        if (defers(l, mine))
            open |= ork_graph_emit_atom(b, l->proc->rank, 0);
    }
    if (!open)
        ork_graph_emit_true(b);
    ork_graph_emit_close(b);
    return open;
}

const struct call_type ork_call_type_win_lock = {
    .enter = enter_lock,
    .leave = leave_lock,
    .on_error = fail_lock,
    .relax = relax_lock,
    .wait_condition = lock_condition,
};

const struct call_type ork_call_type_win_unlock = {
    .enter = enter_unlock,
    .is_complete = unlock_is_over,
    .leave = leave_unlock,
    .on_error = fail_unlock,
    .wait_condition = unlock_condition,
};
