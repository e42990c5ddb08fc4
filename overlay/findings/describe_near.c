/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses: a send and a receive that are both pending and differ in one argument only. A
 * reported one must be plausible: both may wait for each other because of that argument. */
#include "overlay/findings/describe_near.h"

#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

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
};

struct search {
    const struct ork_detector *d;
    struct ork_call_sites *sites;
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

/* RATIONALE: a rank that receives from others in turn normally also has messages from other ranks;
 * it is a mistake only if these two wait for each other. And a pending wildcard receive elsewhere
 * misses every message. */
static bool is_plausible(const struct ork_finding *f, const struct ork_pending *recv,
                         const struct ork_pending *send, enum miss miss)
{
    if (miss == MISS_DESTINATION && recv->partner == UINT32_MAX)
        return false;
    return (miss != MISS_DESTINATION && miss != MISS_SOURCE) ||
           are_in_one_root(f, recv->term.rank, send->term.rank);
}

/* ---- merge similar ones ---- */

static bool is_same_term(struct ork_call_sites *sites, const struct ork_term *a,
                         const struct ork_term *b)
{
    return a->call == b->call && a->comm == b->comm && a->tag == b->tag &&
           ork_describe_is_same_site(sites, a->rank, a->site, b->rank, b->site);
}

static void release_found(struct found *found)
{
    free(found->senders.item);
    free(found->receivers.item);
}

/* All ranks that send the same to this receive from the same place. */
static bool add_senders(const struct search *q, struct found *found)
{
    for (uint32_t i = 0; i < q->num_sends; i++) {
        const struct ork_pending *send = &q->send[i];
        if (is_same_term(q->sites, &send->term, &found->send->term) &&
            send->partner == found->send->partner && compare(found->recv, send) == found->miss &&
            !ork_describe_add_rank(&found->senders, send->term.rank))
            return false;
    }
    ork_describe_sort_unique(&found->senders);
    return true;
}

static bool is_same_set(const struct ork_u32s *a, const struct ork_u32s *b)
{
    return a->count == b->count && memcmp(a->item, b->item, a->count * sizeof(*a->item)) == 0;
}

/* Was it found already, or can it be merged with another one? */
static bool join(struct search *q, const struct found *new, enum ork_status *status)
{
    for (uint32_t i = 0; i < q->count; i++) {
        struct found *old = &q->found[i];
        if (old->miss != new->miss || !is_same_term(q->sites, &old->recv->term, &new->recv->term) ||
            !is_same_term(q->sites, &old->send->term, &new->send->term))
            continue;
        if (old->recv->term.rank == new->recv->term.rank)
            return true;
        if (old->senders.count == 1 && old->miss != MISS_DESTINATION &&
            is_same_set(&old->senders, &new->senders)) {
            if (!ork_describe_add_rank(&old->receivers, new->recv->term.rank))
                *status = ORK_NOMEM;
            return true;
        }
        old->others++;
        return true;
    }
    return false;
}

static enum ork_status keep(struct search *q, const struct ork_pending *recv,
                            const struct ork_pending *send, enum miss miss)
{
    struct found new = {.miss = miss, .recv = recv, .send = send};
    enum ork_status status = ORK_OK;

    if (!add_senders(q, &new) || !ork_describe_add_rank(&new.receivers, recv->term.rank))
        status = ORK_NOMEM;
    else if (!join(q, &new, &status) && q->count < MISSES_MAX) {
        q->found[q->count++] = new;
        return ORK_OK;
    }
    release_found(&new);
    return status;
}

/* ---- text ---- */

/* "Rank 1 sends tag 8 to rank 0 (MPI_Send at a.c:31)" */
static char *sent_words(struct search *q, const struct found *m)
{
    const struct ork_pending *send = m->send;
    char *who = ork_describe_sentence(ork_describe_ranks(m->senders.item, m->senders.count));
    char *call = ork_describe_term_words(q->sites, &send->term);
    char *comm = ork_describe_comm_beside(q->d, q->sites, send->term.comm, m->recv->term.comm);
    char *partner = m->miss == MISS_DESTINATION
                        ? ork_describe_ranks(&send->partner, 1)
                        : ork_describe_ranks(m->receivers.item, m->receivers.count);
    char *text = NULL;

    if (who != NULL && call != NULL && comm != NULL && partner != NULL)
        text = ork_text("%s %s tag %d to %s%s%s (%s)", who,
                        m->senders.count == 1 ? "sends" : "send", send->term.tag, partner,
                        m->miss == MISS_COMM ? " on " : "", m->miss == MISS_COMM ? comm : "", call);
    free(who);
    free(call);
    free(comm);
    free(partner);
    return text;
}

/* "rank 0 waits for tag 7 (MPI_Recv at a.c:12)" */
static char *wanted_words(struct search *q, const struct found *m)
{
    const struct ork_pending *recv = m->recv;
    bool one = m->receivers.count == 1;
    const char *waits = one ? "waits" : "wait";
    char *who = ork_describe_ranks(m->receivers.item, m->receivers.count);
    char *call = ork_describe_term_words(q->sites, &recv->term);
    char *comm = ork_describe_comm_beside(q->d, q->sites, recv->term.comm, m->send->term.comm);
    char *text = NULL;

    if (who == NULL || call == NULL || comm == NULL)
        goto out;
    if (recv->term.kind == ORK_KIND_PROBED)
        waits = one ? "polls" : "poll";
    if (m->miss == MISS_TAG)
        text = ork_text("%s %s for tag %d (%s)", who, waits, recv->term.tag, call);
    if (m->miss == MISS_COMM)
        text = ork_text("%s %s on %s (%s)", who, one ? "receives" : "receive", comm, call);
    if (m->miss == MISS_DESTINATION)
        text = ork_text("%s %s for it (%s)", who, waits, call);
    if (m->miss == MISS_SOURCE)
        text = ork_text("%s %s for a message from rank %u (%s)", who, waits, recv->partner, call);
out:
    free(who);
    free(call);
    free(comm);
    return text;
}

static char *miss_words(struct search *q, const struct found *m)
{
    char *sent = sent_words(q, m);
    char *wanted = wanted_words(q, m);
    char *text = sent == NULL || wanted == NULL ? NULL : ork_text("%s, but %s.", sent, wanted);

    free(sent);
    free(wanted);
    return text;
}

static enum ork_status report(struct search *q, struct found *m)
{
    bool is_send_stuck = !ork_describe_is_stuck_in(q->d, q->s, q->f, &m->recv->term);
    const struct ork_term *waits = is_send_stuck ? &m->send->term : &m->recv->term;
    const struct ork_term *other = is_send_stuck ? &m->recv->term : &m->send->term;

