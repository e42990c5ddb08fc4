/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations as words of a state: see state_key.c. */
#include "detector/verdict/state_writer.h"

#include "common/assert.h"
#include "common/vec.h"
#include "detector/coll/bulk.h"

#include <stdlib.h>

static bool is_plain_op(const struct op *op)
{
    return !op->cancelling && !op->overtaken_probe && !op->returned && !op->is_freed &&
           op->mode != ORK_SEND_READY && op->mode != ORK_SEND_BUFFERED &&
           (op->is_send || op->overtaken == 0) && op->owner != OWNER_BUFFER;
}

static void gather_op(struct writer *w, const struct op *op)
{
    w->words.failed |= !ork_vec_reserve(&w->op, &w->op_cap, w->ops + 1, sizeof(*w->op));
    if (!w->words.failed)
        w->op[w->ops++] = op;
}

static void gather_ops(struct writer *w, const struct queue *q)
{
    w->words.failed |= q->is_ambiguous;
    for (const struct op *op = q->sends.head; op != NULL && !w->words.failed; op = op->side_next)
        gather_op(w, op);
    for (const struct op *op = q->recvs.head; op != NULL && !w->words.failed; op = op->next)
        gather_op(w, op);
}

/* What matched probes took is in no queue. */
static void gather_messages(struct writer *w, const struct proc *p)
{
    for (uint32_t i = 0; i < p->num_messages && !w->words.failed; i++) {
        const struct op *op = p->message[i];
        if (op == NULL)
            continue;
        put(w, i);
        ork_words_put_ordered(&w->words, AXIS_RECEIVES + p->rank, op->seq);
        if (!op->queued)
            gather_op(w, op);
        if (!op->queued && op->message != NULL)
            gather_op(w, op->message);
    }
    put(w, UINT32_MAX);
    w->words.failed |= p->message_names.num_early > 0;
    for (uint32_t i = 0; i < p->message_names.count; i++) {
        put(w, p->message_names.name[i].id);
        put(w, p->message_names.name[i].number);
    }
    put(w, UINT32_MAX);
}

/* Those of one queue, in their order, after each other. Of what is in no queue, the order counts.
 */
static int compare_ops(const void *a, const void *b)
{
    const struct op *x = *(const struct op *const *)a;
    const struct op *y = *(const struct op *const *)b;

    if (x->queued != y->queued)
        return x->queued ? -1 : 1;
    if (!x->queued && x->thread->proc != y->thread->proc)
        return x->thread->proc->rank < y->thread->proc->rank ? -1 : 1;
    if (x->queued && x->q->dst != y->q->dst)
        return x->q->dst < y->q->dst ? -1 : 1;
    if (x->queued && x->q->src != y->q->src)
        return x->q->src < y->q->src ? -1 : 1;
    if (x->queued && x->q->comm != y->q->comm)
        return x->q->comm < y->q->comm ? -1 : 1;
    if (x->queued && x->q->tag != y->q->tag)
        return x->q->tag < y->q->tag ? -1 : 1;
    if (x->is_send != y->is_send)
        return x->is_send ? -1 : 1;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

/* RATIONALE: `passed` and `overtaken_by` are only compared with wildcard receives that were posted
 * before and are not decided. A state has none. */
static void put_queue_of(struct writer *w, const struct queue *q)
{
    ORK_ASSERT(q->src != ORK_ANY_SOURCE && q->tag != ORK_ANY_TAG);
    put(w, q->comm);
    put(w, (uint32_t)q->src);
    put(w, q->dst);
    put(w, (uint32_t)q->tag);
}

/* When it was posted. RATIONALE: in which order different ranks have posted something decides
 * nothing (folding.md), except whether a ready send came after its receive. */
static void put_position(struct writer *w, const struct op *op)
{
    const struct queue *q = op->q;

    if (!op->is_send) {
        put(w, w->d->proc[q->src]->seen_up_to < op->seq);
        ork_words_put_ordered(&w->words, AXIS_RECEIVES + q->dst, op->seq);
    }
    ork_words_put_ordered(&w->words, channel_axis((uint32_t)q->src, q->dst), op->seq);
}

static void put_op(struct writer *w, const struct op *op)
{
    w->words.failed |= !is_plain_op(op);
    put(w, op->comm);
    put(w, (uint32_t)op->peer);
    put(w, (uint32_t)op->tag);
    put(w, op->thread->proc->rank);
    put(w, op->owner);
    put(w, op->owner == OWNER_REQUEST ? op->request->id : 0);
    put_long(w, op->bytes);
    put(w, op->type);
    put(w, op->site);
    put(w, op->call);
    put(w, (uint32_t)op->mode << 6 | (uint32_t)op->queued << 5 | (uint32_t)op->mprobe << 4 |
               (uint32_t)op->unconfirmed << 3 | (uint32_t)op->is_send << 2 |
               (uint32_t)op->quiet << 1 | (uint32_t)op->observed);
    if (!op->is_send)
        put(w, op->call_number == op->thread->num_calls);
    if (op->mprobe && !op->queued && op->message != NULL)
        ork_words_put_ordered(&w->words,
                              channel_axis(op->message->thread->proc->rank, op->thread->proc->rank),
                              op->message->seq);
    if (!op->queued)
        return;
    put_queue_of(w, op->q);
    put_position(w, op);
}

void ork_state_put_ops(struct writer *w)
{
    for (uint32_t r = 0; r < w->d->nprocs && !w->words.failed; r++) {
        for (const struct queue *q = w->d->proc[r]->queues; q != NULL; q = q->to_next)
            gather_ops(w, q);
        gather_messages(w, w->d->proc[r]);
    }
    if (w->words.failed ||
        w->ops != w->d->matching.ops.used) { /* e.g. those with undecided matches */
        w->words.failed = true;
        return;
    }
    if (w->ops > 0)
        qsort(w->op, w->ops, sizeof(struct op *), compare_ops);
    put_long(w, w->ops);
    for (size_t i = 0; i < w->ops && !w->words.failed; i++)
        put_op(w, w->op[i]);
}
