/* SPDX-License-Identifier: BSD-3-Clause */
#include "root_run.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static enum ork_status collect(struct run *run, uint32_t round)
{
    if (run->is_far && run->round == 0) { /* run_step() answers */
        run->round = round;
        return ORK_OK;
    }
    run->round = 0;
    if (run->goes_on) {
        script_send(&run->script[0], ORK_PROC_NULL, 0);
        run_play(run, 0, ORK_STATE_BLOCKED);
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        if (run->present[r])
            assert_int_equal(
                ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_SNAPSHOT,
                                                             .rank = r,
                                                             .snapshot = &run->snapshot[r]}),
                ORK_OK);
    }
    return ork_up_deliver(&run->up,
                          &(struct ork_event){.kind = ORK_EVENT_COLLECTED, .round = round});
}

static enum ork_status stack(struct run *run, uint32_t rank)
{
    static char function[] = "work";
    struct ork_where frame = {.function = function, .line = 7};
    const struct ork_rank_row row = {.rank = rank, .stack = &frame, .num_stack = 1};

    run->stacks_asked++;
    if (run->no_stacks || !run->present[rank])
        return ORK_OK;
    return ork_up_deliver(&run->up,
                          &(struct ork_event){.kind = ORK_EVENT_STACK, .stack = {&row, ""}});
}

/* The rings are not there any more. */
static enum ork_status latest(struct run *run, uint32_t rank)
{
    const struct ork_latest calls = {.rank = rank};

    return ork_up_deliver(
        &run->up, &(struct ork_event){.kind = ORK_EVENT_LATEST, .rank = rank, .latest = &calls});
}

static enum ork_status decide(struct run *run, uint32_t rank, const struct ork_decision *decision)
{
    assert_in_range(run->decisions, 0, FINDINGS - 1);
    run->decided[run->decisions] = rank;
    run->decision[run->decisions++] = *decision;
    return ORK_OK;
}

static enum ork_status follow_order(void *context, const struct ork_order *order)
{
    struct run *run = context;

    switch (order->kind) {
    case ORK_ORDER_COLLECT:
        run->collects++;
        return collect(run, order->round);
    case ORK_ORDER_ASK:
        run->asked++;
        return ORK_OK;
    case ORK_ORDER_STACK:
        return stack(run, order->rank);
    case ORK_ORDER_LATEST:
        return latest(run, order->latest.rank);
    case ORK_ORDER_NUMBER:
        run->first = order->number.first;
        return ORK_OK;
    case ORK_ORDER_DECISION:
        return decide(run, order->decision.rank, &order->decision.decision);
    case ORK_ORDER_WATCH:
        run->is_watched = order->is_watched;
        return ORK_OK;
    case ORK_ORDER_HOLD:
        run->hold = order->hold;
        return ORK_OK;
    case ORK_ORDER_FOLD:
        run->is_folding = order->is_folding;
        return ORK_OK;
    case ORK_ORDER_EXPIRE:
        run->expired++;
        return ORK_OK;
    case ORK_ORDER_RELEASE:
        run->released++;
        return ORK_OK;
    case ORK_ORDER_LAST:
    case ORK_ORDER_KILL:
    case ORK_ORDER_CREDIT:
    case ORK_ORDER_ALIVE:
    case ORK_ORDER_END:
        break;
    }
    fail_msg("the root does not send this: %d", (int)order->kind);
    return ORK_INVALID;
}

static void on_finding(void *context, const struct ork_finding *f, bool fatal)
{
    struct run *run = context;
    struct reported *t = &run->reported[run->findings];

    assert_in_range(run->findings, 0, FINDINGS - 1);
    run->findings++;
    snprintf(t->id, sizeof(t->id), "%s", f->id);
    snprintf(t->message, sizeof(t->message), "%s", f->message);
    t->class_ = f->class_;
    t->severity = f->severity;
    t->fatal = fatal;
    t->num_ranks = f->ranks.count;
    for (uint32_t i = 0; i < f->ranks.count && i < RANKS; i++)
        t->ranks[i] = f->ranks.item[i];
}

/* The same finding once more, of the latest ones. */
static void on_stacks(void *context, const struct ork_finding *f, bool fatal)
{
    struct run *run = context;
    unsigned i = run->findings;

    if (strcmp(f->id, "state") == 0) {
        run->complete_states++;
        for (uint32_t r = 0; r < RANKS; r++)
            snprintf(run->doing[r], sizeof(run->doing[r]), "%s %s, %u frames, for %u ranks",
                     f->waits[r].call, f->waits[r].state, f->waits[r].num_stack,
                     f->waits[r].waits_for.count);
        snprintf(run->longest, sizeof(run->longest), "%s", f->num_details > 0 ? f->detail[0] : "");
        return;
    }
    do {
        assert_in_range(i, 1, FINDINGS);
        i--;
    } while (strcmp(run->reported[i].message, f->message) != 0);
    run->reported[i].fatal = fatal;
    run->stacks++;
}

static void on_changed(void *context, const struct ork_finding *f, const char *earlier)
{
    struct run *run = context;
    struct reported *r = NULL;

    for (unsigned i = 0; i < run->findings; i++) {
        if (strcmp(run->reported[i].message, earlier) == 0)
            r = &run->reported[i];
    }
    assert_non_null(r);
    snprintf(r->message, sizeof(r->message), "%s", f->message);
    r->severity = f->severity;
    run->changed++;
}

