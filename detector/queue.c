/* SPDX-License-Identifier: BSD-3-Clause */
/* The queues of sends and receives, found by (communicator, source, destination, tag). */
#include "detector/queue.h"

#include <stdlib.h>

enum { QUEUES_PER_RANK = 64, QUEUES_MIN = 4096 };

static uint32_t hash_key(uint32_t comm, int32_t src, uint32_t dst, int32_t tag)
{
    uint64_t h = ((uint64_t)comm << 32 | (uint32_t)src) * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 29 ^ ((uint64_t)dst << 32 | (uint32_t)tag)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

uint32_t queue_place(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                     int32_t tag)
{
    return d->queue_buckets == 0 ? QUEUE_NOWHERE
                                 : hash_key(comm, src, dst, tag) & (d->queue_buckets - 1);
}

struct queue *queue_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                         int32_t tag)
{
    if (d->queue_buckets == 0)
        return NULL;
    struct queue *q = d->queue_hash[hash_key(comm, src, dst, tag) & (d->queue_buckets - 1)];
    while (q != NULL && (q->comm != comm || q->src != src || q->dst != dst || q->tag != tag))
        q = q->hash_next;
    return q;
}

static bool queue_is_idle(const struct queue *q)
{
    return q->num_sends == 0 && q->num_recvs == 0 && q->refs == 0 && q->wild.head == NULL;
}

static void queue_drop_refs(struct queue *q)
{
    struct queue *above[] = {q->chan, q->by_tag, q->dest};

    for (unsigned i = 0; i < 3; i++) {
        if (above[i] != NULL)
            above[i]->refs--;
    }
}

/* Free queues that hold nothing. Exact queues first: they keep the others. */
static void sweep(struct ork_detector *d)
{
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < d->queue_buckets; i++) {
            struct queue **p = &d->queue_hash[i];
            while (*p != NULL) {
                struct queue *q = *p;
                if (!queue_is_idle(q)) {
                    p = &q->hash_next;
                    continue;
                }
                *p = q->hash_next;
                queue_drop_refs(q);
                pool_put(&d->queues, q);
                d->num_queues--;
            }
        }
    }
}

/* RATIONALE: a channel that holds nothing now is often used again, so there is room for those of
 * many neighbours before any are freed; and a sweep looks at every bucket, so there is as much to
 * free as to look at. */
static uint32_t limit_after_sweep(const struct ork_detector *d)
{
    uint64_t limit = 2 * (uint64_t)d->num_queues;

    limit = limit > d->queue_buckets / 2 ? limit : d->queue_buckets / 2;
    limit = limit > QUEUES_PER_RANK * (uint64_t)d->nprocs ? limit
                                                          : QUEUES_PER_RANK * (uint64_t)d->nprocs;
    limit += QUEUES_MIN;
    return limit < UINT32_MAX / 2 ? (uint32_t)limit : UINT32_MAX / 2;
}

static bool rehash(struct ork_detector *d, uint32_t buckets)
{
    struct queue **bigger = calloc(buckets, sizeof(*bigger));

    if (bigger == NULL) {
        d->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < d->queue_buckets; i++) {
        while (d->queue_hash[i] != NULL) {
            struct queue *q = d->queue_hash[i];
            d->queue_hash[i] = q->hash_next;
            struct queue **to = &bigger[hash_key(q->comm, q->src, q->dst, q->tag) & (buckets - 1)];
            q->hash_next = *to;
            *to = q;
        }
    }
    free(d->queue_hash);
    d->queue_hash = bigger;
    d->queue_buckets = buckets;
    return true;
}

bool queues_reserve(struct ork_detector *d)
{
    if (d->num_queues + 3 > d->queue_limit) {
        sweep(d);
        d->queue_limit = limit_after_sweep(d);
    }
    uint32_t buckets = d->queue_buckets == 0 ? 1024 : d->queue_buckets;
    while (buckets < d->num_queues + 3)
        buckets *= 2;
    return buckets == d->queue_buckets || rehash(d, buckets);
}

struct queue *queue_get(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                        int32_t tag)
{
    struct queue *q = queue_find(d, comm, src, dst, tag);

    if (q != NULL)
        return q;
    q = pool_get(d, &d->queues);
    if (q == NULL)
        return NULL;
    q->comm = comm;
    q->src = src;
    q->dst = dst;
    q->tag = tag;
    struct queue **bucket = &d->queue_hash[hash_key(comm, src, dst, tag) & (d->queue_buckets - 1)];
    q->hash_next = *bucket;
    *bucket = q;
    d->num_queues++;
    bool any_src = src == ORK_ANY_SOURCE;
    bool any_tag = tag == ORK_ANY_TAG;
    if (!any_src && !any_tag) {
        q->chan = queue_get(d, comm, src, dst, ORK_ANY_TAG);
        q->by_tag = queue_get(d, comm, ORK_ANY_SOURCE, dst, tag);
    }
    if (!any_src || !any_tag)
        q->dest = queue_get(d, comm, ORK_ANY_SOURCE, dst, ORK_ANY_TAG);
    struct queue *above[] = {q->chan, q->by_tag, q->dest};
    for (unsigned i = 0; i < 3; i++) {
        if (above[i] != NULL)
            above[i]->refs++;
    }
    return q;
}
