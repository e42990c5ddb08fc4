/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners of operations, which are notified of completion. A process keeps two lists of operations
 * that no call names individually: those of a handle that the library shares (the shared requests),
 * and the messages in the buffer of MPI_Buffer_attach. */
#include "detector/state/state.h"

/* ---- the shared requests ---- */

/* Places that are told apart. */
enum { SHARED_MADE_MAX = 8 };

/* RATIONALE: nothing tells which of them a call completes. So while one is left, it may be from any
 * place where one was made since none was left. */
static void note_place(struct proc *p, const struct ork_record *rec)
{
    if (ork_shared_left(p) == 0)
        p->num_shared_made = 0;
    for (uint32_t i = p->num_shared_made; i-- > 0;) {
        if (p->shared_made[i].site == rec->site && p->shared_made[i].call == rec->call)
            return;
    }
    if (p->num_shared_made < SHARED_MADE_MAX &&
        ork_grow(p->d, &p->shared_made, &p->shared_made_cap, p->num_shared_made + 1,
                 sizeof(*p->shared_made)))
        p->shared_made[p->num_shared_made++] = *rec;
}

void ork_shared_add(struct proc *p, struct op *op, const struct ork_record *rec)
{
    note_place(p, rec);
    p->shared_count++;
    if (op == NULL) {
        p->shared_complete++;
        return;
    }
    op->owner = OWNER_SHARED;
    op->owner_prev = NULL;
    op->owner_next = p->shared;
    if (p->shared != NULL)
        p->shared->owner_prev = op;
    p->shared = op;
}

uint32_t ork_shared_left(const struct proc *p)
{
    ORK_ASSERT(p->shared_dropped <= p->shared_count);
    return p->shared_count - p->shared_dropped;
}

uint32_t ork_shared_ready(const struct proc *p)
{
    uint32_t open = p->shared_count - p->shared_complete;
    uint32_t complete_dropped = p->shared_dropped > open ? p->shared_dropped - open : 0;

    return p->shared_complete - complete_dropped;
}

/* If all are complete, it does not matter which ones were dropped. */
static void forget_dropped(struct proc *p)
{
    p->shared_in_doubt &= p->shared != NULL;
    if (p->shared != NULL)
        return;
    ORK_ASSERT(p->shared_complete == p->shared_count);
    p->shared_count -= p->shared_dropped;
    p->shared_complete -= p->shared_dropped;
    p->shared_dropped = 0;
}

void ork_shared_drop(struct proc *p)
{
    if (ork_shared_left(p) == 0)
        return;
    p->shared_dropped++;
    p->shared_in_doubt = true;
    forget_dropped(p);
}

void ork_shared_unlink(struct proc *p, struct op *op)
{
    /* the others are in the list */
    ORK_ASSERT(op->owner == OWNER_SHARED && p->shared_complete < p->shared_count);
    *(op->owner_prev != NULL ? &op->owner_prev->owner_next : &p->shared) = op->owner_next;
    if (op->owner_next != NULL)
        op->owner_next->owner_prev = op->owner_prev;
    p->shared_complete++;
    forget_dropped(p);
}

static void shared_drop(struct proc *p, struct op *op)
{
    ork_shared_unlink(p, op);
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->in_call && p->thread[i]->shared_needed > 0)
            ork_thread_wake(p->thread[i]);
    }
}

/* ---- the buffer of MPI_Buffer_attach ---- */

void ork_buffer_add(struct proc *p, struct op *op)
{
    op->owner = OWNER_BUFFER;
    op->owner_prev = NULL;
    op->owner_next = p->buffered;
    if (p->buffered != NULL)
        p->buffered->owner_prev = op;
    p->buffered = op;
}

static void buffer_drop(struct proc *p, struct op *op)
{
    ORK_ASSERT(p->buffered != NULL);
    *(op->owner_prev != NULL ? &op->owner_prev->owner_next : &p->buffered) = op->owner_next;
    if (op->owner_next != NULL)
        op->owner_next->owner_prev = op->owner_prev;
    for (uint32_t i = 0; p->buffered == NULL && i < p->num_threads; i++) {
        if (p->thread[i]->in_call && p->thread[i]->call.kind == ORK_KIND_BUFFER_DETACH)
            ork_thread_part_done(p->thread[i]);
    }
}

/* ---- completion ---- */

void ork_op_notify_owner(struct op *op)
{
    struct mpi_thread *th = op->thread;

    switch ((enum owner)op->owner) {
    case OWNER_NONE:
    case OWNER_MESSAGE:
        break;
    case OWNER_THREAD:
        *(op->is_send ? &th->send : &th->recv) = NULL;
        ork_thread_part_done(th);
        break;
    case OWNER_REQUEST:
        ORK_ASSERT(op->request->op == op);
        op->request->op = NULL;
        if (op->request->waiter != NULL)
            ork_thread_part_done(op->request->waiter);
        break;
    case OWNER_BUFFER:
        buffer_drop(th->proc, op);
        break;
    case OWNER_SHARED:
        shared_drop(th->proc, op);
        break;
    }
}
