/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point matching: MPI-3.1 section 3.5 (non-overtaking, in both directions). Count first,
 * identity later: the matched sends of one (communicator, source, destination, tag) are always a
 * prefix of it, whichever receives took them. */
#include "detector/check/issue.h"
#include "detector/check/knowledge.h"
#include "detector/match/resolve.h"

void ork_op_owe(struct op *op)
{
    op->strand->proc->debts += !op->debt;
    op->debt = true;
}

void ork_op_pay(struct op *op)
{
    if (op->debt)
        op->strand->proc->debts--;
    op->debt = false;
}

void ork_match_free(struct ork_detector *d, struct op *op)
{
    ork_op_pay(op);
    ork_pool_put(&d->matching.ops, op);
}

void ork_op_complete(struct ork_detector *d, struct op *op)
{
    ork_op_tell_owner(op);
    ork_match_free(d, op);
}

void ork_match_detach(struct op *op)
{
    op->owner = OWNER_NONE;
    op->request = NULL;
}

static void remember(struct request *request, const struct op *s, uint64_t recv_seq)
{
    request->took_from = s->strand;
    request->took_seq = s->seq;
    request->took_tag = s->tag;
    request->recv_seq = recv_seq;
}

/* `r` takes a message that undecided wildcard receives posted before it could have taken. In a
 * strict execution these had theirs by now. */
static void overtake(struct ork_detector *d, const struct op *s, const struct op *r)
{
    struct queue *by_tag = s->q->by_tag;
    struct op *w = s->q->is_plain ? NULL : s->q->dest->wild.tail;

    if (w == NULL || r->seq <= by_tag->overtaken_by)
        return;
    for (; w != NULL && w->seq > by_tag->overtaken_by; w = w->side_prev) {
        if (w->seq < r->seq && w->overtaken == 0 && (w->q->tag == ORK_ANY_TAG || w->tag == s->tag))
            w->overtaken = d->seq;
    }
    by_tag->overtaken_by = r->seq;
}

/* Is `s` a ready send that nothing keeps behind its receive, which `st` posted at `seq`? A thread
 * knows what it did before; what two threads of one process know of each other is not known here.
 */
static bool is_too_ready(const struct op *s, const struct strand *st, uint64_t seq)
{
    if (s->mode != ORK_SEND_READY)
        return false;
    if (s->strand->proc == st->proc)
        return s->strand == st && seq > s->seq;
    return seq > s->incoming;
}

struct ork_taken ork_match_taken(const struct op *send, const struct op *receive)
{
    return (struct ork_taken){.receive = {.rank = receive->strand->proc->rank,
                                          .index = UINT32_MAX,
                                          .call = receive->call,
                                          .kind = ORK_KIND_RECV,
                                          .site = receive->site,
                                          .comm = receive->comm,
                                          .peer = receive->peer,
                                          .tag = receive->tag},
                              .source = send->strand->proc->rank,
                              .tag = send->tag};
}

/* A receive with a wildcard took that message. */
static void note_taken(const struct op *send, const struct op *receive)
{
    struct proc *p = receive->strand->proc;

    p->taken[p->num_taken++ % PROC_TAKEN] = ork_match_taken(send, receive);
}

static void match(struct ork_detector *d, struct op *s, struct op *r, bool certain)
{
    struct proc *receiver = r->strand->proc;

    if (certain && is_too_ready(s, r->strand, r->seq))
        ork_issue_rsend(d, s);
    ork_unlink_send(s);
    if (r->queued)
        ork_unlink_recv(r);
    d->counts.messages++;
    /* its message may not have been sent before that, because the sender went on after it only */
    if (r->overtaken != 0 && s->released > r->overtaken)
        receiver->qualified = true;
    ork_knowledge_received(receiver, s);
    r->strand->released = s->strand->released = d->seq;
    overtake(d, s, r);
    if (r->peer == ORK_ANY_SOURCE || r->tag == ORK_ANY_TAG)
        note_taken(s, r);
    if (r->extract) {
        r->mate = s;
        ork_op_pay(r);
        if (r->overtaken_probe) { /* which message it has is not known: no sender waits for it */
            r->mate = NULL;
            ork_op_complete(d, s);
        }
        return;
    }
    if (r->owner == OWNER_REQUEST)
        remember(r->request, s, r->seq);
    ork_op_complete(d, s);
    ork_op_complete(d, r);
}

