/* SPDX-License-Identifier: BSD-3-Clause */
#include "status_run.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

struct heard heard;

static void copy(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text != NULL ? text : "");
}

static void on_answer(void *context, const struct ork_answer *a)
{
    const struct ork_finding *f = &a->finding;

    (void)context;
    heard.answers++;
    assert_string_equal(f->id, "status");
    copy(heard.message, sizeof(heard.message), f->message);
    heard.num_details = f->num_details;
    for (uint32_t i = 0; i < f->num_details && i < 2; i++)
        copy(heard.detail[i], sizeof(heard.detail[i]), f->detail[i]);
    heard.num_rows = f->num_waits;
    assert_int_equal(a->num_progress, f->num_waits);
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *w = &f->waits[i];
        copy(heard.call[i], sizeof(heard.call[i]), w->call);
        copy(heard.peer[i], sizeof(heard.peer[i]), w->peer);
        copy(heard.tag[i], sizeof(heard.tag[i]), w->tag);
        copy(heard.comm[i], sizeof(heard.comm[i]), w->comm);
        copy(heard.state[i], sizeof(heard.state[i]), w->state);
        copy(heard.words[i], sizeof(heard.words[i]), w->detail);
        copy(heard.frame[i], sizeof(heard.frame[i]),
             w->num_stack > 0 ? w->stack[0].function : NULL);
        heard.progress[i] = a->progress[i];
    }
}

static void on_figures(void *context, const struct ork_run_figures *f,
                       const struct ork_finding *rates)
{
    (void)context;
    heard.figures++;
    heard.latest = *f;
    heard.num_rates = rates->num_rates;
    heard.rated_seconds = rates->num_rates > 0 ? rates->rates[0].calls.count : 0;
}

/* Kept of "hang": what the watchdog says. */
static void on_finding(void *context, const struct ork_finding *f, bool fatal)
{
    struct run *run = context;

    run->reported[run->findings].fatal = fatal;
    run->reported[run->findings].severity = f->severity;
    copy(run->reported[run->findings++].id, 32, f->id);
    copy(heard.hang, sizeof(heard.hang), f->message);
    heard.hang_details[0] = '\0';
    for (uint32_t i = 0; i < f->num_details; i++) {
        size_t n = strlen(heard.hang_details);
        snprintf(heard.hang_details + n, sizeof(heard.hang_details) - n, "%s\n", f->detail[i]);
    }
    heard.first_row = f->num_waits > 0 ? f->waits[0].rank : UINT32_MAX;
}

static void on_stacks(void *context, const struct ork_finding *f, bool fatal)
{
    struct run *run = context;

    (void)f;
    run->reported[run->findings - 1].fatal = fatal;
    run->stacks++;
}

static void on_still(void *context, double seconds)
{
    (void)context;
    heard.stills++;
    heard.still = seconds;
}

static void create_as(struct run *run, const struct ork_root_options *options)
{
    run_create_as(run, options);
    heard = (struct heard){.answers = 0};
    run->sink.answer = on_answer;
    run->sink.figures = on_figures;
    run->sink.finding = on_finding;
    run->sink.stacks = on_stacks;
    run->sink.still = on_still;
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].cpu_ns = 1000000;
}

void status_create(struct run *run, double hang_after, bool fatal)
{
    create_as(run, &(struct ork_root_options){.deadlocks = true,
                                              .hang_after_ns = (uint64_t)(hang_after * 1e9),
                                              .hang_is_fatal = fatal});
}

void status_create_still(struct run *run, double after)
{
    create_as(run, &(struct ork_root_options){.deadlocks = true,
                                              .still_after_ns = (uint64_t)(after * 1e9)});
}

int status_set_up(void **state)
{
    static struct run run;

    status_create(&run, 0, false);
    *state = &run;
    return 0;
}

void status_step(struct run *run, int ms, const struct doing *doing)
{
    for (int i = 0; i < ms; i++) {
        for (uint32_t r = 0; r < RANKS; r++) {
            run->snapshot[r].cpu_ns += (uint64_t)(doing->processors[r] * 1e6);
            run->snapshot[r].polls += doing->polls[r];
            run->snapshot[r].looks += doing->polls[r] != 0;
            run->snapshot[r].busy += doing->polls[r] != 0 && doing->works;
            if (doing->polls[r] != 0)
                run->snapshot[r].work_ns += (uint64_t)(doing->works_now_and_then * 1e6);
            run->snapshot[r].polled =
                doing->probe.call != 0
                    ? doing->probe
                    : (struct ork_polled){.call = ORK_CALL_MPI_Test, .peer = ORK_NO_PEER};
        }
        assert_int_equal(ork_root_step(run->root), ORK_OK);
        run_pass(run, 1);
    }
}

void status_ask(struct run *run, const struct doing *doing)
{
    unsigned before = heard.answers;

    ork_root_ask(run->root);
    for (int i = 0; i < 3000 && heard.answers == before; i++)
        status_step(run, 1, doing);
    assert_int_equal(heard.answers, before + 1);
}

void status_play(struct run *run)
{
    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    script_recv(&run->script[2], 1, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_BLOCKED);
}

const struct doing status_sleeping = {.processors = {1, 0, 1}};
const struct doing status_computing = {.processors = {1, 1, 1}};
const struct doing status_polling = {.processors = {1, 1, 1}, .polls = {0, 500, 0}};
