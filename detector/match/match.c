/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point matching: MPI-3.1 section 3.5 (non-overtaking, in both directions). Count first,
 * identity later: the matched sends of one (communicator, source, destination, tag) are always a
 * prefix of it, whichever receives took them. */
#include "detector/match/match.h"
#include "detector/check/issue.h"
#include "detector/check/knowledge.h"
#include "detector/match/queue.h"

#include <stdlib.h>

/* ---- lists ---- */

static void main_insert_by_seq(struct fifo *f, struct op *op)
{
    struct op *after = f->head;

    while (after != NULL && after->seq < op->seq)
        after = after->next;
    if (after == NULL) {
        main_append(f, op);
        return;
    }
    op->next = after;
    op->prev = after->prev;
    *(after->prev != NULL ? &after->prev->next : &f->head) = op;
    after->prev = op;
}

static void main_unlink(struct fifo *f, struct op *op)
{
    *(op->prev != NULL ? &op->prev->next : &f->head) = op->next;
    *(op->next != NULL ? &op->next->prev : &f->tail) = op->prev;
}

static void side_insert_by_seq(struct fifo *f, struct op *op)
{
    struct op *after = f->head;

    while (after != NULL && after->seq < op->seq)
        after = after->side_next;
    op->side_next = after;
    op->side_prev = after != NULL ? after->side_prev : f->tail;
    *(op->side_prev != NULL ? &op->side_prev->side_next : &f->head) = op;
    *(after != NULL ? &after->side_prev : &f->tail) = op;
}

static void side_append(struct fifo *f, struct op *op)
{
    op->side_next = NULL;
    op->side_prev = f->tail;
    *(f->tail != NULL ? &f->tail->side_next : &f->head) = op;
    f->tail = op;
}

static void side_unlink(struct fifo *f, struct op *op)
{
    *(op->side_prev != NULL ? &op->side_prev->side_next : &f->head) = op->side_next;
    *(op->side_next != NULL ? &op->side_next->side_prev : &f->tail) = op->side_prev;
}

static struct queue *dest_of(struct queue *q)
{
    return q->dest != NULL ? q->dest : q;
}

static void contest(struct queue *q)
{
    if (q->is_contested)
        return;
    struct queue *dest = dest_of(q);
    q->is_contested = true;
    q->contested_prev = NULL;
    q->contested_next = dest->contested;
    if (dest->contested != NULL)
        dest->contested->contested_prev = q;
    dest->contested = q;
}

static void settle_contest(struct queue *q)
{
    if (!q->is_contested)
        return;
    struct queue *dest = dest_of(q);
    q->is_contested = false;
    *(q->contested_prev != NULL ? &q->contested_prev->contested_next : &dest->contested) =
        q->contested_next;
    if (q->contested_next != NULL)
        q->contested_next->contested_prev = q->contested_prev;
}

/* An observed receive took its message although earlier wildcard receives of this destination are
 * undecided. The run had matched those before: as long as strict semantics knows no message for
 * them, what the rank did since rests on a debt. */
static void update_doubt(struct queue *dest, struct proc *p)
{
    bool doubt = dest->wild.head != NULL && dest->wild.head->seq < dest->passed;

    p->debts += doubt;
    p->debts -= dest->in_doubt;
    dest->in_doubt = doubt;
}

/* ---- linking ---- */

static void count_send(struct op *s)
{
    struct queue *q = s->q;

    q->num_sends++;
    if (!q->is_plain) {
        q->chan->num_sends++;
        q->by_tag->num_sends++;
        q->dest->num_sends++;
    }
    s->queued = true;
}

static void link_send(struct op *s)
{
    side_append(&s->q->sends, s);
    if (!s->q->is_plain)
        main_append(&s->q->chan->sends, s);
    count_send(s);
}

