/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point matching: MPI-3.1 section 3.5 (non-overtaking, in both directions). The number of
 * matches is determined first, their identity later: the matched sends of one (communicator,
 * source, destination, tag) are always its first ones, whichever receives took them. */
#include "detector/check/issue.h"
#include "detector/check/happens_before.h"
#include "detector/check/matching_types.h"
#include "detector/check/pattern_users.h"
#include "detector/match/resolve.h"

void ork_op_mark_unconfirmed(struct op *op)
{
    op->thread->proc->num_unconfirmed += !op->unconfirmed;
    op->unconfirmed = true;
}

void ork_op_confirm(struct op *op)
{
    if (!op->unconfirmed)
        return;
    ORK_ASSERT(op->thread->proc->num_unconfirmed > 0);
    op->thread->proc->num_unconfirmed--;
    op->unconfirmed = false;
}

void ork_match_free(struct ork_detector *d, struct op *op)
{
    ORK_ASSERT(!op->queued);
    ork_op_confirm(op);
    ork_pool_put(&d->matching.ops, op);
}

void ork_op_complete(struct ork_detector *d, struct op *op)
{
    ork_op_notify_owner(op);
    ork_match_free(d, op);
}

void ork_match_detach(struct op *op)
{
    op->owner = OWNER_NONE;
    op->request = NULL;
}

static void remember(struct request *request, const struct op *s, uint64_t recv_seq)
{
    request->took_from = s->thread;
    request->took_seq = s->seq;
    request->took_tag = s->tag;
    request->recv_seq = recv_seq;
}

/* `r` takes a message that earlier undecided wildcard receives could also have taken. In a strict
 * execution these already have their messages. */
static void overtake(struct ork_detector *d, const struct op *s, const struct op *r)
{
    struct queue *any_source = s->q->any_source;
    struct op *w = s->q->exact_only ? NULL : s->q->any_any->wild.tail;

    if (w == NULL || r->seq <= any_source->overtaken_by)
        return;
    for (; w != NULL && w->seq > any_source->overtaken_by; w = w->side_prev) {
        if (w->seq < r->seq && w->overtaken == 0 && (w->q->tag == ORK_ANY_TAG || w->tag == s->tag))
            w->overtaken = d->seq;
    }
    any_source->overtaken_by = r->seq;
}

/* Is `s` a ready send without a guarantee that its receive, posted by `th` at `seq`, came first?
 * The order of events is known within a thread, but not between two threads of one process. */
static bool is_unordered_ready(const struct op *s, const struct mpi_thread *th, uint64_t seq)
{
    if (s->mode != ORK_SEND_READY)
        return false;
    if (s->thread->proc == th->proc)
        return s->thread == th && seq > s->seq;
    return seq > s->seen_up_to;
}

struct ork_taken ork_match_taken(const struct op *send, const struct op *receive)
{
    return (struct ork_taken){.receive = {.rank = receive->thread->proc->rank,
                                          .index = UINT32_MAX,
                                          .call = receive->call,
                                          .kind = ORK_KIND_RECV,
                                          .site = receive->site,
                                          .comm = receive->comm,
                                          .peer = receive->peer,
                                          .tag = receive->tag},
                              .source = send->thread->proc->rank,
                              .tag = send->tag};
}

/* That message was received. */
static void note_sent(const struct op *send)
{
    if (send->seq > send->thread->sent)
        send->thread->sent = send->seq;
}

/* A wildcard receive took that message. */
static void note_taken(const struct op *send, const struct op *receive)
{
    struct proc *p = receive->thread->proc;

    p->taken[p->num_taken++ % PROC_TAKEN] = ork_match_taken(send, receive);
}

/* Does each of the two processes send or receive such messages in one thread? */
static bool is_of_one_thread(const struct op *s, const struct mpi_thread *receiver, uint32_t comm)
{
    const struct proc *from = s->thread->proc, *to = receiver->proc;

    return (!from->several && !to->several) ||
           ork_pattern_has_one_user(from->d, comm, from->rank, to->rank, s->tag);
}

/* Are the next message of `q` and `r` certainly a pair, if each process has one thread? Not if an
 * earlier receive may take it, or if the match is assumed. */
static bool is_certain(const struct queue *q, const struct op *r)
{
    return !r->thread->proc->assumed &&
           (q->exact_only || (r->overtaken == 0 && ork_match_earlier_rivals(q, r, 1) == 0));
}

