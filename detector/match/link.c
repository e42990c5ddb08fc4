/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists that contain pending operations. */
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

/* ---- ambiguous queues, and destinations in doubt ---- */

struct queue *ork_queue_any_any(struct queue *q)
{
    return q->any_any != NULL ? q->any_any : q;
}

void ork_queue_mark_ambiguous(struct queue *q)
{
    ORK_ASSERT(!q->exact_only && q->num_sends > 0 && q->num_recvs > 0);
    if (q->is_ambiguous)
        return;
    struct queue *any_any = ork_queue_any_any(q);
    q->is_ambiguous = true;
    q->ambiguous_prev = NULL;
    q->ambiguous_next = any_any->ambiguous;
    if (any_any->ambiguous != NULL)
        any_any->ambiguous->ambiguous_prev = q;
    any_any->ambiguous = q;
}

void ork_queue_clear_ambiguous(struct queue *q)
{
    if (!q->is_ambiguous)
        return;
    struct queue *any_any = ork_queue_any_any(q);
    q->is_ambiguous = false;
    *(q->ambiguous_prev != NULL ? &q->ambiguous_prev->ambiguous_next : &any_any->ambiguous) =
        q->ambiguous_next;
    if (q->ambiguous_next != NULL)
        q->ambiguous_next->ambiguous_prev = q->ambiguous_prev;
}

/* An observed receive took its message although earlier wildcard receives that could have taken it
 * are undecided. The run had matched these before. As long as the strict analysis knows no message
 * for them, later calls of the rank depend on an unconfirmed completion. */
void ork_queue_update_doubt(struct queue *wild, struct proc *p)
{
    bool doubt = wild->recvs.head != NULL && wild->recvs.head->seq < wild->passed;

    ORK_ASSERT(wild->src == ORK_ANY_SOURCE && p->num_unconfirmed >= wild->in_doubt);
    p->num_unconfirmed += doubt;
    p->num_unconfirmed -= wild->in_doubt;
    wild->in_doubt = doubt;
}

/* ---- linking ---- */

void ork_count_send(struct op *s)
{
    struct queue *q = s->q;

    ORK_ASSERT(!s->queued);
    q->num_sends++;
    if (!q->exact_only) {
        q->channel->num_sends++;
        q->any_source->num_sends++;
        q->any_any->num_sends++;
    }
    s->queued = true;
}

/* A new operation is later than all others. */
static bool is_newest(const struct fifo *f, const struct op *op)
{
    return f->tail == NULL || f->tail->seq < op->seq;
}

void ork_link_send(struct op *s)
{
    ORK_ASSERT(is_newest(&s->q->sends, s));
    side_append(&s->q->sends, s);
    if (!s->q->exact_only)
        main_append(&s->q->channel->sends, s);
    ork_count_send(s);
}

void ork_unlink_send(struct op *s)
{
    struct queue *q = s->q;

    ORK_ASSERT(s->queued && q->num_sends > 0);
    side_unlink(&q->sends, s);
    q->num_sends--;
    s->queued = false;
    if (q->exact_only)
        return;
    ORK_ASSERT(q->channel->num_sends > 0 && q->any_source->num_sends > 0 &&
               q->any_any->num_sends > 0);
    main_unlink(&q->channel->sends, s);
    q->channel->num_sends--;
    q->any_source->num_sends--;
    q->any_any->num_sends--;
    if (q->num_sends == 0)
        ork_queue_clear_ambiguous(q);
    if (q->channel->num_sends == 0)
        ork_queue_clear_ambiguous(q->channel);
}

void ork_link_recv(struct op *r)
{
    ORK_ASSERT(!r->queued && r->q->src != ORK_ANY_SOURCE); /* its source was observed */
    ork_main_insert_by_seq(&r->q->recvs, r);
    r->q->num_recvs++;
    r->q->num_observed += r->observed;
    r->queued = true;
}

void ork_link_new_recv(struct op *r)
{
    ORK_ASSERT(!r->queued && is_newest(&r->q->recvs, r));
    main_append(&r->q->recvs, r);
    r->q->num_recvs++;
    if (r->q->src == ORK_ANY_SOURCE)
        side_append(&ork_queue_any_any(r->q)->wild, r);
    r->queued = true;
}

void ork_unlink_recv(struct op *r)
{
    ORK_ASSERT(r->queued && r->q->num_recvs > 0);
    main_unlink(&r->q->recvs, r);
    r->q->num_recvs--;
    r->q->num_observed -= r->observed;
    if (r->q->src == ORK_ANY_SOURCE) {
        side_unlink(&ork_queue_any_any(r->q)->wild, r);
        ork_queue_update_doubt(r->q, r->thread->proc);
    }
    r->queued = false;
    if (r->q->num_recvs == 0)
        ork_queue_clear_ambiguous(r->q);
}
