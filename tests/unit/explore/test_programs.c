/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs, explored as mustrun does it: the search proposes what a run could have done
 * otherwise. Each way in which a program can end is reached by one run, and no other one; however
 * often its loops of tests and probes were unsuccessful.
 * test_programs [PROGRAMS [SEED]] */
#include "order/explore/plan.h"
#include "order/explore/search.h"
#include "tests/unit/causality/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RUNS_MAX = 5000 };

/* The runs with a number in the search. */
struct nodes {
    struct run *run;
    uint32_t count;
};

struct result {
    struct states ends;
    uint32_t runs, repeated, diverged;
};

/* ---- from a run to the search ---- */

/* The indices of the completed requests in the array; returns how many. */
static uint32_t indices_of(const struct outcome *o, uint32_t index[REQUESTS])
{
    uint32_t at = 0, n = 0;

    for (unsigned i = 0; i < REQUESTS; i++) {
        if (o->requests >> i & 1)
            index[n++] = at;
        at += o->set >> i & 1;
    }
    return n;
}

static struct ork_trace trace_of(const struct program *p, const struct run *run)
{
    static uint8_t stream[RANKS][OPS * ORK_CHOICE_ROOM(REQUESTS) + ORK_CHOICE_ROOM(0)];
    struct ork_order_rank rank[RANKS] = {{0}};
    uint32_t ranks = (uint32_t)p->ranks;
    struct ork_order_file file = {.header = {.ranks = ranks}, .rank = rank, .num_ranks = ranks};
    struct ork_trace trace;

    for (uint32_t r = 0; r < ranks; r++) {
        struct ork_order_encoder *e = ork_order_encoder_create();
        must(e != NULL);
        rank[r].stream = stream[r];
        for (unsigned i = 0; i < run->choices[r]; i++) {
            const struct outcome *o = &run->choice[r][i];
            uint32_t index[REQUESTS], count = indices_of(o, index);
            struct ork_choice c = {.kind = o->kind,
                                   .place = o->place,
                                   .polls = o->polls,
                                   .post = o->post,
                                   .source = o->source,
                                   .tag = o->tag,
                                   .count = count,
                                   .index = index};
            rank[r].size += ork_order_encode(e, &c, stream[r] + rank[r].size);
        }
        rank[r].size += ork_order_encode_pending(e, stream[r] + rank[r].size);
        ork_order_encoder_destroy(e);
    }
    must(ork_trace_read(&file, &trace) == ORK_OK);
    return trace;
}

/* As the tool writes them, and the explorer reads them. */
static struct ork_alternatives *alternatives_of(const struct program *p, struct ork_causality *c)
{
    int fd = memfd_create("alternatives", 0);
    FILE *out = fdopen(dup(fd), "w");
    struct ork_alternatives *a = NULL;
    char path[64], error[ORK_ALTERNATIVES_ERROR];

    must(fd >= 0 && out != NULL);
    must(ork_alternatives_write(c, (uint32_t)p->ranks, (struct ork_unordered_calls){0},
                                (struct ork_call_places){0}, out) == ORK_OK);
    fclose(out);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    must(ork_alternatives_read(path, (uint32_t)p->ranks, &a, error) == ORK_OK);
    must(a->lost == NULL);
    close(fd);
    return a;
}

/* Receives that were not complete are no choices yet. */
static void add_pending(struct ork_trace *trace, const struct ork_alternatives *a)
{
    for (uint32_t i = 0; i < a->num_pending; i++) {
        const struct ork_kept_receive *p = &a->pending[i];
        struct ork_pending_receive r = {p->post, p->source, p->tag};
        must(ork_trace_add_pending(trace, p->rank, r) == ORK_OK);
    }
    must(ork_trace_add_locked(trace, a->locked, a->num_locked) == ORK_OK);
    ork_trace_add_polled(trace, a->polled, a->num_polled);
}

/* ---- from the search to a run ---- */

/* Where a test or probe is made, and what a test completes. */
static void decide_polls(const struct program *p, const struct run *run, const struct ork_change *c,
                         struct outcome *other)
{
    struct outcome was = {.polls = (uint16_t)c->poll.polls, .place = (uint8_t)c->poll.place};

    if (c->post != 0)
        return;
    bool is_made = c->number <= run->choices[c->rank];
    if (c->polls == ORK_POLLS_SAME || ork_change_is_failure(c))
        was = run->choice[c->rank][c->number - 1];
    else if (c->poll.polls == ORK_POLLS_ALL && is_made)
        was.polls = run->choice[c->rank][c->number - 1].polls;
    if (ork_change_is_failure(c)) {
        *other = (struct outcome){.kind = ORK_CHOICE_FREE, .polls = (uint16_t)(was.polls + 1)};
        other->gives_up = c->polls != ORK_POLLS_ONE_MORE ? was.polls : (uint16_t)0;
        other->in_row = c->polls == ORK_POLLS_ABANDONED;
        return;
    }
    other->is_again = c->polls == ORK_POLLS_AGAIN;
    other->polls = was.polls;
    other->place = was.place;
    other->set = was.set;
    const struct op *poll = was.place > 0 ? program_poll_at(p, (int)c->rank, was.place) : NULL;
    if (poll != NULL && !poll->is_all)
        other->set = (uint16_t)poll->set;
    if (c->kind == ORK_CHOICE_WAIT || c->kind == ORK_CHOICE_TEST)
        other->requests = requests_at(other->set, c->index, c->count);
    else
        other->set = 0;
}

static struct outcome changed_lock(const struct program *p, const struct run *run,
                                   const struct ork_change *c)
{
    bool is_made = c->number <= run->choices[c->rank];
    const struct outcome *was = &run->choice[c->rank][c->number - 1];

    return decide_lock(p, c->rank, is_made ? was->place : c->poll.place, c->tag,
                       is_made ? was->polls : run->polls[c->rank]);
}

