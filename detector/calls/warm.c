/* SPDX-License-Identifier: BSD-3-Clause */
/* With thousands of ranks next to nothing of what a record touches is in a cache. What that will be
 * is known before: so the memory is asked for while earlier records are worked on, first the places
 * where queues are looked up, then the queues. Nothing here changes anything. */
#include "detector/calls/warm.h"
#include "detector/match/queue.h"

enum {
    LINE = 64,
    MANY_RANKS = 512, /* the state of fewer stays in a cache */
    SLOTS_AHEAD = 10, /* of a queue */
    PLACES_AHEAD = 6,
    QUEUES_AHEAD = 3,
};
_Static_assert((int)PLACES_AHEAD <= (int)WARM_RECORDS, "there is room for what is looked up");

static void fetch(const void *object, size_t size)
{
    for (size_t i = 0; i < size; i += LINE)
        __builtin_prefetch((const char *)object + i, 1);
}

void ork_warm_begin(struct warm *warm, struct proc *p)
{
    warm->on = p->d->nprocs >= MANY_RANKS;
    warm->places = warm->queues = 0;
    if (warm->on && p->first != NULL)
        fetch(p->first, sizeof(*p->first));
}

static uint32_t place_of(struct proc *p, uint32_t comm, int32_t peer, int32_t tag, bool is_send)
{
    uint32_t process = 0;

    const struct comm_ref *ref = ork_comm_ref(p, comm);
    if (ref == NULL || tag == ORK_ANY_TAG || !ork_comm_peer(ref, peer, &process))
        return QUEUE_NOWHERE;
    return is_send ? ork_queue_place(p->d, ref->comm->id, (int32_t)p->rank, process, tag)
                   : ork_queue_place(p->d, ref->comm->id, (int32_t)process, p->rank, tag);
}

static void places_of(struct proc *p, const struct ork_record *rec, uint32_t place[2])
{
    place[0] = place[1] = QUEUE_NOWHERE;
    if (rec->kind == ORK_KIND_SEND || rec->kind == ORK_KIND_SENDRECV)
        place[0] = place_of(p, rec->comm, rec->peer, rec->tag, true);
    if (rec->kind == ORK_KIND_RECV)
        place[1] = place_of(p, rec->comm, rec->peer, rec->tag, false);
    if (rec->kind == ORK_KIND_SENDRECV)
        place[1] = place_of(p, rec->comm, rec->peer2, rec->tag2, false);
}

static void look_up(struct proc *p, const struct ork_record *rec, uint32_t place[2])
{
    places_of(p, rec, place);
    for (unsigned k = 0; k < 2; k++) {
        if (place[k] != QUEUE_NOWHERE)
            __builtin_prefetch(&p->d->matching.exact.bucket[place[k]]);
    }
}

/* RATIONALE: the place is only a hint, the table may have grown since. */
static void look_at(const struct proc *p, const uint32_t place[2])
{
    for (unsigned k = 0; k < 2; k++) {
        const struct queue *q = place[k] != QUEUE_NOWHERE && place[k] < p->d->matching.exact.buckets
                                    ? p->d->matching.exact.bucket[place[k]]
                                    : NULL;
        if (q != NULL)
            fetch(q, sizeof(*q));
    }
}

void ork_warm_ahead(struct warm *warm, struct proc *p, const struct ork_record *record, size_t i,
                    size_t n)
{
    if (!warm->on)
        return;
    warm->places = warm->places > i ? warm->places : i;
    warm->queues = warm->queues > i ? warm->queues : i;
    for (; warm->places < n && warm->places < i + PLACES_AHEAD; warm->places++)
        look_up(p, &record[warm->places], warm->place[warm->places % WARM_RECORDS]);
    for (; warm->queues < n && warm->queues < i + QUEUES_AHEAD; warm->queues++)
        look_at(p, warm->place[warm->queues % WARM_RECORDS]);
}

static const struct ork_record *queued(const struct slots *q, size_t i)
{
    return i < q->count ? &q->slot[(q->first + i) & (q->cap - 1)] : NULL;
}

void ork_warm_front(struct strand *st)
{
    const struct slots *q = &st->queue;
    struct proc *p = st->proc;
    uint32_t place[2];

    if (p->d->nprocs < MANY_RANKS)
        return;
    const struct ork_record *coming = queued(q, SLOTS_AHEAD - 1);
    const struct ork_record *far = queued(q, PLACES_AHEAD - 1);
    const struct ork_record *near = queued(q, QUEUES_AHEAD - 1);
    if (coming != NULL)
        __builtin_prefetch(coming);
    if (far != NULL)
        look_up(p, far, place);
    if (near != NULL) {
        places_of(p, near, place);
        look_at(p, place);
    }
}

void ork_warm_next(struct strand *st)
{
    const struct slots *q = &st->queue;

    if (st->proc->d->nprocs < MANY_RANKS || q->count == 0)
        return;
    fetch(&st->call, sizeof(st->call));
    fetch(&q->slot[q->first], 2 * sizeof(*q->slot));
}
