/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_advice.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

void ork_advice_find_later(const struct ork_detector *d, struct advice *a)
{
    const struct ork_wanted wanted = {
        .kind = a->part == ADVICE_RECEIVE ? ORK_KIND_RECV
                : a->part == ADVICE_SEND  ? ORK_KIND_SEND
                                          : ORK_KIND_COLL,
        .comm = a->comm,
        .process = a->waiter,
        .tag = a->tag,
        .coll = a->coll,
    };

    if (a->part != ADVICE_NONE && !a->has_ended)
        a->is_later = ork_detector_later_call(d, a->actor, &wanted, &a->later, &a->is_next);
}

/* ---- text for one call ---- */

/* The call before which the actor would have to do its part. */
static char *before_words(const struct ork_detector *d, struct ork_call_sites *sites,
                          const struct advice *a)
{
    const char *name = ork_call_name(a->actor_call.call);

    if (a->has_ended)
        return strdup(a->has_finished ? "MPI_Finalize" : "it ends");
    if (a->part != ADVICE_ARRIVE || a->actor_call.kind != ORK_KIND_COLL)
        return ork_phrase_in_call_at(sites, a->actor, name, a->actor_call.site);
    char *comm = ork_describe_comm_beside(d, sites, a->actor_comm, a->comm);
    char *call = ork_phrase_in_call_at(sites, a->actor, name, a->actor_call.site);
    char *text = call == NULL || comm == NULL ? NULL : ork_text("%s on %s", call, comm);
    free(comm);
    free(call);
    return text;
}

static char *later_words(struct ork_call_sites *sites, const struct advice *a)
{
    return ork_phrase_in_call_at(sites, a->actor, ork_call_name(a->later.call), a->later.site);
}

static char *wait_words(struct ork_call_sites *sites, const struct advice *a)
{
    return ork_phrase_in_call_at(sites, a->waiter, ork_call_name(a->wait_call), a->wait_site);
}

/* ---- sentences ---- */

/* Parts of the sentences; NULL if not available. */
struct pieces {
    char *who, *before, *wait, *later, *comm, *place;
};

static bool is_leaving(const struct advice *a)
{
    return a->has_ended || a->actor_call.kind == ORK_KIND_FINALIZE;
}

/* It did its part later in the run. */
static char *later_sentence(const struct advice *a, const struct pieces *p)
{
    bool sends = a->actor_call.kind == ORK_KIND_SEND && a->part == ADVICE_RECEIVE;
    bool receives = a->actor_call.kind == ORK_KIND_RECV && a->part == ADVICE_SEND;

    if (a->is_next && sends && (a->later.flags & ORK_F_NONBLOCKING) == 0)
        return ork_text("Let %s receive before it sends: swap %s and %s, or use MPI_Sendrecv.",
                        p->who, p->before, p->later);
    if (a->is_next && receives)
        return ork_text("Let %s send before it receives: swap %s and %s.", p->who, p->before,
                        p->later);
    return ork_text("Let %s call %s before %s.", p->who, p->later, p->before);
}

static char *receive_sentence(const struct advice *a, const struct pieces *p, bool several)
{
    bool sends = !is_leaving(a) && a->actor_call.kind == ORK_KIND_SEND;

    if (a->actor == a->waiter)
        return ork_text("Let rank %u start the receive of its own message (MPI_Irecv) before %s.",
                        a->actor, p->before);
    if (sends)
        return ork_text("Let %s receive before %s, or use MPI_Sendrecv.", p->who, p->before);
    if (several)
        return ork_text("Let %s receive before %s.", p->who, p->before);
    return ork_text("Let %s receive the message from rank %u, %s, before %s%s.", p->who, a->waiter,
                    p->wait, p->before, is_leaving(a) ? ", or remove that send" : "");
}

