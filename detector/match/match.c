/* SPDX-License-Identifier: BSD-3-Clause */
/* Posting sends and receives, and their outcome in the run. */
#include "detector/check/happens_before.h"
#include "detector/check/matching_types.h"
#include "detector/match/match.h"
#include "detector/match/resolve.h"

/* ---- posting ---- */

/* Seq at which the thread last depended on another process. Dependencies between threads of a
 * process are unknown. */
static uint64_t when_released(const struct mpi_thread *th)
{
    const struct proc *p = th->proc;

    if (p->several)
        return UINT64_MAX;
    return th->released > p->seen_up_to ? th->released : p->seen_up_to;
}

/* NULL: out of memory. */
static struct op *op_new(struct mpi_thread *th, uint32_t comm, const struct ork_record *rec,
                         struct amount amount)
{
    struct ork_detector *d = th->proc->d;
    struct op *op = ork_pool_take(d, &d->matching.ops);

    if (op != NULL)
        *op = (struct op){.thread = th,
                          .quiet = th->proc->quiet,
                          .seq = ++d->seq,
                          .bytes = amount.bytes,
                          .type = amount.type,
                          .comm = comm,
                          .site = rec->site,
                          .call = rec->call};
    return op;
}

bool ork_match_lookup(struct ork_detector *d, const struct comm *c, uint32_t src, uint32_t dst,
                      int32_t tag, struct queue_ref *queue_ref)
{
    if (!ork_queues_reserve(d))
        return false;
    ork_queue_lookup(d, c->id, (int32_t)src, dst, tag, queue_ref);
    return true;
}

struct op *ork_match_post_send(struct mpi_thread *th, struct queue_ref *queue_ref,
                               const struct ork_record *rec)
{
    struct queue *q = ork_queue_at(th->proc->d, queue_ref);
    struct op *op = q == NULL ? NULL : op_new(th, queue_ref->comm, rec, amount_sent(rec));

    if (op == NULL)
        return NULL;
    op->is_send = true;
    op->seen_up_to = rec->mode == ORK_SEND_READY ? ork_seen_at_send(th->proc) : 0;
    op->released = when_released(th);
    op->mode = (uint8_t)rec->mode;
    op->peer = rec->peer;
    op->tag = queue_ref->tag;
    op->q = q;
    ork_link_send(op);
    return op;
}

static struct op *post_recv(struct mpi_thread *th, struct queue *q, int32_t tag,
                            const struct ork_record *rec)
{
    struct op *op = q == NULL ? NULL : op_new(th, q->comm, rec, amount_received(rec));

    if (op == NULL)
        return NULL;
    op->call_number = th->num_calls;
    op->peer = rec->kind == ORK_KIND_SENDRECV ? rec->peer2 : rec->peer;
    op->tag = tag;
    op->q = q;
    ork_link_new_recv(op);
    return op;
}

struct op *ork_match_post_recv(struct mpi_thread *th, struct queue_ref *queue_ref,
                               const struct ork_record *rec)
{
    return post_recv(th, ork_queue_at(th->proc->d, queue_ref), queue_ref->tag, rec);
}

struct op *ork_match_post_any(struct mpi_thread *th, const struct comm *c, int32_t src, int32_t tag,
                              const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;

    return ork_queues_reserve(d) && ork_queues_allow_overlap(th->proc)
               ? post_recv(th, ork_queue_above(d, c->id, src, th->proc->rank, tag), tag, rec)
               : NULL;
}

static void observe_plain(struct op *r)
{
    r->observed = true;
    r->q->num_observed++;
    ork_op_mark_unconfirmed(r); /* until its message is posted */
}

void ork_match_observe(struct ork_detector *d, struct op *r, int32_t src, int32_t tag)
{
    ORK_ASSERT(src != ORK_ANY_SOURCE && tag != ORK_ANY_TAG);
    if (!r->queued || r->observed)
        return;
    struct queue *old = r->q;
    if (old->exact_only) { /* no match was in doubt */
        observe_plain(r);
        return;
    }
    uint32_t comm = old->comm;
    uint32_t dst = old->dst;
    old->refs++; /* keeps it from being swept away below */
    ork_unlink_recv(r);
    if (!ork_queues_reserve(d)) {
        old->refs--;
        return;
    }
    struct queue *q = ork_queue_get(d, comm, src, dst, tag);
    old->refs--;
    if (q == NULL || d->failed)
        return;
    r->q = q;
    r->observed = true;
    r->cancelling = false;
    struct queue *any_any = q->any_any;
    any_any->refs++;
    ork_link_recv(r);
    ork_op_mark_unconfirmed(r); /* until its message is posted */
    if (q->num_sends == 0 && r->seq < q->passed) {
        /* a receive posted later took the message of this one: so that receive lacks a message, and
         * the call of this one is complete */
        ork_op_notify_owner(r);
        ork_match_detach(r);
    }
    ork_resolve_exact(d, q);
    ork_resolve_ambiguous(d, any_any);
    any_any->refs--;
}

void ork_match_confirm(struct ork_detector *d, struct op *r)
{
    struct queue *q = r->q;

    if (!r->queued || r->observed || r->cancelling || q->src == ORK_ANY_SOURCE ||
        q->tag == ORK_ANY_TAG)
        return;
    r->observed = true;
    q->num_observed++;
    if (q->exact_only)
        return;
    struct queue *any_any = q->any_any;
    any_any->refs++;
    ork_resolve_exact(d, q);
    ork_resolve_ambiguous(d, any_any);
    any_any->refs--;
}