static void unlink_send(struct op *s)
{
    struct queue *q = s->q;

    side_unlink(&q->sends, s);
    q->num_sends--;
    s->queued = false;
    if (q->is_plain)
        return;
    main_unlink(&q->chan->sends, s);
    q->chan->num_sends--;
    q->by_tag->num_sends--;
    q->dest->num_sends--;
    if (q->num_sends == 0)
        settle_contest(q);
    if (q->chan->num_sends == 0)
        settle_contest(q->chan);
}

static void link_recv(struct op *r)
{
    main_insert_by_seq(&r->q->recvs, r);
    r->q->num_recvs++;
    r->q->num_observed += r->observed;
    if (r->q->src == ORK_ANY_SOURCE)
        side_append(&dest_of(r->q)->wild, r);
    r->queued = true;
}

static void link_new_recv(struct op *r)
{
    main_append(&r->q->recvs, r);
    r->q->num_recvs++;
    if (r->q->src == ORK_ANY_SOURCE)
        side_append(&dest_of(r->q)->wild, r);
    r->queued = true;
}

static void unlink_recv(struct op *r)
{
    main_unlink(&r->q->recvs, r);
    r->q->num_recvs--;
    r->q->num_observed -= r->observed;
    if (r->q->src == ORK_ANY_SOURCE) {
        side_unlink(&dest_of(r->q)->wild, r);
        update_doubt(dest_of(r->q), r->strand->proc);
    }
    r->queued = false;
    if (r->q->num_recvs == 0)
        settle_contest(r->q);
}

static void owe(struct op *op)
{
    op->strand->proc->debts += !op->debt;
    op->debt = true;
}

static void pay(struct op *op)
{
    if (op->debt)
        op->strand->proc->debts--;
    op->debt = false;
}

void match_free(struct ork_detector *d, struct op *op)
{
    pay(op);
    pool_put(&d->matching.ops, op);
}