    ork_describe_sort_unique(&m->receivers);
    return ork_describe_add_near(q->sites, q->f, miss_word[m->miss], waits, other, m->others,
                                 miss_words(q, m));
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

    return ork_detector_later_call(q->d, s->rank, &to_send, &call, &is_next) ||
           ork_detector_later_call(q->d, r->rank, &to_receive, &call, &is_next);
}

/* For one receive: the misses of the most significant kind, the oldest first. */
static enum ork_status look(struct search *q, const struct ork_pending *recv)
{
    const struct ork_pending *best = NULL;
    enum miss best_miss = MISS_NONE;

    for (uint32_t i = 0; i < q->num_sends; i++) {
        const struct ork_pending *send = &q->send[i];
        enum miss miss = compare(recv, send);
        if (miss == MISS_NONE || (best != NULL && miss >= best_miss) ||
            !is_plausible(q->f, recv, send, miss))
            continue;
        if (!ork_describe_is_stuck_in(q->d, q->s, q->f, &recv->term) &&
            !ork_describe_is_stuck_in(q->d, q->s, q->f, &send->term))
            continue;
        if (is_only_late(q, recv, send))
            continue;
        best = send;
        best_miss = miss;
    }
    if (best == NULL || ork_describe_is_near_reported(q->sites, q->f, &recv->term))
        return ORK_OK;
    return keep(q, recv, best, best_miss);
}

enum ork_status ork_describe_near_messages(const struct ork_detector *d,
                                           struct ork_call_sites *sites, const struct ork_search *s,
                                           struct ork_pending *list, uint32_t count,
                                           struct ork_finding *f)
{
    struct ork_pending *sends = malloc(SENDS_MAX * sizeof(*sends));
    struct search q = {.d = d, .sites = sites, .s = s, .f = f, .send = sends};
    enum ork_status status = sends == NULL ? ORK_NOMEM : ORK_OK;

    if (status == ORK_OK) {
        uint32_t receives = part(list, count, sends, &q.num_sends);
        for (uint32_t i = 0; i < receives && i < RECEIVES_MAX && status == ORK_OK; i++)
            status = look(&q, &list[i]);
    }
    for (uint32_t i = 0; i < q.count; i++) {
        if (status == ORK_OK)
            status = report(&q, &q.found[i]);
        release_found(&q.found[i]);
    }
    free(sends);
    return status;
}