/* ---- matching at once: most calls find what they match, and need no operation ---- */

/* Nothing but what stands in `q` itself matters for it. */
static bool is_undisputed(const struct queue *q)
{
    return q->is_plain || (q->dest->wild.head == NULL && q->chan->num_recvs == 0);
}

struct op *ork_match_sender(const struct spot *spot)
{
    const struct queue *q = spot->q;

    return q != NULL && q->num_sends > 0 && q->num_recvs == 0 && is_undisputed(q) ? q->sends.head
                                                                                  : NULL;
}

struct op *ork_match_receiver(const struct spot *spot)
{
    const struct queue *q = spot->q;
    struct op *r = q != NULL && q->num_sends == 0 ? q->recvs.head : NULL;

    if (r == NULL || q->is_plain)
        return r;
    return q->num_observed == 0 && !r->cancelling && !r->extract && is_undisputed(q) ? r : NULL;
}

void ork_match_receive(struct strand *st, struct op *s, struct request *request)
{
    struct ork_detector *d = st->proc->d;
    struct queue *q = s->q;
    uint64_t seq = ++d->seq;

    if (is_too_ready(s, st, seq))
        ork_issue_rsend(d, s);
    ork_unlink_send(s);
    d->counts.messages++;
    ork_knowledge_received(st->proc, s);
    st->released = s->strand->released = d->seq;
    if (request != NULL)
        remember(request, s, seq);
    ork_op_complete(d, s);
    ork_queue_settle(d, q);
}

void ork_match_send(struct strand *st, struct op *r, const struct ork_record *rec)
{
    struct ork_detector *d = st->proc->d;
    struct queue *q = r->q;
    const struct op s = {.strand = st,
                         .seq = ++d->seq,
                         .comm = r->comm,
                         .tag = rec->tag,
                         .mode = (uint8_t)rec->mode};

    ork_unlink_recv(r);
    d->counts.messages++;
    ork_knowledge_received(r->strand->proc, &s);
    st->released = r->strand->released = d->seq;
    if (r->owner == OWNER_REQUEST)
        remember(r->request, &s, r->seq);
    ork_op_complete(d, r);
    ork_queue_settle(d, q);
}

/* ---- resolving ---- */

/* Pending receives posted before `r` that may take a message of its exact queue, counted up to
 * `most`. */
static uint32_t earlier_rivals(const struct queue *q, const struct op *r, uint32_t most)
{
    const struct queue *rival[] = {q->by_tag, q->dest, q->chan};
    uint32_t n = 0;

    for (unsigned i = 0; i < 3; i++) {
        for (const struct op *w = rival[i]->recvs.head; w != NULL && w->seq < r->seq && n < most;
             w = w->next)
            n++;
    }
    return n;
}

/* There is an observed receive: those posted before it in this queue have their messages too, for
 * the run may not let it overtake them. */
static void take_observed(struct ork_detector *d, struct queue *q)
{
    struct op *r = q->recvs.head;

    while (r->cancelling || r->extract) {
        r->overtaken_probe |= r->extract;
        r = r->next;
    }
    struct queue *passed[] = {q, q->chan, q->dest};
    for (unsigned i = 0; i < 3; i++)
        passed[i]->passed = passed[i]->passed > r->seq ? passed[i]->passed : r->seq;
    ork_queue_update_doubt(q->dest, r->strand->proc);
    match(d, q->sends.head, r, !r->debt && earlier_rivals(q, r, 1) == 0);
}

/* Whichever receives take the messages of an exact queue: if there are as many of its own as there
 * are messages, each message is taken (MPI-3.1 section 3.5: of a send and a receive that match, one
 * at least completes). */
