/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists that pending operations are in. */
#include "detector/match/resolve.h"

/* ---- lists ---- */

void ork_main_insert_by_seq(struct fifo *f, struct op *op)
{
    struct op *after = f->head;

    while (after != NULL && after->seq < op->seq)
        after = after->next;
    if (after == NULL) {
        main_append(f, op);
        return;
    }
    op->next = after;
    op->prev = after->prev;
    *(after->prev != NULL ? &after->prev->next : &f->head) = op;
    after->prev = op;
}

static void main_unlink(struct fifo *f, struct op *op)
{
    *(op->prev != NULL ? &op->prev->next : &f->head) = op->next;
    *(op->next != NULL ? &op->next->prev : &f->tail) = op->prev;
}

void ork_side_insert_by_seq(struct fifo *f, struct op *op)
{
    struct op *after = f->head;

    while (after != NULL && after->seq < op->seq)
        after = after->side_next;
    op->side_next = after;
    op->side_prev = after != NULL ? after->side_prev : f->tail;
    *(op->side_prev != NULL ? &op->side_prev->side_next : &f->head) = op;
    *(after != NULL ? &after->side_prev : &f->tail) = op;
}

static void side_append(struct fifo *f, struct op *op)
{
    op->side_next = NULL;
    op->side_prev = f->tail;
    *(f->tail != NULL ? &f->tail->side_next : &f->head) = op;
    f->tail = op;
}

static void side_unlink(struct fifo *f, struct op *op)
{
    *(op->side_prev != NULL ? &op->side_prev->side_next : &f->head) = op->side_next;
    *(op->side_next != NULL ? &op->side_next->side_prev : &f->tail) = op->side_prev;
}

/* ---- what is contested, and what in doubt ---- */

struct queue *ork_queue_dest(struct queue *q)
{
    return q->dest != NULL ? q->dest : q;
}

void ork_queue_contest(struct queue *q)
{
    if (q->is_contested)
        return;
    struct queue *dest = ork_queue_dest(q);
    q->is_contested = true;
    q->contested_prev = NULL;
    q->contested_next = dest->contested;
    if (dest->contested != NULL)
        dest->contested->contested_prev = q;
    dest->contested = q;
}

void ork_queue_uncontest(struct queue *q)
{
    if (!q->is_contested)
        return;
    struct queue *dest = ork_queue_dest(q);
    q->is_contested = false;
    *(q->contested_prev != NULL ? &q->contested_prev->contested_next : &dest->contested) =
        q->contested_next;
    if (q->contested_next != NULL)
        q->contested_next->contested_prev = q->contested_prev;
}

/* An observed receive took its message although earlier wildcard receives of this destination are
 * undecided. The run had matched those before: as long as strict semantics knows no message for
 * them, what the rank did since rests on a debt. */
void ork_queue_update_doubt(struct queue *dest, struct proc *p)
{
    bool doubt = dest->wild.head != NULL && dest->wild.head->seq < dest->passed;

    p->debts += doubt;
    p->debts -= dest->in_doubt;
    dest->in_doubt = doubt;
}

/* ---- linking ---- */

void ork_count_send(struct op *s)
{
    struct queue *q = s->q;

    q->num_sends++;
    if (!q->is_plain) {
        q->chan->num_sends++;
        q->by_tag->num_sends++;
        q->dest->num_sends++;
    }
    s->queued = true;
}

void ork_link_send(struct op *s)
{
    side_append(&s->q->sends, s);
    if (!s->q->is_plain)
        main_append(&s->q->chan->sends, s);
    ork_count_send(s);
}

void ork_unlink_send(struct op *s)
{
    struct queue *q = s->q;

    side_unlink(&q->sends, s);
    q->num_sends--;
    s->queued = false;
    if (q->is_plain)
        return;
    main_unlink(&q->chan->sends, s);
    q->chan->num_sends--;
    q->by_tag->num_sends--;
    q->dest->num_sends--;
    if (q->num_sends == 0)
        ork_queue_uncontest(q);
    if (q->chan->num_sends == 0)
        ork_queue_uncontest(q->chan);
}

void ork_link_recv(struct op *r)
{
    ork_main_insert_by_seq(&r->q->recvs, r);
    r->q->num_recvs++;
    r->q->num_observed += r->observed;
    if (r->q->src == ORK_ANY_SOURCE)
        side_append(&ork_queue_dest(r->q)->wild, r);
    r->queued = true;
}

void ork_link_new_recv(struct op *r)
{
    main_append(&r->q->recvs, r);
    r->q->num_recvs++;
    if (r->q->src == ORK_ANY_SOURCE)
        side_append(&ork_queue_dest(r->q)->wild, r);
    r->queued = true;
}

void ork_unlink_recv(struct op *r)
{
    main_unlink(&r->q->recvs, r);
    r->q->num_recvs--;
    r->q->num_observed -= r->observed;
    if (r->q->src == ORK_ANY_SOURCE) {
        side_unlink(&ork_queue_dest(r->q)->wild, r);
        ork_queue_update_doubt(ork_queue_dest(r->q), r->strand->proc);
    }
    r->queued = false;
    if (r->q->num_recvs == 0)
        ork_queue_uncontest(r->q);
}
