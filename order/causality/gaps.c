/* SPDX-License-Identifier: BSD-3-Clause */
/* What is not known of a run when it is over (docs/explanation/alternatives.md). */
#include "order/causality/internal.h"

/* ---- receives ---- */

static bool is_free_for(const struct message *m, const struct receive *r)
{
    return !m->failed && (m->taker == NULL || m->taker->position > r->position);
}

/* Is there a message that fits, and was not taken, or only by a later receive? */
static bool has_message(const struct receive *r, bool is_taken_later)
{
    for (uint32_t i = 0; i < r->box->channels; i++) {
        const struct channel *c = r->box->channel[i];
        for (const struct message *m = c->first; m != NULL; m = m->next) {
            bool is_free = is_taken_later ? is_free_for(m, r) : m->taker == NULL && !m->failed;
            if (is_free && ork_causality_fits(r, c->member, m->tag))
                return true;
        }
    }
    return false;
}

/* RATIONALE: if it had taken a message of which no record tells, one of those that fit would be
 * left: those with the same source and tag are given to receives in their order. */
static bool is_unknown(const struct receive *r)
{
    return r->box != NULL && r->is_wildcard && r->takes && !r->is_void && !r->is_cancelled &&
           r->known == KNOWN_NEVER && has_message(r, false);
}

static bool could_be_cancelled_or_not(const struct receive *r)
{
    return r->box != NULL && r->was_to_cancel && (!r->is_cancelled || has_message(r, true));
}

/* ---- could the call return in which the rank was ended? ---- */

static bool could_send(const struct message *m)
{
    return m == NULL || m->taker != NULL;
}

static bool could_receive(const struct receive *r)
{
    return r == NULL || r->box == NULL || r->message != NULL || has_message(r, false);
}

/* Has every member called it on which this one depends? */
static bool could_collect(const struct part *part)
{
    for (uint32_t i = 0; part != NULL && i < part->wave->comm->group->size; i++) {
        if (ork_causality_part_needs(part, i) && part->wave->part[i] == NULL)
            return false;
    }
    return true;
}

static bool could_complete(const struct op *op)
{
    switch (op->type) {
    case OP_SEND:
        return could_send(op->message);
    case OP_RECEIVE:
        return could_receive(op->receive);
    case OP_COLL:
        return could_collect(op->part);
    case OP_NONE:
    case OP_DONE:
    case OP_LOCK:
    case OP_ACCESS:
    case OP_EPOCH:
        break;
    }
    return true;
}

static bool could_wait(const struct rank *p)
{
    bool needs_all = p->call.mode == ORK_WAIT_ONE || p->call.mode == ORK_WAIT_ALL;

    for (uint32_t i = 0; i < p->call.count; i++) {
        const struct request *r = ork_causality_request(p, p->call_list[i]);
        bool could = r == NULL || could_complete(&r->op);
        if (could != needs_all)
            return could;
    }
    return needs_all;
}

static bool could_return(const struct rank *p)
{
    switch (p->call.kind) {
    case ORK_KIND_SEND:
        return could_send(p->sending);
    case ORK_KIND_RECV:
    case ORK_KIND_PROBE:
        return could_receive(p->receiving);
    case ORK_KIND_SENDRECV:
        return could_send(p->sending) && could_receive(p->receiving);
    case ORK_KIND_WAIT:
        return could_wait(p);
    case ORK_KIND_COLL:
        return could_collect(p->part);
    case ORK_KIND_WIN_LOCK:
        return p->locking == NULL || !ork_causality_section_is_held(p->locking);
    default:
        return true;
    }
}

static bool was_cut(const struct rank *p)
{
    if (p->has_finished || p->how == ORK_CAUSAL_OWN)
        return false;
    return p->how == ORK_CAUSAL_OUTSIDE || !p->inside || could_return(p);
}

/* ---- indices ---- */

/* RATIONALE: more than what its alternatives say is possible, because operations that depend on the
 * choice count, too. */
static bool are_many(const struct op *op, uint32_t ops)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < ops; i++)
        n += op[i].type != OP_NONE && could_complete(&op[i]);
    return n > ORK_SET_MAX;
}

static bool has_many_sets(const struct rank *p)
{
    bool found = false;

    for (uint32_t i = 0; i < p->choices; i++)
        found |= p->choice[i]->is_some && are_many(p->choice[i]->op, p->choice[i]->ops);
    for (uint32_t i = 0; i < p->polls; i++) {
        const struct distinct_poll *t = p->poll[i].distinct;
        found |= t != NULL && t->is_some && are_many(t->op, t->ops);
    }
    return found;
}

/* ---- all of them ---- */

void ork_causality_gaps(const struct ork_causality *c, uint32_t ranks[ORK_GAPS])
{
    memset(ranks, 0, ORK_GAPS * sizeof(*ranks));
    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        bool has_unknown = false, has_cancelled = p->has_other_cancel;
        for (uint32_t i = 0; i < p->receives; i++) {
            has_unknown |= is_unknown(p->receive[i]);
            has_cancelled |= could_be_cancelled_or_not(p->receive[i]);
        }
        ranks[ORK_GAP_RECEIVE] += has_unknown;
        ranks[ORK_GAP_CANCEL] += has_cancelled;
        ranks[ORK_GAP_CUT] += was_cut(p);
        ranks[ORK_GAP_LOCK] += p->has_unknown_lock;
        ranks[ORK_GAP_SET] += has_many_sets(p);
        ranks[ORK_GAP_CLOCKS] += c->clocks == &ork_clocks_sums;
        ranks[ORK_GAP_POLL] += p->has_untried_poll;
    }
}
