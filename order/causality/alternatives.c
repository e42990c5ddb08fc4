/* SPDX-License-Identifier: BSD-3-Clause */
/* The other outcomes of each choice (docs/explanation/alternatives.md). */
#include "order/causality/search.h"

#include <stdlib.h>

static void search_receive(struct search *s, struct receive *r, struct ork_causal_choice choice)
{
    const struct mailbox *box = r->box;

    ork_after_choose(&s->after, r->rank->number, r->value, r);
    for (uint32_t i = 0; i < box->channels && r->from == UINT32_MAX && !s->stopped; i++) {
        struct channel *c = box->channel[i];
        const struct message *m =
            c->member != r->got_from ? ork_causality_other_message(s, c, r) : NULL;
        if (m == NULL)
            continue;
        ork_causality_pass(
            s, (struct ork_alternative){.choice = choice,
                                        .source = ork_comms_peer_of(box->ref, c->member),
                                        .tag = m->tag,
                                        .sender = c->rank,
                                        .send_site = m->site});
    }
}

static void search_indices(struct search *s, const struct rank *p, const struct choice *c)
{
    const struct indices of = {
        .op = c->op, .ops = c->ops, .is_some = c->is_some, .index = c->index, .count = c->count};

    ork_after_choose(&s->after, p->number, c->value, NULL);
    ork_causality_pass_indices(
        s, &of,
        (struct ork_alternative){.choice = ork_causality_describe_choice(p, c),
                                 .sender = UINT32_MAX});
}

/* ---- all choices ---- */

static void search_choice(struct search *s, const struct rank *p, const struct choice *c)
{
    struct receive *r = c->receive;
    bool is_receive = r != NULL && r->posted;
    struct ork_causal_choice choice =
        is_receive ? ork_causality_describe_receive(r) : ork_causality_describe_choice(p, c);

    if (c->time == NEVER)
        return;
    if (is_receive)
        search_receive(s, r, choice);
    if (c->is_test && !c->was_polled)
        ork_causality_search_failure(s, p, c, choice, ORK_POLLS_ONE_MORE);
    if (c->is_test && c->was_polled)
        ork_causality_search_again(s, p, c);
    if (c->is_test && c->was_polled)
        ork_causality_search_failure(
            s, p, c, choice, c->is_in_series ? ORK_POLLS_ABANDONED : ORK_POLLS_ALL_ABANDONED);
    if (c->has_array && c->count > 0)
        search_indices(s, p, c);
    if (c->section != NULL)
        ork_causality_search_lock(s, c);
}

static bool is_pending(const struct receive *r)
{
    return r->posted && r->is_wildcard && r->message != NULL && r->choice == NULL && r->post > 0;
}

static void search_pending(struct search *s, const struct rank *p)
{
    for (uint32_t i = 0; i < p->receives && !s->stopped; i++) {
        struct receive *r = p->receive[i];
        if (is_pending(r))
            search_receive(s, r, ork_causality_describe_receive(r));
    }
}

void ork_causality_pending(const struct ork_causality *c, ork_pending_take *take, void *context)
{
    bool goes_on = true;

    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        for (uint32_t i = 0; i < p->receives && goes_on; i++) {
            if (!is_pending(p->receive[i]))
                continue;
            struct ork_causal_choice receive = ork_causality_describe_receive(p->receive[i]);
            goes_on = take(context, &receive);
        }
    }
}

enum ork_status ork_causality_alternatives(struct ork_causality *c, ork_alternative_take *take,
                                           void *context)
{
    struct search s = {.causality = c, .take = take, .context = context};

    s.keep_polls = calloc(c->nprocs, sizeof(*s.keep_polls));
    bool good = !c->failed && s.keep_polls != NULL && ork_after_init(&s.after, c);

    for (uint32_t r = 0; good && r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        for (uint32_t i = 0; i < p->choices && !s.stopped && !c->failed; i++)
            search_choice(&s, p, p->choice[i]);
        for (uint32_t i = 0; i < p->polls && !s.stopped && !c->failed; i++)
            ork_causality_search_poll(&s, p, &p->poll[i]);
        search_pending(&s, p);
        ork_causality_search_request(&s, p);
    }
    ork_after_release(&s.after);
    free(s.keep_polls);
    free(s.ahead);
    free(s.index);
    free(s.moved);
    return good && !c->failed ? ORK_OK : ORK_NOMEM;
}