/* The same for any number of threads; the message is that of `s`. */
static bool is_pair(const struct queue *q, const struct op *s, const struct op *r)
{
    return is_certain(q, r) && is_of_one_thread(s, r->thread, r->comm);
}

static bool do_agree(const struct op *s, const struct op *r)
{
    struct amount sent = {s->bytes, s->type};
    struct amount room = {r->bytes, r->type};

    return __builtin_expect(amounts_agree(sent, room), 1);
}

/* The next message of `q`, which is `s`, and `r` match. */
static void compare_types(const struct queue *q, const struct op *s, const struct op *r)
{
    bool agree = do_agree(s, r);

    if (agree && !r->truncated && (s->thread->proc->several || r->thread->proc->several))
        return;
    if (!is_pair(q, s, r)) {
        if (!r->truncated || !ork_match_report_longer(r))
            s->thread->proc->d->issues.pairs_left_out = true;
    } else if (!agree) {
        ork_types_report(s->thread->proc->d, s, r);
    }
}

void ork_match_compare_mprobed(const struct op *s, const struct op *r)
{
    if (do_agree(s, r))
        return;
    if (r->is_uncertain || !is_of_one_thread(s, r->thread, s->comm))
        s->thread->proc->d->issues.pairs_left_out = true;
    else
        ork_types_report(s->thread->proc->d, s, r);
}

static void match(struct ork_detector *d, struct op *s, struct op *r, bool certain)
{
    struct proc *receiver = r->thread->proc;

    ORK_ASSERT(s->q->dst == receiver->rank);
    if (certain && is_unordered_ready(s, r->thread, r->seq) &&
        is_of_one_thread(s, r->thread, r->comm))
        ork_issue_rsend(d, s);
    if (r->mprobe) /* several threads: looked at when the message is received */
        r->is_uncertain = !is_certain(s->q, r);
    else
        compare_types(s->q, s, r);
    ork_unlink_send(s);
    if (r->queued)
        ork_unlink_recv(r);
    d->counts.messages++;
    /* the message may have been sent only later, because its sender depended on that match */
    if (r->overtaken != 0 && s->released > r->overtaken)
        receiver->depends_on_buffering = true;
    ork_seen_by_receive(receiver, s);
    r->thread->released = s->thread->released = d->seq;
    note_sent(s);
    overtake(d, s, r);
    if (r->peer == ORK_ANY_SOURCE || r->tag == ORK_ANY_TAG)
        note_taken(s, r);
    if (r->mprobe) {
        r->message = s;
        ork_op_confirm(r);
        if (r->overtaken_probe) { /* its message is unknown, so no sender waits for it */
            r->message = NULL;
            ork_op_complete(d, s);
        }
        return;
    }
    if (r->owner == OWNER_REQUEST)
        remember(r->request, s, r->seq);
    ork_op_complete(d, s);
    ork_op_complete(d, r);
}

/* ---- matching at once: most calls find their match, and need no operation ---- */

/* Do only the operations in `q` itself affect its matches? */
static bool is_undisputed(const struct queue *q)
{
    return q->exact_only || (q->any_any->wild.head == NULL && q->channel->num_recvs == 0);
}

struct op *ork_match_sender(const struct queue_ref *queue_ref)
{
    const struct queue *q = queue_ref->q;

    return q != NULL && q->num_sends > 0 && q->num_recvs == 0 && is_undisputed(q) ? q->sends.head
                                                                                  : NULL;
}

struct op *ork_match_receiver(const struct queue_ref *queue_ref)
{
    const struct queue *q = queue_ref->q;
    struct op *r = q != NULL && q->num_sends == 0 ? q->recvs.head : NULL;

    if (r == NULL || q->exact_only)
        return r;
    return q->num_observed == 0 && !r->cancelling && !r->mprobe && is_undisputed(q) ? r : NULL;
}

/* RATIONALE: an operation is made only for what is wrong. */
static void compare_with_receive(const struct op *s, struct mpi_thread *th, struct request *request,
                                 const struct ork_record *rec)
{
    struct amount sent = {s->bytes, s->type};
    struct amount room = amount_received(rec);

    if (__builtin_expect(amounts_agree(sent, room), 1))
        return;
    bool both = rec->kind == ORK_KIND_SENDRECV;
    const struct op r = {.thread = th,
                         .bytes = room.bytes,
                         .type = room.type,
                         .call_number = th->num_calls,
                         .owner = request != NULL ? OWNER_REQUEST : OWNER_THREAD,
                         .request = request,
                         .comm = s->comm,
                         .site = rec->site,
                         .peer = both ? rec->peer2 : rec->peer,
                         .tag = s->tag,
                         .call = rec->call};
    compare_types(s->q, s, &r);
}

