/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer to whoever asks, and the watchdog, with made-up ranks. */
#include "overlay/root/root.h"

#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "record/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The latest answer, in few words. */
struct heard {
    unsigned answers, figures, stills;
    double still; /* the latest of them */
    char message[200], detail[2][200];
    char call[RANKS][40], peer[RANKS][20], tag[RANKS][20], comm[RANKS][40];
    char state[RANKS][20], words[RANKS][200], frame[RANKS][40];
    struct ork_rank_progress progress[RANKS];
    uint32_t num_rows, num_details;
    struct ork_run_figures latest;
    char hang[200], hang_details[1000];
    uint32_t first_row;
};

static struct heard heard;

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

static void on_figures(void *context, const struct ork_run_figures *f)
{
    (void)context;
    heard.figures++;
    heard.latest = *f;
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

static void create(struct run *run, double hang_after, bool fatal)
{
    create_as(run, &(struct ork_root_options){.deadlocks = true,
                                              .hang_after_ns = (uint64_t)(hang_after * 1e9),
                                              .hang_is_fatal = fatal});
}

static void create_still(struct run *run, double after)
{
    create_as(run, &(struct ork_root_options){.deadlocks = true,
                                              .still_after_ns = (uint64_t)(after * 1e9)});
}

static int set_up(void **state)
{
    static struct run run;

    create(&run, 0, false);
    *state = &run;
    return 0;
}

/* Each rank uses so much of a processor and polls so often in a millisecond, and works between two
 * polls or not. */
struct doing {
    double processors[RANKS];
    uint64_t polls[RANKS];
    bool works;
    double works_now_and_then; /* part of a processor that those who poll use beside the polls */
    struct ork_polled probe;   /* call 0: it tests requests */
};

static void step_for(struct run *run, int ms, const struct doing *doing)
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

static void ask(struct run *run, const struct doing *doing)
{
    unsigned before = heard.answers;

    ork_root_ask(run->root);
    for (int i = 0; i < 3000 && heard.answers == before; i++)
        step_for(run, 1, doing);
    assert_int_equal(heard.answers, before + 1);
}

/* Rank 0 waits for rank 1 in a call, 1 is outside, 2 waits for 1. */
static void play(struct run *run)
{
    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    script_recv(&run->script[2], 1, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_BLOCKED);
}

static const struct doing sleeping = {.processors = {1, 0, 1}};
static const struct doing computing = {.processors = {1, 1, 1}};
static const struct doing polling = {.processors = {1, 1, 1}, .polls = {0, 500, 0}};

static void before_the_start_there_is_an_answer(void **state)
{
    struct run *run = *state;

    ask(run, &sleeping);
    assert_string_equal(heard.message, "no rank has called MPI_Init yet");
    assert_int_equal(heard.num_rows, 0);
}

static void the_answer_says_who_is_where(void **state)
{
    struct run *run = *state;

    play(run);
    ask(run, &sleeping);
    assert_int_equal(heard.num_rows, RANKS);
    assert_string_equal(heard.message, "3 ranks, 6 calls so far");
    assert_string_equal(heard.call[0], "MPI_Recv");
    assert_string_equal(heard.state[0], "blocked");
    assert_string_equal(heard.call[1], "");
    assert_string_equal(heard.words[1], "outside MPI, uses no CPU time, last in MPI_Barrier");
    assert_int_equal(heard.progress[2].calls, 2);
    assert_int_equal(heard.progress[2].more, 2);
    assert_int_equal(run->stacks_asked, 0); /* it called MPI just now */
}

static void the_next_answer_counts_from_the_last(void **state)
{
    struct run *run = *state;

    play(run);
    ask(run, &sleeping);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play(run, 1, ORK_STATE_RUNNING);
    ask(run, &sleeping);
    assert_int_equal(heard.progress[1].calls, 3);
    assert_int_equal(heard.progress[1].more, 1);
    assert_int_equal(heard.progress[0].more, 0);
    assert_non_null(strstr(heard.message, "7 calls so far, 1 of them since the last answer "));
}

static void asking_again_before_the_answer_gives_one(void **state)
{
    struct run *run = *state;

    play(run);
    ork_root_ask(run->root);
    ork_root_ask(run->root);
    step_for(run, 400, &sleeping);
    assert_int_equal(heard.answers, 1);
}

static void who_has_been_outside_for_long_shows_its_stack(void **state)
{
    struct run *run = *state;

    play(run);
    step_for(run, 1100, &computing);
    ask(run, &computing);
    assert_int_equal(run->stacks_asked, 1);
    assert_string_equal(heard.frame[1], "work");
    assert_string_equal(heard.frame[0], "");
    assert_string_equal(heard.words[1], "outside MPI, computes, last in MPI_Barrier");
    assert_non_null(strstr(heard.detail[0], "rank 1 waits for no other rank, and has made no MPI "
                                            "call for 1."));
}

static void a_leaf_that_takes_no_stack_is_not_waited_for_for_ever(void **state)
{
    struct run *run = *state;

    play(run);
    run->no_stacks = true;
    step_for(run, 1100, &sleeping);
    ask(run, &sleeping);
    assert_string_equal(heard.frame[1], "");
}

static void who_polls_is_in_the_polling_call(void **state)
{
    struct run *run = *state;

    play(run);
    ask(run, &polling);
    assert_string_equal(heard.call[1], "MPI_Test");
    assert_string_equal(heard.state[1], "polling");
    assert_string_equal(heard.peer[1], "");
    assert_string_equal(heard.comm[1], "");
    assert_true(heard.progress[1].polls > 1000);
}

static void who_polls_most_of_its_time_is_in_the_polling_call(void **state)
{
    struct doing working = polling;
    struct run *run = *state;

    play(run);
    working.works_now_and_then = 0.4;
    step_for(run, 200, &working);
    ask(run, &working);
    assert_string_equal(heard.state[1], "polling");
    working.works_now_and_then = 0.6;
    step_for(run, 200, &working);
    ask(run, &working);
    assert_string_equal(heard.words[1], "outside MPI, computes, last in MPI_Barrier");
}

static void who_probes_says_what_for(void **state)
{
    struct doing probing = polling;
    struct run *run = *state;

    play(run);
    probing.probe = (struct ork_polled){
        .call = ORK_CALL_MPI_Iprobe, .peer = ORK_ANY_SOURCE, .tag = 5, .comm = ORK_COMM_WORLD};
    ask(run, &probing);
    assert_string_equal(heard.call[1], "MPI_Iprobe");
    assert_string_equal(heard.state[1], "polling");
    assert_string_equal(heard.peer[1], "MPI_ANY_SOURCE");
    assert_string_equal(heard.tag[1], "5");
    assert_string_equal(heard.comm[1], "MPI_COMM_WORLD");
    probing.probe.peer = 2;
    probing.probe.tag = ORK_ANY_TAG;
    probing.probe.comm = 7; /* which nobody has made */
    ask(run, &probing);
    assert_string_equal(heard.peer[1], "2");
    assert_string_equal(heard.tag[1], "MPI_ANY_TAG");
    assert_string_equal(heard.comm[1], "");
}

static void a_call_that_could_return_is_said_to(void **state)
{
    struct run *run = *state;

    play(run);
    run_play(run, 1, ORK_STATE_BLOCKED); /* its barrier of one is complete */
    ask(run, &sleeping);
    assert_string_equal(heard.call[1], "MPI_Barrier");
    assert_string_equal(heard.words[1], "all calls that it waits for were made; uses no CPU time");
    run->snapshot[1].is_runnable = true; /* the machine is overloaded */
    ask(run, &sleeping);
    assert_string_equal(heard.words[1],
                        "all calls that it waits for were made; waits for a processor");
}

static void who_gets_no_processor_outside_is_not_said_to_sleep(void **state)
{
    struct run *run = *state;

    play(run);
    ask(run, &sleeping);
    assert_string_equal(heard.words[1], "outside MPI, uses no CPU time, last in MPI_Barrier");
    run->snapshot[1].is_runnable = true; /* the machine is overloaded */
    ask(run, &sleeping);
    assert_string_equal(heard.words[1], "outside MPI, waits for a processor, last in MPI_Barrier");
}

static void a_send_that_was_buffered_is_over(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_send(&run->script[0], 1, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        run_play(run, r, ORK_STATE_RUNNING);
    ask(run, &computing);
    assert_string_equal(heard.call[0], "");
    assert_string_equal(heard.words[0], "outside MPI, computes, last in MPI_Send");
}

static void figures_name_who_has_waited_longest(void **state)
{
    struct run *run = *state;

    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_int_equal(heard.latest.ranks, 0);
    play(run);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_pass(run, 2);
    run_play(run, 1, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_int_equal(heard.latest.ranks, RANKS);
    assert_int_equal(heard.latest.calls, 7);
    assert_true(heard.latest.is_blocked);
    assert_int_equal(heard.latest.rank, 0);
    assert_string_equal(heard.latest.call, "MPI_Recv");
}

static void figures_name_the_rank_outside_that_others_wait_for(void **state)
{
    struct run *run = *state;

    play(run); /* rank 0 waits for rank 1, which is in no call */
    step_for(run, 1100, &sleeping);
    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_true(heard.latest.is_blocked);
    assert_true(heard.latest.is_outside);
    assert_int_equal(heard.latest.rank, 1);
    assert_int_equal(heard.latest.waiting, 2);
}

/* ---- the end of a job that hangs ---- */

/* Rank 1 is in MPI_Finalize, which needs all; rank 0 waits for a message of it. */
static void who_leaves_because_the_job_is_ended_causes_nothing(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_finalize(&run->script[1]);
    script_finalize(&run->script[2]);
    run_play_all(run);
    step_for(run, 300, &sleeping);
    assert_int_equal(run->findings, 1);
    run_end(run, 0, ORK_DEATH_INSIDE);
    run_end(run, 1, ORK_DEATH_FINISHED);
    run_end(run, 2, ORK_DEATH_FINISHED);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
}

/* ---- the watchdog ---- */

static void nobody_gets_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.3, false);
    play(run);
    step_for(run, 900, &sleeping);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "hang");
    assert_int_equal(run->reported[0].severity, ORK_WARNING);
    assert_false(run->reported[0].fatal);
    assert_int_equal(run->stacks, 1); /* with stacks, once */
    assert_non_null(strstr(heard.hang, "no rank has made progress for 0."));
    assert_non_null(strstr(heard.hang,
                           " s: rank 1 sleeps in work, last in MPI_Barrier, and ranks 0 "
                           "and 2 wait for it"));
    assert_non_null(strstr(heard.hang_details, "Longest first: rank 0 for "));
    assert_non_null(strstr(heard.hang_details, "rank 1 is outside MPI and uses no CPU time"));
    assert_int_equal(heard.first_row, 0);
}