static struct decisions decide(const struct program *p, const struct nodes *nodes,
                               const struct ork_decision_of_run *made)
{
    const struct run *run = &nodes->run[made->run];
    const struct ork_change *c = made->change;
    struct outcome other = {.kind = c->kind,
                            .post = (uint8_t)c->post,
                            .source = (int8_t)c->source,
                            .tag = (int8_t)c->tag};
    struct decisions d;

    memset(&d, 0, sizeof(d));
    for (int r = 0; r < p->ranks; r++)
        decide_kept(&d, run, r, c->keep[r], c->keep_polls[r]);
    for (uint32_t i = 0; i < c->num_ahead; i++) {
        const struct ork_kept_receive *a = &c->ahead[i];
        d.posted[a->rank][a->post - 1] = (struct outcome){.kind = ORK_CHOICE_RECEIVE,
                                                          .post = (uint8_t)a->post,
                                                          .source = (int8_t)a->source,
                                                          .tag = (int8_t)a->tag};
    }
    if (c->kind == ORK_CHOICE_LOCK)
        other = changed_lock(p, run, c);
    else
        decide_polls(p, run, c, &other);
    if (c->post != 0)
        d.posted[c->rank][c->post - 1] = other;
    else
        d.first[c->rank][d.count[c->rank]++] = other;
    return d;
}

/* ---- an exploration ---- */

static void run_once(const struct program *p, const struct decisions *d, uint64_t *random,
                     struct ork_search *s, const struct ork_decision_of_run *made,
                     struct nodes *nodes, struct result *result)
{
    struct ork_causality *c = NULL;
    struct run run;
    bool is_new;

    must(ork_causality_create((uint32_t)p->ranks, &c) == ORK_OK);
    run_program(p, d, random, &run, c);
    struct ork_trace trace = trace_of(p, &run);
    struct ork_alternatives *a = alternatives_of(p, c);
    add_pending(&trace, a);
    must(ork_search_add(s, made, &trace, a, &is_new) == ORK_OK);
    ork_causality_destroy(c);
    struct state end = program_normal(p, &run.end);
    states_add(&result->ends, &end);
    result->runs++;
    result->repeated += !is_new;
    result->diverged += run.has_diverged;
    if (is_new) {
        nodes->run = realloc(nodes->run, (nodes->count + 1) * sizeof(run));
        must(nodes->run != NULL);
        nodes->run[nodes->count++] = run;
    }
}

/* RATIONALE: a LOOP does not give up, so the run would be a free one. */
static bool is_endless(const struct nodes *nodes, const struct ork_decision_of_run *made)
{
    const struct ork_change *c = made->change;

    return (c->polls == ORK_POLLS_ABANDONED || c->polls == ORK_POLLS_ALL_ABANDONED) &&
           nodes->run[made->run].choice[c->rank][c->number - 1].place > OPS;
}

static struct result explore_all(const struct program *p, uint64_t *random)
{
    const struct ork_search_bounds none = {0};
    struct ork_decision_of_run made;
    struct ork_search *s = NULL;
    struct nodes nodes = {0};
    struct result result = {0};
    struct decisions d;

    must(ork_search_create((uint32_t)p->ranks, &none, &s) == ORK_OK);
    memset(&d, 0, sizeof(d));
    run_once(p, &d, random, s, NULL, &nodes, &result);
    while (result.runs < RUNS_MAX && ork_search_next(s, &made)) {
        if (is_endless(&nodes, &made))
            continue;
        d = decide(p, &nodes, &made);
        run_once(p, &d, random, s, &made, &nodes, &result);
    }
    must(ork_search_count(s).unfit == 0);
    ork_search_destroy(s);
    free(nodes.run);
    return result;
}

static bool is_right(const struct states *ends, const struct result *r)
{
    for (size_t i = 0; i < ends->count; i++) {
        if (!states_have(&r->ends, &ends->item[i]))
            return false;
    }
    return r->runs == ends->count && r->ends.count == ends->count && r->repeated == 0 &&
           r->diverged == 0;
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : 1500;
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t tried = 0, open = 0, ends_total = 0, runs = 0, repeated = 0, bad = 0;

    for (uint64_t i = 0; i < programs; i++) {
        struct program p = program_generate(&random);
        if (i % 2 != 0)
            program_vary(&p, &random, false);
        if (i / 2 % 2 != 0)
            program_poll(&p, &random);
        if (i / 4 % 2 != 0)
            program_loop(&p, &random);
        if (i / 8 % 2 != 0)
            program_synchronise(&p, &random);
        if (i / 16 % 2 != 0)
            program_lock(&p, &random);
        struct states ends = {0};
        if (program_ends(&p, &ends) && ends.count < RUNS_MAX / 2) {
            struct result r = explore_all(&p, &random);
            tried++;
            open += ends.count > 1;
            ends_total += ends.count;
            runs += r.runs;
            repeated += r.repeated;
            if (!is_right(&ends, &r) && bad++ < 5) {
                printf("program %" PRIu64 ": %zu ends; %u runs, %zu ends, %u repeated, %u "
                       "diverged\n",
                       i, ends.count, r.runs, r.ends.count, r.repeated, r.diverged);
                program_print(&p);
            }
            states_release(&r.ends);
        }
        states_release(&ends);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " with several ends, %" PRIu64 " ends; %" PRIu64
           " runs, %" PRIu64 " repeated; %" PRIu64 " programs are wrong\n",
           tried, open, ends_total, runs, repeated, bad);
    return bad == 0 && open > 0 ? 0 : 1;
}