static void compare_with_send(const struct op *r, struct mpi_thread *th,
                              const struct ork_record *rec)
{
    struct amount sent = amount_sent(rec);
    struct amount room = {r->bytes, r->type};

    if (__builtin_expect(amounts_agree(sent, room), 1))
        return;
    const struct op s = {.thread = th,
                         .bytes = sent.bytes,
                         .type = sent.type,
                         .comm = r->comm,
                         .site = rec->site,
                         .peer = rec->peer,
                         .tag = rec->tag,
                         .call = rec->call,
                         .mode = (uint8_t)rec->mode,
                         .is_send = true};
    compare_types(r->q, &s, r);
}

void ork_match_receive(struct mpi_thread *th, struct op *s, struct request *request,
                       const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;
    struct queue *q = s->q;
    uint64_t seq = ++d->seq;

    ORK_ASSERT(q->num_recvs == 0); /* otherwise one of them would have taken it */
    if (is_unordered_ready(s, th, seq) && is_of_one_thread(s, th, s->comm))
        ork_issue_rsend(d, s);
    compare_with_receive(s, th, request, rec);
    ork_unlink_send(s);
    d->counts.messages++;
    ork_seen_by_receive(th->proc, s);
    th->released = s->thread->released = d->seq;
    note_sent(s);
    if (request != NULL)
        remember(request, s, seq);
    ork_op_complete(d, s);
    ork_queue_free_if_idle(d, q);
}

void ork_match_send(struct mpi_thread *th, struct op *r, const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;
    struct queue *q = r->q;
    const struct op s = {.thread = th,
                         .seq = ++d->seq,
                         .comm = r->comm,
                         .tag = rec->tag,
                         .mode = (uint8_t)rec->mode};

    ORK_ASSERT(q->num_sends == 0);
    compare_with_send(r, th, rec);
    ork_unlink_recv(r);
    d->counts.messages++;
    ork_seen_by_receive(r->thread->proc, &s);
    th->released = r->thread->released = d->seq;
    note_sent(&s);
    if (r->owner == OWNER_REQUEST)
        remember(r->request, &s, r->seq);
    ork_op_complete(d, r);
    ork_queue_free_if_idle(d, q);
}

/* ---- resolving ---- */

/* The queue has an observed receive: the receives posted before it in this queue also have their
 * messages, as MPI does not let it overtake them. With several threads, it may be that none was
 * posted before it. */
static void take_observed(struct ork_detector *d, struct queue *q)
{
    bool is_order_known = !d->proc[q->dst]->several;
    struct op *r = q->recvs.head;

    while (r->cancelling || r->mprobe || (!is_order_known && !r->observed)) {
        r->overtaken_probe |= r->mprobe;
        r = r->next;
        ORK_ASSERT(r != NULL); /* an observed receive is neither */
    }
    struct queue *passed[] = {q, q->channel, q->any_source, q->any_any};
    for (unsigned i = 0; is_order_known && i < 4; i++)
        passed[i]->passed = passed[i]->passed > r->seq ? passed[i]->passed : r->seq;
    ork_queue_update_doubt(q->any_source, r->thread->proc);
    ork_queue_update_doubt(q->any_any, r->thread->proc);
    match(d, q->sends.head, r, !r->unconfirmed && ork_match_earlier_rivals(q, r, 1) == 0);
}

/* May a matched probe take a message before a posted receive? It may if another thread makes it, as
 * that thread may have started earlier. */
static bool may_be_probed_first(const struct proc *receiver)
{
    return receiver->several && receiver->num_in_probe > 0;
}

/* Release senders whose receives are not yet decided. If an exact queue has as many receives of its
 * own as messages, each message is taken (MPI-3.1 section 3.5: of a send and a receive that match,
 * at least one completes). */
