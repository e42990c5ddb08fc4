/* SPDX-License-Identifier: BSD-3-Clause */
/* Assumed matches under memory pressure (Hilbrich et al., SC'12, section VI.B): an undecided
 * wildcard receive gets a message that it may have taken. Results that depend on it are marked as
 * assumed. If the run later shows another source, the two messages are exchanged. */
#include "detector/calls/progress.h"
#include "detector/match/match.h"

uint64_t ork_detector_memory(const struct ork_detector *d)
{
    return d->counts.queued * sizeof(struct ork_record) + d->matching.ops.used * sizeof(struct op);
}

static uint64_t queued_of(const struct proc *p)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < p->num_threads; i++)
        n += p->thread[i]->queue.count;
    return n;
}

/* The first undecided receive that may take the first message of `q`; NULL: none, or a receive from
 * that source comes first. */
static struct op *taker_of(const struct queue *q)
{
    struct op *w = q->any_any != NULL ? q->any_any->wild.head : NULL;

    while (w != NULL &&
           (w->cancelling || w->mprobe || (w->q->tag != ORK_ANY_TAG && w->q->tag != q->tag)))
        w = w->side_next;
    if (w == NULL || (q->recvs.head != NULL && q->recvs.head->seq < w->seq) ||
        (q->channel->recvs.head != NULL && q->channel->recvs.head->seq < w->seq))
        return NULL;
    return w;
}

/* The message whose sender and receiver have the most records queued. */
static struct queue *find_worst(struct ork_detector *d)
{
    struct queue *worst = NULL;
    uint64_t most = 0;

    for (uint32_t i = 0; i < d->matching.exact.buckets; i++) {
        for (struct queue *q = d->matching.exact.bucket[i]; q != NULL; q = q->hash_next) {
            if (q->num_sends == 0 || taker_of(q) == NULL)
                continue;
            uint64_t queued = queued_of(d->proc[q->src]) + queued_of(d->proc[q->dst]) + 1;
            if (queued > most) {
                most = queued;
                worst = q;
            }
        }
    }
    return worst;
}

enum ork_status ork_detector_assume_match(struct ork_detector *d, bool *decided)
{
    struct queue *q = find_worst(d);

    *decided = q != NULL;
    if (q == NULL)
        return ORK_OK;
    struct op *w = taker_of(q);
    ORK_ASSERT(w != NULL); /* `q` was chosen because of it */
    if (w->owner == OWNER_REQUEST)
        w->request->assumed = true;
    d->proc[q->dst]->assumed = d->proc[q->src]->assumed = true;
    d->counts.assumed++;
    ork_match_observe(d, w, q->src, q->tag);
    ork_run_work(d);
    return d->failed ? ORK_NOMEM : ORK_OK;
}
