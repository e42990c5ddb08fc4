/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/causality/explore.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 20000 };

/* Decisions that were or will be tried. */
struct todo {
    struct decisions *item;
    unsigned count, room;
};

struct node {
    const struct program *program;
    const struct run *run;
    struct todo *todo;
};

static void add(struct todo *t, const struct decisions *d)
{
    for (unsigned i = 0; i < t->count; i++) {
        if (memcmp(&t->item[i], d, sizeof(*d)) == 0)
            return;
    }
    if (t->count == t->room) {
        t->room = t->room == 0 ? 16 : 2 * t->room;
        t->item = realloc(t->item, t->room * sizeof(*t->item));
        must(t->item != NULL);
    }
    t->item[t->count++] = *d;
}

static struct outcome outcome_of(const struct ork_causal_choice *c, int32_t source, int32_t tag)
{
    return (struct outcome){
        .kind = c->kind, .post = (uint8_t)c->post, .source = (int8_t)source, .tag = (int8_t)tag};
}

uint8_t requests_at(unsigned set, const uint32_t *index, uint32_t count)
{
    unsigned requests = 0, at = 0;

    for (unsigned r = 0; r < REQUESTS; r++) {
        if ((set >> r & 1) == 0)
            continue;
        for (uint32_t i = 0; i < count; i++)
            requests |= (unsigned)(index[i] == at) << r;
        at++;
    }
    return (uint8_t)requests;
}

void decide_kept(struct decisions *d, const struct run *run, int rank, uint64_t keep,
                 uint64_t keep_polls)
{
    uint16_t all = keep < run->choices[rank] ? run->choice[rank][keep].polls : run->polls[rank];

    must(keep <= run->choices[rank]);
    d->count[rank] = (uint8_t)keep;
    memcpy(d->first[rank], run->choice[rank], keep * sizeof(struct outcome));
    if (keep_polls != 0)
        d->first[rank][d->count[rank]++] =
            (struct outcome){.kind = ORK_CHOICE_FREE,
                             .polls = keep_polls == ORK_POLLS_ALL ? all : (uint16_t)keep_polls};
}

struct outcome decide_lock(const struct program *p, uint32_t rank, uint32_t place, int32_t tag,
                           uint16_t polls)
{
    return (struct outcome){.kind = ORK_CHOICE_LOCK,
                            .post = (uint8_t)program_lock_of(p, (int)rank, (int)place - 1),
                            .source = (int8_t)p->op[rank][place - 1].peer,
                            .tag = (int8_t)tag,
                            .place = (uint8_t)place,
                            .polls = polls};
}

/* The requests that the call completes instead. MPI_Testall has no indices. */
static void decide_requests(const struct program *p, const struct ork_alternative *a,
                            struct outcome *other)
{
    const struct op *test =
        other->place > 0 ? program_poll_at(p, (int)a->choice.rank, other->place) : NULL;

    if (test != NULL)
        other->set = test->is_all ? (uint16_t)0 : (uint16_t)test->set;
    other->requests = requests_at(other->set, a->index, a->count);
}

static bool take(void *context, const struct ork_alternative *a)
{
    struct node *n = context;
    const struct ork_causal_choice *c = &a->choice;
    struct decisions d;

    bool is_made = c->post == 0 && c->number <= n->run->choices[c->rank];
    const struct outcome was =
        is_made ? n->run->choice[c->rank][c->number - 1] : (struct outcome){0};
    if (a->polls == ORK_POLLS_ONE_MORE && was.place == 0) /* it is made again and again */
        return true;
    must(a->polls < ORK_POLLS_AGAIN); /* there are no loops */
    memset(&d, 0, sizeof(d));
    for (int r = 0; r < n->program->ranks; r++)
        decide_kept(&d, n->run, r, a->keep[r], a->keep_polls[r]);
    for (uint32_t i = 0; i < a->num_ahead; i++) {
        const struct ork_causal_choice *r = &a->ahead[i];
        d.posted[r->rank][r->post - 1] = outcome_of(r, r->source, r->tag);
    }
    struct outcome other = outcome_of(c, a->source, a->tag);
    other.polls = a->polls == ORK_POLLS_FEWER ? (uint16_t)a->poll.polls : was.polls;
    other.set = was.set;
    other.place = a->polls == ORK_POLLS_FEWER ? (uint8_t)a->poll.place : was.place;
    if (a->polls == ORK_POLLS_ONE_MORE)
        other = (struct outcome){.kind = ORK_CHOICE_FREE, .polls = (uint16_t)(was.polls + 1)};
    else if (c->kind == ORK_CHOICE_WAIT || c->kind == ORK_CHOICE_TEST)
        decide_requests(n->program, a, &other);
    if (c->kind == ORK_CHOICE_LOCK)
        other = decide_lock(n->program, c->rank, is_made ? was.place : a->poll.place, a->tag,
                            is_made ? was.polls : n->run->polls[c->rank]);
    if (c->post != 0) {
        d.posted[c->rank][c->post - 1] = other;
    } else {
        must(c->number == d.count[c->rank] + 1u);
        d.first[c->rank][d.count[c->rank]++] = other;
    }
    add(n->todo, &d);
    return true;
}

static void run_once(const struct program *p, const struct clocks *clocks, uint64_t limit,
                     uint64_t *random, struct todo *todo, unsigned number,
                     struct explored *explored)
{
    struct decisions decisions = todo->item[number];
    struct ork_causality *c = NULL;
    struct run run;

    must(ork_causality_create_with((uint32_t)p->ranks, clocks, &c) == ORK_OK);
    ork_causality_set_limit(c, limit);
    run_program(p, &decisions, random, &run, c);
    for (int r = 0; r < p->ranks; r++)
        must(ork_causality_lost(c, (uint32_t)r) == NULL);
    states_add(&explored->ends, &run.end);
    explored->runs++;
    explored->diverged += run.has_diverged;
    struct node node = {.program = p, .run = &run, .todo = todo};
    must(ork_causality_alternatives(c, take, &node) == ORK_OK);
    uint32_t gap[ORK_GAPS];
    ork_causality_gaps(c, gap);
    explored->limited += gap[ORK_GAP_CLOCKS] > 0;
    ork_causality_destroy(c);
}

bool explore(const struct program *p, const struct clocks *clocks, uint64_t limit, uint64_t *random,
             struct explored *explored)
{
    struct todo todo = {0};
    struct decisions none;

    *explored = (struct explored){0};
    memset(&none, 0, sizeof(none));
    add(&todo, &none);
    for (unsigned i = 0; i < todo.count && i < RUNS_MAX; i++)
        run_once(p, clocks, limit, random, &todo, i, explored);
    bool good = todo.count <= RUNS_MAX;
    free(todo.item);
    return good;
}
