/* SPDX-License-Identifier: BSD-3-Clause */
/* The other outcomes of each choice (docs/explanation/alternatives.md). */
#include "causality/after.h"

#include <stdlib.h>

struct search {
    struct ork_causality *causality;
    struct after after;
    ork_alternative_take *take;
    void *context;
    bool stopped;
    struct ork_causal_choice *ahead;
    uint32_t num_ahead, ahead_room;
    uint32_t poller;        /* of this rank, only receives that were posted before */
    uint64_t posted_before; /* that time count as ahead; NEVER: all do */
    uint32_t *index;
    uint32_t indices, index_room;
};

static void fail(struct search *s)
{
    s->causality->failed = true;
}

/* ---- what is passed on ---- */

/* Receives that were posted and matched without the choice, but not complete before it. */
static void list_ahead(struct search *s)
{
    struct after *a = &s->after;

    s->num_ahead = 0;
    for (uint32_t rank = 0; rank < s->causality->nprocs; rank++) {
        const struct rank *p = &s->causality->rank[rank];
        for (uint64_t i = a->first[rank]; i < a->end[rank]; i++) {
            const struct receive *r = p->receive[i];
            if (!r->posted || r->post == 0 || r == a->of || ork_after_is_matched(a, r) ||
                r->done_at < a->time[rank] ||
                (rank == s->poller && r->posted_at >= s->posted_before))
                continue;
            if (!ork_vec_reserve(&s->ahead, &s->ahead_room, s->num_ahead + 1, sizeof(*s->ahead))) {
                fail(s);
                return;
            }
            s->ahead[s->num_ahead++] = ork_causality_describe_receive(r);
        }
    }
}

static bool complete(struct search *s)
{
    if (s->after.is_complete)
        return true;
    if (!ork_after_complete(&s->after)) {
        fail(s);
        return false;
    }
    list_ahead(s);
    return !s->causality->failed;
}

static void pass(struct search *s, struct ork_alternative alternative)
{
    if (s->stopped || !complete(s))
        return;
    /* RATIONALE: before this choice its rank has also made those that no record shows. */
    if (alternative.choice.post == 0)
        s->after.keep[alternative.choice.rank] = alternative.choice.number - 1;
    alternative.keep = s->after.keep;
    alternative.ahead = s->ahead;
    alternative.num_ahead = s->num_ahead;
    s->stopped = !s->take(s->context, &alternative);
}

/* ---- receives and probes ---- */

/* The first message of the channel that the receive could take if no receive before it took another
 * one than it did. */
static struct message *first_message(struct channel *c, const struct receive *r)
{
    if (c->cursor == NULL || c->cursor_position > r->position)
        c->cursor = c->first;
    c->cursor_position = r->position;
    while (c->cursor != NULL && c->cursor->next != NULL &&
           ((c->cursor->taker != NULL && c->cursor->taker->position < r->position) ||
            c->cursor->failed))
        c->cursor = c->cursor->next;
    for (struct message *m = c->cursor; m != NULL; m = m->next) {
        bool is_taken = m->failed || (m->taker != NULL && m->taker->position < r->position);
        if (!is_taken && ork_causality_fits(r, c->member, m->tag))
            return m;
    }
    return NULL;
}

/* Would an earlier receive have taken the message? It fits, and was matched only after this one. */
static bool is_for_earlier(const struct after *a, const struct receive *r, const struct channel *c,
                           const struct message *m)
{
    const struct rank *p = r->rank;

    for (uint64_t i = a->first[p->number]; i < r->position; i++) {
        const struct receive *e = p->receive[i];
        if (e->is_after && e->takes && e->box == r->box && ork_causality_fits(e, c->member, m->tag))
            return true;
    }
    return false;
}

static void search_receive(struct search *s, struct receive *r, struct ork_causal_choice choice)
{
    const struct mailbox *box = r->box;

    ork_after_choose(&s->after, r->rank->number, r->value, r);
    for (uint32_t i = 0; i < box->channels && r->from == UINT32_MAX && !s->stopped; i++) {
        struct channel *c = box->channel[i];
        const struct message *m = c->member != r->got_from ? first_message(c, r) : NULL;
        if (m == NULL || m->time >= ork_after_time(&s->after, c->rank) || !complete(s) ||
            m->time >= s->after.time[c->rank] || is_for_earlier(&s->after, r, c, m))
            continue;
        pass(s, (struct ork_alternative){.choice = choice,
                                         .source = ork_comms_peer_of(box->ref, c->member),
                                         .tag = m->tag,
                                         .sender = c->rank,
                                         .send_site = m->site});
    }
}

/* ---- tests ---- */

static bool is_collective_before(struct search *s, const struct part *part)
{
    const struct wave *w = part->wave;

    for (uint32_t i = 0; i < w->comm->group->size; i++) {
        const struct part *other = w->part[i];
        if (ork_causality_part_needs(part, i) &&
            (other == NULL || other->time >= s->after.time[other->rank->number]))
            return false;
    }
    return true;
}

/* Could the operation have been complete without what is after the choice? */
static bool could_complete(struct search *s, const struct op *op)
{
    const struct message *m = op->message;

    switch (op->type) {
    case OP_NONE:
        return false;
    case OP_DONE:
    case OP_ACCESS:
        return true;
    case OP_SEND:
        return m == NULL || !m->is_synchronous ||
               (m->taker != NULL && !ork_after_is_matched(&s->after, m->taker));
    case OP_RECEIVE:
        return op->receive != NULL && op->receive->posted &&
               !ork_after_is_matched(&s->after, op->receive);
    case OP_LOCK:
        return false;
    case OP_COLL:
        return op->part != NULL && op->part->arrived && is_collective_before(s, op->part);
    }
    return false;
}

