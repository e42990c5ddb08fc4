/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions and their answers. */
#include "order/arbiter/answer.h"

bool ork_ask_is_waiting(const struct rank *p)
{
    return p->ask.open && p->ask.record.mode != ORK_ASK_RECEIVE && p->ask.answer != ANSWER_FINAL &&
           !p->lost && !p->ended;
}

bool ork_ask_is_test(const struct ask *ask)
{
    return ask->record.mode == ORK_ASK_TEST_ANY || ask->record.mode == ORK_ASK_TEST_ALL ||
           ask->record.mode == ORK_ASK_TEST_PROBE || ask->record.mode == ORK_ASK_TEST_WIN;
}

bool ork_ask_is_any(const struct ask *ask)
{
    return ask->record.mode == ORK_ASK_WAIT_ANY || ask->record.mode == ORK_ASK_TEST_ANY;
}

bool ork_ask_is_probe(const struct ask *ask)
{
    return ask->record.mode == ORK_ASK_PROBE || ask->record.mode == ORK_ASK_TEST_PROBE;
}

bool ork_ask_is_lock(const struct ask *ask)
{
    return ask->record.mode == ORK_ASK_LOCK || ask->record.mode == ORK_ASK_ATOMIC;
}

static void say(const struct rank *p, struct reply reply, struct ork_decision decision)
{
    p->arbiter->events++;
    p->arbiter->bound_is_old = true;
    *reply.rank = p->number;
    *reply.decision = decision;
}

/* ---- answers ---- */

void ork_answer_nothing(struct rank *p, struct reply reply)
{
    p->ask.open = false;
    say(p, reply,
        (struct ork_decision){.decided = ORK_DECIDED_NOTHING,
                              .number = (uint32_t)p->ask.record.extra});
}

void ork_answer_index(struct rank *p, struct reply reply, uint32_t index)
{
    p->ask.index = index;
    say(p, reply,
        (struct ork_decision){.decided = ORK_DECIDED_INDEX,
                              .number = (uint32_t)p->ask.record.extra,
                              .source = (int32_t)index});
}

static int32_t source_of(const struct channel *c)
{
    return (int32_t)(c->member - c->box->first);
}

void ork_answer_probe(struct rank *p, struct reply reply, const struct choice *choice)
{
    ORK_ASSERT(choice->message != NULL);
    p->ask.answer = ANSWER_FINAL;
    p->ask.took = choice->best;
    say(p, reply,
        (struct ork_decision){.decided = ORK_DECIDED_PROBE,
                              .number = (uint32_t)p->ask.record.extra,
                              .source = source_of(choice->channel),
                              .tag = choice->message->tag});
    if (p->ask.record.flags & ORK_F_MATCHED)
        ork_arbiter_match_take(p->arbiter, choice->channel, choice->message);
    else
        ork_answer_with_upcoming(p, reply, choice->channel->box, p->ask.record.comm,
                                 choice->best.time, true);
}

/* Does the call of the rank, which asks, need this receive to return? */
static bool is_awaited(const struct rank *p, const struct receive *r)
{
    if (!p->ask.open || p->ask.record.mode != ORK_ASK_RECEIVE)
        return false;
    if (p->call.kind != ORK_KIND_WAIT)
        return p->receive == r;
    for (uint32_t i = 0; i < p->call.count; i++) {
        const struct request *request = ork_arbiter_rank_request(p, p->list[i]);
        if (request != NULL && request->receive == r)
            return p->call.mode == ORK_WAIT_ONE || p->call.mode == ORK_WAIT_ALL;
    }
    return false;
}

void ork_answer_receive(struct rank *p, struct reply reply, struct receive *r,
                        const struct choice *choice)
{
    struct mailbox *box = r->box;
    uint32_t comm = r->comm;
    bool is_asked = is_awaited(p, r);

    ORK_ASSERT(choice->message != NULL && r->number != 0);
    say(p, reply,
        (struct ork_decision){.decided = ORK_DECIDED_RECEIVE,
                              .number = r->number,
                              .source = source_of(choice->channel),
                              .tag = choice->message->tag});
    ork_arbiter_match_decide(p->arbiter, r, choice->channel, choice->message);
    if (is_asked)
        ork_answer_with_upcoming(p, reply, box, comm, choice->best.time, false);
}

