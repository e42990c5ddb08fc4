/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/outcome.h"

#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/posts.h"
#include "interceptor/forcing/polls.h"

bool ork_outcome_of_probe(struct ork_point *p)
{
    if (!ork_is_imposed(p->id))
        return false;
    return ork_run_is_decided ? ork_decided_probe(p)
                              : ork_ordered_envelope(p->kind, p->id, p->comm, &p->source, &p->tag);
}

/* RATIONALE: a probe that has failed when it was recorded has wrong arguments. */
static enum ork_outcome name(struct ork_point *p, const struct ork_choice *next)
{
    if (p->source == MPI_PROC_NULL || next->source == ORK_NO_PEER)
        return ORK_OUTCOME_FREE;
    if (ork_ordered_name(next, p->comm, &p->source, &p->tag))
        return ORK_OUTCOME_GIVEN;
    ork_ordered_diverge(ORK_DIVERGED_OUTCOME, p->id);
    return ORK_OUTCOME_FREE;
}

static enum ork_outcome of_order(struct ork_point *p, const struct ork_choice **next)
{
    enum ork_outcome outcome = ORK_OUTCOME_FREE;

    if (ORK_LIKELY(ork_replay_is_on()))
        outcome = ork_ordered_poll(p, next);
    else if (p->kind == ORK_CHOICE_TEST)
        ork_posts_let_go();
    if (outcome == ORK_OUTCOME_FREE)
        return ork_polls_wait(p->id);
    return outcome == ORK_OUTCOME_GIVEN && p->kind == ORK_CHOICE_PROBE ? name(p, *next) : outcome;
}

enum ork_outcome ork_outcome_of_poll(struct ork_point *p, const struct ork_choice **next)
{
    if (!ork_is_imposed(p->id))
        return ORK_OUTCOME_FREE;
    return ork_run_is_decided ? ork_decided_poll(p) : of_order(p, next);
}

enum ork_outcome ork_outcome_of_wait(struct ork_point *p, const struct ork_choice **next)
{
    if (!ork_is_imposed(p->id))
        return ORK_OUTCOME_FREE;
    if (ork_run_is_decided)
        return ork_decided_wait(p);
    *next = ork_replay_is_on() ? ork_ordered_next(p->kind, p->id) : NULL;
    return *next != NULL ? ORK_OUTCOME_GIVEN : ORK_OUTCOME_FREE;
}

void ork_outcome_begin_wait(struct ork_wait *w, const struct ork_point *p, enum ork_outcome outcome)
{
    if (ork_run_is_decided)
        ork_decided_ask_of(p, outcome);
    ork_wait_begin(w, p->id, outcome == ORK_OUTCOME_WAITS);
}

const struct ork_choice *ork_outcome_given(const struct ork_choice *next, enum ork_outcome *outcome)
{
    return ork_run_is_decided ? ork_decided_given(outcome) : next;
}

void ork_outcome_end_poll(enum ork_outcome outcome, enum ork_call_id id, bool is_successful)
{
    if (ork_run_is_decided && is_successful && outcome != ORK_OUTCOME_FREE)
        ork_polls_have_succeeded();
    else if (!ork_run_is_decided && outcome == ORK_OUTCOME_WAITS)
        ork_polls_have_waited(id, is_successful);
}
