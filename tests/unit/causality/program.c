/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/causality/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool program_is_poll(const struct op *o)
{
    return o->type == TEST || o->type == IPROBE;
}

bool program_is_open(const struct state *s, int rank, int op)
{
    return s->outcome[rank][op] == 0 || (s->outcome[rank][op] & FAILED) != 0;
}

bool program_is_left_out(const struct program *p, const struct state *s, int rank, int op)
{
    const struct op *o = p->op[rank];

    for (int k = 0; k < op && o[op].loop != 0; k++) {
        if (o[k].loop == o[op].loop && program_is_poll(&o[k]) && !program_is_open(s, rank, k))
            return true;
    }
    return false;
}

static bool are_equal(const struct op *a, const struct op *b)
{
    return a->loop == b->loop && a->kind == b->kind;
}

unsigned program_place(const struct program *p, int rank, int op)
{
    int k = op;

    for (int i = 0; i < op && p->op[rank][op].loop != 0; i++) {
        if (are_equal(&p->op[rank][i], &p->op[rank][op])) {
            k = i;
            break;
        }
    }
    return (unsigned)k + 1;
}

struct row program_row(const struct program *p, int rank, int op)
{
    const struct op *o = p->op[rank];
    struct row row = {op, op};

    while (o[op].loop != 0 && row.first > 0 && o[row.first - 1].loop == o[op].loop &&
           program_is_poll(&o[row.first - 1]))
        row.first--;
    while (o[op].loop != 0 && row.last + 1 < p->ops[rank] && o[row.last + 1].loop == o[op].loop &&
           program_is_poll(&o[row.last + 1]))
        row.last++;
    return row;
}

/* The second one of its row that is equal to it; the first one, if it is that. */
static int normal_of(const struct program *p, int rank, int op)
{
    int found = 0;

    for (int k = program_row(p, rank, op).first; k < op; k++) {
        found += are_equal(&p->op[rank][k], &p->op[rank][op]);
        if (found == 2)
            return k;
    }
    return op;
}

struct state program_normal(const struct program *p, const struct state *s)
{
    struct state n = *s;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r]; k++) {
            const struct op *o = &p->op[r][k];
            if (o->loop == 0 || !program_is_poll(o) || program_is_open(s, r, k))
                continue;
            int to = normal_of(p, r, k);
            for (int i = to; i <= k; i++)
                n.outcome[r][i] = 0;
            n.outcome[r][to] = s->outcome[r][k];
        }
    }
    return n;
}

const struct op *program_poll_at(const struct program *p, int rank, unsigned place)
{
    return place <= OPS ? &p->op[rank][place - 1] : &p->poll[rank][place - OPS - 1];
}

const struct op *program_poll_of(const struct program *p, int rank, const struct op *loop,
                                 unsigned i)
{
    return &p->poll[rank][loop->first_poll + i];
}

unsigned program_failed(const struct op *loop, unsigned outcome)
{
    if (outcome == 0)
        return 0;
    if (outcome & FAILED)
        return outcome & OUTCOME;
    return outcome & LATER ? loop->polls : outcome / POLL_NEXT;
}

/* The requests that it completed, a bit each. */
static unsigned completed_by(const struct program *p, const struct state *s, int rank, int op)
{
    const struct op *o = &p->op[rank][op];
    unsigned outcome = s->outcome[rank][op];

    if (o->type == WAITANY || o->type == TEST)
        return o->is_status ? 0 : outcome & OUTCOME;
    if (o->type != LOOP || program_is_open(s, rank, op))
        return 0;
    o = program_poll_of(p, rank, o, outcome % LATER / POLL_NEXT);
    return o->type == TEST && !o->is_status ? outcome & OUTCOME : 0;
}

int program_tag(const struct program *p, const struct state *s, int rank, int op)
{
    const struct op *o = &p->op[rank][op];

    if (o->depends == 0)
        return o->tag;
    unsigned outcome = s->outcome[rank][o->depends - 1];
    if (p->op[rank][o->depends - 1].type == LOCK)
        return o->tag ^ (outcome != LOCKED);
    return o->tag ^ (outcome == FAILED || (outcome & LATER) != 0);
}

