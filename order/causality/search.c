/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/causality/search.h"

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
                r->done_at < a->time[rank])
                continue;
            if (!ork_vec_reserve(&s->ahead, &s->ahead_room, s->num_ahead + 1, sizeof(*s->ahead))) {
                fail(s);
                return;
            }
            s->ahead[s->num_ahead++] = ork_causality_describe_receive(r);
        }
    }
}

static void list_polls(struct search *s)
{
    struct after *a = &s->after;

    for (uint32_t r = 0; r < s->causality->nprocs; r++)
        s->keep_polls[r] =
            ork_causality_polls_before(&s->causality->rank[r], a->time[r], &a->keep[r]);
}

bool ork_causality_complete(struct search *s)
{
    if (s->after.is_complete)
        return true;
    if (!ork_after_complete(&s->after)) {
        fail(s);
        return false;
    }
    list_polls(s);
    list_ahead(s);
    return !s->causality->failed;
}

void ork_causality_pass(struct search *s, struct ork_alternative alternative)
{
    uint32_t rank = alternative.choice.rank;

    if (s->stopped || !ork_causality_complete(s) || !ork_after_is_sound(&s->after))
        return;
    /* RATIONALE: before this choice its rank has also made those that no record shows. */
    if (alternative.choice.post == 0) {
        s->after.keep[rank] = alternative.choice.number - 1;
        s->keep_polls[rank] = 0;
    }
    alternative.keep = s->after.keep;
    alternative.keep_polls = s->keep_polls;
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

struct message *ork_causality_other_message(struct search *s, struct channel *c,
                                            const struct receive *r)
{
    struct message *m = first_message(c, r);

    if (m == NULL || m->time >= ork_after_time(&s->after, c->rank) || !ork_causality_complete(s) ||
        m->time >= s->after.time[c->rank] || is_for_earlier(&s->after, r, c, m))
        return NULL;
    return m;
}

/* ---- operations ---- */

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

bool ork_causality_could_complete(struct search *s, const struct op *op)
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
    case OP_EPOCH:
        return ork_causality_epoch_is_before(op->epoch, s->after.time);
    case OP_COLL:
        return op->part != NULL && op->part->arrived && is_collective_before(s, op->part);
    }
    return false;
}

/* ---- indices ---- */

static bool is_outcome(const struct indices *of, uint32_t index)
{
    for (uint32_t i = 0; i < of->count; i++) {
        if (of->index[i] == index)
            return true;
    }
    return false;
}

static bool list_possible(struct search *s, const struct indices *of)
{
    s->indices = 0;
    if (!ork_vec_reserve(&s->index, &s->index_room, of->ops + 1, sizeof(*s->index))) {
        fail(s);
        return false;
    }
    for (uint32_t i = 0; i < of->ops; i++) {
        if (is_outcome(of, i) || ork_causality_could_complete(s, &of->op[i]))
            s->index[s->indices++] = i;
    }
    return true;
}

static void pass_these(struct search *s, struct ork_alternative alternative, const uint32_t *index,
                       uint32_t count)
{
    alternative.index = index;
    alternative.count = count;
    ork_causality_pass(s, alternative);
}

/* Those of the possible indices of which the bit is set. */
static void pass_set(struct search *s, const struct indices *of, struct ork_alternative alternative,
                     unsigned set)
{
    uint32_t index[ORK_SET_MAX], count = 0, of_outcome = 0;

    for (uint32_t i = 0; i < s->indices; i++) {
        if ((set >> i & 1) == 0)
            continue;
        index[count++] = s->index[i];
        of_outcome += is_outcome(of, s->index[i]);
    }
    if (count != of->count || of_outcome != count)
        pass_these(s, alternative, index, count);
}

void ork_causality_pass_indices(struct search *s, const struct indices *of,
                                struct ork_alternative alternative)
{
    if (!ork_causality_complete(s) || !list_possible(s, of))
        return;
    if (of->is_some && s->indices <= ORK_SET_MAX) {
        for (unsigned set = 1; set >> s->indices == 0; set++)
            pass_set(s, of, alternative, set);
        return;
    }
    for (uint32_t i = 0; i < s->indices; i++) {
        if (of->count != 1 || of->index[0] != s->index[i])
            pass_these(s, alternative, &s->index[i], 1);
    }
    if (of->is_some && s->indices != of->count)
        pass_these(s, alternative, s->index, s->indices);
}
