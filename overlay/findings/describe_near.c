/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses: a send and a receive that are both pending and differ in one argument only. A
 * reported one must be plausible: both may wait for each other because of that argument. */
#include "overlay/findings/describe_near.h"

#include <stdlib.h>

/* RATIONALE: the comparisons grow with the square of the ranks; what a user can read does not. */
enum { RECEIVES_MAX = 2048, SENDS_MAX = 4096, MISSES_MAX = 8 };

/* In the order in which they are worth reporting. */
enum miss { MISS_NONE, MISS_TAG, MISS_COMM, MISS_DESTINATION, MISS_SOURCE };

static const char *const miss_word[] = {[MISS_NONE] = "",
                                        [MISS_TAG] = "tag",
                                        [MISS_COMM] = "communicator",
                                        [MISS_DESTINATION] = "destination",
                                        [MISS_SOURCE] = "source"};

/* A receive and a send that miss each other, with similar ones: either many senders or many
 * receivers. */
struct found {
    enum miss miss;
    const struct ork_pending *recv, *send;
    struct ork_u32s senders, receivers;
    uint32_t others; /* similar pairs with another sender and another receiver */
    bool is_certain; /* see is_past() */
};

struct search {
    struct ork_writing *w;
    const struct ork_search *s;
    struct ork_finding *f;
    const struct ork_pending *send;
    uint32_t num_sends;
    struct found found[MISSES_MAX];
    uint32_t count;
};

static enum miss compare(const struct ork_pending *recv, const struct ork_pending *send)
{
    unsigned n = 0;
    enum miss miss = MISS_NONE;

    if (recv->term.tag != ORK_ANY_TAG && recv->term.tag != send->term.tag) {
        miss = MISS_TAG;
        n++;
    }
    if (recv->term.comm != send->term.comm) {
        miss = MISS_COMM;
        n++;
    }
    if (send->partner != recv->term.rank) {
        miss = MISS_DESTINATION;
        n++;
    }
    if (recv->partner != UINT32_MAX && recv->partner != send->term.rank) {
        miss = MISS_SOURCE;
        n++;
    }
    return n == 1 ? miss : MISS_NONE;
}

const char *ork_describe_missed(const struct ork_pending *recv, const struct ork_pending *send)
{
    enum miss miss = compare(recv, send);

    return miss == MISS_NONE || (miss == MISS_DESTINATION && recv->partner == UINT32_MAX)
               ? NULL
               : miss_word[miss];
}

static bool are_in_one_root(const struct ork_finding *f, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < f->num_roots; k++) {
        const struct ork_u32s *root = &f->roots[k];
        if (bsearch(&a, root->item, root->count, sizeof(a), ork_describe_compare_ranks) != NULL &&
            bsearch(&b, root->item, root->count, sizeof(b), ork_describe_compare_ranks) != NULL)
            return true;
    }
    return false;
}

/* Did the send return, does its rank not wait for the receiver, and does its destination exchange
 * no messages any more? Then nobody is left to receive the message but the receiver. */
static bool is_past(const struct search *q, const struct ork_pending *recv,
                    const struct ork_pending *send)
{
    uint32_t sender = send->term.rank;

    return !ork_describe_is_stuck_in(q->w->d, q->s, q->f, &send->term) &&
           ork_describe_is_stuck_in(q->w->d, q->s, q->f, &recv->term) &&
           !ork_describe_exchanges_with(q->w->d, q->s, q->f, sender, recv->term.rank) &&
           !ork_describe_is_exchanging(q->w->d, q->s, send->partner);
}

/* RATIONALE: a rank that receives from others in turn normally also has messages from other ranks;
 * it is a mistake only if these two wait for each other, or if the message is past. And a pending
 * wildcard receive elsewhere misses every message. */
static bool is_plausible(const struct search *q, const struct ork_pending *recv,
                         const struct ork_pending *send, enum miss miss, bool *is_certain)
{
    *is_certain = false;
    if (miss == MISS_DESTINATION && recv->partner == UINT32_MAX)
        return false;
    if (miss != MISS_DESTINATION && miss != MISS_SOURCE)
        return true;
    *is_certain = miss == MISS_DESTINATION && is_past(q, recv, send);
    return *is_certain || are_in_one_root(q->f, recv->term.rank, send->term.rank);
}

