/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a program, and its records. */
#include "common/hash.h"
#include "tests/unit/causality/explore.h"

#include <string.h>

uint64_t draw(uint64_t *random, uint64_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return ork_hash_mix(*random) % below;
}

/* ---- forcing ---- */

static bool is_wildcard(const struct op *o)
{
    return o->type != WAITANY && (o->peer == ANY || o->tag == ANY);
}

static int post_of(const struct program *p, int rank, int op)
{
    int n = 0;

    for (int k = 0; k <= op; k++)
        n += p->op[rank][k].type == IRECV && is_wildcard(&p->op[rank][k]);
    return n;
}

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

/* What the operation is forced to, if it is decided. */
static void force_op(const struct program *p, const struct decisions *d, const struct run *run,
                     int rank, int op, struct forced *f)
{
    const struct op *o = &p->op[rank][op];

    if (o->type == IRECV && is_wildcard(o)) {
        int post = post_of(p, rank, op);
        for (int i = 0; i < d->count[rank]; i++) {
            if (d->first[rank][i].kind == ORK_CHOICE_RECEIVE && d->first[rank][i].post == post)
                force(f, &d->first[rank][i]);
        }
        if (d->posted[rank][post - 1].post != 0)
            force(f, &d->posted[rank][post - 1]);
        return;
    }
    bool chooses = o->type == WAITANY || ((o->type == RECV || o->type == PROBE) && is_wildcard(o));
    int number = choices_before(run, rank);
    if (chooses && number < d->count[rank] && !f->is_forced)
        force(f, &d->first[rank][number]);
}

/* ---- records ---- */

static void feed(struct ork_causality *c, int rank, struct ork_record record)
{
    if (c != NULL)
        must(ork_causality_feed(c, (uint32_t)rank, &record, 1) == ORK_OK);
}

static void feed_list(struct ork_causality *c, int rank, struct ork_record record,
                      const uint32_t *word, uint32_t count)
{
    record.count = count;
    feed(c, rank, record);
    for (uint32_t done = 0; done < count; done += ORK_CONT_WORDS) {
        uint32_t left = count - done;
        struct ork_cont cont = {.kind = ORK_KIND_CONT,
                                .words = (uint8_t)(left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS)};
        struct ork_record raw;
        memcpy(cont.word, word + done, cont.words * sizeof(uint32_t));
        memcpy(&raw, &cont, sizeof(raw));
        feed(c, rank, raw);
    }
}

static uint16_t mode_of(const struct op *o)
{
    return o->is_some ? ORK_WAIT_SOME : ORK_WAIT_ANY;
}

/* The array of a Waitany. */
static uint32_t list_array(const struct program *p, const struct run *run, int rank, int op,
                           uint32_t *list)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < REQUESTS; i++) {
        if (p->op[rank][op].set >> i & 1)
            list[count++] = program_is_complete(p, &run->end, rank, op, i) ? ORK_REQUEST_NULL : i;
    }
    return count;
}

static void feed_enter(const struct program *p, struct ork_causality *c, const struct run *run,
                       int rank, int op)
{
    const struct op *o = &p->op[rank][op];
    struct ork_record r = {.peer = o->peer, .tag = o->tag, .request = o->request};
    uint32_t list[OPS], count = 0;

    switch (o->type) {
    case SEND:
        r.kind = ORK_KIND_SEND;
        break;
    case SSEND:
        r.kind = ORK_KIND_SEND;
        r.mode = ORK_SEND_SYNCHRONOUS;
        break;
    case IRECV:
        r.flags = ORK_F_NONBLOCKING;
        r.kind = ORK_KIND_RECV;
        break;
    case RECV:
        r.kind = ORK_KIND_RECV;
        break;
    case PROBE:
        r.kind = ORK_KIND_PROBE;
        break;
    case BARRIER:
        r.kind = ORK_KIND_COLL;
        r.mode = ORK_COLL_BARRIER;
        r.peer = ORK_NO_PEER;
        break;
    case WAIT:
        list[count++] =
            program_is_complete(p, &run->end, rank, op, o->request) ? ORK_REQUEST_NULL : o->request;
        feed_list(c, rank, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, list,
                  count);
        return;
    case WAITANY:
        count = list_array(p, run, rank, op, list);
        if (!o->is_test)
            feed_list(c, rank, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = mode_of(o)}, list,
                      count);
        return;
    }
    feed(c, rank, r);
}