static void let_senders_go(struct queue *q)
{
    struct op *s = q->sends.head;

    for (const struct op *r = q->recvs.head; r != NULL; r = r->next) {
        if (r->cancelling || r->extract)
            return;
    }
    for (uint32_t i = 0; i < q->num_recvs && s != NULL; i++, s = s->side_next) {
        if (s->owner == OWNER_NONE || s->strand->proc->d->proc[q->dst]->probing > 0)
            continue;
        ork_op_tell_owner(s);
        ork_match_detach(s);
        ork_op_pay(s);
        ork_knowledge_until_now(s->strand->proc);
        s->strand->released = s->strand->proc->d->seq;
    }
}

/* Match what is certain in one exact queue, in the order of posting; an observed receive takes its
 * message also while earlier ones are undecided. Invariant: what remains is undecided (contested)
 * or has no partner. */
void ork_resolve_exact(struct ork_detector *d, struct queue *q)
{
    while (q->num_sends > 0 && q->num_recvs > 0) {
        struct op *r = q->recvs.head;
        if (q->is_plain) {
            match(d, q->sends.head, r, !(r->observed && r->debt));
            continue;
        }
        /* of a matched probe it matters which message it is, not only how many there are */
        uint32_t messages = r->extract ? 1 : q->num_sends;
        uint32_t rivals = r->observed ? 0 : earlier_rivals(q, r, messages);
        if (!r->observed && !r->cancelling && messages > rivals) {
            match(d, q->sends.head, r, rivals == 0);
        } else if (q->num_observed > 0) {
            take_observed(d, q);
        } else {
            let_senders_go(q);
            ork_queue_contest(q);
            return;
        }
    }
}

/* The same for receives with MPI_ANY_TAG from one source: certain only if no undecided wildcard
 * receive and no receive of the message's own tag came before. If a later receive has taken a
 * message already, this one has one of those before; which one only the run can tell. */
static void resolve_channel(struct ork_detector *d, struct queue *chan)
{
    while (chan->num_sends > 0 && chan->num_recvs > 0) {
        struct op *a = chan->recvs.head;
        struct op *s = chan->sends.head;
        struct op *w = chan->dest->wild.head;
        struct op *r = s->q->recvs.head;
        if (a->cancelling || a->seq < chan->passed || (w != NULL && w->seq < a->seq) ||
            (r != NULL && r->seq < a->seq)) {
            ork_queue_contest(chan);
            return;
        }
        match(d, s, a, true);
    }
}

/* Something undecided at this destination was settled: try all that wait for it, until nothing
 * changes. */
void ork_resolve_contested(struct ork_detector *d, struct queue *dest)
{
    uint64_t before;

    do {
        struct queue *q = dest->contested;
        before = d->counts.messages;
        dest->contested = NULL;
        for (struct queue *i = q; i != NULL; i = i->contested_next)
            i->is_contested = false;
        while (q != NULL) {
            struct queue *next = q->contested_next; /* stays: only q itself is contested again */
            if (q->tag == ORK_ANY_TAG)
                resolve_channel(d, q);
            else
                ork_resolve_exact(d, q);
            q = next;
        }
    } while (d->counts.messages != before && dest->contested != NULL);
}

void ork_match_resolve(struct ork_detector *d, struct op *op)
{
    struct queue *q = op->q;

    if (q->is_plain) {
        ork_resolve_exact(d, q);
        ork_queue_settle(d, q);
    } else if (op->is_send) {
        struct queue *chan = q->chan;
        uint64_t before;
        do { /* what one of them takes may be what the other waited for */
            before = d->counts.messages;
            resolve_channel(d, chan);
            ork_resolve_exact(d, q);
        } while (d->counts.messages != before && chan->num_sends > 0);
    } else if (q->src != ORK_ANY_SOURCE) {
        if (q->tag == ORK_ANY_TAG)
            resolve_channel(d, q);
        else
            ork_resolve_exact(d, q);
    }
}