/* Is the new one worth more than the best so far? A message with the right tag to a wrong rank, if
 * that is certain, is the one that the receive waits for if its rank sent it before one to the
 * receiver with another tag, which it may receive later. */
static bool is_better(const struct found *best, const struct ork_pending *send, enum miss miss,
                      bool is_certain)
{
    if (best->send == NULL)
        return true;
    if (best->miss == MISS_TAG && is_certain)
        return send->term.rank == best->send->term.rank && send->order < best->send->order;
    if (best->is_certain && miss == MISS_TAG)
        return send->term.rank != best->send->term.rank || send->order < best->send->order;
    return miss < best->miss;
}

/* ---- merge similar ones ---- */

static bool is_same_term(struct ork_call_sites *sites, const struct ork_term *a,
                         const struct ork_term *b)
{
    return a->call == b->call && a->comm == b->comm && a->tag == b->tag &&
           ork_describe_is_same_site(sites, a->rank, a->site, b->rank, b->site);
}

/* All ranks that send the same to this receive from the same place. */
static void add_senders(const struct search *q, struct found *found)
{
    for (uint32_t i = 0; i < q->num_sends; i++) {
        const struct ork_pending *send = &q->send[i];
        if (is_same_term(q->w->sites, &send->term, &found->send->term) &&
            send->partner == found->send->partner && compare(found->recv, send) == found->miss)
            ork_writing_add(q->w, &found->senders, send->term.rank);
    }
    ork_describe_sort_unique(&found->senders);
}

/* Was it found already, or can it be merged with another one? */
static bool join(struct search *q, const struct found *new)
{
    for (uint32_t i = 0; i < q->count; i++) {
        struct found *old = &q->found[i];
        if (old->miss != new->miss ||
            !is_same_term(q->w->sites, &old->recv->term, &new->recv->term) ||
            !is_same_term(q->w->sites, &old->send->term, &new->send->term))
            continue;
        if (old->recv->term.rank == new->recv->term.rank)
            return true;
        if (old->senders.count == 1 && old->miss != MISS_DESTINATION &&
            ork_describe_is_same_set(&old->senders, &new->senders))
            ork_writing_add(q->w, &old->receivers, new->recv->term.rank);
        else
            old->others++;
        return true;
    }
    return false;
}

static void keep(struct search *q, struct found *new)
{
    add_senders(q, new);
    ork_writing_add(q->w, &new->receivers, new->recv->term.rank);
    if (!join(q, new) && q->count < MISSES_MAX)
        q->found[q->count++] = *new;
}

/* ---- text ---- */

/* "rank 1 sends tag 8 to rank 0 (MPI_Send at a.c:31), but rank 0 waits for tag 7 (MPI_Recv at
 * a.c:12)." */
static const char *miss_words(struct ork_writing *w, const struct found *m)
{
    const struct ork_term *sent = &m->send->term, *wanted = &m->recv->term;
    const struct ork_slot senders = RANKS('r', &m->senders);
    const struct ork_slot receivers = RANKS('o', &m->receivers);
    const struct ork_slot tag = NUMBER('t', sent->tag);
    const struct ork_slot send = TEXT('c', ork_describe_term(w, sent));
    const struct ork_slot recv = TEXT('d', ork_describe_term(w, wanted));
    const struct ork_slot polls = NUMBER('i', wanted->kind == ORK_KIND_PROBED);

    switch (m->miss) {
    case MISS_TAG:
        return ork_say(w, SAYS_NEAR_TAG, senders, tag, receivers, send, polls,
                       NUMBER('u', wanted->tag), recv);
    case MISS_COMM:
        return ork_say(w, SAYS_NEAR_COMM, senders, tag, receivers,
                       TEXT('k', ork_describe_comm_apart(w, sent->comm, wanted->comm)), send,
                       TEXT('l', ork_describe_comm_apart(w, wanted->comm, sent->comm)), recv);
    case MISS_DESTINATION:
        return ork_say(w, SAYS_NEAR_DESTINATION, senders, tag, RANK('x', m->send->partner), send,
                       receivers, polls, recv);
    case MISS_SOURCE:
        return ork_say(w, SAYS_NEAR_SOURCE, senders, tag, receivers, send, polls,
                       RANK('x', m->recv->partner), recv);
    case MISS_NONE:
        break;
    }
    return "";
}

