/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a program. */
#include "common/hash.h"
#include "tests/unit/causality/records.h"

#include <string.h>

uint64_t draw(uint64_t *random, uint64_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return ork_hash_mix(*random) % below;
}

/* ---- forcing ---- */

/* Choices of the rank before its present operation. */
static int choices_before(const struct run *run, int rank)
{
    return run->choices[rank];
}

static void force(struct forced *f, const struct outcome *o)
{
    *f = (struct forced){
        .is_forced = true, .peer = o->source, .tag = o->tag, .requests = o->requests};
}

/* Is the poll one of the loop that is to give up? */
static bool is_given_up(const struct program *p, const struct run *run, int rank, int op,
                        const struct outcome *next)
{
    bool is_equal = run->polls[rank] < next->gives_up, is_in_row = true, is_first = true;

    for (int k = run->choices[rank] == 0 ? 0 : run->chosen_at[rank] + 1; k < op; k++) {
        if (program_is_left_out(p, &run->end, rank, k))
            continue;
        bool is_poll = program_is_poll(&p->op[rank][k]);
        is_equal |= is_poll && program_place(p, rank, k) == program_place(p, rank, op);
        is_in_row &= is_poll || is_first;
        is_first &= !is_poll;
    }
    return next->gives_up > 0 && is_equal && (is_in_row || !next->in_row);
}

/* A test or probe: whether the choice that comes next is made later. */
static void force_poll(const struct program *p, const struct decisions *d, const struct run *run,
                       int rank, int op, unsigned place, struct forced *f)
{
    int number = choices_before(run, rank);

    *f = (struct forced){0};
    if (number >= d->count[rank])
        return;
    const struct outcome *next = &d->first[rank][number];
    if (run->polls[rank] < next->polls || (next->is_again && next->place != place) ||
        is_given_up(p, run, rank, op, next))
        *f = (struct forced){.fails = true};
    else if (next->kind != ORK_CHOICE_FREE)
        force(f, next);
}

/* What the operation is forced to, if it is decided. */
static void force_op(const struct program *p, const struct decisions *d, const struct run *run,
                     int rank, int op, struct forced *f)
{
    const struct op *o = &p->op[rank][op];

    if (o->type == IRECV && run_is_wildcard(o)) {
        int post = run_post_of(p, rank, op);
        for (int i = 0; i < d->count[rank]; i++) {
            if (d->first[rank][i].kind == ORK_CHOICE_RECEIVE && d->first[rank][i].post == post)
                force(f, &d->first[rank][i]);
        }
        if (d->posted[rank][post - 1].post != 0)
            force(f, &d->posted[rank][post - 1]);
        return;
    }
    if (o->type == LOCK)
        return; /* see force_locks() */
    if (program_is_poll(o) || o->type == LOOP) {
        unsigned poll = o->type == LOOP ? run->looped[rank] % o->polls : 0;
        unsigned place =
            o->type == LOOP ? OPS + 1u + o->first_poll + poll : program_place(p, rank, op);
        force_poll(p, d, run, rank, op, place, f);
        if (o->type == LOOP)
            f->poll = poll + 1;
        return;
    }
    bool chooses =
        o->type == WAITANY || ((o->type == RECV || o->type == PROBE) && run_is_wildcard(o));
    int number = choices_before(run, rank);
    if (chooses && number < d->count[rank] && !f->is_forced &&
        d->first[rank][number].kind != ORK_CHOICE_FREE)
        force(f, &d->first[rank][number]);
}

/* ---- the run ---- */

struct runner {
    const struct program *program;
    const struct decisions *decisions;
    struct ork_causality *causality;
    struct run *run;
    struct forced forced[RANKS][OPS];
    int entered[RANKS]; /* operations that were entered */
};

/* Locks that are still to come and decided. */
static int decided_locks(const struct runner *x, int rank)
{
    int n = 0;

    for (int i = x->run->choices[rank]; i < x->decisions->count[rank]; i++)
        n += x->decisions->first[rank][i].kind == ORK_CHOICE_LOCK;
    return n;
}

