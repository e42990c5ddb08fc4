/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions that hold whatever the ranks do next. */
#include "order/arbiter/answer.h"

static bool is_accepted(const struct choice *choice)
{
    return choice->message != NULL && ork_arbiter_stamp_is_less(choice->best, choice->limit);
}

static bool decide_any(struct rank *p, struct reply reply)
{
    struct ask *ask = &p->ask;
    struct stamp best, limit;
    uint32_t index = 0;

    if (ask->answer != ANSWER_NONE || ask->record.count == 0)
        return false;
    uint32_t other = ork_ask_next_other(p, 0);
    if (other != UINT32_MAX) {
        ask->answer = ANSWER_TRIED;
        ask->start = other;
        ask->round = NEVER;
        ork_answer_index(p, reply, other);
        return true;
    }
    if (!ork_ask_earliest(p, &index, &best, &limit) || !ork_arbiter_stamp_is_less(best, limit))
        return false;
    ork_answer_matched(p, reply, index, best);
    return true;
}

static bool decide_cancel(struct rank *p, struct reply reply)
{
    const struct request *request = ork_arbiter_rank_request(p, p->ask.record.request);
    const struct receive *r = request == NULL ? NULL : request->receive;

    if (r != NULL && r->box != NULL)
        return false;
    if (r == NULL || !r->matched)
        ork_answer_nothing(p, reply);
    else
        ork_answer_matched(p, reply, 0, (struct stamp){0});
    return true;
}

static bool decide_lock(struct rank *p, struct reply reply)
{
    struct lock lock;

    if (!ork_arbiter_lock_of(p, &lock)) {
        ork_answer_nothing(p, reply);
        return true;
    }
    if (ork_turn_of(p, &lock, NULL) != TURN_NOW)
        return false;
    ork_answer_lock(p, reply, &lock);
    return true;
}

static bool may_enter(const struct rank *p)
{
    if (!p->inside)
        return false;
    if (p->call.kind == ORK_KIND_FINALIZE)
        return p->arbiter->finalized == p->arbiter->nprocs;
    return p->call.kind == ORK_KIND_COLL && p->wave != NULL && ork_arbiter_wave_is_complete(p);
}

static bool decide_ask(struct rank *p, struct reply reply)
{
    struct choice choice;

    if (ork_ask_is_any(&p->ask))
        return decide_any(p, reply);
    if (ork_ask_is_probe(&p->ask)) {
        if (!ork_arbiter_choice_of_probe(p, &p->ask.record, &choice) || !is_accepted(&choice))
            return false;
        ork_answer_probe(p, reply, &choice);
        return true;
    }
    if (p->ask.record.mode == ORK_ASK_CANCEL)
        return decide_cancel(p, reply);
    if (ork_ask_is_lock(&p->ask))
        return decide_lock(p, reply);
    if (p->ask.record.mode != ORK_ASK_ENTER || !may_enter(p))
        return false;
    ork_answer_nothing(p, reply);
    return true;
}

static bool decide_receive(struct ork_arbiter *a, struct reply reply)
{
    for (struct mailbox *box = a->mailbox; box != NULL; box = box->next) {
        struct rank *p = &a->rank[box->rank];
        for (struct receive *r = box->any.first; r != NULL && !p->lost && !p->ended; r = r->next) {
            struct choice choice;
            if (ork_receive_is_behind(r))
                continue;
            choice = ork_arbiter_choice_of_receive(a, r);
            if (is_accepted(&choice)) {
                ork_answer_receive(p, reply, r, &choice);
                return true;
            }
        }
    }
    return false;
}

static bool decide_with_these_bounds(struct ork_arbiter *a, struct reply reply)
{
    for (uint32_t r = 0; r < a->nprocs; r++) {
        if (ork_ask_is_waiting(&a->rank[r]) && decide_ask(&a->rank[r], reply))
            return true;
    }
    return decide_receive(a, reply);
}

enum ork_status ork_arbiter_decide(struct ork_arbiter *a, uint32_t *rank,
                                   struct ork_decision *decision)
{
    struct reply reply = {.rank = rank, .decision = decision};
    bool found = !a->failed && (ork_answer_next_upcoming(a, reply) ||
                                ork_answer_expired(a, reply) || decide_with_these_bounds(a, reply));

    /* RATIONALE: old bounds still hold, they are only lower than they could be */
    if (!found && !a->failed && a->bound_is_old) {
        ork_arbiter_bound_update(a);
        found = decide_with_these_bounds(a, reply);
    }
    if (found)
        ork_arbiter_follow(a);
    return a->failed ? ORK_NOMEM : found ? ORK_OK : ORK_NOTFOUND;
}

bool ork_arbiter_is_waiting(const struct ork_arbiter *a)
{
    for (uint32_t r = 0; r < a->nprocs; r++) {
        const struct rank *p = &a->rank[r];
        if (p->lost || p->ended)
            continue;
        /* a rank that was granted a lock waits until the section before is over */
        if (ork_ask_is_waiting(p) || (p->ask.open && ork_ask_is_lock(&p->ask)) ||
            (p->inside && p->undecided > 0))
            return true;
    }
    return false;
}