static void report(struct search *q, struct found *m)
{
    bool is_send_stuck = !ork_describe_is_stuck_in(q->w->d, q->s, q->f, &m->recv->term);
    const struct ork_term *waits = is_send_stuck ? &m->send->term : &m->recv->term;
    const struct ork_term *other = is_send_stuck ? &m->recv->term : &m->send->term;

    ork_describe_sort_unique(&m->receivers);
    struct ork_near_miss *near = ork_describe_add_near(q->w, q->f, miss_word[m->miss], waits, other,
                                                       m->others, miss_words(q->w, m));
    if (near != NULL)
        near->is_certain = m->is_certain;
}

/* ---- search ---- */

/* Separate receives from sends, and keep their order. Returns how many receives come first. */
static uint32_t part(struct ork_pending *list, uint32_t count, struct ork_pending *sends,
                     uint32_t *num_sends)
{
    uint32_t receives = 0;

    *num_sends = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].term.kind != ORK_KIND_SEND)
            list[receives++] = list[i];
        else if (*num_sends < SENDS_MAX)
            sends[(*num_sends)++] = list[i];
    }
    return receives;
}

/* The run shows that each has its partner: only the order differs. */
static bool is_only_late(const struct search *q, const struct ork_pending *recv,
                         const struct ork_pending *send)
{
    const struct ork_term *r = &recv->term, *s = &send->term;
    const struct ork_wanted to_send = {
        .kind = ORK_KIND_SEND, .comm = r->comm, .process = r->rank, .tag = r->tag};
    const struct ork_wanted to_receive = {
        .kind = ORK_KIND_RECV, .comm = s->comm, .process = s->rank, .tag = s->tag};
    struct ork_record call;
    bool is_next;

    return ork_detector_later_call(q->w->d, s->rank, &to_send, &call, &is_next) ||
           ork_detector_later_call(q->w->d, r->rank, &to_receive, &call, &is_next);
}

/* For one receive: the misses of the most significant kind, the oldest first. */
static void look(struct search *q, const struct ork_pending *recv)
{
    struct found best = {.miss = MISS_NONE, .recv = recv};

    for (uint32_t i = 0; i < q->num_sends; i++) {
        const struct ork_pending *send = &q->send[i];
        enum miss miss = compare(recv, send);
        bool is_certain;
        if (miss == MISS_NONE || !is_plausible(q, recv, send, miss, &is_certain) ||
            !is_better(&best, send, miss, is_certain))
            continue;
        if (!ork_describe_is_stuck_in(q->w->d, q->s, q->f, &recv->term) &&
            !ork_describe_is_stuck_in(q->w->d, q->s, q->f, &send->term))
            continue;
        if (is_only_late(q, recv, send))
            continue;
        best.send = send;
        best.miss = miss;
        best.is_certain = is_certain;
    }
    if (best.send != NULL && !ork_describe_is_near_reported(q->w, q->f, &recv->term))
        keep(q, &best);
}

/* Is it the message of a miss of another receive, which names its sender? */
static bool is_explained(const struct search *q, const struct found *m)
{
    for (uint32_t i = 0; i < q->count && m->miss == MISS_SOURCE; i++) {
        if (q->found[i].miss == MISS_DESTINATION && q->found[i].send == m->send)
            return true;
    }
    return false;
}

void ork_describe_near_messages(struct ork_writing *w, const struct ork_search *s,
                                struct ork_pending *list, uint32_t count, struct ork_finding *f)
{
    struct ork_pending *sends = ork_writing_alloc(w, SENDS_MAX, sizeof(*sends));
    struct search q = {.w = w, .s = s, .f = f, .send = sends};

    if (sends == NULL)
        return;
    uint32_t receives = part(list, count, sends, &q.num_sends);
    for (uint32_t i = 0; i < receives && i < RECEIVES_MAX; i++)
        look(&q, &list[i]);
    for (uint32_t i = 0; i < q.count; i++) {
        if (!is_explained(&q, &q.found[i]))
            report(&q, &q.found[i]);
    }
}
