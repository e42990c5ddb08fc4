/* SPDX-License-Identifier: BSD-3-Clause */
/* The queues of sends and receives, found by (communicator, source, destination, tag). */
#include "detector/match/match.h"
#include "detector/match/queue.h"

#include <stdlib.h>

enum { QUEUES_PER_RANK = 64, QUEUES_MIN = 4096, BUCKETS_MIN = 1024 };

static uint32_t hash_key(uint32_t comm, int32_t src, uint32_t dst, int32_t tag)
{
    uint64_t h = ((uint64_t)comm << 32 | (uint32_t)src) * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 29 ^ ((uint64_t)dst << 32 | (uint32_t)tag)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

/* ---- tables ---- */

static struct queue *table_find(const struct table *t, uint32_t hash, uint32_t comm, int32_t src,
                                uint32_t dst, int32_t tag)
{
    if (t->buckets == 0)
        return NULL;
    struct queue *q = t->bucket[hash & (t->buckets - 1)];
    while (q != NULL && (q->comm != comm || q->src != src || q->dst != dst || q->tag != tag))
        q = q->hash_next;
    return q;
}

static void table_remove(struct table *t, const struct queue *q)
{
    struct queue **at = &t->bucket[q->hash & (t->buckets - 1)];

    ORK_ASSERT(t->used > 0);
    while (*at != q)
        at = &(*at)->hash_next;
    *at = q->hash_next;
    t->used--;
}

static void table_insert(struct table *t, struct queue *q)
{
    struct queue **bucket = &t->bucket[q->hash & (t->buckets - 1)];

    q->hash_next = *bucket;
    *bucket = q;
    t->used++;
}

/* Reserve room for one more queue. */
static bool table_reserve(struct ork_detector *d, struct table *t)
{
    struct table bigger = {.buckets = t->buckets == 0 ? BUCKETS_MIN : t->buckets};

    if (t->used == t->buckets && t->buckets > 0)
        bigger.buckets *= 2;
    if (bigger.buckets == t->buckets)
        return true;
    bigger.bucket = calloc(bigger.buckets, sizeof(struct queue *));
    if (bigger.bucket == NULL) {
        d->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < t->buckets; i++) {
        while (t->bucket[i] != NULL) {
            struct queue *q = t->bucket[i];
            t->bucket[i] = q->hash_next;
            table_insert(&bigger, q);
        }
    }
    free(t->bucket);
    *t = bigger;
    return true;
}

void ork_queues_destroy(struct ork_detector *d)
{
    free(d->matching.exact.bucket);
    free(d->matching.above.bucket);
}

static const struct table *table_of(const struct ork_detector *d, int32_t src, int32_t tag)
{
    return src == ORK_ANY_SOURCE || tag == ORK_ANY_TAG ? &d->matching.above : &d->matching.exact;
}

uint32_t ork_queue_bucket(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                          int32_t tag)
{
    return d->matching.exact.buckets == 0
               ? QUEUE_NO_BUCKET
               : hash_key(comm, src, dst, tag) & (d->matching.exact.buckets - 1);
}

struct queue *ork_queue_find(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                             int32_t tag)
{
    return table_find(table_of(d, src, tag), hash_key(comm, src, dst, tag), comm, src, dst, tag);
}

/* ---- freeing ---- */

static void unlink_from_process(struct proc *p, struct queue *q)
{
    *(q->to_prev != NULL ? &q->to_prev->to_next : &p->queues) = q->to_next;
    if (q->to_next != NULL)
        q->to_next->to_prev = q->to_prev;
}

static void drop_reference(struct queue *above)
{
    if (above == NULL)
        return;
    ORK_ASSERT(above->refs > 0);
    above->refs--;
}

/* Free a queue that is in no table any more. */
static void discard(struct ork_detector *d, struct queue *q)
{
    ORK_ASSERT((q->num_sends | q->num_recvs | q->refs) == 0);
    if (!q->exact_only) {
        drop_reference(q->channel);
        drop_reference(q->any_source);
        drop_reference(q->any_any);
    }
    if (q->src != ORK_ANY_SOURCE && q->tag != ORK_ANY_TAG)
        unlink_from_process(d->proc[q->dst], q);
    ork_pool_put(&d->matching.queues, q);
}

void ork_queue_free_if_idle(struct ork_detector *d, struct queue *q)
{
    if (q->sends.head != NULL || q->recvs.head != NULL || !q->exact_only)
        return;
    table_remove(&d->matching.exact, q);
    discard(d, q);
}

static void sweep_table(struct ork_detector *d, struct table *t, bool is_last)
{
    for (uint32_t i = 0; i < t->buckets; i++) {
        struct queue **at = &t->bucket[i];
        while (*at != NULL) {
            struct queue *q = *at;
            if (q->num_sends > 0 || q->num_recvs > 0 || q->refs > 0 || q->wild.head != NULL ||
                (q->any_any == NULL && !is_last)) {
                at = &q->hash_next;
                continue;
            }
            *at = q->hash_next;
            t->used--;
            discard(d, q);
        }
    }
}

/* Free empty queues. Exact queues first, as they refer to the others. */
static void sweep(struct ork_detector *d)
{
    sweep_table(d, &d->matching.exact, false);
    sweep_table(d, &d->matching.above, false);
    sweep_table(d, &d->matching.above, true);
}

static uint32_t num_queues(const struct ork_detector *d)
{
    return d->matching.exact.used + d->matching.above.used;
}

/* RATIONALE: an empty channel is often used again, so there is room for those of many neighbours
 * before any are freed. A sweep examines every bucket, so the limit grows with the buckets. */
static uint32_t limit_after_sweep(const struct ork_detector *d)
{
    uint64_t limit = 2 * (uint64_t)num_queues(d);
    uint64_t buckets = (uint64_t)d->matching.exact.buckets + d->matching.above.buckets;

    limit = limit > buckets / 2 ? limit : buckets / 2;
    limit = limit > QUEUES_PER_RANK * (uint64_t)d->nprocs ? limit
                                                          : QUEUES_PER_RANK * (uint64_t)d->nprocs;
    limit += QUEUES_MIN;
    return limit < UINT32_MAX / 2 ? (uint32_t)limit : UINT32_MAX / 2;
}

bool ork_queues_make_room(struct ork_detector *d)
{
    if (num_queues(d) >= d->matching.queue_limit) {
        sweep(d);
        d->matching.queue_limit = limit_after_sweep(d);
    }
    return table_reserve(d, &d->matching.exact);
}

/* ---- creation ---- */

static struct queue *queue_new(struct ork_detector *d, const struct queue_ref *queue_ref)
{
    struct queue *q = ork_pool_take(d, &d->matching.queues);

    if (q != NULL)
        *q = (struct queue){.comm = queue_ref->comm,
                            .src = queue_ref->src,
                            .dst = queue_ref->dst,
                            .tag = queue_ref->tag,
                            .hash = queue_ref->hash};
    return q;
}

struct queue *ork_queue_above(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                              int32_t tag)
{
    const struct queue_ref queue_ref = {
        .comm = comm, .src = src, .dst = dst, .tag = tag, .hash = hash_key(comm, src, dst, tag)};
    struct queue *q = table_find(&d->matching.above, queue_ref.hash, comm, src, dst, tag);
    struct queue *any_any = NULL;

    if (q != NULL)
        return q;
    ORK_ASSERT(d->proc[dst]->may_overlap);
    if (src != ORK_ANY_SOURCE || tag != ORK_ANY_TAG) {
        any_any = ork_queue_above(d, comm, ORK_ANY_SOURCE, dst, ORK_ANY_TAG);
        if (any_any == NULL)
            return NULL;
    }
    q = table_reserve(d, &d->matching.above) ? queue_new(d, &queue_ref) : NULL;
    if (q == NULL)
        return NULL;
    q->any_any = any_any;
    if (any_any != NULL)
        any_any->refs++;
    table_insert(&d->matching.above, q);
    return q;
}

/* Attach an exact queue to the queues above it. */
static bool attach(struct ork_detector *d, struct queue *q)
{
    struct queue *channel = ork_queue_above(d, q->comm, q->src, q->dst, ORK_ANY_TAG);
    struct queue *any_source = ork_queue_above(d, q->comm, ORK_ANY_SOURCE, q->dst, q->tag);

    if (channel == NULL || any_source == NULL)
        return false;
    ORK_ASSERT(q->exact_only && q->refs == 0);
    q->exact_only = false;
    q->channel = channel;
    q->any_source = any_source;
    q->any_any = channel->any_any;
    channel->refs++;
    any_source->refs++;
    q->any_any->refs++;
    return true;
}

void ork_queue_lookup(const struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                      int32_t tag, struct queue_ref *queue_ref)
{
    queue_ref->comm = comm;
    queue_ref->src = src;
    queue_ref->dst = dst;
    queue_ref->tag = tag;
    queue_ref->hash = hash_key(comm, src, dst, tag);
    queue_ref->q = table_find(&d->matching.exact, queue_ref->hash, comm, src, dst, tag);
}

struct queue *ork_queue_at(struct ork_detector *d, struct queue_ref *queue_ref)
{
    struct queue *q = queue_ref->q;

    if (q != NULL)
        return q;
    q = queue_new(d, queue_ref);
    if (q == NULL)
        return NULL;
    struct proc *p = d->proc[queue_ref->dst];
    table_insert(&d->matching.exact, q);
    q->exact_only = true;
    q->to_next = p->queues;
    if (p->queues != NULL)
        p->queues->to_prev = q;
    p->queues = q;
    queue_ref->q = q;
    return !p->may_overlap || attach(d, q) ? q : NULL;
}

struct queue *ork_queue_get(struct ork_detector *d, uint32_t comm, int32_t src, uint32_t dst,
                            int32_t tag)
{
    struct queue_ref queue_ref;

    ork_queue_lookup(d, comm, src, dst, tag, &queue_ref);
    return ork_queue_at(d, &queue_ref);
}

/* ---- allowing overlap ---- */

static int compare_seq(const void *a, const void *b)
{
    const struct op *x = *(struct op *const *)a;
    const struct op *y = *(struct op *const *)b;

    return (x->seq > y->seq) - (x->seq < y->seq);
}

/* The messages of a channel have one order, whatever their tags. */
static bool link_channels(struct proc *p, size_t num_sends)
{
    struct op **send = malloc(num_sends * sizeof(struct op *) + 1);
    size_t n = 0;

    if (send == NULL) {
        p->d->failed = true;
        return false;
    }
    for (struct queue *q = p->queues; q != NULL; q = q->to_next) {
        for (struct op *s = q->sends.head; s != NULL; s = s->side_next)
            send[n++] = s;
    }
    ORK_ASSERT(n == num_sends); /* the counts are the lengths of the lists */
    qsort(send, n, sizeof(struct op *), compare_seq);
    for (size_t i = 0; i < n; i++)
        main_append(&send[i]->q->channel->sends, send[i]);
    free(send);
    return true;
}

bool ork_queues_allow_overlap(struct proc *p)
{
    struct ork_detector *d = p->d;
    size_t num_sends = 0;

    if (p->may_overlap)
        return true;
    p->may_overlap = true;
    for (struct queue *q = p->queues; q != NULL; q = q->to_next) {
        if (!attach(d, q))
            return false;
        q->channel->num_sends += q->num_sends;
        q->any_source->num_sends += q->num_sends;
        q->any_any->num_sends += q->num_sends;
        num_sends += q->num_sends;
    }
    return link_channels(p, num_sends);
}