int program_irecv(const struct program *p, int rank, int op, unsigned request)
{
    while (--op >= 0) {
        if (p->op[rank][op].type == IRECV && p->op[rank][op].request == request)
            return op;
    }
    return -1;
}

bool program_is_complete(const struct program *p, const struct state *s, int rank, int op,
                         unsigned request)
{
    while (--op >= 0) {
        const struct op *o = &p->op[rank][op];
        if (o->type == WAIT && o->request == request)
            return true;
        if (completed_by(p, s, rank, op) >> request & 1)
            return true;
    }
    return false;
}

static int barriers_before(const struct program *p, int rank, int op)
{
    int n = 0;

    while (--op >= 0)
        n += p->op[rank][op].type == BARRIER;
    return n;
}

static bool is_barrier_over(const struct program *p, const struct state *s, int rank)
{
    int n = barriers_before(p, rank, s->at[rank]);

    for (int r = 0; r < p->ranks; r++) {
        int at = s->at[r] < p->ops[r] ? s->at[r] + 1 : s->at[r];
        if (barriers_before(p, r, at) <= n)
            return false;
    }
    return true;
}

bool program_is_receive(const struct op *o)
{
    return o->type == RECV || o->type == IRECV;
}

bool program_is_taken(const struct program *p, const struct state *s, int dest, int send)
{
    for (int i = 0; i < p->ops[dest]; i++) {
        if (program_is_receive(&p->op[dest][i]) && s->outcome[dest][i] == send + 1)
            return true;
    }
    return false;
}

/* May the rank go on behind its present operation? */
static bool is_over(const struct program *p, const struct state *s, int rank)
{
    int at = s->at[rank];
    const struct op *o = &p->op[rank][at];
    int irecv;

    if (program_is_left_out(p, s, rank, at))
        return true;
    switch (o->type) {
    case SEND:
    case IRECV:
        return true;
    case SSEND:
        return program_is_taken(p, s, o->peer, rank * OPS + at);
    case RECV:
    case PROBE:
    case IPROBE:
        return s->outcome[rank][at] != 0;
    case WAIT:
        irecv = program_irecv(p, rank, at, o->request);
        return program_is_complete(p, s, rank, at, o->request) || s->outcome[rank][irecv] != 0;
    case WAITANY:
    case TEST:
        if (s->outcome[rank][at] != 0)
            return true;
        for (unsigned r = 0; r < REQUESTS; r++) {
            if ((o->set >> r & 1) && !program_is_complete(p, s, rank, at, r))
                return false;
        }
        return true;
    case LOOP:
        return !program_is_open(s, rank, at);
    case LOCK:
        return s->outcome[rank][at] != 0;
    case UNLOCK:
        return true;
    case BARRIER:
        return is_barrier_over(p, s, rank);
    }
    return false;
}

void program_settle(const struct program *p, struct state *s)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (int r = 0; r < p->ranks; r++) {
            while (s->at[r] < p->ops[r] && is_over(p, s, r)) {
                s->at[r]++;
                moved = true;
            }
        }
    }
}

static void print_op(const struct program *p, int rank, const struct op *o)
{
    static const char *const name[] = {"send",    "ssend", "recv",    "irecv", "wait",
                                       "waitany", "probe", "barrier", "test",  "iprobe",
                                       "loop",    "lock",  "unlock"};

    printf("  %s peer %d tag %d request %u set %x%s%s%s%s depends %u", name[o->type], o->peer,
           o->tag, o->request, o->set, o->is_some ? " some" : "", o->is_all ? " all" : "",
           o->is_status ? " status" : "", o->is_test ? " test" : "", o->depends);
    if (o->is_exclusive)
        printf(" exclusive");
    if (o->loop != 0)
        printf(" loop %u kind %u", o->loop, o->kind);
    for (unsigned i = 0; i < o->polls; i++) {
        printf(i == 0 ? " [" : ",");
        print_op(p, rank, program_poll_of(p, rank, o, i));
        printf(i + 1u == o->polls ? " ]" : "");
    }
}

void program_print(const struct program *p)
{
    for (int r = 0; r < p->ranks; r++) {
        printf("rank %d:", r);
        for (int k = 0; k < p->ops[r]; k++)
            print_op(p, r, &p->op[r][k]);
        printf("\n");
    }
}