/* Its stack may not come. */
static void a_sleeper_without_a_stack_is_outside_mpi(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.3, false);
    run->no_stacks = true;
    play(run);
    step_for(run, 900, &sleeping);
    assert_int_equal(run->findings, 0);
    step_for(run, 2500, &sleeping);
    assert_int_equal(run->findings, 1);
    assert_non_null(strstr(heard.hang, " s: rank 1 sleeps outside MPI, last in MPI_Barrier, and "
                                       "ranks 0 and 2 wait for it"));
}

/* Rank 0 waits for rank 2 alone, which does not sleep. */
static void who_waits_for_others_does_not_wait_for_a_sleeper(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.3, false);
    run_init(run);
    script_recv(&run->script[0], 2, 0);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    step_for(run, 900, &(struct doing){.processors = {1, 0, 1}, .polls = {0, 0, 500}});
    assert_int_equal(run->findings, 1);
    assert_non_null(strstr(heard.hang, ", and no deadlock explains it"));
}

static void polling_in_vain_is_not_getting_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.3, true);
    play(run);
    step_for(run, 900, &polling);
    assert_int_equal(run->findings, 1);
    assert_true(run->reported[0].fatal);
    assert_non_null(strstr(heard.hang_details, "only for unsuccessful polls"));
}

static void who_computes_gets_on(void **state)
{
    const struct doing works_between_polls = {
        .processors = {1, 1, 1}, .polls = {0, 100, 0}, .works = true};
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.2, false);
    play(run);
    step_for(run, 500, &computing);
    step_for(run, 500, &works_between_polls);
    assert_int_equal(run->findings, 0);
    step_for(run, 800, &sleeping); /* now it has stopped */
    assert_int_equal(run->findings, 1);
}

