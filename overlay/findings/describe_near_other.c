/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses that the pending messages alone do not show. */
#include "overlay/findings/describe_near.h"

#include "overlay/findings/phrase.h"

#include <stdlib.h>

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

static char *taken_words(struct ork_call_sites *sites, const struct ork_pending *recv,
                         const struct ork_taken *taken, const struct ork_pending *left)
{
    char *taker = ork_describe_term_words(sites, &taken->receive);
    char *waits = ork_describe_term_words(sites, &recv->term);
    char *send = ork_describe_term_words(sites, &left->term);
    bool by_source = left->term.rank != recv->partner;
    char *text = NULL;

    if (taker != NULL && waits != NULL && send != NULL && by_source)
        text = ork_text("Rank %u waits for a message from rank %u (%s), but its earlier receive "
                        "from MPI_ANY_SOURCE took that message (%s); the message from rank %u is "
                        "still pending (%s).",
                        recv->term.rank, recv->partner, waits, taker, left->term.rank, send);
    else if (taker != NULL && waits != NULL && send != NULL)
        text = ork_text(
            "Rank %u waits for tag %d from rank %u (%s), but its earlier receive with MPI_ANY_TAG "
            "took that message (%s); the message with tag %d is still pending (%s).",
            recv->term.rank, recv->term.tag, recv->partner, waits, taker, left->term.tag, send);
    free(taker);
    free(waits);
    free(send);
    return text;
}

static char *probed_words(struct ork_call_sites *sites, const struct ork_pending *recv,
                          const struct ork_taken *taken)
{
    char *probe = ork_describe_term_words(sites, &taken->receive);
    char *waits = ork_describe_term_words(sites, &recv->term);
    char *text = NULL;

    if (probe != NULL && waits != NULL)
        text = ork_text("Rank %u waits for a message from rank %u (%s), but its matched probe took "
                        "that message (%s), and only MPI_Mrecv or MPI_Imrecv can receive it.",
                        recv->term.rank, recv->partner, waits, probe);
    free(probe);
    free(waits);
    return text;
}

enum ork_status ork_describe_near_taken(const struct ork_detector *d, struct ork_call_sites *sites,
                                        const struct ork_search *s,
                                        const struct near_pending *pending, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;
    uint32_t reported = 0;

    for (uint32_t i = 0; i < pending->count && i < LOOKS_MAX && reported < REPORTED_MAX; i++) {
        const struct ork_pending *recv = &pending->item[i];
        const struct ork_pending *left = NULL;
        struct ork_taken taken;
        if (!is_exact(recv) || !ork_describe_is_stuck_in(d, s, f, &recv->term))
            continue;
        bool probed = find_probe(d, recv, &taken);
        if (!probed &&
            (!find_taker(d, recv, &taken) || (left = find_left(pending, recv, &taken)) == NULL))
            continue;
        reported++;
        status = ork_describe_add_near(sites, f, "taken", &recv->term, &taken.receive, 0,
                                       probed ? probed_words(sites, recv, &taken)
                                              : taken_words(sites, recv, &taken, left));
        if (status != ORK_OK)
            return status;
    }
    return status;
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

static char *unstarted_words(struct ork_call_sites *sites, const struct ork_pending *waits,
                             const struct ork_pending *unstarted)
{
    char *init = ork_describe_term_words(sites, &unstarted->term);
    char *call = ork_describe_term_words(sites, &waits->term);
    bool sends = unstarted->term.kind == ORK_KIND_SEND;
    char *text = NULL;

    if (init != NULL && call != NULL)
        text = ork_text("Rank %u has a persistent %s rank %u, tag %d, that is not started (%s); "
                        "rank %u waits for it (%s).",
                        unstarted->term.rank, sends ? "send to" : "receive from", waits->term.rank,
                        waits->term.tag, init, waits->term.rank, call);
    free(init);
    free(call);
    return text;
}

enum ork_status ork_describe_near_unstarted(const struct ork_detector *d,
                                            struct ork_call_sites *sites,
                                            const struct ork_search *s,
                                            const struct near_pending *pending,
                                            struct ork_finding *f)
{
    enum ork_status status = ORK_OK;
    uint32_t reported = 0;

    for (uint32_t i = 0; i < pending->num_unstarted && i < LOOKS_MAX && reported < REPORTED_MAX;
         i++) {
        const struct ork_pending *u = &pending->unstarted[i];
        for (uint32_t k = 0; k < pending->count && reported < REPORTED_MAX && status == ORK_OK;
             k++) {
            const struct ork_pending *waits = &pending->item[k];
            if (!would_match(u, waits) || waits->term.tag == ORK_ANY_TAG ||
                !ork_describe_is_stuck_in(d, s, f, &waits->term))
                continue;
            reported++;
            status = ork_describe_add_near(sites, f, "start", &waits->term, &u->term, 0,
                                           unstarted_words(sites, waits, u));
            break;
        }
    }
    return status;
}
