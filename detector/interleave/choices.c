/* SPDX-License-Identifier: BSD-3-Clause */
/* The decisions that are possible in a state, without those that lead to the same result as
 * another. */
#include "detector/interleave/internal.h"

#include <stdlib.h>

/* ---- components: ranks whose matches can influence each other ---- */

static uint32_t root_of(struct ork_interleave *p, uint32_t rank)
{
    while (p->rank[rank].component != rank) {
        p->rank[rank].component = p->rank[p->rank[rank].component].component;
        rank = p->rank[rank].component;
    }
    return rank;
}

static void join(struct ork_interleave *p, uint32_t a, uint32_t b)
{
    p->rank[root_of(p, a)].component = root_of(p, b);
}

static void find_components(struct ork_interleave *p)
{
    for (uint32_t r = 0; r < p->ranks; r++)
        p->rank[r].component = r;
    for (uint32_t i = 0; i < p->chan.count; i++) {
        if (chan_at(p, i)->all != NIL || chan_at(p, i)->all_receives != NIL)
            join(p, chan_at(p, i)->src, dest_at(p, chan_at(p, i)->dest)->rank);
    }
    /* RATIONALE: no rank acts after MPI_Finalize, so waiting there is never a cause */
    for (uint32_t i = 0; i < p->wave.count; i++) {
        const struct collective *w = collective_at(p, i);
        const struct group *g = group_at(p, w->group);
        for (uint32_t k = 1; k < g->count && !w->is_last; k++)
            join(p, g->rank[0], g->rank[k]);
    }
    for (uint32_t r = 0; r < p->ranks; r++)
        p->rank[r].component = root_of(p, r);
    for (uint32_t i = 0; i < p->op.count; i++)
        posting_at(p, i)->component = p->rank[posting_at(p, i)->is.rank].component;
}

/* ---- symmetry: senders that differ only in their number ---- */

static uint64_t peer_key(const struct posting *op)
{
    return op->is.peer == op->is.rank ? UINT64_C(1) << 40 : op->is.peer;
}

static uint64_t op_key(const struct posting *op)
{
    uint64_t flags = (uint64_t)op->is.is_send | (uint64_t)op->is.buffered << 1 |
                     (uint64_t)op->is.extract << 2 | (uint64_t)op->is.may_differ << 3 |
                     (uint64_t)op->is.blind << 4 | (uint64_t)op->is.looked << 5;
    uint64_t h = ork_hash_mix((uint64_t)op->is.comm << 32 | (uint32_t)op->is.tag);

    h = ork_hash_mix(h ^ peer_key(op));
    h = ork_hash_mix(h ^ ((uint64_t)op->is.took << 32 | (uint32_t)op->is.took_tag));
    return ork_hash_mix(h ^ flags << 32 ^ (is_wildcard(op) ? op->is.group : 0));
}

static uint64_t step_hash(const struct ork_interleave *p, const struct rank *r, uint32_t i)
{
    const struct step *s = &r->step[i];
    uint64_t h = ork_hash_mix((uint64_t)s->type << 8 | s->mode | (uint64_t)s->took << 16);

    if (s->type == STEP_POST || s->type == STEP_PEEK)
        h = ork_hash_mix(h ^ op_key(posting_at(p, s->number)));
    else if (s->type == STEP_ARRIVE)
        h = ork_hash_mix(h ^ s->number);
    else if (s->type == STEP_RELEASE)
        h = ork_hash_mix(h ^ (i - posting_at(p, s->number)->step));
    for (uint32_t k = 0; k < s->parts; k++) {
        const struct ork_interleave_part *part = part_at(p, s->part + k);
        h = ork_hash_mix(h ^ (part->is_wave ? UINT64_C(1) << 33 | part->number
                                            : i - posting_at(p, part->number)->step));
    }
    return h;
}

static void find_symmetry(struct ork_interleave *p)
{
    for (uint32_t i = 0; i < p->op.count; i++) {
        const struct posting *op = posting_at(p, i);
        if (op->is.peer != ORK_INTERLEAVE_ANY && op->is.peer != op->is.rank)
            p->rank[op->is.peer].named = true;
        if (is_wildcard(op) && op->is.took != ORK_INTERLEAVE_ANY && !op->is.may_differ)
            p->rank[op->is.took].named = true;
    }
    for (uint32_t i = 0; i < p->group.count; i++) {
        const struct group *g = group_at(p, i);
        for (uint32_t k = 0; k < g->count; k++)
            p->rank[g->rank[k]].groups += ork_hash_mix(i + 1);
    }
    for (uint32_t u = 0; u < p->ranks; u++) {
        struct rank *r = &p->rank[u];
        r->suffix = malloc(((size_t)r->steps + 1) * sizeof(*r->suffix));
        if (r->suffix == NULL) {
            p->status = ORK_NOMEM;
            return;
        }
        r->suffix[r->steps] = r->ended;
        for (uint32_t i = r->steps; i-- > 0;)
            r->suffix[i] = ork_hash_mix(r->suffix[i + 1] * 31 ^ step_hash(p, r, i));
    }
}

