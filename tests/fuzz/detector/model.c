/* SPDX-License-Identifier: BSD-3-Clause */
/* The acts of a program, when they are complete, and deadlock. */
#include "tests/fuzz/detector/model.h"

#include <string.h>

/* ---- the acts of a program ---- */

static struct act *add_act(struct model *m, unsigned rank, unsigned step, enum act_type type)
{
    const struct step *s = &m->p->step[rank][step];

    if (m->acts == MAX_ACTS)
        return NULL;
    struct act *a = &m->act[m->acts++];
    *a = (struct act){.type = type,
                      .rank = (uint8_t)rank,
                      .step = (uint8_t)step,
                      .request = (uint8_t)step,
                      .mode = s->mode,
                      .comm = s->comm,
                      .peer = s->peer,
                      .tag = s->tag};
    return a;
}

static uint8_t next_wave(const struct model *m, unsigned rank, uint8_t comm, bool finalize)
{
    uint8_t n = 0;

    for (unsigned i = 0; i + 1 < m->acts; i++) {
        const struct act *a = &m->act[i];
        if (a->rank == rank && a->type == ACT_COLL && a->comm == comm)
            n++;
    }
    return finalize ? UINT8_MAX : n;
}

static bool add_coll(struct model *m, unsigned rank, unsigned step)
{
    struct act *a = add_act(m, rank, step, ACT_COLL);
    bool finalize = m->p->step[rank][step].verb == VERB_FINALIZE;

    if (a == NULL)
        return false;
    a->wave = next_wave(m, rank, a->comm, finalize);
    a->mode = finalize ? (uint8_t)ORK_COLL_BARRIER : a->mode;
    a->is_request = m->p->step[rank][step].verb == VERB_ICOLL;
    return true;
}

static bool add_start(struct model *m, unsigned rank, unsigned step)
{
    const struct step *s = m->p->step[rank];

    for (unsigned q = 0; q < step; q++) {
        if (!has(s[step].set, q))
            continue;
        struct act *a = add_act(m, rank, q, s[q].verb == VERB_SEND_INIT ? ACT_SEND : ACT_RECV);
        if (a == NULL)
            return false;
        a->step = (uint8_t)step;
        a->is_request = true;
    }
    return true;
}

static bool add_step(struct model *m, unsigned rank, unsigned step)
{
    const struct step *s = &m->p->step[rank][step];
    struct act *a = NULL;

    switch (s->verb) {
    case VERB_SEND:
    case VERB_ISEND:
        a = add_act(m, rank, step, ACT_SEND);
        break;
    case VERB_RECV:
    case VERB_IRECV:
        a = add_act(m, rank, step, ACT_RECV);
        break;
    case VERB_SENDRECV:
        if (add_act(m, rank, step, ACT_SEND) == NULL ||
            (a = add_act(m, rank, step, ACT_RECV)) == NULL)
            return false;
        a->peer = s->peer2;
        a->tag = s->tag2;
        break;
    case VERB_MPROBE:
        a = add_act(m, rank, step, ACT_TAKE);
        break;
    case VERB_MRECV:
    case VERB_IMRECV:
        a = add_act(m, rank, step, ACT_MRECV);
        if (a != NULL)
            a->of = m->first[rank][s->of];
        break;
    case VERB_START:
        return add_start(m, rank, step);
    case VERB_COLL:
    case VERB_ICOLL:
    case VERB_CONSTRUCT:
    case VERB_FINALIZE:
        return add_coll(m, rank, step);
    case VERB_SEND_INIT:
    case VERB_RECV_INIT:
    case VERB_PROBE:
    case VERB_IPROBE:
    case VERB_WAIT:
    case VERB_WAITANY:
    case VERB_WAITSOME:
    case VERB_TEST:
    case VERB_CANCEL:
    case VERB_FREE:
        return true;
    }
    if (a != NULL)
        a->is_request = s->verb == VERB_ISEND || s->verb == VERB_IRECV || s->verb == VERB_IMRECV;
    return a != NULL;
}

static void mark_cancelled(struct model *m)
{
    for (unsigned i = 0; i < m->acts; i++) {
        struct act *a = &m->act[i];
        for (unsigned k = a->step; a->is_request && k < m->p->steps[a->rank]; k++) {
            const struct step *s = &m->p->step[a->rank][k];
            a->may_be_cancelled |= s->verb == VERB_CANCEL && has(s->set, a->request);
        }
    }
}

bool model_init(struct model *m, const struct program *p, bool buffered, bool lazy)
{
    *m = (struct model){.p = p, .buffered = buffered, .lazy = lazy};
    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++) {
            m->first[r][i] = (uint8_t)m->acts;
            if (!add_step(m, r, i))
                return false;
        }
        m->first[r][p->steps[r]] = (uint8_t)m->acts;
    }
    mark_cancelled(m);
    return true;
}

void model_start(const struct model *m, struct state *s)
{
    (void)m;
    memset(s, 0, sizeof(*s));
}

/* ---- what is complete ---- */

static uint32_t group_of(const struct model *m, uint8_t comm)
{
    return comm == 0 ? (1u << m->p->ranks) - 1 : m->p->members[comm];
}

