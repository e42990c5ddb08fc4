/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that come to a rank next, given to it before an answer: record/upcoming.h. */
#include "order/arbiter/answer.h"

#include <stdlib.h>

/* A list costs as much as there are requests and sources. */
enum { REQUESTS_MAX = 1024, SOURCES_MAX = 1024 };

/* The message of a posted receive. */
struct taken {
    struct stamp at;
    uint32_t request;
};

struct list {
    struct rank *rank;
    const struct mailbox *box;
    uint32_t comm;  /* its number at the rank */
    uint64_t clock; /* of the rank when it has its answer */
    struct stamp limit;
    struct taken taken[ORK_UPCOMING_REQUESTS];
    uint32_t num_taken, next_taken; /* in their order */
    uint32_t later[ORK_UPCOMING_REQUESTS];
    uint32_t num_later;
    uint32_t messages;
    bool is_cut; /* by the limit */
};

/* Of each message that another rank may still send. RATIONALE: the rank itself sends none while it
 * waits for the answer, and later it knows what it sends. */
static struct stamp limit_of(const struct rank *p, const struct mailbox *box)
{
    struct stamp limit = {.time = NEVER, .sender = UINT32_MAX};

    for (uint32_t i = box->first; i < box->first + box->sources; i++) {
        uint32_t rank = ork_comms_rank_of(box->comm, i);
        struct stamp at = {.time = p->arbiter->bound[rank].message, .sender = rank};
        if (rank != p->number && ork_arbiter_stamp_is_less(at, limit))
            limit = at;
    }
    return limit;
}

/* ---- the receives of the rank ---- */

static void insert_taken(struct list *l, struct stamp at, uint32_t request)
{
    uint32_t i = l->num_taken++;

    for (; i > 0 && ork_arbiter_stamp_is_less(at, l->taken[i - 1].at); i--)
        l->taken[i] = l->taken[i - 1];
    l->taken[i] = (struct taken){.at = at, .request = request};
}

/* False: they are too many, or one of them may be withdrawn. */
static bool find_requests(struct list *l)
{
    const struct rank *p = l->rank;

    l->num_taken = l->next_taken = l->num_later = 0;
    for (uint32_t i = 0; i < p->requests; i++) {
        const struct request *r = &p->request[i];
        if (!r->used || !r->active || r->receive == NULL || r->receive->comm != l->comm)
            continue;
        if (r->receive->cancelling || l->num_taken + l->num_later == ORK_UPCOMING_REQUESTS)
            return false;
        if (r->receive->matched && ork_arbiter_stamp_is_less(r->receive->took, l->limit))
            insert_taken(l, r->receive->took, i);
        else
            l->later[l->num_later++] = i;
    }
    return true;
}

/* ---- writing ---- */

static void put(struct ork_arbiter *a, struct ork_decision decision)
{
    ORK_ASSERT(a->upcoming.num < sizeof(a->upcoming.decision) / sizeof(a->upcoming.decision[0]));
    a->upcoming.decision[a->upcoming.num++] = decision;
}

static int32_t since(const struct list *l, uint64_t time)
{
    if (time < l->clock)
        return l->clock - time < INT32_MAX ? -(int32_t)(l->clock - time) : INT32_MIN;
    return time - l->clock < INT32_MAX ? (int32_t)(time - l->clock) : INT32_MAX;
}

/* The channel whose next message is the earliest; NULL: there is none. */
static struct message **earliest_of(struct list *l, struct message **next, struct stamp *at,
                                    uint32_t *channel)
{
    struct message **found = NULL;

    *at = (struct stamp){.time = NEVER, .sender = UINT32_MAX};
    for (uint32_t i = 0; i < l->box->channels; i++) {
        struct stamp s = {.sender = l->box->channel[i]->rank};
        if (next[i] == NULL)
            continue;
        s.time = next[i]->time;
        if (ork_arbiter_stamp_is_less(s, *at)) {
            *at = s;
            *channel = i;
            found = &next[i];
        }
    }
    return found;
}