/* A lock that is free waits for all that are decided. */
static void force_locks(struct runner *x)
{
    int decided = 0;

    for (int r = 0; r < x->program->ranks; r++)
        decided += decided_locks(x, r);
    for (int r = 0; r < x->program->ranks; r++) {
        int at = x->run->end.at[r], number = x->run->choices[r];
        struct forced *f = &x->forced[r][at];
        if (at >= x->entered[r] || x->program->op[r][at].type != LOCK)
            continue;
        *f = (struct forced){.fails = decided > 0};
        if (number < x->decisions->count[r] &&
            x->decisions->first[r][number].kind == ORK_CHOICE_LOCK)
            force(f, &x->decisions->first[r][number]);
    }
}

/* Enter the operation at which the rank is. */
static bool enter(struct runner *x, int rank)
{
    int at = x->run->end.at[rank];

    if (at >= x->program->ops[rank] || x->entered[rank] > at)
        return false;
    x->entered[rank]++;
    if (program_is_left_out(x->program, &x->run->end, rank, at))
        return true;
    run_enter(x->program, x->causality, x->run, rank, at);
    force_op(x->program, x->decisions, x->run, rank, at, &x->forced[rank][at]);
    return true;
}

/* Go on, one operation of one rank at a time, so that each is forced when it is entered. */
static bool step(struct runner *x, int rank)
{
    struct state *s = &x->run->end, after = *s;
    bool moved = enter(x, rank);

    program_settle(x->program, &after);
    if (after.at[rank] == s->at[rank])
        return moved;
    if (!program_is_left_out(x->program, s, rank, s->at[rank]))
        run_leave(x->program, x->causality, x->run, rank, s->at[rank]);
    s->at[rank]++;
    return true;
}

static bool is_settled(struct runner *x, uint64_t *random)
{
    bool moved = false;
    int first = (int)draw(random, (uint64_t)x->program->ranks);

    for (int i = 0; i < x->program->ranks && !moved; i++)
        moved = step(x, (first + i) % x->program->ranks);
    return !moved;
}

