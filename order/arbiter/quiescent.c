/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions of a quiescent state. It is the same in every run, and so is every rule that only
 * depends on it. */
#include "order/arbiter/answer.h"

/* What the earliest message of all is for. */
struct first {
    struct stamp at;
    struct rank *rank;
    struct receive *receive; /* NULL: the ask of the rank */
    struct choice choice;
    uint32_t index;
};

static bool is_before(struct stamp at, const struct rank *p, const struct first *first)
{
    if (at.time == NEVER)
        return false;
    return first->rank == NULL || ork_arbiter_stamp_is_less(at, first->at) ||
           (!ork_arbiter_stamp_is_less(first->at, at) && p->number < first->rank->number);
}

/* Has the ask no further element to try? */
static bool is_exhausted(const struct rank *p)
{
    return p->ask.answer != ANSWER_TRIED || ork_ask_next_other(p, p->ask.index + 1) == p->ask.start;
}

static void look_at_asks(struct ork_arbiter *a, struct first *first)
{
    for (uint32_t r = 0; r < a->nprocs; r++) {
        struct rank *p = &a->rank[r];
        struct choice choice = {.message = NULL};
        struct stamp best = {.time = NEVER}, limit;
        uint32_t index = 0;
        if (!ork_ask_is_waiting(p))
            continue;
        if (ork_ask_is_probe(&p->ask) && ork_arbiter_choice_of_probe(p, &p->ask.record, &choice))
            best = choice.best;
        else if (ork_ask_is_any(&p->ask) && is_exhausted(p))
            ork_ask_earliest(p, &index, &best, &limit);
        if (is_before(best, p, first))
            *first = (struct first){.at = best, .rank = p, .choice = choice, .index = index};
    }
}

static void look_at_receives(struct ork_arbiter *a, struct first *first)
{
    for (struct mailbox *box = a->mailbox; box != NULL; box = box->next) {
        struct rank *p = &a->rank[box->rank];
        for (struct receive *r = box->any.first; r != NULL && !p->lost && !p->ended; r = r->next) {
            struct choice choice;
            if (ork_receive_is_behind(r))
                continue;
            choice = ork_arbiter_choice_of_receive(a, r);
            if (is_before(choice.best, p, first))
                *first =
                    (struct first){.at = choice.best, .rank = p, .receive = r, .choice = choice};
        }
    }
}

static bool break_at_message(struct ork_arbiter *a, struct reply reply)
{
    struct first first = {.rank = NULL};

    look_at_receives(a, &first);
    look_at_asks(a, &first);
    if (first.rank == NULL)
        return false;
    if (first.receive != NULL)
        ork_answer_receive(first.rank, reply, first.receive, &first.choice);
    else if (ork_ask_is_probe(&first.rank->ask))
        ork_answer_probe(first.rank, reply, &first.choice);
    else
        ork_answer_matched(first.rank, reply, first.index, first.at);
    return true;
}

/* The earliest lock with which no section conflicts. RATIONALE: one that waits behind an earlier
 * one, which waits for a section, may be what the end of that section needs. */
static bool break_at_lock(struct ork_arbiter *a, struct reply reply)
{
    struct rank *first = NULL;
    struct lock lock, granted;

    for (uint32_t r = 0; r < a->nprocs; r++) {
        struct rank *p = &a->rank[r];
        if (!ork_ask_is_waiting(p) || !ork_ask_is_lock(&p->ask) ||
            (first != NULL && !ork_arbiter_stamp_is_less(p->ask.at, first->ask.at)) ||
            !ork_arbiter_lock_of(p, &lock) || !ork_arbiter_lock_is_free(&lock))
            continue;
        first = p;
        granted = lock;
    }
    if (first == NULL)
        return false;
    ork_answer_lock(first, reply, &granted);
    return true;
}

/* The next request of a list that is no receive: none of those tried before is complete. A list is
 * tried once in each quiescent state. */
static bool break_at_other(struct ork_arbiter *a, struct reply reply)
{
    for (uint32_t r = 0; r < a->nprocs; r++) {
        struct rank *p = &a->rank[r];
        struct ask *ask = &p->ask;
        if (!ork_ask_is_waiting(p) || ask->answer != ANSWER_TRIED)
            continue;
        if (ask->round == NEVER)
            ask->round = a->events;
        if (is_exhausted(p) && ask->round != a->events) {
            ask->start = ask->index;
            ask->round = a->events;
        }
        if (is_exhausted(p))
            continue;
        ork_answer_index(p, reply, ork_ask_next_other(p, ask->index + 1));
        a->events--; /* the state is the same */
        return true;
    }
    return false;
}

static bool break_at_call(struct ork_arbiter *a, struct reply reply)
{
    for (uint32_t r = 0; r < a->nprocs; r++) {
        if (ork_ask_is_waiting(&a->rank[r]) && a->rank[r].ask.record.mode == ORK_ASK_ENTER) {
            ork_answer_nothing(&a->rank[r], reply);
            return true;
        }
    }
    for (uint32_t r = 0; r < a->nprocs; r++) {
        struct rank *p = &a->rank[r];
        if (!ork_ask_is_waiting(p) || p->ask.record.mode != ORK_ASK_CANCEL)
            continue;
        struct request *request = ork_arbiter_rank_request(p, p->ask.record.request);
        ORK_ASSERT(request != NULL && request->receive != NULL); /* else it is decided */
        ork_arbiter_match_withdraw(a, request->receive);
        ork_answer_nothing(p, reply);
        return true;
    }
    return false;
}

/* Does the rank look for itself whether the test is successful? */
static bool looks_itself(const struct ask *ask)
{
    return ask->record.mode == ORK_ASK_TEST_ALL || ask->record.mode == ORK_ASK_TEST_WIN ||
           ask->answer == ANSWER_TRIED;
}

/* The ranks have not said that they stopped to look, which they do at once: that they wait shows
 * it. */
static bool end_all(struct ork_arbiter *a, struct reply reply)
{
    for (uint32_t r = 0; a->ending > 0 && r < a->nprocs; r++)
        ork_arbiter_ask_ended(&a->rank[r]);
    return ork_answer_expired(a, reply);
}

/* All waiting tests are unsuccessful. */
static bool expire(struct ork_arbiter *a, struct reply reply)
{
    struct times greatest = ork_arbiter_greatest_clock(a);
    uint32_t looks = 0;

    for (uint32_t r = 0; r < a->nprocs; r++) {
        struct rank *p = &a->rank[r];
        if (!ork_ask_is_waiting(p) || !ork_ask_is_test(&p->ask))
            continue;
        p->ask.expired = true;
        looks += looks_itself(&p->ask);
        p->clock = ork_times_after(greatest, 1);
        a->expired++;
    }
    for (uint32_t r = 0; looks > 0 && a->expired > 1 && r < a->nprocs; r++) {
        struct ask *ask = &a->rank[r].ask;
        if (!ask->expired || !looks_itself(ask))
            continue;
        ask->ending = ENDING_DUE;
        a->ending++;
    }
    return ork_answer_expired(a, reply);
}

enum ork_status ork_arbiter_break(struct ork_arbiter *a, uint32_t *rank,
                                  struct ork_decision *decision)
{
    struct reply reply = {.rank = rank, .decision = decision, .is_last = true};
    bool found =
        !a->failed && (end_all(a, reply) || break_at_message(a, reply) || break_at_lock(a, reply) ||
                       break_at_other(a, reply) || break_at_call(a, reply) || expire(a, reply));

    if (found)
        ork_arbiter_follow(a);
    return a->failed ? ORK_NOMEM : found ? ORK_OK : ORK_NOTFOUND;
}