/* Ranks that have entered the wave of `w`. */
static uint32_t arrived(const struct model *m, const struct state *s, const struct act *w)
{
    uint32_t set = 0;

    for (unsigned i = 0; i < m->acts; i++) {
        const struct act *a = &m->act[i];
        if (has(s->posted, i) && a->type == ACT_COLL && a->comm == w->comm && a->wave == w->wave)
            set |= 1u << a->rank;
    }
    return set;
}

/* Ranks that the collective call still needs. */
static uint32_t missing(const struct model *m, const struct state *s, const struct act *a)
{
    uint32_t need = group_of(m, a->comm) & ~arrived(m, s, a);
    bool is_root = a->peer == (int8_t)a->rank;

    if (m->lazy && a->mode == ORK_COLL_BCAST)
        need = is_root ? 0 : need & 1u << a->peer;
    if (m->lazy && a->mode == ORK_COLL_REDUCE)
        need = is_root ? need : 0;
    return need;
}

bool model_is_complete(const struct model *m, const struct state *s, unsigned i)
{
    const struct act *a = &m->act[i];

    switch (a->type) {
    case ACT_SEND:
        return a->peer == ORK_PROC_NULL || a->mode == ORK_SEND_BUFFERED ||
               (m->buffered && a->mode == ORK_SEND_STANDARD) || has(s->settled, i);
    case ACT_RECV:
        return a->peer == ORK_PROC_NULL || has(s->matched | s->withdrawn, i);
    case ACT_TAKE:
        return has(s->matched, i);
    case ACT_MRECV:
        return true;
    case ACT_COLL:
        return missing(m, s, a) == 0;
    }
    return false;
}

uint8_t model_active(const struct model *m, const struct state *s, unsigned rank, unsigned request)
{
    for (unsigned i = m->acts; i-- > 0;) {
        const struct act *a = &m->act[i];
        if (has(s->posted, i) && a->rank == rank && a->is_request && a->request == request)
            return has(s->consumed, i) ? NO_ACT : (uint8_t)i;
    }
    return NO_ACT;
}

bool model_is_finished(const struct model *m, const struct state *s, unsigned rank)
{
    return s->pc[rank] == m->p->steps[rank];
}

uint64_t model_active_set(const struct model *m, const struct state *s, unsigned rank,
                          const struct step *step, uint64_t *complete)
{
    uint64_t active = 0;

    *complete = 0;
    for (unsigned q = 0; q < MAX_STEPS; q++) {
        uint8_t i = has(step->set, q) ? model_active(m, s, rank, q) : (uint8_t)NO_ACT;
        if (i == NO_ACT)
            continue;
        active |= bit(i);
        if (model_is_complete(m, s, i))
            *complete |= bit(i);
    }
    return active;
}

/* ---- deadlock of a state without moves ---- */

static bool act_may_complete(const struct model *m, const struct state *s, unsigned i,
                             uint32_t can_act)
{
    const struct act *a = &m->act[i];

    if (model_is_complete(m, s, i))
        return true;
    if (a->type == ACT_COLL)
        return (missing(m, s, a) & ~can_act) == 0;
    if (a->peer == ORK_ANY_SOURCE)
        return (group_of(m, a->comm) & can_act) != 0;
    return (can_act >> a->peer & 1) != 0;
}

static bool wait_may_return(const struct model *m, const struct state *s, unsigned rank,
                            const struct step *step, uint32_t can_act)
{
    uint64_t complete;
    uint64_t active = model_active_set(m, s, rank, step, &complete);
    bool all = true, any = active == 0;

    for (unsigned i = 0; i < m->acts; i++) {
        if (!has(active, i))
            continue;
        bool may = act_may_complete(m, s, i, can_act);
        all &= may;
        any |= may;
    }
    return step->verb == VERB_WAIT ? all : any;
}

static bool may_return(const struct model *m, const struct state *s, unsigned rank,
                       uint32_t can_act)
{
    unsigned pc = s->pc[rank];
    const struct step *step = &m->p->step[rank][pc];

    if (step->verb == VERB_WAIT || step->verb == VERB_WAITANY || step->verb == VERB_WAITSOME)
        return wait_may_return(m, s, rank, step, can_act);
    if (step->verb == VERB_PROBE) {
        return step->peer == ORK_ANY_SOURCE ? (group_of(m, step->comm) & can_act) != 0
                                            : (can_act >> step->peer & 1) != 0;
    }
    for (unsigned i = m->first[rank][pc]; i < m->first[rank][pc + 1]; i++) {
        if (!act_may_complete(m, s, i, can_act))
            return false;
    }
    return true;
}

uint32_t model_deadlocked(const struct model *m, const struct state *s)
{
    uint32_t stuck = 0, can_act = 0, before;

    for (unsigned r = 0; r < m->p->ranks; r++) {
        if (!model_is_finished(m, s, r))
            stuck |= 1u << r;
        else if (m->p->ending[r] == ENDING_RUNNING)
            can_act |= 1u << r;
    }
    do {
        before = can_act;
        for (unsigned r = 0; r < m->p->ranks; r++) {
            if ((stuck >> r & 1) && may_return(m, s, r, can_act))
                can_act |= 1u << r;
        }
    } while (can_act != before);
    return stuck & ~can_act;
}