void ork_answer_lock(struct rank *p, struct reply reply, const struct lock *lock)
{
    p->ask.answer = ANSWER_FINAL;
    p->has_lock = true;
    say(p, reply,
        (struct ork_decision){.decided = ORK_DECIDED_LOCK,
                              .number = (uint32_t)p->ask.record.extra,
                              .source = (int32_t)ork_arbiter_lock_number(lock)});
    ork_arbiter_lock_grant(p, lock);
}

/* ---- the requests of an ask ---- */

enum element { ELEMENT_INACTIVE, ELEMENT_OTHER, ELEMENT_RECEIVE };

static enum element element_at(const struct rank *p, uint32_t index, struct receive **r)
{
    uint32_t id = p->ask.list[index];
    const struct request *request = ork_arbiter_rank_request(p, id);

    *r = request != NULL ? request->receive : NULL;
    if (id == ORK_REQUEST_NULL || (request != NULL && !request->active))
        return ELEMENT_INACTIVE;
    return *r == NULL || ((*r)->box == NULL && !(*r)->matched) ? ELEMENT_OTHER : ELEMENT_RECEIVE;
}

uint32_t ork_ask_next_other(const struct rank *p, uint32_t index)
{
    uint32_t count = p->ask.record.count;
    struct receive *r;

    for (uint32_t i = 0; i < count; i++, index++) {
        if (element_at(p, index % count, &r) == ELEMENT_OTHER)
            return index % count;
    }
    return UINT32_MAX;
}

bool ork_ask_earliest(const struct rank *p, uint32_t *index, struct stamp *best,
                      struct stamp *limit)
{
    struct receive *r;

    *best = *limit = (struct stamp){.time = NEVER, .sender = UINT32_MAX};
    for (uint32_t i = 0; i < p->ask.record.count; i++) {
        if (element_at(p, i, &r) != ELEMENT_RECEIVE)
            continue;
        if (r->matched && ork_arbiter_stamp_is_less(r->took, *best)) {
            *best = r->took;
            *index = i;
        } else if (!r->matched) {
            struct choice choice = ork_arbiter_choice_of_receive(p->arbiter, r);
            if (ork_arbiter_stamp_is_less(choice.best, *limit))
                *limit = choice.best;
            if (ork_arbiter_stamp_is_less(choice.limit, *limit))
                *limit = choice.limit;
        }
    }
    return best->time != NEVER;
}

void ork_answer_matched(struct rank *p, struct reply reply, uint32_t index, struct stamp took)
{
    struct receive *r = NULL;

    p->ask.answer = ANSWER_FINAL;
    p->ask.took = took;
    ork_answer_index(p, reply, index);
    if (!ork_ask_is_any(&p->ask) || element_at(p, index, &r) != ELEMENT_RECEIVE)
        return;
    struct ork_comm_ref ref = ork_arbiter_comm_ref(p, r->comm);
    struct mailbox *box = ref.comm == NULL ? NULL : ork_arbiter_mailbox_of(p->arbiter, ref);
    if (box != NULL)
        ork_answer_with_upcoming(p, reply, box, r->comm, took.time, true);
}

bool ork_receive_is_behind(const struct receive *r)
{
    const struct receive *first = r->box->any.first;

    return r != first && (first->tag == r->tag || first->tag == ORK_ANY_TAG);
}

/* RATIONALE: a rank that looks for itself must not find what another one has sent after its own
 * test was ended. So all of these have stopped to look before any of them goes on. */
static bool answer_ending(struct ork_arbiter *a, struct reply reply)
{
    for (uint32_t r = 0; a->ending > 0 && r < a->nprocs; r++) {
        struct rank *p = &a->rank[r];
        if (p->ask.ending != ENDING_DUE)
            continue;
        p->ask.ending = ENDING_TOLD;
        say(p, reply,
            (struct ork_decision){.decided = ORK_DECIDED_ENDING,
                                  .number = (uint32_t)p->ask.record.extra});
        return true;
    }
    return false;
}

bool ork_answer_expired(struct ork_arbiter *a, struct reply reply)
{
    if (a->ending > 0)
        return answer_ending(a, reply);
    for (uint32_t r = 0; a->expired > 0 && r < a->nprocs; r++) {
        if (a->rank[r].ask.expired) {
            a->rank[r].ask.expired = false;
            a->expired--;
            ork_answer_nothing(&a->rank[r], reply);
            return true;
        }
    }
    return false;
}
