/* SPDX-License-Identifier: BSD-3-Clause */
/* What can happen next. */
#include "tests/unit/causality/program.h"

/* ---- window locks ---- */

/* The UNLOCK of a LOCK. */
static int unlock_of(const struct program *p, int rank, int op)
{
    int k = op;

    while (p->op[rank][k].type != UNLOCK || p->op[rank][k].peer != p->op[rank][op].peer)
        k++;
    return k;
}

static bool conflict(const struct op *lock, const struct op *other)
{
    return other->type == LOCK && other->peer == lock->peer &&
           (other->is_exclusive || lock->is_exclusive);
}

/* The conflicting sections of other ranks that are over; 0: some rank is in one. */
static unsigned find_sections(const struct program *p, const struct state *s, int rank, int op)
{
    unsigned outcome = LOCKED;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r] && r != rank; k++) {
            if (!conflict(&p->op[rank][op], &p->op[r][k]) || s->outcome[r][k] == 0)
                continue;
            if (s->at[r] <= unlock_of(p, r, k))
                return 0;
            outcome += 1u << 3 * r;
        }
    }
    return outcome;
}

unsigned program_num_sections(const struct program *p, int rank, int op, unsigned outcome)
{
    unsigned n = 0;

    for (int r = 0; r < p->ranks; r++)
        n += r != rank ? program_sections(outcome, r) : 0;
    for (int k = 0; k < op; k++)
        n += conflict(&p->op[rank][op], &p->op[rank][k]);
    return n;
}

int program_lock_of(const struct program *p, int rank, int op)
{
    int n = 0;

    for (int k = 0; k <= op; k++)
        n += p->op[rank][k].type == LOCK;
    return n;
}

/* ---- what can happen ---- */

static bool fits(const struct op *o, const struct forced *f, int source, int tag)
{
    int peer = f != NULL && f->is_forced ? f->peer : o->peer;
    int wanted = f != NULL && f->is_forced ? f->tag : o->tag;

    return (peer == ANY || peer == source) && (wanted == ANY || wanted == tag);
}

struct view {
    const struct program *p;
    const struct state *s;
    const struct forced (*forced)[OPS];
};

static const struct forced *forced_of(const struct view *v, int rank, int op)
{
    return v->forced == NULL ? NULL : &v->forced[rank][op];
}

/* Is `o`, the operation of rank `dest` or a poll of it, the first one for the first message that
 * fits it of `source`?
 * Returns the place of that send; -1: none. */
static int find_send(const struct view *v, int dest, int op, const struct op *o, int source)
{
    const struct program *p = v->p;
    int end = v->s->at[source];

    for (int k = 0; k < p->ops[source] && k <= end; k++) {
        const struct op *send = &p->op[source][k];
        if ((send->type != SEND && send->type != SSEND) || send->peer != dest ||
            !fits(o, forced_of(v, dest, op), source, program_tag(p, v->s, source, k)) ||
            program_is_taken(p, v->s, dest, source * OPS + k) ||
            program_is_left_out(p, v->s, source, k))
            continue;
        for (int e = 0; e < op; e++) {
            if (program_is_receive(&p->op[dest][e]) && v->s->outcome[dest][e] == 0 &&
                fits(&p->op[dest][e], forced_of(v, dest, e), source,
                     program_tag(p, v->s, source, k)))
                return -1;
        }
        return k;
    }
    return -1;
}

static int add_messages(const struct view *v, int rank, int op, const struct op *o, unsigned also,
                        struct event *event, int n)
{
    for (int source = 0; source < v->p->ranks; source++) {
        int k = find_send(v, rank, op, o, source);
        if (k >= 0)
            event[n++] =
                (struct event){.rank = (uint8_t)rank,
                               .op = (uint8_t)op,
                               .outcome = (uint16_t)((unsigned)(source * OPS + k + 1) | also)};
    }
    return n;
}

/* Those of the set that are complete, but were not completed. */
static unsigned find_complete(const struct view *v, int rank, int op, const struct op *o)
{
    unsigned found = 0;

    must(o->set >> REQUESTS == 0);
    for (unsigned r = 0; r < REQUESTS; r++) {
        int irecv = program_irecv(v->p, rank, op, r);
        if ((o->set >> r & 1) != 0 && irecv >= 0 && v->s->outcome[rank][irecv] != 0 &&
            !program_is_complete(v->p, v->s, rank, op, r))
            found |= 1u << r;
    }
    return found;
}