/* Receives that took a message, but were not completed. */
static void end_rank(struct runner *x, int rank)
{
    const struct program *p = x->program;
    struct state *s = &x->run->end;

    for (int k = 0; k < p->ops[rank] && x->causality != NULL; k++) {
        const struct op *o = &p->op[rank][k];
        if (o->type != IRECV || !run_is_wildcard(o) || s->outcome[rank][k] == 0 ||
            program_is_complete(p, s, rank, s->at[rank], o->request))
            continue;
        struct outcome took = run_message_of(p, s, s->outcome[rank][k]);
        run_feed(x->causality, rank,
                 (struct ork_record){.kind = ORK_KIND_EARLY,
                                     .request = o->request,
                                     .peer = took.source,
                                     .tag = took.tag});
    }
    if (x->causality != NULL) {
        if (s->at[rank] == p->ops[rank])
            run_feed(x->causality, rank, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        ork_causality_end(x->causality, (uint32_t)rank, ORK_CAUSAL_INSIDE);
    }
}

static bool has_come(const struct outcome *got, const struct outcome *wanted)
{
    return got->kind == wanted->kind && got->post == wanted->post &&
           got->source == wanted->source && got->tag == wanted->tag &&
           got->requests == wanted->requests && got->place == wanted->place &&
           (wanted->is_again ? got->polls >= wanted->polls : got->polls == wanted->polls);
}

/* The decided choice number `i`, from 0. */
static bool has_chosen(const struct runner *x, int rank, int i)
{
    const struct outcome *wanted = &x->decisions->first[rank][i];
    const struct run *run = x->run;

    if (wanted->kind == ORK_CHOICE_FREE)
        return (i < run->choices[rank] ? run->choice[rank][i].polls : run->polls[rank]) >=
               wanted->polls;
    return i < run->choices[rank] && has_come(&run->choice[rank][i], wanted);
}

static bool have_come(const struct runner *x, int rank)
{
    const struct program *p = x->program;
    const struct decisions *d = x->decisions;
    const struct run *run = x->run;

    for (int i = 0; i < d->count[rank]; i++) {
        if (!has_chosen(x, rank, i))
            return false;
    }
    for (int k = 0; k < p->ops[rank]; k++) {
        const struct op *o = &p->op[rank][k];
        if (o->type != IRECV || !run_is_wildcard(o))
            continue;
        const struct outcome *wanted = &d->posted[rank][run_post_of(p, rank, k) - 1];
        if (wanted->post == 0)
            continue;
        struct outcome got = run_message_of(p, &run->end, run->end.outcome[rank][k]);
        if (run->end.outcome[rank][k] == 0 || got.source != wanted->source ||
            got.tag != wanted->tag)
            return false;
    }
    return true;
}

/* ---- loops of tests and probes ---- */

static const struct op *loop_at(const struct runner *x, int rank)
{
    int at = x->run->end.at[rank];
    const struct op *o = at < x->entered[rank] ? &x->program->op[rank][at] : NULL;

    return o != NULL && o->type == LOOP && program_is_open(&x->run->end, rank, at) ? o : NULL;
}

/* May its next poll be unsuccessful, after the first round? */
static bool may_turn(const struct runner *x, int rank)
{
    const struct op *loop = loop_at(x, rank);
    int at = x->run->end.at[rank];

    return loop != NULL && program_failed(loop, x->run->end.outcome[rank][at]) == loop->polls &&
           !x->forced[rank][at].is_forced;
}

static void fail(struct runner *x, uint64_t *random, int rank)
{
    int at = x->run->end.at[rank];

    run_fail(x->program, x->causality, x->run, rank, at, draw(random, 4) == 0);
    force_op(x->program, x->decisions, x->run, rank, at, &x->forced[rank][at]);
}

/* A rank makes an unsuccessful poll. False: no rank can. */
static bool turn(struct runner *x, uint64_t *random)
{
    int ranks = x->program->ranks, first = (int)draw(random, (uint64_t)ranks);

    for (int i = 0; i < ranks; i++) {
        int rank = (first + i) % ranks;
        if (may_turn(x, rank)) {
            fail(x, random, rank);
            return true;
        }
    }
    return false;
}

/* Can no rank go on, however often it polls? */
static bool is_over(const struct runner *x, int events)
{
    struct event event[EVENTS_MAX];
    struct forced forced[RANKS][OPS];
    bool over = events == 0;

    memcpy(forced, x->forced, sizeof(forced));
    for (int r = 0; r < x->program->ranks; r++) {
        int at = x->run->end.at[r];
        if (!may_turn(x, r))
            continue;
        over = over && !forced[r][at].fails;
        forced[r][at].poll = 0;
    }
    return over && program_events(x->program, &x->run->end, (const struct forced(*)[OPS])forced,
                                  event) == 0;
}

static void happen(struct runner *x, uint64_t *random, const struct event *e)
{
    x->run->end.outcome[e->rank][e->op] = e->outcome;
    if (x->program->op[e->rank][e->op].type == LOOP && (e->outcome & FAILED) != 0)
        fail(x, random, e->rank);
}

void run_program(const struct program *p, const struct decisions *decisions, uint64_t *random,
                 struct run *run, struct ork_causality *c)
{
    struct runner x = {.program = p, .decisions = decisions, .causality = c, .run = run};
    struct event event[EVENTS_MAX];

    *run = (struct run){0};
    for (int r = 0; r < p->ranks; r++)
        run_make_window(c, r);
    for (;;) {
        bool settled = is_settled(&x, random);
        if (!settled && draw(random, 4) != 0)
            continue;
        force_locks(&x);
        int n = program_events(p, &run->end, (const struct forced(*)[OPS])x.forced, event);
        /* only operations that were entered */
        int m = 0;
        for (int i = 0; i < n; i++) {
            if (event[i].op < x.entered[event[i].rank])
                event[m++] = event[i];
        }
        if (settled && is_over(&x, m))
            break;
        if (m > 0 && draw(random, 4) != 0)
            happen(&x, random, &event[draw(random, (uint64_t)m)]);
        else
            turn(&x, random);
    }
    for (int r = 0; r < p->ranks; r++) {
        end_rank(&x, r);
        run->has_diverged |= !have_come(&x, r);
    }
}
