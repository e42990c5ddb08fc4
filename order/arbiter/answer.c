/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions and their answers. */
#include "order/arbiter/answer.h"

bool ork_ask_is_waiting(const struct rank *p)
{
    return p->ask.open && p->ask.answer != ANSWER_FINAL && !p->lost && !p->ended;
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
}

void ork_answer_receive(struct rank *p, struct reply reply, struct receive *r,
                        const struct choice *choice)
{
    ORK_ASSERT(choice->message != NULL && r->number != 0);
    say(p, reply,
        (struct ork_decision){.decided = ORK_DECIDED_RECEIVE,
                              .number = r->number,
                              .source = source_of(choice->channel),
                              .tag = choice->message->tag});
    ork_arbiter_match_decide(p->arbiter, r, choice->channel, choice->message);
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
    p->ask.answer = ANSWER_FINAL;
    p->ask.took = took;
    ork_answer_index(p, reply, index);
}

bool ork_receive_is_behind(const struct receive *r)
{
    const struct receive *first = r->box->any.first;

    return r != first && (first->tag == r->tag || first->tag == ORK_ANY_TAG);
}

bool ork_answer_expired(struct ork_arbiter *a, struct reply reply)
{
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
