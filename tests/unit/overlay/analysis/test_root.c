/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "record/calls.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void receives_for_each_other_are_told_at_once(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    script_recv(&run->script[2], 0, 0);
    run_play_all(run);
    run_step(run, 1, 200);
    run_assert_reported(
        run, 0, "deadlock", ORK_MANIFEST,
        "ranks 0 and 1 wait for each other in MPI_Recv; rank 2 waits for them in MPI_Recv");
    assert_int_equal(run->reported[0].num_ranks, 3);
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
    assert_true(run->reported[0].fatal);
    run_step(run, 2, 100);
    assert_int_equal(run->findings, 1); /* once */
}

static void ranks_that_still_run_may_join_before_it_is_told(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, 100);
    assert_int_equal(run->findings, 0);
    script_recv(&run->script[2], 0, 0);
    run_play(run, 2, ORK_STATE_BLOCKED);
    run_step(run, 1, 300);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].num_ranks, 3);
}

static void a_partial_deadlock_is_told_although_others_run(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, 2000);
    run_assert_reported(run, 0, "deadlock", ORK_MANIFEST,
                        "ranks 0 and 1 wait for each other in MPI_Recv");
}

/* Rank 1's receive takes rank 0's message, but for the analysis another rank may send one, too. */
static void a_deadlock_behind_an_undecided_call_is_told_when_nothing_comes(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_send(&run->script[0], 1, 0);
    script_recv(&run->script[0], 1, 9);
    script_irecv(&run->script[1], 0, ORK_ANY_SOURCE, 0);
    script_recv(&run->script[1], 0, 9);
    script_recv(&run->script[2], 0, 9);
    run_play_all(run);
    run_step(run, 1, 400);
    assert_int_equal(run->findings, 0);
    run_step(run, 1, 400);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_MANIFEST);
    assert_int_equal(run->reported[0].num_ranks, 3);
}

/* Rank 1's receive has taken rank 0's message, which a late record shows. */
static void a_deadlock_of_which_more_becomes_known_is_told_once(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_send(&run->script[0], 1, 0);
    script_finalize(&run->script[0]);
    script_irecv(&run->script[1], 0, ORK_ANY_SOURCE, 0);
    script_recv(&run->script[1], 0, 0);
    script_finalize(&run->script[2]);
    run_play_all(run);
    run_step(run, 1, 800);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].num_ranks, 3);
    script_add(&run->script[1],
               (struct ork_record){.kind = ORK_KIND_EARLY, .request = 0, .peer = 0, .tag = 0});
    run_play(run, 1, ORK_STATE_BLOCKED);
    run_step(run, 2, 1000);
    assert_int_equal(run->findings, 1);
}

static void sends_to_each_other_are_potential_once_both_moved(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_send(&run->script[0], 1, 0);
    script_send(&run->script[1], 0, 0);
    run_play_all(run);
    run_step(run, 1, 50);
    assert_int_equal(run->findings, 0);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_all(run);
    run_step(run, 1, 1000);
    run_assert_reported(run, 0, "deadlock", ORK_POTENTIAL,
                        "ranks 0 and 1 could wait for each other in MPI_Send");
    assert_false(run->reported[0].fatal);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&run->script[r]);
        run_play(run, r, ORK_STATE_DONE);
        run_end(run, r, ORK_DEATH_FINISHED);
    }
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
}

/* Rank 0's send was buffered, and rank 1 waits for another tag: both are one cause. */
static void send_what_nobody_receives(struct run *run)
{
    run_init(run);
    script_send(&run->script[0], 1, 5);
    script_recv(&run->script[1], 0, 6);
    script_recv(&run->script[2], 0, 7);
}

static void what_becomes_manifest_is_not_told_as_potential(void **state)
{
    struct run *run = *state;

    send_what_nobody_receives(run);
    script_recv(&run->script[0], 1, 0);
    run_play_all(run);
    run_step(run, 1, 1000);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_MANIFEST);
    assert_int_equal(run->superseded, 0);
}

static void what_has_become_manifest_late_is_superseded(void **state)
{
    struct run *run = *state;

    send_what_nobody_receives(run);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED);
    run_step(run, 1, 30000); /* held back as long as it may become what the job hangs in */
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_POTENTIAL);
    script_recv(&run->script[0], 1, 0);
    run_play(run, 0, ORK_STATE_BLOCKED);
    run_step(run, 2, 30000);
    assert_int_equal(run->findings, 2);
    assert_int_equal(run->reported[1].class_, ORK_MANIFEST);
    assert_int_equal(run->superseded, 1);
}

static void what_went_well_is_not_superseded(void **state)
{
    struct run *run = *state;

    send_what_nobody_receives(run);
    script_send(&run->script[0], 1, 6);
    script_send(&run->script[0], 2, 7);
    script_recv(&run->script[1], 0, 5);
    for (uint32_t r = 0; r < RANKS; r++)
        script_recv(&run->script[r], (int32_t)((r + 1) % RANKS), 9);
    run_play_all(run);
    run_step(run, 2, 30000);
    assert_int_equal(run->findings, 2);
    assert_int_equal(run->reported[0].class_, ORK_POTENTIAL);
    assert_int_equal(run->reported[1].class_, ORK_MANIFEST);
    assert_int_equal(run->superseded, 0);
}

