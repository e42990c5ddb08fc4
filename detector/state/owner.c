/* SPDX-License-Identifier: BSD-3-Clause */
/* To whom an operation belongs, and who is told that it is complete. A process keeps two lists of
 * operations that no call names one by one: those of a handle that the library shares (the bag) and
 * the messages in the buffer of MPI_Buffer_attach. */
#include "detector/state/state.h"

/* ---- the bag ---- */

void ork_bag_add(struct proc *p, struct op *op, const struct ork_record *rec)
{
    p->bag_size++;
    p->bag_call = *rec;
    if (op == NULL) {
        p->bag_complete++;
        return;
    }
    op->owner = OWNER_BAG;
    op->bag_prev = NULL;
    op->bag_next = p->bag;
    if (p->bag != NULL)
        p->bag->bag_prev = op;
    p->bag = op;
}

void ork_bag_unlink(struct proc *p, struct op *op)
{
    *(op->bag_prev != NULL ? &op->bag_prev->bag_next : &p->bag) = op->bag_next;
    if (op->bag_next != NULL)
        op->bag_next->bag_prev = op->bag_prev;
    p->bag_complete++;
    p->bag_doubt &= p->bag != NULL;
}

static void bag_drop(struct proc *p, struct op *op)
{
    ork_bag_unlink(p, op);
    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->held && p->strand[i]->bag_need > 0)
            ork_strand_wake(p->strand[i]);
    }
}

/* ---- the buffer of MPI_Buffer_attach ---- */

void ork_buffer_add(struct proc *p, struct op *op)
{
    op->owner = OWNER_BUFFER;
    op->bag_prev = NULL;
    op->bag_next = p->buffered;
    if (p->buffered != NULL)
        p->buffered->bag_prev = op;
    p->buffered = op;
}

static void buffer_drop(struct proc *p, struct op *op)
{
    *(op->bag_prev != NULL ? &op->bag_prev->bag_next : &p->buffered) = op->bag_next;
    if (op->bag_next != NULL)
        op->bag_next->bag_prev = op->bag_prev;
    for (uint32_t i = 0; p->buffered == NULL && i < p->num_strands; i++) {
        if (p->strand[i]->held && p->strand[i]->call.kind == ORK_KIND_BUFFER_DETACH)
            ork_strand_part_done(p->strand[i]);
    }
}

/* ---- completion ---- */

void ork_op_tell_owner(struct op *op)
{
    struct strand *st = op->strand;

    switch ((enum owner)op->owner) {
    case OWNER_NONE:
    case OWNER_MESSAGE:
        break;
    case OWNER_STRAND:
        *(op->is_send ? &st->send : &st->recv) = NULL;
        ork_strand_part_done(st);
        break;
    case OWNER_REQUEST:
        op->request->op = NULL;
        if (op->request->waiter != NULL)
            ork_strand_part_done(op->request->waiter);
        break;
    case OWNER_BUFFER:
        buffer_drop(st->proc, op);
        break;
    case OWNER_BAG:
        bag_drop(st->proc, op);
        break;
    }
}
