/* SPDX-License-Identifier: BSD-3-Clause */
/* What may still match, for the graph and for probes. */
#include "detector/match/queue.h"

bool ork_match_is_possible(const struct op *op)
{
    const struct queue *q = op->q;

    if (!op->queued) /* taken by a matched probe, not yet received */
        return false;
    if (q->is_plain)
        return (op->is_send ? q->num_recvs : q->num_sends) > 0;
    if (op->is_send)
        return q->num_recvs > 0 || q->chan->num_recvs > 0 || q->by_tag->num_recvs > 0 ||
               q->dest->num_recvs > 0;
    if (op->peer == ORK_ANY_SOURCE && op->observed) /* what it was before the run told */
        return (op->tag == ORK_ANY_TAG ? q->dest : q->by_tag)->num_sends > 0;
    return (op->observed && op->tag == ORK_ANY_TAG ? q->chan : q)->num_sends > 0;
}

/* Receives of the same thread, posted before `op`, that can only have messages of its pattern. */
static uint32_t count_before(const struct op *op, const struct queue *of, uint32_t most)
{
    uint32_t n = 0;

    if (of == NULL || of->num_sends != op->q->num_sends)
        return 0;
    for (const struct op *w = of->recvs.head; w != NULL && w->seq < op->seq && n < most;
         w = w->next)
        n += w->strand == op->strand && !w->cancelling && !w->extract;
    return n;
}

bool ork_match_is_forestalled(const struct op *op, bool *by_any)
{
    const struct queue *q = op->q;
    uint32_t n = q->num_sends;

    if (op->is_send || !op->queued || q->is_plain || op->observed || op->extract || n == 0)
        return false;
    uint32_t own = count_before(op, q, n);
    uint32_t chan = count_before(op, q->chan, n);
    uint32_t any = count_before(op, q->by_tag, n) + count_before(op, q->dest, n);
    *by_any = any > 0;
    return own + chan + any >= n;
}

enum presence ork_match_probe(struct ork_detector *d, const struct comm *c, uint32_t dst,
                              int32_t src, int32_t tag)
{
    bool any = src == ORK_ANY_SOURCE || tag == ORK_ANY_TAG;
    const struct queue *q =
        any && !ork_queues_widen(d->proc[dst]) ? NULL : ork_queue_find(d, c->id, src, dst, tag);

    if (q == NULL || q->num_sends == 0)
        return PRESENCE_NONE;
    if (q->is_plain)
        return q->num_sends > q->num_recvs ? PRESENCE_SURE : PRESENCE_MAYBE;
    if (src == ORK_ANY_SOURCE)
        return PRESENCE_MAYBE;
    const struct queue *dest = q->dest;
    const struct queue *chan = tag == ORK_ANY_TAG ? q : q->chan;
    uint32_t rivals = 0;
    for (const struct op *w = dest->wild.head; w != NULL && rivals < q->num_sends; w = w->side_next)
        rivals += tag == ORK_ANY_TAG || w->q->tag == ORK_ANY_TAG || w->q->tag == tag;
    rivals += chan->num_recvs + (tag == ORK_ANY_TAG ? 0 : q->num_recvs);
    return q->num_sends > rivals ? PRESENCE_SURE : PRESENCE_MAYBE;
}