static void complete(struct ork_detector *d, struct op *op)
{
    op_tell_owner(op);
    match_free(d, op);
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

/* A receive with a wildcard took that message. */
static void note_taken(const struct op *send, const struct op *receive)
{
    struct proc *p = receive->strand->proc;

    p->taken[p->num_taken++ % PROC_TAKEN] = (struct ork_taken){.receive = {.rank = p->rank,
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

static void match(struct ork_detector *d, struct op *s, struct op *r, bool certain)
{
    struct proc *receiver = r->strand->proc;

    if (certain && is_too_ready(s, r->strand, r->seq))
        issue_rsend(d, s);
    unlink_send(s);
    if (r->queued)
        unlink_recv(r);
    d->counts.messages++;
    /* its message may not have been sent before that, because the sender went on after it only */
    if (r->overtaken != 0 && s->released > r->overtaken)
        receiver->qualified = true;
    knowledge_received(receiver, s);
    r->strand->released = s->strand->released = d->seq;
    overtake(d, s, r);
    if (r->peer == ORK_ANY_SOURCE || r->tag == ORK_ANY_TAG)
        note_taken(s, r);
    if (r->extract) {
        r->mate = s;
        pay(r);
        if (r->overtaken_probe) { /* which message it has is not known: no sender waits for it */
            r->mate = NULL;
            complete(d, s);
        }
        return;
    }
    if (r->owner == OWNER_REQUEST)
        remember(r->request, s, r->seq);
    complete(d, s);
    complete(d, r);
}

/* ---- matching at once: most calls find what they match, and need no operation of their own ----
 */

/* Nothing but what stands in `q` itself matters for it. */
static bool is_undisputed(const struct queue *q)
{
    return q->is_plain || (q->dest->wild.head == NULL && q->chan->num_recvs == 0);
}

struct op *match_sender(const struct spot *spot)
{
    const struct queue *q = spot->q;

    return q != NULL && q->num_sends > 0 && q->num_recvs == 0 && is_undisputed(q) ? q->sends.head
                                                                                  : NULL;
}

struct op *match_receiver(const struct spot *spot)
{
    const struct queue *q = spot->q;
    struct op *r = q != NULL && q->num_sends == 0 ? q->recvs.head : NULL;

    if (r == NULL || q->is_plain)
        return r;
    return q->num_observed == 0 && !r->cancelling && !r->extract && is_undisputed(q) ? r : NULL;
}

void match_receive(struct strand *st, struct op *s, struct request *request)
{
    struct ork_detector *d = st->proc->d;
    struct queue *q = s->q;
    uint64_t seq = ++d->seq;

    if (is_too_ready(s, st, seq))
        issue_rsend(d, s);
    unlink_send(s);
    d->counts.messages++;
    knowledge_received(st->proc, s);
    st->released = s->strand->released = d->seq;
    if (request != NULL)
        remember(request, s, seq);
    complete(d, s);
    queue_settle(d, q);
}

void match_send(struct strand *st, struct op *r, const struct ork_record *rec)
{
    struct ork_detector *d = st->proc->d;
    struct queue *q = r->q;
    const struct op s = {.strand = st,
                         .seq = ++d->seq,
                         .comm = r->comm,
                         .tag = rec->tag,
                         .mode = (uint8_t)rec->mode};

    unlink_recv(r);
    d->counts.messages++;
    knowledge_received(r->strand->proc, &s);
    st->released = r->strand->released = d->seq;
    if (r->owner == OWNER_REQUEST)
        remember(r->request, &s, r->seq);
    complete(d, r);
    queue_settle(d, q);
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
static void match_observed(struct ork_detector *d, struct queue *q)
{
    struct op *r = q->recvs.head;

    while (r->cancelling || r->extract) {
        r->overtaken_probe |= r->extract;
        r = r->next;
    }
    struct queue *passed[] = {q, q->chan, q->dest};
    for (unsigned i = 0; i < 3; i++)
        passed[i]->passed = passed[i]->passed > r->seq ? passed[i]->passed : r->seq;
    update_doubt(q->dest, r->strand->proc);
    match(d, q->sends.head, r, !r->debt && earlier_rivals(q, r, 1) == 0);
}

/* Match what is certain in one exact queue, in the order of posting; an observed receive takes its
 * message also while earlier ones are undecided. Invariant: what remains is undecided (contested)
 * or has no partner. */
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
        op_tell_owner(s);
        match_detach(s);
        pay(s);
        knowledge_until_now(s->strand->proc);
        s->strand->released = s->strand->proc->d->seq;
    }
}

static void resolve_exact(struct ork_detector *d, struct queue *q)
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
            match_observed(d, q);
        } else {
            let_senders_go(q);
            contest(q);
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
            contest(chan);
            return;
        }
        match(d, s, a, true);
    }
}

/* Something undecided at this destination was settled: try all that wait for it, until nothing
 * changes. */
static void resolve_contested(struct ork_detector *d, struct queue *dest)
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
                resolve_exact(d, q);
            q = next;
        }
    } while (d->counts.messages != before && dest->contested != NULL);
}

void match_resolve(struct ork_detector *d, struct op *op)
{
    struct queue *q = op->q;

    if (q->is_plain) {
        resolve_exact(d, q);
        queue_settle(d, q);
    } else if (op->is_send) {
        struct queue *chan = q->chan;
        uint64_t before;
        do { /* what one of them takes may be what the other waited for */
            before = d->counts.messages;
            resolve_channel(d, chan);
            resolve_exact(d, q);
        } while (d->counts.messages != before && chan->num_sends > 0);
    } else if (q->src != ORK_ANY_SOURCE) {
        if (q->tag == ORK_ANY_TAG)
            resolve_channel(d, q);
        else
            resolve_exact(d, q);
    }
}

/* ---- posting ---- */

/* When the strand last learnt of others. What a thread learns from its process's other threads is
 * not known. */
static uint64_t when_released(const struct strand *st)
{
    const struct proc *p = st->proc;

    if (p->several)
        return UINT64_MAX;
    return st->released > p->incoming ? st->released : p->incoming;
}