static void on_superseded(void *context, const struct ork_finding *f)
{
    struct run *run = context;

    assert_true(f->class_ == ORK_POTENTIAL || strcmp(f->id, "hang") == 0);
    run->superseded++;
}

static void on_state(void *context, const struct ork_finding *f)
{
    struct run *run = context;

    run->states++;
    assert_string_equal(f->id, "state");
    assert_int_equal(f->num_waits, RANKS);
}

static void on_stuck(void *context)
{
    struct run *run = context;

    run->stuck++;
}

static void on_paused(void *context, const struct ork_paused *held)
{
    struct run *run = context;

    run->held++;
    assert_int_equal(held->num_ranks, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        snprintf(run->doing[r], sizeof(run->doing[r]), "%s", held->ranks[r].doing);
}

static uint64_t monotonic_ns(void *context)
{
    return ((const struct run *)context)->now_ns;
}

static uint64_t processor_ns(void *context)
{
    return ((const struct run *)context)->processor_ns;
}

void run_pass(struct run *run, int ms)
{
    run->now_ns += (uint64_t)ms * 1000000u;
    run->processor_ns += (uint64_t)ms * 1000000u;
}

void run_create(struct run *run, const char *trace, bool deadlocks)
{
    run_create_as(run, &(struct ork_root_options){.deadlocks = deadlocks, .trace = trace});
}

void run_create_as(struct run *run, const struct ork_root_options *how)
{
    struct ork_root_options options = *how;

    options.clock = &run->clock;
    memset(run, 0, sizeof(*run));
    run->clock = (struct ork_clock){
        .context = run, .monotonic_ns = monotonic_ns, .processor_ns = processor_ns};
    run_pass(run, 1000);
    run->sink = (struct ork_report_sink){.context = run,
                                         .finding = on_finding,
                                         .changed = on_changed,
                                         .superseded = on_superseded,
                                         .state = on_state,
                                         .stacks = on_stacks,
                                         .stuck = on_stuck,
                                         .held = on_paused};
    run->down = (struct ork_down){.context = run, .send = follow_order};
    assert_int_equal(ork_root_create(&options, &run->sink, &run->root), ORK_OK);
    run->up = ork_root_up(run->root);
    assert_int_equal(ork_root_set_down(run->root, &run->down, 1), ORK_OK);
    for (uint32_t r = 0; r < RANKS; r++) {
        ork_up_deliver(&run->up, &(struct ork_event){
                                     .kind = ORK_EVENT_ATTACH, .rank = r, .attached = {.pid = 1}});
        run->present[r] = true;
        run->snapshot[r].threads = 1;
    }
}

int run_set_up(void **state)
{
    static struct run run;

    run_create(&run, NULL, true);
    *state = &run;
    return 0;
}

int run_tear_down(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    return 0;
}

void run_init(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&run->script[r], r, RANKS);
}

void run_play(struct run *run, uint32_t rank, enum ork_state in)
{
    struct script *s = &run->script[rank];
    struct ork_snapshot *now = &run->snapshot[rank];

    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = rank,
                                                                  .records = {s->record, s->n}}),
                     ORK_OK);
    now->head += s->n;
    now->word[0] = now->head << 8 | (uint64_t)in;
    s->n = 0;
}

void run_play_each(struct run *run, enum ork_state first, enum ork_state second,
                   enum ork_state third)
{
    run_play(run, 0, first);
    run_play(run, 1, second);
    run_play(run, 2, third);
}

void run_play_all(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        run_play(run, r, ORK_STATE_BLOCKED);
}

void run_end(struct run *run, uint32_t rank, enum ork_death how)
{
    run_end_as(run, rank, &(struct ork_ending){.how = how, .full_waits = 2});
}

void run_end_all(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&run->script[r]);
        run_play(run, r, ORK_STATE_DONE);
        run_end(run, r, ORK_DEATH_FINISHED);
    }
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
}

void run_end_as(struct run *run, uint32_t rank, const struct ork_ending *ending)
{
    run->present[rank] = false;
    assert_int_equal(
        ork_up_deliver(&run->up,
                       &(struct ork_event){.kind = ORK_EVENT_END, .rank = rank, .ending = ending}),
        ORK_OK);
}

void run_step(struct run *run, unsigned findings, int ms)
{
    bool was_told = false; /* then its call stacks come with the next step */

    for (int i = 0; i < ms && !was_told; i++) {
        was_told = run->findings >= findings;
        if (run->round != 0)
            assert_int_equal(collect(run, run->round), ORK_OK);
        assert_int_equal(ork_root_step(run->root), ORK_OK);
        run_pass(run, 1);
    }
}

void run_assert_reported(const struct run *run, unsigned i, const char *id, enum ork_class class_,
                         const char *message)
{
    assert_in_range(i, 0, run->findings - 1);
    assert_string_equal(run->reported[i].id, id);
    assert_int_equal(run->reported[i].class_, class_);
    assert_string_equal(run->reported[i].message, message);
}
