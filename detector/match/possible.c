/* SPDX-License-Identifier: BSD-3-Clause */
/* Possible matches, for the graph and for probes. */
#include "detector/match/queue.h"

bool ork_match_is_possible(const struct op *op)
{
    const struct queue *q = op->q;

    if (!op->queued) /* taken by a matched probe, not yet received */
        return false;
    if (q->exact_only)
        return (op->is_send ? q->num_recvs : q->num_sends) > 0;
    if (op->is_send)
        return q->num_recvs > 0 || q->channel->num_recvs > 0 || q->any_source->num_recvs > 0 ||
               q->any_any->num_recvs > 0;
    if (op->peer == ORK_ANY_SOURCE && op->observed) /* as before its source was observed */
        return (op->tag == ORK_ANY_TAG ? q->any_any : q->any_source)->num_sends > 0;
    return (op->observed && op->tag == ORK_ANY_TAG ? q->channel : q)->num_sends > 0;
}

/* Receives of the same thread, posted before `op`, that can only take messages of its pattern, up
 * to `most`. */
static uint32_t count_before(const struct op *op, const struct queue *of, uint32_t most)
{
    uint32_t n = 0;

    if (of == NULL || of->num_sends != op->q->num_sends)
        return 0;
    for (const struct op *w = of->recvs.head; w != NULL && w->seq < op->seq && n < most;
         w = w->next)
        n += w->thread == op->thread && !w->cancelling && !w->mprobe;
    return n;
}

bool ork_match_is_forestalled(const struct op *op, bool *by_any)
{
    const struct queue *q = op->q;
    uint32_t n = q->num_sends;

    if (op->is_send || !op->queued || q->exact_only || op->observed || op->mprobe || n == 0)
        return false;
    uint32_t own = count_before(op, q, n);
    uint32_t channel = count_before(op, q->channel, n);
    uint32_t any = count_before(op, q->any_source, n) + count_before(op, q->any_any, n);
    *by_any = any > 0;
    return own + channel + any >= n;
}

enum presence ork_match_probe(struct ork_detector *d, const struct comm *c, uint32_t dst,
                              int32_t src, int32_t tag)
{
    bool any = src == ORK_ANY_SOURCE || tag == ORK_ANY_TAG;
    const struct queue *q = any && !ork_queues_allow_overlap(d->proc[dst])
                                ? NULL
                                : ork_queue_find(d, c->id, src, dst, tag);

    if (q == NULL || q->num_sends == 0)
        return PRESENCE_NONE;
    if (q->exact_only)
        return q->num_sends > q->num_recvs ? PRESENCE_SURE : PRESENCE_MAYBE;
    if (src == ORK_ANY_SOURCE)
        return PRESENCE_MAYBE;
    const struct queue *any_any = q->any_any;
    const struct queue *channel = tag == ORK_ANY_TAG ? q : q->channel;
    uint32_t rivals = 0;
    for (const struct op *w = any_any->wild.head; w != NULL && rivals < q->num_sends;
         w = w->side_next)
        rivals += tag == ORK_ANY_TAG || w->q->tag == ORK_ANY_TAG || w->q->tag == tag;
    rivals += channel->num_recvs + (tag == ORK_ANY_TAG ? 0 : q->num_recvs);
    return q->num_sends > rivals ? PRESENCE_SURE : PRESENCE_MAYBE;
}