/* NULL: out of memory. */
static struct op *op_new(struct strand *st, uint32_t comm, const struct ork_record *rec)
{
    struct ork_detector *d = st->proc->d;
    struct op *op = pool_take(d, &d->matching.ops);

    if (op != NULL)
        *op = (struct op){.strand = st,
                          .quiet = st->proc->quiet,
                          .seq = ++d->seq,
                          .bytes = rec->bytes,
                          .comm = comm,
                          .site = rec->site,
                          .call = rec->call};
    return op;
}

bool match_look(struct ork_detector *d, const struct comm *c, uint32_t src, uint32_t dst,
                int32_t tag, struct spot *spot)
{
    if (!queues_reserve(d))
        return false;
    queue_look(d, c->id, (int32_t)src, dst, tag, spot);
    return true;
}

struct op *match_post_send(struct strand *st, struct spot *spot, const struct ork_record *rec)
{
    struct queue *q = queue_at(st->proc->d, spot);
    struct op *op = q == NULL ? NULL : op_new(st, spot->comm, rec);

    if (op == NULL)
        return NULL;
    op->is_send = true;
    op->incoming = rec->mode == ORK_SEND_READY ? knowledge_at_send(st->proc) : 0;
    op->released = when_released(st);
    op->mode = (uint8_t)rec->mode;
    op->peer = rec->peer;
    op->tag = spot->tag;
    op->q = q;
    link_send(op);
    return op;
}

static struct op *post_recv(struct strand *st, struct queue *q, int32_t tag,
                            const struct ork_record *rec)
{
    struct op *op = q == NULL ? NULL : op_new(st, q->comm, rec);

    if (op == NULL)
        return NULL;
    op->peer = rec->kind == ORK_KIND_SENDRECV ? rec->peer2 : rec->peer;
    op->tag = tag;
    op->q = q;
    link_new_recv(op);
    return op;
}

struct op *match_post_recv(struct strand *st, struct spot *spot, const struct ork_record *rec)
{
    return post_recv(st, queue_at(st->proc->d, spot), spot->tag, rec);
}

struct op *match_post_any(struct strand *st, const struct comm *c, int32_t src, int32_t tag,
                          const struct ork_record *rec)
{
    struct ork_detector *d = st->proc->d;

    return queues_reserve(d) && queues_widen(st->proc)
               ? post_recv(st, queue_above(d, c->id, src, st->proc->rank, tag), tag, rec)
               : NULL;
}

static void observe_plain(struct op *r)
{
    r->observed = true;
    r->q->num_observed++;
    owe(r); /* until its message is there */
}

void match_observe(struct ork_detector *d, struct op *r, int32_t src, int32_t tag)
{
    if (!r->queued || r->observed)
        return;
    struct queue *old = r->q;
    if (old->is_plain) { /* nothing was in doubt */
        observe_plain(r);
        return;
    }
    uint32_t comm = old->comm;
    uint32_t dst = old->dst;
    old->refs++; /* not swept away below */
    unlink_recv(r);
    if (!queues_reserve(d)) {
        old->refs--;
        return;
    }
    struct queue *q = queue_get(d, comm, src, dst, tag);
    old->refs--;
    if (q == NULL || d->failed)
        return;
    r->q = q;
    r->observed = true;
    r->cancelling = false;
    struct queue *dest = q->dest;
    dest->refs++;
    link_recv(r);
    owe(r); /* until its message is there */
    if (q->num_sends == 0 && r->seq < q->passed) {
        /* a later posted receive has the message that was for this one: it is that one which lacks
         * a message, and this one's call is over */
        op_tell_owner(r);
        match_detach(r);
    }
    resolve_exact(d, q);
    resolve_contested(d, dest);
    dest->refs--;
}

void match_confirm(struct ork_detector *d, struct op *r)
{
    struct queue *q = r->q;

    if (!r->queued || r->observed || r->cancelling || q->src == ORK_ANY_SOURCE ||
        q->tag == ORK_ANY_TAG)
        return;
    r->observed = true;
    q->num_observed++;
    if (q->is_plain)
        return;
    struct queue *dest = q->dest;
    dest->refs++;
    resolve_exact(d, q);
    resolve_contested(d, dest);
    dest->refs--;
}

