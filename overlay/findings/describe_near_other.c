/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses that the pending messages alone do not show. */
#include "overlay/findings/describe_near.h"

enum { LOOKS_MAX = 4096, REPORTED_MAX = 4 };

/* ---- a message that another receive took ---- */

static bool is_exact(const struct ork_pending *recv)
{
    return recv->term.kind != ORK_KIND_SEND && recv->partner != UINT32_MAX &&
           recv->term.tag != ORK_ANY_TAG;
}

/* The wildcard receive of the same rank that took the message that `recv` waits for. */
static bool find_taker(const struct ork_detector *d, const struct ork_pending *recv,
                       struct ork_taken *taken)
{
    for (uint32_t i = 0; ork_detector_taken(d, recv->term.rank, i, taken); i++) {
        if (taken->source == recv->partner && taken->tag == recv->term.tag &&
            taken->receive.comm == recv->term.comm)
            return true;
    }
    return false;
}

/* The matched probe of the same rank that took it. */
static bool find_probe(const struct ork_detector *d, const struct ork_pending *recv,
                       struct ork_taken *taken)
{
    for (uint32_t i = 0; ork_detector_probed(d, recv->term.rank, i, taken); i++) {
        if (taken->source == recv->partner && taken->tag == recv->term.tag &&
            taken->receive.comm == recv->term.comm)
            return true;
    }
    return false;
}

/* A message that the wildcard receive could have taken instead; NULL: none. */
static const struct ork_pending *find_left(const struct near_pending *pending,
                                           const struct ork_pending *recv,
                                           const struct ork_taken *taken)
{
    for (uint32_t i = 0; i < pending->count; i++) {
        const struct ork_pending *send = &pending->item[i];
        const struct ork_term *t = &send->term;
        if (t->kind == ORK_KIND_SEND && send->partner == recv->term.rank &&
            t->comm == recv->term.comm &&
            (taken->receive.peer == ORK_ANY_SOURCE || t->rank == recv->partner) &&
            (taken->receive.tag == ORK_ANY_TAG || t->tag == taken->receive.tag))
            return send;
    }
    return NULL;
}

static const char *taken_words(struct ork_writing *w, const struct ork_pending *recv,
                               const struct ork_taken *taken, const struct ork_pending *left)
{
    const struct ork_slot who = RANK('r', recv->term.rank);
    const struct ork_slot from = RANK('o', recv->partner);
    const struct ork_slot waits = TEXT('c', ork_describe_term(w, &recv->term));
    const struct ork_slot taker = TEXT('d', ork_describe_term(w, &taken->receive));

    if (left == NULL)
        return ork_say(w, SAYS_NEAR_PROBED, who, from, waits, taker);
    const struct ork_slot send = TEXT('w', ork_describe_term(w, &left->term));
    if (left->term.rank != recv->partner)
        return ork_say(w, SAYS_NEAR_TAKEN_SOURCE, who, from, waits, taker,
                       RANK('x', left->term.rank), send);
    return ork_say(w, SAYS_NEAR_TAKEN_TAG, who, NUMBER('t', recv->term.tag), from, waits, taker,
                   NUMBER('u', left->term.tag), send);
}

void ork_describe_near_taken(struct ork_writing *w, const struct ork_search *s,
                             const struct near_pending *pending, struct ork_finding *f)
{
    uint32_t reported = 0;

    for (uint32_t i = 0; i < pending->count && i < LOOKS_MAX && reported < REPORTED_MAX; i++) {
        const struct ork_pending *recv = &pending->item[i];
        const struct ork_pending *left = NULL;
        struct ork_taken taken;
        if (!is_exact(recv) || !ork_describe_is_stuck_in(w->d, s, f, &recv->term))
            continue;
        if (!find_probe(w->d, recv, &taken) &&
            (!find_taker(w->d, recv, &taken) || (left = find_left(pending, recv, &taken)) == NULL))
            continue;
        reported++;
        ork_describe_add_near(w, f, "taken", &recv->term, &taken.receive, 0,
                              taken_words(w, recv, &taken, left));
    }
}

