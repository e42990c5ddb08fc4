/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching, and the moves of a state. */
#include "tests/fuzz/detector/model.h"

/* ---- matching ---- */

static bool is_compatible(const struct act *s, const struct act *r)
{
    return s->comm == r->comm && s->peer == (int8_t)r->rank &&
           (r->peer == ORK_ANY_SOURCE || r->peer == (int8_t)s->rank) &&
           (r->tag == ORK_ANY_TAG || r->tag == s->tag);
}

static bool is_queued(const struct model *m, const struct state *s, unsigned i, enum act_type type)
{
    return m->act[i].type == type && has(s->posted & ~s->matched & ~s->withdrawn, i);
}

/* An earlier message of the same sender that `r` could take as well. */
static bool is_overtaking(const struct model *m, const struct state *s, unsigned send,
                          const struct act *r)
{
    for (unsigned i = 0; i < send; i++) {
        const struct act *a = &m->act[i];
        if (is_queued(m, s, i, ACT_SEND) && a->rank == m->act[send].rank && is_compatible(a, r))
            return true;
    }
    return false;
}

/* A receive posted before number `before` that takes this message first. */
static bool is_claimed(const struct model *m, const struct state *s, unsigned send, unsigned rank,
                       unsigned before)
{
    for (unsigned i = 0; i < before; i++) {
        if (is_queued(m, s, i, ACT_RECV) && m->act[i].rank == rank &&
            is_compatible(&m->act[send], &m->act[i]))
            return true;
    }
    return false;
}

static bool is_legal(const struct model *m, const struct state *s, unsigned send, unsigned recv)
{
    return is_compatible(&m->act[send], &m->act[recv]) &&
           !is_overtaking(m, s, send, &m->act[recv]) &&
           !is_claimed(m, s, send, m->act[recv].rank, recv);
}

/* Some receive posted at this destination leaves open which message it takes, or whether any. */
static bool is_open(const struct model *m, const struct state *s, unsigned rank, uint8_t comm)
{
    for (unsigned i = 0; i < m->acts; i++) {
        const struct act *a = &m->act[i];
        if (is_queued(m, s, i, ACT_RECV) && a->rank == rank && a->comm == comm &&
            (a->peer == ORK_ANY_SOURCE || a->may_be_cancelled))
            return true;
    }
    return false;
}

/* ---- moves ---- */

struct list {
    struct move *move;
    unsigned count;
};

static void add_move(struct list *l, struct move move)
{
    if (l->count < MAX_MOVES)
        l->move[l->count++] = move;
}

/* As far as a status tells. */
static bool is_same_message(const struct model *m, unsigned a, unsigned b)
{
    return m->act[a].rank == m->act[b].rank && m->act[a].tag == m->act[b].tag;
}

/* Is this message the one that the run is known to have given to `taker`? */
static bool agrees(const struct model *m, const struct known *known, unsigned taker, unsigned send)
{
    if (known == NULL || !known->act[taker])
        return true;
    return known->message[taker] != NO_ACT && is_same_message(m, known->message[taker], send);
}

static void add_matches(const struct model *m, const struct state *s, const struct known *known,
                        struct list *l)
{
    for (unsigned i = 0; i < m->acts; i++) {
        for (unsigned k = 0; is_queued(m, s, i, ACT_SEND) && k < m->acts; k++) {
            if (!is_queued(m, s, k, ACT_RECV) || !is_legal(m, s, i, k) || !agrees(m, known, k, i))
                continue;
            add_move(l, (struct move){.type = MOVE_MATCH,
                                      .is_choice = is_open(m, s, m->act[k].rank, m->act[k].comm),
                                      .a = (uint8_t)i,
                                      .b = (uint8_t)k});
        }
    }
}

static bool is_cancelled(const struct model *m, const struct state *s, const struct act *a)
{
    for (unsigned k = a->step; k < m->p->steps[a->rank]; k++) {
        const struct step *step = &m->p->step[a->rank][k];
        if (step->verb == VERB_CANCEL && has(step->set, a->request))
            return s->pc[a->rank] > k || (s->pc[a->rank] == k && s->inside[a->rank]);
    }
    return false;
}