/* Post the message again at its old position. No call waits for it. */
static void post_again(struct ork_detector *d, const struct comm *c, const struct request *request,
                       uint32_t dst)
{
    struct mpi_thread *from = request->took_from;
    struct queue *q = ork_queues_reserve(d) ? ork_queue_get(d, c->id, (int32_t)from->proc->rank,
                                                            dst, request->took_tag)
                                            : NULL;
    struct op *s = q == NULL ? NULL : op_new(from, c->id, &request->call, (struct amount){0});

    if (s == NULL)
        return;
    s->is_send = true;
    s->cancelling = true; /* it is not a lost message if no rank receives it */
    s->seq = request->took_seq;
    s->tag = request->took_tag;
    s->q = q;
    ork_side_insert_by_seq(&q->sends, s);
    ork_main_insert_by_seq(&q->channel->sends, s);
    ork_count_send(s);
    ork_op_mark_unconfirmed(s);
}

/* The receive of a request that was matched, again at its old position, from (src, tag). Not linked
 * yet. */
static struct op *recv_again(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                             const struct request *request, int32_t src, int32_t tag)
{
    bool any = tag == ORK_ANY_TAG;
    struct queue *q = !ork_queues_reserve(d) ? NULL
                      : any                  ? ork_queue_above(d, c->id, src, th->proc->rank, tag)
                                             : ork_queue_get(d, c->id, src, th->proc->rank, tag);
    struct op *r =
        q == NULL ? NULL : op_new(th, c->id, &request->call, amount_received(&request->call));

    if (r == NULL)
        return NULL;
    r->peer = request->call.peer;
    r->tag = request->call.tag;
    r->seq = request->recv_seq;
    r->q = q;
    return r;
}

void ork_match_reopen(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                      struct request *request)
{
    ORK_ASSERT(request->op == NULL && request->took_from != NULL);
    int32_t src = (int32_t)request->took_from->proc->rank;

    if (!ork_queues_allow_overlap(th->proc))
        return;
    ork_types_doubt(th->proc, request->call.site);
    post_again(d, c, request, th->proc->rank);
    struct op *r = recv_again(d, th, c, request, src, request->call.tag);
    if (r == NULL)
        return;
    r->cancelling = true;
    r->owner = OWNER_REQUEST;
    r->request = request;
    request->op = r;
    ork_link_recv(r);
    ork_match_resolve(d, r);
}

void ork_match_correct(struct ork_detector *d, struct mpi_thread *th, const struct comm *c,
                       struct request *request, int32_t src, int32_t tag)
{
    ORK_ASSERT(request->op == NULL && request->took_from != NULL);
    request->assumed = false;
    if ((uint32_t)src == request->took_from->proc->rank && tag == request->took_tag)
        return;
    d->proc[src]->assumed = true;
    if (!ork_queues_allow_overlap(th->proc))
        return;
    post_again(d, c, request, th->proc->rank);
    struct op *r = recv_again(d, th, c, request, src, tag);
    if (r == NULL)
        return;
    struct queue *q = r->q;
    r->observed = true;
    struct queue *any_any = q->any_any;
    any_any->refs++;
    ork_link_recv(r);
    ork_op_mark_unconfirmed(r);
    ork_resolve_exact(d, q);
    ork_resolve_ambiguous(d, any_any);
    any_any->refs--;
}

void ork_match_uncancel(struct ork_detector *d, struct op *r)
{
    r->cancelling = false;
    ork_resolve_ambiguous(d, ork_queue_any_any(r->q));
}

struct op *ork_match_latest_send(const struct ork_detector *d, const struct comm *c, uint32_t src,
                                 uint32_t dst, int32_t tag)
{
    const struct queue *q = ork_queue_find(d, c->id, (int32_t)src, dst, tag);

    return q != NULL ? q->sends.tail : NULL;
}

void ork_match_withdraw(struct ork_detector *d, struct op *op)
{
    struct queue *q = op->queued ? op->q : NULL;

    if (q == NULL && op->is_send) { /* a matched probe has its message, and frees it */
        ork_op_confirm(op);
        ork_match_detach(op);
        return;
    }
    if (q != NULL && op->is_send)
        ork_unlink_send(op);
    else if (q != NULL)
        ork_unlink_recv(op);
    ork_match_free(d, op);
    if (q != NULL && q->exact_only)
        ork_queue_free_if_idle(d, q);
    else if (q != NULL)
        ork_resolve_ambiguous(d, ork_queue_any_any(q));
}

void ork_match_cancel(struct op *op)
{
    if (op->is_send || ork_queues_allow_overlap(op->thread->proc))
        op->cancelling = true;
}

void ork_match_leave_unconfirmed(struct op *op)
{
    ork_match_detach(op);
    ork_op_mark_unconfirmed(op);
}

void ork_match_mprobe(struct ork_detector *d, struct op *r)
{
    if (!ork_queues_allow_overlap(r->thread->proc))
        return;
    r->mprobe = true;
    r->owner = OWNER_MESSAGE;
    ork_match_resolve(d, r);
    if (r->queued)
        ork_op_mark_unconfirmed(r);
}

void ork_match_release_mprobed(struct ork_detector *d, struct op *r, struct request *request)
{
    struct op *s = r->message;

    ORK_ASSERT(r->owner == OWNER_MESSAGE && !r->observed);
    r->owner = request != NULL ? OWNER_REQUEST : OWNER_THREAD;
    r->request = request;
    if (s != NULL) {
        ork_match_compare_mprobed(s, r);
        ork_op_complete(d, s);
    }
    if (!r->queued) {
        ork_match_free(d, r);
        return;
    }
    /* the match is not decided, or its message is still to come: from now on, treat it as a receive
     * that the run completed */
    ork_match_detach(r);
    r->is_freed = request != NULL;
    r->mprobe = false;
    r->observed = true;
    struct queue *q = r->q;
    q->num_observed++;
    ork_resolve_exact(d, q);
    ork_resolve_ambiguous(d, ork_queue_any_any(q));
}