/* False: there is no further one before the limit. */
static bool put_next(struct list *l, struct message **next)
{
    struct ork_arbiter *a = l->rank->arbiter;
    struct stamp at;
    uint32_t channel = 0;
    struct message **message = earliest_of(l, next, &at, &channel);

    if (l->next_taken < l->num_taken && ork_arbiter_stamp_is_less(l->taken[l->next_taken].at, at)) {
        const struct taken *t = &l->taken[l->next_taken++];
        put(a, (struct ork_decision){.decided = ORK_DECIDED_UPCOMING_TAKEN,
                                     .number = t->request,
                                     .source = since(l, t->at.time)});
        return true;
    }
    if (message == NULL)
        return false;
    l->is_cut = !ork_arbiter_stamp_is_less(at, l->limit);
    if (l->is_cut)
        return false;
    put(a,
        (struct ork_decision){.decided = ORK_DECIDED_UPCOMING_MESSAGE,
                              .number = (uint32_t)since(l, (*message)->time),
                              .source = (int32_t)(l->box->channel[channel]->member - l->box->first),
                              .tag = (*message)->tag});
    *message = (*message)->next;
    return true;
}

static void put_later(struct list *l, uint32_t request)
{
    put(l->rank->arbiter,
        (struct ork_decision){.decided = ORK_DECIDED_UPCOMING_LATER, .number = request});
}

/* False: there was no memory, or too much to list. */
static bool put_list(struct list *l)
{
    struct ork_arbiter *a = l->rank->arbiter;
    struct message **next;

    l->limit = limit_of(l->rank, l->box);
    l->is_cut = false;
    l->messages = 0;
    a->upcoming.num = a->upcoming.given = 0;
    if (!find_requests(l) ||
        !ork_vec_reserve(&a->upcoming.next, &a->upcoming.room, l->box->channels, sizeof(*next)))
        return false;
    next = a->upcoming.next;
    for (uint32_t i = 0; i < l->box->channels; i++)
        next[i] = l->box->channel[i]->first;
    put(a, (struct ork_decision){.decided = ORK_DECIDED_UPCOMING, .number = l->comm});
    while (l->messages < ORK_UPCOMING_MAX && put_next(l, next))
        l->messages++;
    uint32_t requests = l->num_taken + l->num_later;
    for (uint32_t i = l->next_taken; i < l->num_taken; i++)
        put_later(l, l->taken[i].request);
    for (uint32_t i = 0; i < l->num_later; i++)
        put_later(l, l->later[i]);
    put(a, (struct ork_decision){.decided = ORK_DECIDED_UPCOMING_END,
                                 .number = l->messages + requests});
    return true;
}

void ork_answer_with_upcoming(struct rank *p, struct reply reply, const struct mailbox *box,
                              uint32_t comm, uint64_t took, bool has_own)
{
    struct ork_arbiter *a = p->arbiter;
    struct list list = {.rank = p,
                        .box = box,
                        .comm = comm,
                        .clock = ork_arbiter_later(p->clock.message, took + 1)};

    ORK_ASSERT(a->upcoming.given == a->upcoming.num);
    /* what an undecided receive takes is not known, and what the rank has done since it asked */
    if (reply.is_last || box->any.first != NULL || p->queued > 0 || p->requests > REQUESTS_MAX ||
        box->sources > SOURCES_MAX)
        return;
    bool is_listed = put_list(&list);
    if (is_listed && list.is_cut && a->bound_is_old) {
        ork_arbiter_bound_update(a);
        is_listed = put_list(&list);
    }
    if (!is_listed || list.messages <= has_own) {
        a->upcoming.num = a->upcoming.given = 0;
        return;
    }
    put(a, *reply.decision);
    a->upcoming.rank = p->number;
    ork_answer_next_upcoming(a, reply);
}

bool ork_answer_next_upcoming(struct ork_arbiter *a, struct reply reply)
{
    if (a->upcoming.given == a->upcoming.num)
        return false;
    *reply.rank = a->upcoming.rank;
    *reply.decision = a->upcoming.decision[a->upcoming.given++];
    return true;
}
