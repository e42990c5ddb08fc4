/* SPDX-License-Identifier: BSD-3-Clause */
/* With thousands of ranks, little of the state that a record touches is in a cache. What it will
 * touch is known in advance, so the memory is prefetched while earlier records are processed: first
 * the hash buckets of queues, then the queues. Nothing here changes the state. */
#include "detector/calls/prefetch.h"
#include "detector/match/queue.h"

enum {
    LINE = 64,
    MANY_RANKS = 512,        /* the state of fewer ranks fits in a cache */
    RECORD_QUEUE_AHEAD = 10, /* for the records in a thread's queue */
    PLACES_AHEAD = 6,
    QUEUES_AHEAD = 3,
};
_Static_assert((int)PLACES_AHEAD <= (int)PREFETCH_RECORDS, "there is room for what is looked up");

static void fetch(const void *object, size_t size)
{
    for (size_t i = 0; i < size; i += LINE)
        __builtin_prefetch((const char *)object + i, 1);
}

void ork_prefetch_begin(struct prefetch *prefetch, struct proc *p)
{
    prefetch->on = p->d->nprocs >= MANY_RANKS;
    prefetch->buckets = prefetch->queues = 0;
    if (prefetch->on && p->first != NULL)
        fetch(p->first, sizeof(*p->first));
}

static uint32_t bucket_of(struct proc *p, uint32_t comm, int32_t peer, int32_t tag, bool is_send)
{
    uint32_t process = 0;

    const struct comm_ref *ref = ork_comm_ref(p, comm);
    if (ref == NULL || tag == ORK_ANY_TAG || !ork_comm_peer(ref, peer, &process))
        return QUEUE_NO_BUCKET;
    return is_send ? ork_queue_bucket(p->d, ref->comm->id, (int32_t)p->rank, process, tag)
                   : ork_queue_bucket(p->d, ref->comm->id, (int32_t)process, p->rank, tag);
}

static void buckets_of(struct proc *p, const struct ork_record *rec, uint32_t bucket[2])
{
    bucket[0] = bucket[1] = QUEUE_NO_BUCKET;
    if (rec->kind == ORK_KIND_SEND || rec->kind == ORK_KIND_SENDRECV)
        bucket[0] = bucket_of(p, rec->comm, rec->peer, rec->tag, true);
    if (rec->kind == ORK_KIND_RECV)
        bucket[1] = bucket_of(p, rec->comm, rec->peer, rec->tag, false);
    if (rec->kind == ORK_KIND_SENDRECV)
        bucket[1] = bucket_of(p, rec->comm, rec->peer2, rec->tag2, false);
}

static void prefetch_buckets(struct proc *p, const struct ork_record *rec, uint32_t bucket[2])
{
    buckets_of(p, rec, bucket);
    for (unsigned k = 0; k < 2; k++) {
        if (bucket[k] != QUEUE_NO_BUCKET)
            __builtin_prefetch(&p->d->matching.exact.bucket[bucket[k]]);
    }
}

/* RATIONALE: the bucket is only a hint, as the table may have grown since. */
static void prefetch_queue(const struct proc *p, const uint32_t bucket[2])
{
    for (unsigned k = 0; k < 2; k++) {
        const struct queue *q =
            bucket[k] != QUEUE_NO_BUCKET && bucket[k] < p->d->matching.exact.buckets
                ? p->d->matching.exact.bucket[bucket[k]]
                : NULL;
        if (q != NULL)
            fetch(q, sizeof(*q));
    }
}

void ork_prefetch_ahead(struct prefetch *prefetch, struct proc *p, const struct ork_record *record,
                        size_t i, size_t n)
{
    if (!prefetch->on)
        return;
    prefetch->buckets = prefetch->buckets > i ? prefetch->buckets : i;
    prefetch->queues = prefetch->queues > i ? prefetch->queues : i;
    for (; prefetch->buckets < n && prefetch->buckets < i + PLACES_AHEAD; prefetch->buckets++)
        prefetch_buckets(p, &record[prefetch->buckets],
                         prefetch->bucket[prefetch->buckets % PREFETCH_RECORDS]);
    for (; prefetch->queues < n && prefetch->queues < i + QUEUES_AHEAD; prefetch->queues++)
        prefetch_queue(p, prefetch->bucket[prefetch->queues % PREFETCH_RECORDS]);
}

static const struct ork_record *queued(const struct record_queue *q, size_t i)
{
    return i < q->count ? &q->slot[(q->first + i) & (q->cap - 1)] : NULL;
}

void ork_prefetch_front(struct mpi_thread *th)
{
    const struct record_queue *q = &th->queue;
    struct proc *p = th->proc;
    uint32_t bucket[2];

    if (p->d->nprocs < MANY_RANKS)
        return;
    const struct ork_record *coming = queued(q, RECORD_QUEUE_AHEAD - 1);
    const struct ork_record *far = queued(q, PLACES_AHEAD - 1);
    const struct ork_record *near = queued(q, QUEUES_AHEAD - 1);
    if (coming != NULL)
        __builtin_prefetch(coming);
    if (far != NULL)
        prefetch_buckets(p, far, bucket);
    if (near != NULL) {
        buckets_of(p, near, bucket);
        prefetch_queue(p, bucket);
    }
}

void ork_prefetch_next(struct mpi_thread *th)
{
    const struct record_queue *q = &th->queue;

    if (th->proc->d->nprocs < MANY_RANKS || q->count == 0)
        return;
    fetch(&th->call, sizeof(th->call));
    fetch(&q->slot[q->first], 2 * sizeof(*q->slot));
}