static struct outcome message_of(const struct program *p, uint8_t outcome)
{
    int source = (outcome - 1) / OPS, k = (outcome - 1) % OPS;

    return (struct outcome){.source = (int8_t)source, .tag = (int8_t)p->op[source][k].tag};
}

static void choose(struct run *run, int rank, struct outcome o)
{
    run->choice[rank][run->choices[rank]++] = o;
}

/* The completion of a wildcard Irecv. */
static void choose_irecv(const struct program *p, struct run *run, int rank, int irecv)
{
    struct outcome o = message_of(p, run->end.outcome[rank][irecv]);

    o.kind = ORK_CHOICE_RECEIVE;
    o.post = (uint8_t)post_of(p, rank, irecv);
    choose(run, rank, o);
}

static void leave_blocking(const struct program *p, struct ork_causality *c, struct run *run,
                           int rank, int op)
{
    struct outcome o = message_of(p, run->end.outcome[rank][op]);

    if (!is_wildcard(&p->op[rank][op]))
        return;
    o.kind = p->op[rank][op].type == PROBE ? ORK_CHOICE_PROBE : ORK_CHOICE_RECEIVE;
    choose(run, rank, o);
    feed(c, rank,
         (struct ork_record){
             .kind = ORK_KIND_EXIT, .peer = o.source, .tag = o.tag, .extra = run->choices[rank]});
}

/* A call completes this request: three words of its record. `name`: an index, or the number. */
static void complete_request(const struct program *p, struct run *run, int rank, uint32_t name,
                             int irecv, uint32_t *word)
{
    struct outcome o = message_of(p, run->end.outcome[rank][irecv]);
    bool wildcard = is_wildcard(&p->op[rank][irecv]);

    word[0] = name;
    word[1] = (uint32_t)(wildcard ? o.source : ORK_NO_PEER);
    word[2] = wildcard ? (uint32_t)o.tag : 0;
    if (wildcard)
        choose_irecv(p, run, rank, irecv);
}

static void leave_wait(const struct program *p, struct ork_causality *c, struct run *run, int rank,
                       int irecv)
{
    uint64_t first = run->choices[rank] + 1u;
    uint32_t word[3];

    complete_request(p, run, rank, 0, irecv, word);
    feed_list(c, rank, (struct ork_record){.kind = ORK_KIND_EXIT, .extra = first}, word, 3);
}

/* TESTS: the indices, and the array. */
static void feed_tests(const struct program *p, struct ork_causality *c, const struct run *run,
                       int rank, int op)
{
    const struct op *o = &p->op[rank][op];
    uint32_t list[2 * REQUESTS], count = 0, index = 0;

    for (unsigned r = 0; r < REQUESTS; r++) {
        if (run->end.outcome[rank][op] >> r & 1)
            list[count++] = index;
        index += o->set >> r & 1;
    }
    struct ork_record tests = {.kind = ORK_KIND_TESTS, .arg = count};
    count += list_array(p, run, rank, op, list + count);
    feed_list(c, rank, tests, list, count);
}

static void leave_waitany(const struct program *p, struct ork_causality *c, struct run *run,
                          int rank, int op)
{
    const struct op *o = &p->op[rank][op];
    struct ork_record r = {.kind = o->is_test ? ORK_KIND_TESTED : ORK_KIND_EXIT,
                           .mode = o->is_test ? mode_of(o) : 0,
                           .extra = run->choices[rank] + 1u};
    uint8_t outcome = run->end.outcome[rank][op];
    uint32_t word[3 * REQUESTS], words = 0, index = 0;

    choose(run, rank,
           (struct outcome){.kind = o->is_test ? ORK_CHOICE_TEST : ORK_CHOICE_WAIT,
                            .requests = outcome,
                            .set = (uint16_t)o->set});
    for (unsigned i = 0; i < REQUESTS; i++) {
        if (outcome >> i & 1) {
            complete_request(p, run, rank, o->is_test ? i : index, program_irecv(p, rank, op, i),
                             word + words);
            words += 3;
        }
        index += o->set >> i & 1;
    }
    if (o->is_test && words == 0) /* of null requests only: there is no record */
        return;
    if (o->is_test)
        feed_tests(p, c, run, rank, op);
    feed_list(c, rank, r, word, words);
}