static void add_withdrawals(const struct model *m, const struct state *s, const struct known *known,
                            struct list *l)
{
    for (unsigned i = 0; i < m->acts; i++) {
        const struct act *a = &m->act[i];
        if (!a->may_be_cancelled || !is_queued(m, s, i, ACT_RECV) || !is_cancelled(m, s, a))
            continue;
        if (known == NULL || !known->act[i] || known->message[i] == NO_ACT)
            add_move(l, (struct move){.type = MOVE_WITHDRAW, .is_choice = true, .a = (uint8_t)i});
    }
}

static void add_return(struct list *l, unsigned rank, uint64_t set, bool is_choice)
{
    add_move(l, (struct move){.type = MOVE_RETURN,
                              .is_choice = is_choice,
                              .rank = (uint8_t)rank,
                              .a = NO_ACT,
                              .set = set});
}

static void add_wait_returns(const struct model *m, const struct state *s, unsigned rank,
                             struct list *l)
{
    const struct step *step = &m->p->step[rank][s->pc[rank]];
    uint64_t complete;
    uint64_t active = model_active_set(m, s, rank, step, &complete);

    if (step->verb == VERB_WAIT) {
        if (active == complete)
            add_return(l, rank, active, false);
        return;
    }
    if (step->verb == VERB_TEST || active == 0)
        add_return(l, rank, 0, active != 0);
    for (uint64_t sub = complete; sub != 0; sub = (sub - 1) & complete) {
        if (step->verb != VERB_WAITANY || (sub & (sub - 1)) == 0)
            add_return(l, rank, sub, true);
    }
}

static void add_probe_returns(const struct model *m, const struct state *s,
                              const struct known *known, unsigned rank, struct list *l)
{
    const struct step *step = &m->p->step[rank][s->pc[rank]];
    unsigned here = m->first[rank][s->pc[rank]];
    const struct act asked = {
        .rank = (uint8_t)rank, .comm = step->comm, .peer = step->peer, .tag = step->tag};
    bool open = step->peer == ORK_ANY_SOURCE || step->verb == VERB_IPROBE;

    if (step->verb == VERB_IPROBE)
        add_return(l, rank, 0, true);
    if (step->verb == VERB_PROBE && step->peer == ORK_PROC_NULL)
        add_return(l, rank, 0, false);
    for (unsigned i = 0; i < m->acts; i++) {
        if (!is_queued(m, s, i, ACT_SEND) || !is_compatible(&m->act[i], &asked) ||
            is_overtaking(m, s, i, &asked) || is_claimed(m, s, i, rank, here))
            continue;
        if (step->verb == VERB_MPROBE && !agrees(m, known, here, i))
            continue;
        add_move(l, (struct move){.type = MOVE_RETURN,
                                  .is_choice = open || is_open(m, s, rank, step->comm),
                                  .rank = (uint8_t)rank,
                                  .a = (uint8_t)i});
    }
}

static void add_plain_return(const struct model *m, const struct state *s, unsigned rank,
                             struct list *l)
{
    unsigned pc = s->pc[rank];

    for (unsigned i = m->first[rank][pc]; i < m->first[rank][pc + 1]; i++) {
        if (!m->act[i].is_request && !model_is_complete(m, s, i))
            return;
    }
    add_return(l, rank, 0, false);
}

static bool is_same_choice(const struct model *m, const struct move *a, const struct move *b)
{
    if ((a->a == NO_ACT) != (b->a == NO_ACT))
        return false;
    return a->set == b->set && (a->a == NO_ACT || is_same_message(m, a->a, b->a));
}

static bool is_choice(enum verb verb)
{
    return verb == VERB_PROBE || verb == VERB_IPROBE || verb == VERB_WAITANY ||
           verb == VERB_WAITSOME || verb == VERB_TEST;
}

/* Of the ways to return, keep the one that the run is known to have taken. What it completed then
 * counts as complete, whatever strict semantics says: but a Wait must be able to return, and a
 * probe to find what it found. */
