/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests and probes that could have been unsuccessful, or successful, instead. */
#include "order/causality/search.h"

void ork_causality_search_failure(struct search *s, const struct rank *p, const struct choice *c,
                                  struct ork_causal_choice choice, int polls)
{
    uint64_t num_distinct = c->last_distinct != NULL ? c->last_distinct->poll_index : 0;

    ork_after_choose(&s->after, p->number, c->value, NULL);
    ork_causality_pass(s, (struct ork_alternative){.choice = choice,
                                                   .source = choice.source,
                                                   .tag = choice.tag,
                                                   .sender = choice.sender,
                                                   .send_site = choice.send_site,
                                                   .polls = polls,
                                                   .poll = {.num_distinct = num_distinct}});
}

static void search_probe(struct search *s, const struct receive *r,
                         struct ork_alternative alternative)
{
    const struct mailbox *box = r->box;

    for (uint32_t i = 0; i < box->channels && !s->stopped; i++) {
        struct channel *c = box->channel[i];
        const struct message *m = ork_causality_other_message(s, c, r);
        if (m == NULL)
            continue;
        alternative.source = ork_comms_peer_of(box->ref, c->member);
        alternative.tag = m->tag;
        alternative.sender = c->rank;
        alternative.send_site = m->site;
        ork_causality_pass(s, alternative);
    }
}

/* A call that needs all its requests. */
static void search_test(struct search *s, const struct distinct_poll *t,
                        struct ork_alternative alternative)
{
    if (!ork_causality_complete(s))
        return;
    for (uint32_t i = 0; i < t->ops; i++) {
        if (t->op[i].type != OP_NONE && !ork_causality_could_complete(s, &t->op[i]))
            return;
    }
    ork_causality_pass(s, alternative);
}

/* That poll, where the choice of this number is made, with each outcome that it could have had
 * without what is after the choice. */
static void search_tried(struct search *s, const struct rank *p, const struct distinct_poll *t,
                         uint64_t number, struct ork_alternative alternative)
{
    const struct indices of = {.op = t->op, .ops = t->ops, .is_some = t->is_some};

    alternative.choice = (struct ork_causal_choice){.kind = t->kind,
                                                    .rank = p->number,
                                                    .number = number,
                                                    .site = t->site,
                                                    .post_site = t->site,
                                                    .sender = UINT32_MAX};
    alternative.sender = UINT32_MAX;
    alternative.poll.call = t->call;
    alternative.poll.place = t->place;
    if (t->kind == ORK_CHOICE_PROBE)
        search_probe(s, t->receive, alternative);
    else if (t->has_array)
        ork_causality_pass_indices(s, &of, alternative);
    else
        search_test(s, t, alternative);
}

static struct ork_alternative again(const struct distinct_poll *t, uint64_t num_distinct,
                                    uint64_t polls)
{
    return (struct ork_alternative){.polls = ORK_POLLS_AGAIN,
                                    .poll = {.polls = polls,
                                             .first = t->first,
                                             .num_distinct = num_distinct,
                                             .poll_index = t->poll_index}};
}

/* RATIONALE: a loop makes its polls in turn, so those that were made after the equal one of this
 * choice come next. The others were made before the loop, or again since (struct poll). */
void ork_causality_search_again(struct search *s, const struct rank *p, const struct choice *c)
{
    uint64_t num_distinct = c->last_distinct->poll_index;

    ork_after_choose(&s->after, p->number, c->value, NULL);
    for (const struct distinct_poll *t = c->last_distinct; t != NULL; t = t->earlier) {
        if (t->last > c->equal->last && t->num_distinct < num_distinct)
            search_tried(s, p, t, c->number, again(t, num_distinct, ORK_POLLS_ALL));
    }
}

/* After exactly as many polls as in this run. */
static struct ork_alternative fewer(const struct poll *poll)
{
    bool is_first = poll->same == 0, is_new = poll->distinct != NULL;

    return (struct ork_alternative){.polls = ORK_POLLS_FEWER,
                                    .poll = {.polls = poll->polls,
                                             .different = poll->different - is_first,
                                             .same = poll->same,
                                             .num_distinct = poll->num_distinct - is_new,
                                             .poll_index = is_new ? 0 : poll->of->poll_index}};
}

/* RATIONALE: if the rank went on polling, its loop may make any number of polls, so of equal ones
 * only the first one after all others is tried. If the polls were abandoned, there are only these.
 */
void ork_causality_search_poll(struct search *s, const struct rank *p, const struct poll *poll)
{
    if (poll->value == NEVER)
        return;
    ork_after_choose(&s->after, p->number, poll->value, NULL);
    if (poll->distinct != NULL ||
        (poll->counts && poll->of->poll_index <= ork_causality_num_abandoned(p, poll->number)))
        search_tried(s, p, poll->of, poll->number, fewer(poll));
    else if (poll->is_again)
        search_tried(s, p, poll->of, poll->number,
                     again(poll->of, poll->num_distinct, poll->polls));
}