void ork_choices_prepare(struct ork_interleave *p)
{
    find_components(p);
    find_symmetry(p);
}

static bool is_pending(const struct ork_interleave *p, const struct rank *r, uint32_t step)
{
    const struct posting *op =
        r->step[step].type == STEP_POST ? posting_at(p, r->step[step].number) : NULL;

    return op != NULL && !op->matched;
}

/* Do the two ranks have the same remaining steps, and the same pending operations? */
static bool are_alike(const struct ork_interleave *p, uint32_t a, uint32_t b)
{
    const struct rank *x = &p->rank[a];
    const struct rank *y = &p->rank[b];
    uint32_t left = x->pending, i = x->pc, k = y->pc;

    if (x->named || y->named || x->groups != y->groups || x->pending != y->pending || x->stopped ||
        y->stopped || x->differs != NIL || y->differs != NIL || x->told || y->told)
        return false;
    while (left > 0 && i > 0 && k > 0) {
        bool pending = is_pending(p, x, --i);
        if (pending != is_pending(p, y, --k))
            return false;
        left -= pending;
    }
    return left == 0 && x->pc - i == y->pc - k && x->suffix[i] == y->suffix[k];
}

/* ---- choices ---- */

static void add(struct ork_interleave *p, uint32_t send, uint32_t receive)
{
    STATE_ASSERT(p, !posting_at(p, send)->matched && !posting_at(p, receive)->matched);
    struct match *pair = ork_vector_add(p, &p->choice, sizeof(*pair));

    if (pair != NULL)
        *pair = (struct match){.send = send, .receive = receive};
}

static bool is_doubled(const struct ork_interleave *p, uint32_t first, uint32_t send)
{
    for (uint32_t i = first; i < p->choice.count && !p->options.no_symmetry; i++) {
        uint32_t other = AT(p, choice, struct match, i)->send;
        if (are_alike(p, posting_at(p, other)->is.rank, posting_at(p, send)->is.rank))
            return true;
    }
    return false;
}

/* Add all messages that `receive` may take now; the message of the run first. Returns true if it
 * may take no other message later, so no other receive has to be decided before. */
static bool add_for(struct ork_interleave *p, const struct dest *d, uint32_t receive)
{
    const struct posting *r = posting_at(p, receive);
    uint32_t first = p->choice.count;
    bool all = true;

    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t c = d->first_chan; c != NIL; c = chan_at(p, c)->next) {
            uint32_t s = ork_state_first_fit(p, chan_at(p, c), r);
            uint32_t later = chan_at(p, c)->unposted;
            while (s == NIL && later != NIL && !tags_fit(r, posting_at(p, later)))
                later = posting_at(p, later)->same;
            all &= s != NIL || later == NIL;
            if (s != NIL && ork_is_different(r, posting_at(p, s)) == (pass == 1) &&
                ork_is_allowed(r, posting_at(p, s)) && ork_state_is_legal(p, s, receive) &&
                !is_doubled(p, first, s))
                add(p, s, receive);
        }
    }
    return all && p->choice.count > first && !p->options.no_persistent;
}

static bool is_free(const struct posting *r)
{
    return is_wildcard(r) && (r->is.took == ORK_INTERLEAVE_ANY || r->is.may_differ);
}

static bool is_elsewhere(const struct ork_interleave *p, const struct posting *r)
{
    return p->component != NIL && r->component != p->component;
}

void ork_choices_add(struct ork_interleave *p)
{
    uint32_t first = p->choice.count;

    for (uint32_t i = 0; i < p->dest.count; i++) {
        const struct dest *d = dest_at(p, i);
        for (uint32_t k = d->num_wildcards == 0 ? NIL : d->first; k != NIL;
             k = posting_at(p, k)->next) {
            const struct posting *r = posting_at(p, k);
            uint32_t before = p->choice.count;
            if (!is_free(r) || is_elsewhere(p, r) || !add_for(p, d, k))
                continue;
            for (uint32_t j = before; j < p->choice.count; j++)
                *AT(p, choice, struct match, first + j - before) = *AT(p, choice, struct match, j);
            p->choice.count = first + p->choice.count - before;
            return;
        }
    }
}

bool ork_choices_default(struct ork_interleave *p, struct match *pair)
{
    uint32_t first = p->choice.count;

    for (uint32_t i = 0; i < p->dest.count; i++) {
        const struct dest *d = dest_at(p, i);
        for (uint32_t k = d->num_wildcards == 0 ? NIL : d->first; k != NIL;
             k = posting_at(p, k)->next) {
            if (!is_free(posting_at(p, k)) || !is_elsewhere(p, posting_at(p, k)))
                continue;
            add_for(p, d, k);
            bool any = p->choice.count > first;
            if (any)
                *pair = *AT(p, choice, struct match, first);
            p->choice.count = first;
            if (any)
                return true;
        }
    }
    return false;
}