/* The message again, of which nobody waits for anything, in its old place. */
static void post_again(struct ork_detector *d, const struct comm *c, const struct request *request,
                       uint32_t dst)
{
    struct strand *from = request->took_from;
    struct queue *q = queues_reserve(d)
                          ? queue_get(d, c->id, (int32_t)from->proc->rank, dst, request->took_tag)
                          : NULL;
    struct op *s = q == NULL ? NULL : op_new(from, c->id, &request->call);

    if (s == NULL)
        return;
    s->is_send = true;
    s->cancelling = true; /* it is not lost if nobody receives it */
    s->seq = request->took_seq;
    s->tag = request->took_tag;
    s->q = q;
    side_insert_by_seq(&q->sends, s);
    main_insert_by_seq(&q->chan->sends, s);
    count_send(s);
    owe(s);
}

/* The receive of a request that was matched, as one of (src, tag), in its old place but not linked.
 */
static struct op *recv_again(struct ork_detector *d, struct strand *st, const struct comm *c,
                             const struct request *request, int32_t src, int32_t tag)
{
    bool any = tag == ORK_ANY_TAG;
    struct queue *q = !queues_reserve(d) ? NULL
                      : any              ? queue_above(d, c->id, src, st->proc->rank, tag)
                                         : queue_get(d, c->id, src, st->proc->rank, tag);
    struct op *r = q == NULL ? NULL : op_new(st, c->id, &request->call);

    if (r == NULL)
        return NULL;
    r->peer = request->call.peer;
    r->tag = request->call.tag;
    r->seq = request->recv_seq;
    r->q = q;
    return r;
}

void match_reopen(struct ork_detector *d, struct strand *st, const struct comm *c,
                  struct request *request)
{
    int32_t src = (int32_t)request->took_from->proc->rank;

    if (!queues_widen(st->proc))
        return;
    post_again(d, c, request, st->proc->rank);
    struct op *r = recv_again(d, st, c, request, src, request->call.tag);
    if (r == NULL)
        return;
    r->cancelling = true;
    r->owner = OWNER_REQUEST;
    r->request = request;
    request->op = r;
    link_recv(r);
    match_resolve(d, r);
}

void match_correct(struct ork_detector *d, struct strand *st, const struct comm *c,
                   struct request *request, int32_t src, int32_t tag)
{
    request->assumed = false;
    if ((uint32_t)src == request->took_from->proc->rank && tag == request->took_tag)
        return;
    d->proc[src]->assumed = true;
    if (!queues_widen(st->proc))
        return;
    post_again(d, c, request, st->proc->rank);
    struct op *r = recv_again(d, st, c, request, src, tag);
    if (r == NULL)
        return;
    struct queue *q = r->q;
    r->observed = true;
    struct queue *dest = q->dest;
    dest->refs++;
    link_recv(r);
    owe(r);
    resolve_exact(d, q);
    resolve_contested(d, dest);
    dest->refs--;
}

void match_uncancel(struct ork_detector *d, struct op *r)
{
    r->cancelling = false;
    resolve_contested(d, dest_of(r->q));
}

void match_withdraw(struct ork_detector *d, struct op *op)
{
    struct queue *q = op->queued ? op->q : NULL;

    if (q != NULL && op->is_send)
        unlink_send(op);
    else if (q != NULL)
        unlink_recv(op);
    match_free(d, op);
    if (q != NULL && q->is_plain)
        queue_settle(d, q);
    else if (q != NULL)
        resolve_contested(d, dest_of(q));
}

void match_cancel(struct op *op)
{
    if (op->is_send || queues_widen(op->strand->proc))
        op->cancelling = true;
}

void match_detach(struct op *op)
{
    op->owner = OWNER_NONE;
    op->request = NULL;
}