/* Those of the set that were not completed. */
static unsigned find_active(const struct view *v, int rank, int op, const struct op *o)
{
    unsigned found = 0;

    for (unsigned r = 0; r < REQUESTS; r++)
        found |= (unsigned)!program_is_complete(v->p, v->s, rank, op, r) << r;
    return found & o->set;
}

static int add_failure(const struct view *v, int rank, int op, struct event *event, int n)
{
    const struct forced *f = forced_of(v, rank, op);

    if (f == NULL || !f->is_forced)
        event[n++] = (struct event){.rank = (uint8_t)rank, .op = (uint8_t)op, .outcome = FAILED};
    return n;
}

static int add_requests(const struct view *v, int rank, int op, const struct op *o, unsigned also,
                        struct event *event, int n)
{
    const struct forced *f = forced_of(v, rank, op);
    unsigned complete = find_complete(v, rank, op, o);

    for (unsigned set = 1; set <= complete; set++) {
        bool is_right =
            o->is_some || (o->is_all ? set == find_active(v, rank, op, o) : (set & (set - 1)) == 0);
        if ((set & ~complete) != 0 || !is_right ||
            (f != NULL && f->is_forced && !o->is_all && f->requests != set))
            continue;
        event[n++] = (struct event){
            .rank = (uint8_t)rank, .op = (uint8_t)op, .outcome = (uint16_t)(set | also)};
    }
    return n;
}

static int add_outcomes(const struct view *v, int rank, int op, const struct op *o, unsigned also,
                        struct event *event, int n)
{
    return o->type == TEST || o->type == WAITANY ? add_requests(v, rank, op, o, also, event, n)
                                                 : add_messages(v, rank, op, o, also, event, n);
}

/* RATIONALE: an unsuccessful poll after the first round changes nothing. */
static int add_loop(const struct view *v, int rank, int op, struct event *event, int n)
{
    const struct op *loop = &v->p->op[rank][op];
    const struct forced *f = forced_of(v, rank, op);
    unsigned failed = program_failed(loop, v->s->outcome[rank][op]);
    bool is_later = failed == loop->polls;

    for (unsigned i = 0; i < loop->polls; i++) {
        if ((!is_later && i != failed) || (f != NULL && f->poll != 0 && f->poll != i + 1))
            continue;
        if (f == NULL || !f->fails)
            n = add_outcomes(v, rank, op, program_poll_of(v->p, rank, loop, i),
                             i * POLL_NEXT | (is_later ? LATER : 0u), event, n);
        if (!is_later && (f == NULL || !f->is_forced))
            event[n++] = (struct event){.rank = (uint8_t)rank,
                                        .op = (uint8_t)op,
                                        .outcome = (uint16_t)(FAILED | (failed + 1))};
    }
    return n;
}

/* RATIONALE: a lock is forced by the number of sections before it. */
static int add_lock(const struct view *v, int rank, int op, struct event *event, int n)
{
    const struct forced *f = forced_of(v, rank, op);
    unsigned outcome = find_sections(v->p, v->s, rank, op);
    bool is_early =
        f != NULL && f->is_forced && (int)program_num_sections(v->p, rank, op, outcome) < f->tag;

    if (outcome != 0 && !is_early && (f == NULL || !f->fails))
        event[n++] =
            (struct event){.rank = (uint8_t)rank, .op = (uint8_t)op, .outcome = (uint16_t)outcome};
    return n;
}

int program_events(const struct program *p, const struct state *s,
                   const struct forced (*forced)[OPS], struct event *event)
{
    struct view v = {.p = p, .s = s, .forced = forced};
    int n = 0;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r] && k <= s->at[r]; k++) {
            const struct op *o = &p->op[r][k];
            if (s->outcome[r][k] != 0 && o->type != LOOP)
                continue;
            if (!program_is_receive(o) && k != s->at[r])
                continue;
            if (o->type == LOOP && program_is_open(s, r, k)) {
                n = add_loop(&v, r, k, event, n);
                continue;
            }
            if (o->type == LOCK) {
                n = add_lock(&v, r, k, event, n);
                continue;
            }
            const struct forced *f = forced_of(&v, r, k);
            if (program_is_poll(o))
                n = add_failure(&v, r, k, event, n);
            if (f != NULL && f->fails)
                continue;
            if (program_is_receive(o) || o->type == PROBE || o->type == IPROBE ||
                o->type == WAITANY || o->type == TEST)
                n = add_outcomes(&v, r, k, o, 0, event, n);
        }
    }
    return n;
}