static void the_time_in_which_the_tool_was_stopped_does_not_count(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 2, false); /* far longer than the steps take, also where there is much to do */
    play(run);
    step_for(run, 50, &sleeping);
    run->now_ns += 2500000000u;
    step_for(run, 50, &sleeping);
    assert_int_equal(run->findings, 0);
    step_for(run, 2500, &sleeping);
    assert_int_equal(run->findings, 1);
}

static void what_is_not_known_may_get_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.2, false);
    play(run);
    run->present[1] = false; /* nothing is heard of it */
    step_for(run, 700, &sleeping);
    assert_int_equal(run->findings, 0);
}

static void a_record_is_getting_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 2.0, false); /* in all longer than that, each step far shorter, also under load */
    play(run);
    for (int i = 0; i < 12; i++) {
        step_for(run, 200, &sleeping);
        script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
        run_play(run, 1, ORK_STATE_RUNNING);
    }
    assert_int_equal(run->findings, 0);
}

static void who_has_gone_is_not_waited_for(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create(run, 0.3, false);
    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&run->script[r]);
        run_play(run, r, ORK_STATE_DONE);
    }
    run_end(run, 0, ORK_DEATH_FINISHED);
    run_end(run, 1, ORK_DEATH_FINISHED);
    step_for(run, 700, &sleeping); /* rank 2 does whatever it does after MPI */
    assert_int_equal(run->findings, 0);
}

