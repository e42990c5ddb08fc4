/* SPDX-License-Identifier: BSD-3-Clause */
/* Pending sends and receives and members of communicators, shown with a deadlock. Reads only. */
#include "common/vec.h"
#include "detector/graph/graph.h"

#include <stdlib.h>

/* The oldest operations of a queue suffice. */
enum { PER_QUEUE = 8 };

struct list {
    struct ork_pending *item;
    uint32_t count, cap;
    bool failed;
};

static void add(struct list *l, const struct ork_pending *item)
{
    if (ork_vec_reserve(&l->item, &l->cap, l->count + 1, sizeof(*l->item)))
        l->item[l->count++] = *item;
    else
        l->failed = true;
}

static bool is_wanted(const struct ork_detector *d, const bool *of, uint32_t process)
{
    return process < d->nprocs && of[process];
}

static struct ork_pending pending_of(const struct op *op, uint32_t partner)
{
    struct ork_pending item = {.term = ork_graph_op_term(op),
                               .partner = partner,
                               .order = op->seq,
                               .started = op->site,
                               .bytes = op->bytes,
                               .type = op->type};

    if (op->owner == OWNER_REQUEST && op->request->persistent)
        item.term.site = op->request->call.site; /* as in the graph */
    return item;
}

static void add_sends(const struct ork_detector *d, const bool *of, const struct queue *q,
                      struct list *l)
{
    bool plain = q->exact_only;
    unsigned n = 0;

    if (q->src == ORK_ANY_SOURCE || (!plain && q->tag != ORK_ANY_TAG))
        return;
    if (!is_wanted(d, of, q->dst) && !is_wanted(d, of, (uint32_t)q->src))
        return;
    for (const struct op *op = q->sends.head; op != NULL && n++ < PER_QUEUE;
         op = plain ? op->side_next : op->next) {
        struct ork_pending item = pending_of(op, q->dst);
        add(l, &item);
    }
}

static void add_receives(const struct ork_detector *d, const bool *of, const struct queue *q,
                         struct list *l)
{
    bool any = q->src == ORK_ANY_SOURCE;
    unsigned n = 0;

    if (!is_wanted(d, of, q->dst) && (any || !is_wanted(d, of, (uint32_t)q->src)))
        return;
    for (const struct op *op = q->recvs.head; op != NULL && n++ < PER_QUEUE; op = op->next) {
        struct ork_pending item = pending_of(op, any ? UINT32_MAX : (uint32_t)q->src);
        add(l, &item);
    }
}

/* A probe waits for a message, but is in no queue. */
static void add_probes(const struct ork_detector *d, const bool *of, struct list *l)
{
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        for (uint32_t i = 0; of[r] && p->num_in_probe > 0 && i < p->num_threads; i++) {
            const struct mpi_thread *th = p->thread[i];
            struct comm_ref *ref = ork_comm_ref(p, th->call.comm);
            uint32_t source = UINT32_MAX;
            if (!th->in_call || th->call.kind != ORK_KIND_PROBE || ref == NULL ||
                (th->call.peer != ORK_ANY_SOURCE && !ork_comm_peer(ref, th->call.peer, &source)))
                continue;
            add(l, &(struct ork_pending){.term = {.rank = r,
                                                  .index = UINT32_MAX,
                                                  .call = th->call.call,
                                                  .kind = ORK_KIND_PROBE,
                                                  .site = th->call.site,
                                                  .comm = ref->comm->id,
                                                  .peer = th->call.peer,
                                                  .tag = th->call.tag},
                                         .partner = source,
                                         .order = UINT64_MAX});
        }
    }
}

/* The latest poll of a rank that only polls, if it was a probe. */
static void add_polls(const struct ork_detector *d, const bool *of, struct list *l)
{
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        const struct ork_record *poll = &p->poll;
        uint32_t source = UINT32_MAX;
        if (!of[r] || p->polling != ORK_POLL_ANYTHING || poll->kind != ORK_KIND_PROBED)
            continue;
        struct comm_ref *ref = ork_comm_ref(p, poll->comm);
        if (ref == NULL ||
            (poll->peer != ORK_ANY_SOURCE && !ork_comm_peer(ref, poll->peer, &source)))
            continue;
        add(l, &(struct ork_pending){.term = {.rank = r,
                                              .index = UINT32_MAX,
                                              .call = poll->call,
                                              .kind = ORK_KIND_PROBED,
                                              .site = poll->site,
                                              .comm = ref->comm->id,
                                              .peer = poll->peer,
                                              .tag = poll->tag},
                                     .partner = source,
                                     .order = UINT64_MAX});
    }
}

static int compare_order(const void *a, const void *b)
{
    const struct ork_pending *x = a;
    const struct ork_pending *y = b;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->term.rank > y->term.rank) - (x->term.rank < y->term.rank);
}

static void add_table(const struct ork_detector *d, const bool *of, const struct table *t,
                      struct list *l)
{
    for (uint32_t i = 0; i < t->buckets; i++) {
        for (const struct queue *q = t->bucket[i]; q != NULL; q = q->hash_next) {
            add_sends(d, of, q, l);
            add_receives(d, of, q, l);
        }
    }
}

enum ork_status ork_detector_pending(const struct ork_detector *d, const bool *of,
                                     struct ork_pending **pending, uint32_t *count)
{
    struct list l = {0};

    add_table(d, of, &d->matching.exact, &l);
    add_table(d, of, &d->matching.above, &l);
    add_probes(d, of, &l);
    add_polls(d, of, &l);
    if (l.failed) {
        free(l.item);
        return ORK_NOMEM;
    }
    if (l.count > 0)
        qsort(l.item, l.count, sizeof(*l.item), compare_order);
    *pending = l.item;
    *count = l.count;
    return ORK_OK;
}

uint64_t ork_detector_volume(const struct ork_detector *d, uint32_t rank)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    uint64_t bytes = 0;

    if (p == NULL)
        return 0;
    for (uint32_t i = 0; i < p->num_threads; i++)
        bytes += p->thread[i]->in_call ? p->thread[i]->call.bytes : 0;
    for (uint32_t i = 0; i < p->num_requests; i++) {
        const struct request *r = p->request[i];
        bytes += r != NULL && r->in_use && r->active ? r->call.bytes : 0;
    }
    return bytes;
}

uint32_t ork_detector_comm_member(const struct ork_detector *d, uint32_t comm, uint32_t i)
{
    const struct comm *c = ork_comm_numbered(d, comm);

    return c == NULL || c->self || i >= c->size ? UINT32_MAX : ork_comm_member(c, 0, i);
}