static void leave(const struct program *p, struct ork_causality *c, struct run *run, int rank,
                  int op)
{
    const struct op *o = &p->op[rank][op];
    int irecv;

    switch (o->type) {
    case RECV:
    case PROBE:
        leave_blocking(p, c, run, rank, op);
        break;
    case WAIT:
        irecv = program_irecv(p, rank, op, o->request);
        if (!program_is_complete(p, &run->end, rank, op, o->request) &&
            is_wildcard(&p->op[rank][irecv]))
            leave_wait(p, c, run, rank, irecv);
        break;
    case WAITANY:
        leave_waitany(p, c, run, rank, op);
        break;
    case SEND:
    case SSEND:
    case IRECV:
    case BARRIER:
        break;
    }
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

/* Enter the operation at which the rank is. */
static bool enter(struct runner *x, int rank)
{
    int at = x->run->end.at[rank];

    if (at >= x->program->ops[rank] || x->entered[rank] > at)
        return false;
    x->entered[rank]++;
    feed_enter(x->program, x->causality, x->run, rank, at);
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
    leave(x->program, x->causality, x->run, rank, s->at[rank]);
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
        if (o->type != IRECV || !is_wildcard(o) || s->outcome[rank][k] == 0 ||
            program_is_complete(p, s, rank, s->at[rank], o->request))
            continue;
        struct outcome took = message_of(p, s->outcome[rank][k]);
        feed(x->causality, rank,
             (struct ork_record){.kind = ORK_KIND_EARLY,
                                 .request = o->request,
                                 .peer = took.source,
                                 .tag = took.tag});
    }
    if (x->causality != NULL) {
        if (s->at[rank] == p->ops[rank])
            feed(x->causality, rank, (struct ork_record){.kind = ORK_KIND_FINALIZE});
        ork_causality_end(x->causality, (uint32_t)rank, ORK_CAUSAL_INSIDE);
    }
}

static bool has_come(const struct outcome *got, const struct outcome *wanted)
{
    return got->kind == wanted->kind && got->post == wanted->post &&
           got->source == wanted->source && got->tag == wanted->tag &&
           got->requests == wanted->requests;
}

static bool have_come(const struct runner *x, int rank)
{
    const struct program *p = x->program;
    const struct decisions *d = x->decisions;
    const struct run *run = x->run;

    for (int i = 0; i < d->count[rank]; i++) {
        if (i >= run->choices[rank] || !has_come(&run->choice[rank][i], &d->first[rank][i]))
            return false;
    }
    for (int k = 0; k < p->ops[rank]; k++) {
        const struct op *o = &p->op[rank][k];
        if (o->type != IRECV || !is_wildcard(o))
            continue;
        const struct outcome *wanted = &d->posted[rank][post_of(p, rank, k) - 1];
        if (wanted->post == 0)
            continue;
        struct outcome got = message_of(p, run->end.outcome[rank][k]);
        if (run->end.outcome[rank][k] == 0 || got.source != wanted->source ||
            got.tag != wanted->tag)
            return false;
    }
    return true;
}

void run_program(const struct program *p, const struct decisions *decisions, uint64_t *random,
                 struct run *run, struct ork_causality *c)
{
    struct runner x = {.program = p, .decisions = decisions, .causality = c, .run = run};
    struct event event[EVENTS_MAX];

    *run = (struct run){0};
    for (;;) {
        bool settled = is_settled(&x, random);
        if (!settled && draw(random, 4) != 0)
            continue;
        int n = program_events(p, &run->end, (const struct forced(*)[OPS])x.forced, event);
        /* only operations that were entered */
        int m = 0;
        for (int i = 0; i < n; i++) {
            if (event[i].op < x.entered[event[i].rank])
                event[m++] = event[i];
        }
        if (m > 0) {
            const struct event *e = &event[draw(random, (uint64_t)m)];
            run->end.outcome[e->rank][e->op] = e->outcome;
        } else if (settled) {
            break;
        }
    }
    for (int r = 0; r < p->ranks; r++) {
        end_rank(&x, r);
        run->has_diverged |= !have_come(&x, r);
    }
}