/* ---- a persistent request that was not started ---- */

static bool would_match(const struct ork_pending *a, const struct ork_pending *b)
{
    const struct ork_pending *send = a->term.kind == ORK_KIND_SEND ? a : b;
    const struct ork_pending *recv = send == a ? b : a;

    return send->term.kind == ORK_KIND_SEND && recv->term.kind != ORK_KIND_SEND &&
           send->term.comm == recv->term.comm && send->partner == recv->term.rank &&
           (recv->partner == UINT32_MAX || recv->partner == send->term.rank) &&
           (recv->term.tag == ORK_ANY_TAG || recv->term.tag == send->term.tag);
}

static const char *unstarted_words(struct ork_writing *w, const struct ork_pending *waits,
                                   const struct ork_pending *unstarted)
{
    return ork_say(w, SAYS_NEAR_NOT_STARTED, RANK('r', unstarted->term.rank),
                   NUMBER('i', unstarted->term.kind == ORK_KIND_SEND), RANK('o', waits->term.rank),
                   NUMBER('t', waits->term.tag), TEXT('c', ork_describe_term(w, &unstarted->term)),
                   TEXT('d', ork_describe_term(w, &waits->term)));
}

void ork_describe_near_unstarted(struct ork_writing *w, const struct ork_search *s,
                                 const struct near_pending *pending, struct ork_finding *f)
{
    uint32_t reported = 0;

    for (uint32_t i = 0; i < pending->num_unstarted && i < LOOKS_MAX && reported < REPORTED_MAX;
         i++) {
        const struct ork_pending *u = &pending->unstarted[i];
        for (uint32_t k = 0; k < pending->count; k++) {
            const struct ork_pending *waits = &pending->item[k];
            if (!would_match(u, waits) || waits->term.tag == ORK_ANY_TAG ||
                !ork_describe_is_stuck_in(w->d, s, f, &waits->term))
                continue;
            reported++;
            ork_describe_add_near(w, f, "start", &waits->term, &u->term, 0,
                                  unstarted_words(w, waits, u));
            break;
        }
    }
}

/* ---- a message that was sent to nobody ---- */

/* RATIONALE: if the sender waits for the receiver, the message that the receiver waits for may be
 * its next one. */
static bool was_to_none(struct ork_writing *w, const struct ork_search *s,
                        const struct ork_finding *f, const struct ork_pending *recv,
                        struct ork_term *sent)
{
    return recv->term.kind == ORK_KIND_RECV && recv->partner != UINT32_MAX &&
           ork_detector_sent_to_none(w->d, recv, sent) &&
           ork_describe_is_stuck_in(w->d, s, f, &recv->term) &&
           !ork_describe_exchanges_with(w->d, s, f, recv->partner, recv->term.rank) &&
           !ork_describe_is_near_reported(w, f, &recv->term);
}

void ork_describe_near_null(struct ork_writing *w, const struct ork_search *s,
                            const struct near_pending *pending, struct ork_finding *f)
{
    uint32_t reported = 0;

    for (uint32_t i = 0; i < pending->count && i < LOOKS_MAX && reported < REPORTED_MAX; i++) {
        const struct ork_pending *recv = &pending->item[i];
        struct ork_term sent;
        if (!was_to_none(w, s, f, recv, &sent))
            continue;
        reported++;
        const char *words =
            ork_say(w, SAYS_NEAR_NULL, RANK('r', sent.rank), NUMBER('t', sent.tag),
                    TEXT('c', ork_describe_term(w, &sent)), RANK('o', recv->term.rank),
                    TEXT('d', ork_describe_term(w, &recv->term)));
        ork_describe_add_near(w, f, "null", &recv->term, &sent, 0, words);
    }
}