/* ---- without --must:hang-after ---- */

static void standing_still_is_told_once_and_is_no_finding(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 0.3);
    play(run);
    step_for(run, 2000, &sleeping);
    assert_int_equal(heard.stills, 1);
    assert_true(heard.still >= 0.3);
    assert_int_equal(run->findings, 0);
}

/* The root looks at the ranks for other reasons, too, and more often than the watchdog would. */
static void standing_still_for_long_is_told_too(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 12);
    play(run);
    step_for(run, 20000, &sleeping);
    assert_int_equal(heard.stills, 1);
    assert_true(heard.still >= 12);
}

static void it_is_withdrawn_when_a_rank_calls_mpi(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 0.3);
    play(run);
    step_for(run, 900, &sleeping);
    assert_int_equal(heard.stills, 1);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play(run, 1, ORK_STATE_RUNNING);
    step_for(run, 100, &sleeping);
    assert_int_equal(heard.stills, 2);
    assert_true(heard.still == 0);
    step_for(run, 900, &sleeping); /* and told again */
    assert_int_equal(heard.stills, 3);
    assert_true(heard.still > 0);
}

static void it_is_withdrawn_when_a_rank_computes(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 0.3);
    play(run);
    step_for(run, 900, &sleeping);
    step_for(run, 600, &computing);
    assert_int_equal(heard.stills, 2);
    assert_true(heard.still == 0);
    assert_int_equal(run->findings, 0);
}

static void who_computes_does_not_stand_still(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 0.3);
    play(run);
    step_for(run, 1500, &computing);
    assert_int_equal(heard.stills, 0);
}

static void a_run_that_ends_there_has_a_finding(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 0.3);
    play(run);
    step_for(run, 900, &sleeping);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "hang");
    assert_int_equal(run->reported[0].severity, ORK_WARNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
}

static void a_run_that_ends_while_it_goes_on_has_none(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    create_still(run, 0.3);
    play(run);
    step_for(run, 900, &sleeping);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play(run, 1, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, run_tear_down)

int test_status(void)
{
    const struct CMUnitTest tests[] = {
        TEST(before_the_start_there_is_an_answer),
        TEST(the_answer_says_who_is_where),
        TEST(the_next_answer_counts_from_the_last),
        TEST(asking_again_before_the_answer_gives_one),
        TEST(who_has_been_outside_for_long_shows_its_stack),
        TEST(a_leaf_that_takes_no_stack_is_not_waited_for_for_ever),
        TEST(who_polls_is_in_the_polling_call),
        TEST(who_polls_most_of_its_time_is_in_the_polling_call),
        TEST(who_probes_says_what_for),
        TEST(a_call_that_could_return_is_said_to),
        TEST(who_gets_no_processor_outside_is_not_said_to_sleep),
        TEST(a_send_that_was_buffered_is_over),
        TEST(figures_name_who_has_waited_longest),
        TEST(figures_name_the_rank_outside_that_others_wait_for),
        TEST(who_leaves_because_the_job_is_ended_causes_nothing),
        TEST(nobody_gets_on),
        TEST(a_sleeper_without_a_stack_is_outside_mpi),
        TEST(who_waits_for_others_does_not_wait_for_a_sleeper),
        TEST(polling_in_vain_is_not_getting_on),
        TEST(who_computes_gets_on),
        TEST(the_time_in_which_the_tool_was_stopped_does_not_count),
        TEST(what_is_not_known_may_get_on),
        TEST(a_record_is_getting_on),
        TEST(who_has_gone_is_not_waited_for),
        TEST(standing_still_is_told_once_and_is_no_finding),
        TEST(standing_still_for_long_is_told_too),
        TEST(it_is_withdrawn_when_a_rank_calls_mpi),
        TEST(it_is_withdrawn_when_a_rank_computes),
        TEST(who_computes_does_not_stand_still),
        TEST(a_run_that_ends_there_has_a_finding),
        TEST(a_run_that_ends_while_it_goes_on_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