static void what_was_held_back_is_told_when_the_run_is_stopped(void **state)
{
    struct run *run = *state;

    send_what_nobody_receives(run);
    run_play(run, 0, ORK_STATE_RUNNING);
    run_play(run, 1, ORK_STATE_BLOCKED);
    run_step(run, 1, 800);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_POTENTIAL);
}

static void ranks_that_still_run_may_join_what_is_potential(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_send(&run->script[0], 1, 0);
    script_send(&run->script[1], 0, 0);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, 100);
    assert_int_equal(run->findings, 0);
    script_recv(&run->script[2], 0, 0);
    run_play(run, 2, ORK_STATE_BLOCKED);
    run_step(run, 1, 300);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_POTENTIAL);
    assert_int_equal(run->reported[0].num_ranks, 3);
}

/* ---- jobs ---- */

static void announce(struct run *run, const char *name, uint32_t size)
{
    struct ork_job_name job = {.size = size};

    snprintf(job.name, sizeof(job.name), "%s", name);
    assert_int_equal(
        ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_JOB, .job = &job}), ORK_OK);
}

/* MPI_Init of the only rank of a job. */
static void begin(struct run *run, uint32_t rank, uint32_t job)
{
    struct script script = {.n = 0};

    script_add(&script,
               (struct ork_record){.kind = ORK_KIND_JOB, .peer = 0, .arg2 = 1, .extra = job});
    script_init(&script, 0, 1);
    assert_int_equal(
        ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                     .rank = rank,
                                                     .records = {script.record, script.n}}),
        ORK_OK);
}

static void spawned_jobs_come_in_any_order(void **state)
{
    struct run *run = *state;
    struct ork_report report = {0};

    announce(run, "7", RANKS);
    run_init(run);
    run_play_all(run);
    announce(run, "8", 1);
    announce(run, "9", 1);
    assert_int_equal(run->first, RANKS + 1);
    begin(run, RANKS + 1, 9);
    begin(run, RANKS, 8);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.ranks, RANKS + 2);
    assert_int_equal(report.num_jobs, 2);
    assert_int_equal(report.statistics.calls, RANKS + 2);
    ork_report_release(&report);
}

/* ---- ends ---- */

static void an_interrupt_says_where_everybody_is(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->states, 1);
    run_end(run, 1, ORK_DEATH_OUTSIDE); /* because of the interrupt */
    run_end(run, 0, ORK_DEATH_INSIDE);
    run_end(run, 2, ORK_DEATH_OUTSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
    assert_int_equal(run->complete_states, 1);
}

static struct ork_ending asked_to_end(enum ork_death how, const struct ork_rank_row *wait)
{
    return (struct ork_ending){
        .how = how, .kind = ORK_NOTE_SIGNAL, .value = SIGTERM, .sender = 7, .wait = wait};
}

static void ranks_that_the_same_signal_ended_left_their_stacks_and_polls(void **state)
{
    struct run *run = *state;
    struct ork_where frame = {.line = 1};
    const struct ork_rank_row wait = {.stack = &frame, .num_stack = 1};
    struct ork_ending end = asked_to_end(ORK_DEATH_OUTSIDE, &wait);

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    run_end_as(run, 1, &end);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->states, 1);
    end.polls = 12;
    end.polled = (struct ork_polled){.call = ORK_CALL_MPI_Iprobe, .peer = ORK_NO_PEER};
    run_end_as(run, 2, &end);
    run_step(run, 1, 100);
    assert_int_equal(run->complete_states, 0); /* the third one is awaited */
    end = asked_to_end(ORK_DEATH_INSIDE, &wait);
    run_end_as(run, 0, &end);
    run_step(run, 1, 100);
    assert_int_equal(run->complete_states, 1);
    assert_string_equal(run->doing[0], "MPI_Recv blocked, 1 frames, for 1 ranks");
    assert_string_equal(run->doing[1], " running, 1 frames, for 0 ranks");
    assert_string_equal(run->doing[2], "MPI_Iprobe polling, 1 frames, for 0 ranks");
    assert_non_null(strstr(run->longest, "Longest first: rank "));
    assert_non_null(strstr(run->longest, "12 unsuccessful polls so far"));
}

static void a_rank_that_does_not_end_is_not_awaited_for_ever(void **state)
{
    struct run *run = *state;
    const struct ork_ending end = asked_to_end(ORK_DEATH_OUTSIDE, NULL);

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    run_end_as(run, 1, &end);
    run_step(run, 1, 8000);
    assert_int_equal(run->complete_states, 1);
}

static void an_interrupt_tells_what_others_might_have_joined(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, 100);
    assert_int_equal(run->findings, 0);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    run_assert_reported(run, 0, "deadlock", ORK_MANIFEST,
                        "ranks 0 and 1 wait for each other in MPI_Recv");
}

