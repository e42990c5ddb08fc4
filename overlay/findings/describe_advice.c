/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_advice.h"

#include "record/calls.h"

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

static bool is_leaving(const struct advice *a)
{
    return a->has_ended || a->actor_call.kind == ORK_KIND_FINALIZE;
}

/* The call before which the actor would have to do its part. */
static const char *before_words(struct ork_writing *w, const struct advice *a)
{
    if (a->has_ended)
        return ork_plain(a->has_finished ? SAYS_ADVICE_BEFORE_FINALIZE : SAYS_ADVICE_BEFORE_END);
    const char *call = ork_call_in(w, a->actor, a->actor_call.call, a->actor_call.site);
    if (a->part != ADVICE_ARRIVE || a->actor_call.kind != ORK_KIND_COLL)
        return call;
    return ork_say(w, SAYS_ADVICE_BEFORE_ON, TEXT('c', call),
                   TEXT('k', ork_describe_comm_apart(w, a->actor_comm, a->comm)));
}

static const char *wait_words(struct ork_writing *w, const struct advice *a)
{
    return ork_call_in(w, a->waiter, a->wait_call, a->wait_site);
}

/* ---- sentences; `who` is the subject, and acts before a call ---- */

/* It did its part later in the run. */
static const char *later_sentence(struct ork_writing *w, const struct advice *a, const char *who,
                                  const char *before)
{
    bool sends = a->actor_call.kind == ORK_KIND_SEND && a->part == ADVICE_RECEIVE;
    bool receives = a->actor_call.kind == ORK_KIND_RECV && a->part == ADVICE_SEND;
    bool is_blocking = (a->later.flags & ORK_F_NONBLOCKING) == 0;

    return ork_say(w,
                   a->is_next && sends && is_blocking ? SAYS_ADVICE_SWAP_SEND
                   : a->is_next && receives           ? SAYS_ADVICE_SWAP_RECEIVE
                                                      : SAYS_ADVICE_LATER,
                   TEXT('w', who), TEXT('c', before),
                   TEXT('d', ork_call_in(w, a->actor, a->later.call, a->later.site)));
}

static const char *receive_sentence(struct ork_writing *w, const struct advice *a, const char *who,
                                    const char *before, bool several)
{
    bool sends = !is_leaving(a) && a->actor_call.kind == ORK_KIND_SEND;

    if (a->actor == a->waiter)
        return ork_say(w, SAYS_ADVICE_RECEIVE_OWN, RANK('r', a->actor), TEXT('c', before));
    if (sends || several)
        return ork_say(w, SAYS_ADVICE_RECEIVE, TEXT('w', who), TEXT('c', before),
                       NUMBER('i', sends));
    return ork_say(w, SAYS_ADVICE_RECEIVE_FROM, TEXT('w', who), RANK('o', a->waiter),
                   TEXT('d', wait_words(w, a)), TEXT('c', before), NUMBER('i', is_leaving(a)));
}

static const char *send_sentence(struct ork_writing *w, const struct advice *a, const char *who,
                                 const char *before, bool several)
{
    if (a->actor == a->waiter)
        return ork_say(w, SAYS_ADVICE_SEND_OWN, RANK('r', a->actor), TEXT('c', before));
    if (several)
        return ork_say(w, SAYS_ADVICE_SEND, TEXT('w', who), TEXT('c', before));
    return ork_say(w, SAYS_ADVICE_SEND_TO, TEXT('w', who), RANK('o', a->waiter),
                   NUMBER('j', a->is_request), TEXT('d', wait_words(w, a)), TEXT('c', before),
                   NUMBER('i', is_leaving(a)));
}

static const char *arrive_sentence(struct ork_writing *w, const struct advice *a, const char *who,
                                   const char *before)
{
    const char *name = ork_call_name(a->wait_call);

    return ork_say(w, SAYS_ADVICE_ARRIVE, TEXT('w', who),
                   NUMBER('i', strstr(name, "_init") != NULL), TEXT('d', name),
                   TEXT('k', ork_describe_comm_apart(w, a->comm, a->actor_comm)),
                   RANK('o', a->waiter), TEXT('p', ork_place_in(w, a->waiter, a->wait_site)),
                   TEXT('c', before));
}

/* The argument that differs. */
static const char *near_sentence(struct ork_writing *w, const struct ork_near_miss *n)
{
    const struct ork_slot other = TEXT('c', ork_where_in(w, n->pending.call, &n->pending.where));
    const struct ork_slot waits = TEXT('d', ork_where_in(w, n->waits.call, &n->waits.where));
    const struct ork_slot who = RANK('r', n->pending.rank);

    if (strcmp(n->differs, "tag") == 0 || strcmp(n->differs, "communicator") == 0)
        return ork_say(w, SAYS_ADVICE_SAME, TEXT('a', n->differs), other, waits);
    if (strcmp(n->differs, "start") == 0)
        return ork_say(w, SAYS_ADVICE_START, who, other);
    if (strcmp(n->differs, "taken") == 0 && strstr(n->pending.call, "probe") != NULL)
        return ork_say(w, SAYS_ADVICE_MRECV, who, other, waits);
    if (strcmp(n->differs, "taken") == 0)
        return ork_say(w, SAYS_ADVICE_NAME, who, other);
    if (strcmp(n->differs, "null") == 0)
        return ork_say(w, SAYS_ADVICE_NULL, other, who, RANK('o', n->waits.rank), waits);
    return ork_say(w, SAYS_ADVICE_EACH_OTHER, other, who, waits, RANK('o', n->waits.rank));
}

/* "rank 0", "each of ranks 0 and 1", "one of ranks 0-3 in each root" */
static const char *actor_words(struct ork_writing *w, const struct ork_u32s *actors, uint32_t roots)
{
    bool is_each = actors->count == roots;

    if (actors->count == 1)
        return ork_writing_keep(w, ork_describe_ranks(actors->item, actors->count));
    return ork_say(w, SAYS_ADVICE_WHO, NUMBER('i', is_each), RANKS('r', actors),
                   NUMBER('j', !is_each && roots > 1));
}

const char *ork_advice_words(struct ork_writing *w, const struct ork_finding *f,
                             const struct advice *a, const struct ork_u32s *actors, uint32_t roots)
{
    const char *who = actor_words(w, actors, roots), *before = before_words(w, a);

    if (a->is_later)
        return later_sentence(w, a, who, before);
    if (a->near != UINT32_MAX)
        return near_sentence(w, &f->near_miss[a->near]);
    if (a->part == ADVICE_RECEIVE)
        return receive_sentence(w, a, who, before, actors->count > 1);
    if (a->part == ADVICE_SEND)
        return send_sentence(w, a, who, before, actors->count > 1);
    return arrive_sentence(w, a, who, before);
}