static char *send_sentence(const struct advice *a, const struct pieces *p, bool several)
{
    if (a->actor == a->waiter)
        return ork_text("Let rank %u start the send to itself (MPI_Isend) before %s.", a->actor,
                        p->before);
    if (several)
        return ork_text("Let %s send before %s.", p->who, p->before);
    return ork_text("Let %s send to rank %u, which waits %s %s, before %s%s.", p->who, a->waiter,
                    a->is_request ? "for its" : "in", p->wait, p->before,
                    is_leaving(a) ? ", or remove that receive" : "");
}

static char *arrive_sentence(const struct advice *a, const struct pieces *p)
{
    const char *name = ork_call_name(a->wait_call);
    bool starts = strstr(name, "_init") != NULL;

    return ork_text("Let %s %s %s on %s, as rank %u does%s, before %s.", p->who,
                    starts ? "start" : "call", name, p->comm, a->waiter, p->place, p->before);
}

/* The argument that differs. */
static char *near_sentence(const struct ork_near_miss *n)
{
    char *waits = ork_phrase_in_call(n->waits.call, &n->waits.where);
    char *other = ork_phrase_in_call(n->pending.call, &n->pending.where);
    char *text = NULL;

    if (waits == NULL || other == NULL)
        text = NULL;
    else if (strcmp(n->differs, "tag") == 0 || strcmp(n->differs, "communicator") == 0)
        text = ork_text("Use the same %s in %s and %s.", n->differs, other, waits);
    else if (strcmp(n->differs, "start") == 0)
        text = ork_text("Let rank %u start the request of %s.", n->pending.rank, other);
    else if (strcmp(n->differs, "taken") == 0 && strstr(n->pending.call, "probe") != NULL)
        text = ork_text("Let rank %u receive the message of %s with MPI_Mrecv before %s, or name "
                        "another message in that probe.",
                        n->pending.rank, other, waits);
    else if (strcmp(n->differs, "taken") == 0)
        text = ork_text("Let rank %u name the source and tag of the message that it expects in %s.",
                        n->pending.rank, other);
    else
        text = ork_text("Let %s of rank %u and %s of rank %u name each other's rank.", other,
                        n->pending.rank, waits, n->waits.rank);
    free(waits);
    free(other);
    return text;
}

static char *sentence(const struct ork_finding *f, const struct advice *a, const struct pieces *p,
                      bool several)
{
    if (a->is_later)
        return later_sentence(a, p);
    if (a->near != UINT32_MAX)
        return near_sentence(&f->near_miss[a->near]);
    if (a->part == ADVICE_RECEIVE)
        return receive_sentence(a, p, several);
    if (a->part == ADVICE_SEND)
        return send_sentence(a, p, several);
    return arrive_sentence(a, p);
}

/* "rank 0", "one of ranks 0 and 1", "one of ranks 0-3 in each root" */
static char *actor_words(const struct ork_u32s *actors, uint32_t roots)
{
    char *ranks = ork_describe_ranks(actors->item, actors->count);
    char *text = ranks;

    if (ranks != NULL && actors->count > 1)
        text = actors->count == roots
                   ? ork_text("each of %s", ranks)
                   : ork_text("one of %s%s", ranks, roots > 1 ? " in each root" : "");

    if (text != ranks)
        free(ranks);
    return text;
}

enum ork_status ork_advice_words(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_finding *f, const struct advice *a,
                                 const struct ork_u32s *actors, uint32_t roots, char **text)
{
    struct pieces p = {.who = actor_words(actors, roots),
                       .before = before_words(d, sites, a),
                       .wait = wait_words(sites, a),
                       .later = a->is_later ? later_words(sites, a) : strdup(""),
                       .comm = ork_describe_comm_beside(d, sites, a->comm, a->actor_comm),
                       .place = ork_phrase_in_call_at(sites, a->waiter, "", a->wait_site)};

    *text = NULL;
    if (p.who != NULL && p.before != NULL && p.wait != NULL && p.later != NULL && p.comm != NULL &&
        p.place != NULL)
        *text = sentence(f, a, &p, actors->count > 1);
    free(p.who);
    free(p.before);
    free(p.wait);
    free(p.later);
    free(p.comm);
    free(p.place);
    return *text == NULL ? ORK_NOMEM : ORK_OK;
}