static void an_interrupt_before_the_start_is_quiet(void **state)
{
    struct run *run = *state;

    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(ork_root_step(run->root), ORK_OK);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->states, 0);
    assert_int_equal(run->findings, 0);
}

static void without_the_search_there_is_no_deadlock(void **state)
{
    struct run *run = *state;

    run_tear_down(state);
    run_create(run, NULL, false);
    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_recv(&run->script[r], (int32_t)((r + 1) % RANKS), 0);
    run_play_all(run);
    run_step(run, 1, 50);
    for (uint32_t r = 0; r < RANKS; r++)
        run_end(run, r, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "abnormal-end");
}

static void a_rank_that_was_never_seen_makes_the_report_incomplete(void **state)
{
    struct run *run = *state;
    struct ork_report report;
    const char *note = "1 of 4 ranks were not observed";

    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&run->script[r], r, RANKS + 1);
    run_play_all(run);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_false(report.complete);
    assert_int_equal(report.num_notes, 1);
    assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

static void a_trace_that_cannot_be_written_stops_the_start(void **state)
{
    const struct ork_root_options options = {.deadlocks = true, .trace = "/no/such/folder/trace"};
    const struct run *run = *state;
    struct ork_root *root;

    assert_int_equal(ork_root_create(&options, &run->sink, &root), ORK_IO);
}

static void a_trace_is_written_beside(void **state)
{
    struct run *run = *state;
    char path[64];

    snprintf(path, sizeof(path), "/tmp/orknot-unit-root-%d", (int)getpid());
    unlink(path);
    run_tear_down(state);
    run_create(run, path, true);
    run_init(run);
    run_play_all(run);
    run_end(run, 0, ORK_DEATH_FINISHED);
    ork_root_destroy(run->root);
    FILE *file = fopen(path, "re");
    char start[8];
    assert_non_null(file);
    assert_int_equal(fread(start, sizeof(start), 1, file), 1);
    assert_memory_equal(start, "ORKTRACE", 8);
    fseek(file, 0, SEEK_END);
    assert_in_range(ftell(file), 12 + 4 * 12, 1000);
    fclose(file);
    unlink(path);
    run_set_up(state);
}

static void a_spawned_job_is_taken_in(void **state)
{
    struct run *run = *state;
    const struct ork_record child[] = {
        {.kind = ORK_KIND_JOB, .peer = 1, .arg2 = 2, .extra = 77},
        {.kind = ORK_KIND_INIT, .call = ORK_CALL_MPI_Init, .peer = 1, .arg2 = 2},
        {.kind = ORK_KIND_RECV, .call = ORK_CALL_MPI_Recv, .peer = 0},
    };
    const struct ork_record bigger = {.kind = ORK_KIND_JOB, .peer = 0, .arg2 = 9, .extra = 77};
    struct ork_report report;

    run_init(run);
    run_play_all(run);
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = 4,
                                                                  .records = {child, 3}}),
                     ORK_OK);
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = 3,
                                                                  .records = {&bigger, 1}}),
                     ORK_OK); /* not what it was */
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = 9,
                                                                  .records = {child, 3}}),
                     ORK_OK); /* with a gap */
    run_step(run, 1, 20);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.ranks, 5);
    assert_int_equal(report.num_jobs, 1);
    assert_int_equal(report.job[0].first, 3);
    assert_int_equal(report.job[0].ranks, 2);
    assert_string_equal(report.job[0].origin, "origin unknown");
    assert_int_equal(report.statistics.calls, RANKS + 2);
    ork_report_release(&report);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, run_set_up, run_tear_down)

int test_root(void)
{
    const struct CMUnitTest tests[] = {
        CASE(receives_for_each_other_are_told_at_once),
        CASE(ranks_that_still_run_may_join_before_it_is_told),
        CASE(a_partial_deadlock_is_told_although_others_run),
        CASE(a_deadlock_behind_an_undecided_call_is_told_when_nothing_comes),
        CASE(a_deadlock_of_which_more_becomes_known_is_told_once),
        CASE(sends_to_each_other_are_potential_once_both_moved),
        CASE(what_becomes_manifest_is_not_told_as_potential),
        CASE(what_has_become_manifest_late_is_superseded),
        CASE(what_went_well_is_not_superseded),
        CASE(what_was_held_back_is_told_when_the_run_is_stopped),
        CASE(ranks_that_still_run_may_join_what_is_potential),
        CASE(spawned_jobs_come_in_any_order),
        CASE(an_interrupt_says_where_everybody_is),
        CASE(ranks_that_the_same_signal_ended_left_their_stacks_and_polls),
        CASE(a_rank_that_does_not_end_is_not_awaited_for_ever),
        CASE(an_interrupt_tells_what_others_might_have_joined),
        CASE(an_interrupt_before_the_start_is_quiet),
        CASE(without_the_search_there_is_no_deadlock),
        CASE(a_rank_that_was_never_seen_makes_the_report_incomplete),
        CASE(a_spawned_job_is_taken_in),
        CASE(a_trace_that_cannot_be_written_stops_the_start),
        CASE(a_trace_is_written_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