static void keep_known(const struct model *m, const struct known *known, unsigned rank, unsigned pc,
                       struct list *l, unsigned from)
{
    const struct move *told = &known->returned[rank][pc];
    enum verb verb = m->p->step[rank][pc].verb;
    bool can_return = l->count > from;
    unsigned kept = from;

    if (!is_choice(verb))
        return;
    for (unsigned i = from; i < l->count; i++) {
        if (is_same_choice(m, &l->move[i], told))
            l->move[kept++] = l->move[i];
    }
    l->count = kept;
    bool at_once = verb == VERB_TEST || verb == VERB_IPROBE;
    if (!known->is_strict && kept == from && verb != VERB_PROBE && (at_once || can_return))
        add_move(l, *told);
}

static void add_returns(const struct model *m, const struct state *s, const struct known *known,
                        unsigned rank, struct list *l)
{
    unsigned pc = s->pc[rank];
    const struct step *step = &m->p->step[rank][pc];
    unsigned from = l->count;

    switch ((int)step->verb) {
    case VERB_WAIT:
    case VERB_WAITANY:
    case VERB_WAITSOME:
    case VERB_TEST:
        add_wait_returns(m, s, rank, l);
        break;
    case VERB_PROBE:
    case VERB_IPROBE:
    case VERB_MPROBE:
        add_probe_returns(m, s, known, rank, l);
        break;
    default:
        add_plain_return(m, s, rank, l);
        break;
    }
    if (known != NULL && known->step[rank][pc])
        keep_known(m, known, rank, pc, l, from);
}

unsigned model_moves(const struct model *m, const struct state *s, const struct known *known,
                     struct move moves[MAX_MOVES])
{
    struct list l = {.move = moves};

    for (unsigned r = 0; r < m->p->ranks; r++) {
        if (model_is_finished(m, s, r))
            continue;
        if (s->inside[r])
            add_returns(m, s, known, r, &l);
        else
            add_move(&l, (struct move){.type = MOVE_ENTER, .rank = (uint8_t)r});
    }
    add_matches(m, s, known, &l);
    add_withdrawals(m, s, known, &l);
    return l.count;
}

/* ---- making a move ---- */

static void enter(const struct model *m, struct state *s, unsigned rank)
{
    unsigned pc = s->pc[rank];
    const struct step *step = &m->p->step[rank][pc];

    s->inside[rank] = 1;
    for (unsigned i = m->first[rank][pc]; i < m->first[rank][pc + 1]; i++) {
        const struct act *a = &m->act[i];
        s->posted |= bit(i);
        if (a->type != ACT_COLL && a->peer == ORK_PROC_NULL)
            s->matched |= bit(i);
        if (a->type == ACT_MRECV)
            s->settled |= bit(s->took[a->of]);
    }
    if (step->verb == VERB_FREE) {
        uint8_t i = model_active(m, s, rank, (unsigned)__builtin_ctz(step->set));
        s->consumed |= i == NO_ACT ? 0 : bit(i);
    }
}

static void leave(const struct model *m, struct state *s, const struct move *move)
{
    unsigned pc = s->pc[move->rank];

    s->consumed |= move->set;
    if (m->p->step[move->rank][pc].verb == VERB_MPROBE) {
        unsigned here = m->first[move->rank][pc];
        s->matched |= bit(here) | bit(move->a);
        s->took[here] = move->a;
    }
    s->pc[move->rank]++;
    s->inside[move->rank] = 0;
}

void model_apply(const struct model *m, struct state *s, const struct move *move)
{
    switch (move->type) {
    case MOVE_ENTER:
        enter(m, s, move->rank);
        break;
    case MOVE_MATCH:
        s->matched |= bit(move->a) | bit(move->b);
        s->settled |= bit(move->a);
        break;
    case MOVE_WITHDRAW:
        s->withdrawn |= bit(move->a);
        break;
    case MOVE_RETURN:
        leave(m, s, move);
        break;
    }
}