/* Would it have been successful at once? */
static bool could_be_first(struct search *s, const struct rank *p, const struct choice *c)
{
    ork_after_choose(&s->after, p->number, c->value, NULL);
    if (c->was_other_poll || c->since == NEVER)
        return false;
    if (c->since == 0)
        return true;
    ork_after_effect(&s->after, p->number, c->since);
    if (!complete(s))
        return false;
    if (c->receive != NULL)
        return c->receive->message != NULL &&
               c->receive->message->time < s->after.time[c->receive->message->channel->rank];
    for (uint32_t i = 0; i < (c->has_array ? c->count : c->ops); i++) {
        if (!could_complete(s, &c->op[c->has_array ? c->index[i] : i]))
            return false;
    }
    return true;
}

static void search_polls(struct search *s, const struct rank *p, const struct choice *c,
                         struct ork_causal_choice choice)
{
    struct ork_alternative alternative = {.choice = choice,
                                          .source = choice.source,
                                          .tag = choice.tag,
                                          .sender = choice.sender,
                                          .send_site = choice.send_site,
                                          .polls = ORK_POLLS_NONE};

    /* what it sent and posted after its first poll would not be there */
    s->poller = p->number;
    s->posted_before = c->polled < c->time ? c->polled : c->time;
    if (could_be_first(s, p, c))
        pass(s, alternative);
    s->posted_before = NEVER;
    ork_after_choose(&s->after, p->number, c->value, NULL);
    alternative.polls = ORK_POLLS_ONE_MORE;
    pass(s, alternative);
}

/* ---- indices ---- */

static bool is_outcome(const struct choice *c, uint32_t index)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->index[i] == index)
            return true;
    }
    return false;
}

static void pass_indices(struct search *s, const struct rank *p, const struct choice *c,
                         const uint32_t *index, uint32_t count)
{
    pass(s, (struct ork_alternative){.choice = ork_causality_describe_choice(p, c),
                                     .sender = UINT32_MAX,
                                     .index = index,
                                     .count = count});
}

static bool list_possible(struct search *s, const struct choice *c)
{
    s->indices = 0;
    if (!ork_vec_reserve(&s->index, &s->index_room, c->ops + 1, sizeof(*s->index))) {
        fail(s);
        return false;
    }
    for (uint32_t i = 0; i < c->ops; i++) {
        if (is_outcome(c, i) || could_complete(s, &c->op[i]))
            s->index[s->indices++] = i;
    }
    return true;
}

/* Those of the possible indices of which the bit is set. */
static void pass_set(struct search *s, const struct rank *p, const struct choice *c, unsigned set)
{
    uint32_t index[ORK_SET_MAX], count = 0, of_outcome = 0;

    for (uint32_t i = 0; i < s->indices; i++) {
        if ((set >> i & 1) == 0)
            continue;
        index[count++] = s->index[i];
        of_outcome += is_outcome(c, s->index[i]);
    }
    if (count != c->count || of_outcome != count)
        pass_indices(s, p, c, index, count);
}

static void search_indices(struct search *s, const struct rank *p, const struct choice *c)
{
    ork_after_choose(&s->after, p->number, c->value, NULL);
    if (!complete(s) || !list_possible(s, c))
        return;
    if (c->is_some && s->indices <= ORK_SET_MAX) {
        for (unsigned set = 1; set >> s->indices == 0; set++)
            pass_set(s, p, c, set);
        return;
    }
    for (uint32_t i = 0; i < s->indices; i++) {
        if (c->count != 1 || c->index[0] != s->index[i])
            pass_indices(s, p, c, &s->index[i], 1);
    }
    if (c->is_some && s->indices != c->count)
        pass_indices(s, p, c, s->index, s->indices);
}

/* ---- window locks ---- */

/* It could have been granted after one more section: that of another rank which had asked for it
 * without what came after this one. */
static void search_lock(struct search *s, const struct rank *p, const struct choice *c)
{
    struct ork_causal_choice choice = ork_causality_describe_choice(p, c);

    ork_after_choose(&s->after, p->number, c->value, NULL);
    for (struct section *other = ork_causality_next_section(c->section, NULL); other != NULL;
         other = ork_causality_next_section(c->section, other)) {
        uint32_t rank = other->rank->number;
        if (other->requested_at >= ork_after_time(&s->after, rank) || !complete(s) ||
            other->requested_at >= s->after.time[rank])
            continue;
        pass(s,
             (struct ork_alternative){
                 .choice = choice, .source = c->source, .tag = c->tag + 1, .sender = UINT32_MAX});
        return;
    }
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
    if (c->is_test)
        search_polls(s, p, c, choice);
    if (c->has_array && c->count > 0)
        search_indices(s, p, c);
    if (c->section != NULL)
        search_lock(s, p, c);
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
    struct search s = {.causality = c, .take = take, .context = context, .posted_before = NEVER};
    bool good = !c->failed && ork_after_init(&s.after, c);

    for (uint32_t r = 0; good && r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        for (uint32_t i = 0; i < p->choices && !s.stopped && !c->failed; i++)
            search_choice(&s, p, p->choice[i]);
        search_pending(&s, p);
    }
    ork_after_release(&s.after);
    free(s.ahead);
    free(s.index);
    return good && !c->failed ? ORK_OK : ORK_NOMEM;
}