void match_owe(struct op *op)
{
    match_detach(op);
    owe(op);
}

void match_extract(struct ork_detector *d, struct op *r)
{
    if (!queues_widen(r->strand->proc))
        return;
    r->extract = true;
    r->owner = OWNER_MESSAGE;
    match_resolve(d, r);
    if (r->queued)
        owe(r);
}

void match_release_extracted(struct ork_detector *d, struct op *r)
{
    struct op *s = r->mate;

    if (s != NULL)
        complete(d, s);
    if (!r->queued) {
        match_free(d, r);
        return;
    }
    /* which message it was is not decided, or it is still to come: from here on a receive that the
     * run completed */
    match_detach(r);
    r->extract = false;
    r->observed = true;
    struct queue *q = r->q;
    q->num_observed++;
    resolve_exact(d, q);
    resolve_contested(d, dest_of(q));
}

/* ---- what is possible ---- */

bool match_is_possible(const struct op *op)
{
    const struct queue *q = op->q;

    if (!op->queued) /* taken by a matched probe, not yet received */
        return false;
    if (q->is_plain)
        return (op->is_send ? q->num_recvs : q->num_sends) > 0;
    if (op->is_send)
        return q->num_recvs > 0 || q->chan->num_recvs > 0 || q->by_tag->num_recvs > 0 ||
               q->dest->num_recvs > 0;
    if (op->peer == ORK_ANY_SOURCE && op->observed) /* what it was before the run told */
        return (op->tag == ORK_ANY_TAG ? q->dest : q->by_tag)->num_sends > 0;
    return (op->observed && op->tag == ORK_ANY_TAG ? q->chan : q)->num_sends > 0;
}

/* Receives of the same thread, posted before `op`, that can only have messages of its pattern. */
static uint32_t count_before(const struct op *op, const struct queue *of, uint32_t most)
{
    uint32_t n = 0;

    if (of == NULL || of->num_sends != op->q->num_sends)
        return 0;
    for (const struct op *w = of->recvs.head; w != NULL && w->seq < op->seq && n < most;
         w = w->next)
        n += w->strand == op->strand && !w->cancelling && !w->extract;
    return n;
}

bool match_is_forestalled(const struct op *op, bool *by_any)
{
    const struct queue *q = op->q;
    uint32_t n = q->num_sends;

    if (op->is_send || !op->queued || q->is_plain || op->observed || op->extract || n == 0)
        return false;
    uint32_t own = count_before(op, q, n);
    uint32_t chan = count_before(op, q->chan, n);
    uint32_t any = count_before(op, q->by_tag, n) + count_before(op, q->dest, n);
    *by_any = any > 0;
    return own + chan + any >= n;
}

enum presence match_probe(struct ork_detector *d, const struct comm *c, uint32_t dst, int32_t src,
                          int32_t tag)
{
    bool any = src == ORK_ANY_SOURCE || tag == ORK_ANY_TAG;
    const struct queue *q =
        any && !queues_widen(d->proc[dst]) ? NULL : queue_find(d, c->id, src, dst, tag);

    if (q == NULL || q->num_sends == 0)
        return PRESENCE_NONE;
    if (q->is_plain)
        return q->num_sends > q->num_recvs ? PRESENCE_SURE : PRESENCE_MAYBE;
    if (src == ORK_ANY_SOURCE)
        return PRESENCE_MAYBE;
    const struct queue *dest = q->dest;
    const struct queue *chan = tag == ORK_ANY_TAG ? q : q->chan;
    uint32_t rivals = 0;
    for (const struct op *w = dest->wild.head; w != NULL && rivals < q->num_sends; w = w->side_next)
        rivals += tag == ORK_ANY_TAG || w->q->tag == ORK_ANY_TAG || w->q->tag == tag;
    rivals += chan->num_recvs + (tag == ORK_ANY_TAG ? 0 : q->num_recvs);
    return q->num_sends > rivals ? PRESENCE_SURE : PRESENCE_MAYBE;
}