static void release_senders(struct queue *q)
{
    struct op *s = q->sends.head;

    if (s != NULL && may_be_probed_first(s->thread->proc->d->proc[q->dst]))
        return;
    for (const struct op *r = q->recvs.head; r != NULL; r = r->next) {
        if (r->cancelling || r->mprobe)
            return;
    }
    for (uint32_t i = 0; i < q->num_recvs && s != NULL; i++, s = s->side_next) {
        if (s->owner == OWNER_NONE)
            continue;
        ork_op_notify_owner(s);
        ork_match_detach(s);
        ork_op_confirm(s);
        ork_seen_everything(s->thread->proc);
        s->thread->released = s->thread->proc->d->seq;
    }
}

/* Make the certain matches of one exact queue, in the order of posting. An observed receive takes
 * its message even while earlier ones are undecided. Invariant: the operations that remain are
 * ambiguous or have no partner. */
void ork_resolve_exact(struct ork_detector *d, struct queue *q)
{
    while (q->num_sends > 0 && q->num_recvs > 0) {
        struct op *r = q->recvs.head;
        if (q->exact_only) {
            match(d, q->sends.head, r, !(r->observed && r->unconfirmed));
            continue;
        }
        /* a matched probe needs to know its message, not only the number of messages */
        uint32_t messages = r->mprobe ? 1 : q->num_sends;
        uint32_t rivals = r->observed ? 0 : ork_match_earlier_rivals(q, r, messages);
        if (!r->observed && !r->cancelling && messages > rivals) {
            /* earlier receives with MPI_ANY_TAG may have the messages before its own */
            if (rivals > 0 && q->channel->passed < r->seq && !r->thread->proc->several)
                q->channel->passed = r->seq;
            match(d, q->sends.head, r, rivals == 0);
        } else if (q->num_observed > 0) {
            take_observed(d, q);
        } else {
            release_senders(q);
            ork_queue_mark_ambiguous(q);
            return;
        }
    }
}

/* The same for receives with MPI_ANY_TAG from one source. A match is certain only if no undecided
 * wildcard receive and no receive with the message's own tag came before. If a later receive has
 * already taken a message, this one took an earlier message; only the run can show which. The order
 * in which two threads send or receive is not that of their records: then the run shows it, too. */
static void resolve_channel(struct ork_detector *d, struct queue *channel)
{
    bool is_order_known = !d->proc[channel->src]->several && !d->proc[channel->dst]->several;

    while (channel->num_sends > 0 && channel->num_recvs > 0) {
        struct op *a = channel->recvs.head;
        struct op *s = channel->sends.head;
        struct op *w = channel->any_any->wild.head;
        struct op *r = s->q->recvs.head;
        if (!is_order_known || a->cancelling || a->seq < channel->passed ||
            (w != NULL && w->seq < a->seq) || (r != NULL && r->seq < a->seq)) {
            ork_queue_mark_ambiguous(channel);
            return;
        }
        match(d, s, a, true);
    }
}

/* A match at this destination was decided: retry all ambiguous queues until nothing changes. */
void ork_resolve_ambiguous(struct ork_detector *d, struct queue *any_any)
{
    uint64_t before;

    do {
        struct queue *q = any_any->ambiguous;
        before = d->counts.messages;
        any_any->ambiguous = NULL;
        for (struct queue *i = q; i != NULL; i = i->ambiguous_next)
            i->is_ambiguous = false;
        while (q != NULL) {
            struct queue *next = q->ambiguous_next; /* valid: only q becomes ambiguous again */
            if (q->tag == ORK_ANY_TAG)
                resolve_channel(d, q);
            else
                ork_resolve_exact(d, q);
            q = next;
        }
    } while (d->counts.messages != before && any_any->ambiguous != NULL);
}

void ork_match_resolve(struct ork_detector *d, struct op *op)
{
    struct queue *q = op->q;

    if (q->exact_only) {
        ork_resolve_exact(d, q);
        ork_queue_free_if_idle(d, q);
    } else if (op->is_send) {
        struct queue *channel = q->channel;
        uint64_t before;
        do { /* a match of one of them may enable a match of the other */
            before = d->counts.messages;
            resolve_channel(d, channel);
            ork_resolve_exact(d, q);
        } while (d->counts.messages != before && channel->num_sends > 0);
    } else if (q->src != ORK_ANY_SOURCE) {
        if (q->tag == ORK_ANY_TAG)
            resolve_channel(d, q);
        else
            ork_resolve_exact(d, q);
    }
}
