/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at: while ranks are held, nothing is concluded from what they do not do. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

enum { LONG = 30000, HANG_AFTER_S = 2 };

/* Rank 2 stops at its choice 4. */
static int set_up(void **state)
{
    static struct run run;

    run_create_as(&run, &(struct ork_root_options){.deadlocks = true,
                                                   .hang_after_ns = HANG_AFTER_S * 1000000000ull,
                                                   .stop = {.rank = 2, .choice = 4}});
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal(ork_root_note_process(run.root, r, 100 + r, "node"), ORK_OK);
        run.snapshot[r].cpu_ns = 1000000; /* known, and no more is used */
    }
    *state = &run;
    return 0;
}

static void add_held(struct run *run, uint32_t rank, uint64_t choice)
{
    script_add(&run->script[rank], (struct ork_record){.kind = ORK_KIND_HELD,
                                                       .call = ORK_CALL_MPI_Send,
                                                       .request = ORK_REQUEST_NULL,
                                                       .peer = ORK_NO_PEER,
                                                       .extra = choice});
}

/* Ranks 0 and 1 wait for each other; rank 2 has made its latest call. */
static void deadlock_and_stop(struct run *run, uint64_t choice)
{
    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    add_held(run, 2, choice);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
}

static void nothing_is_found_while_the_ranks_are_held(void **state)
{
    struct run *run = *state;

    deadlock_and_stop(run, 4);
    assert_int_equal(run->hold, ORK_HOLD_ON);
    run_step(run, 1, LONG);
    assert_int_equal(run->findings, 0);
    assert_int_equal(run->held, 1);
    assert_string_equal(run->doing[2], "held in MPI_Send");
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

static void what_there_is_is_found_when_they_go_on(void **state)
{
    struct run *run = *state;

    deadlock_and_stop(run, 4);
    run_step(run, 1, LONG);
    assert_int_equal(ork_root_let_go_on(run->root), ORK_OK);
    assert_int_equal(run->hold, ORK_HOLD_OVER);
    run_step(run, 1, LONG);
    run_assert_reported(run, 0, "deadlock", ORK_MANIFEST,
                        "ranks 0 and 1 wait for each other in MPI_Recv");
}

static void the_time_held_is_no_time_without_progress(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 2, 0);
    script_recv(&run->script[1], 2, 0);
    add_held(run, 2, 4);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, LONG);
    assert_int_equal(ork_root_let_go_on(run->root), ORK_OK);
    run_step(run, 1, HANG_AFTER_S * 1000 - 100);
    assert_int_equal(run->findings, 0);
    run_step(run, 1, LONG);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "hang");
}

static void another_rank_or_a_second_stop_changes_nothing(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_held(run, 1, 4);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    assert_int_equal(run->hold, ORK_HOLD_NONE);
    assert_int_equal(ork_root_let_go_on(run->root), ORK_OK);
    assert_int_equal(run->hold, ORK_HOLD_NONE);
    add_held(run, 2, 4);
    run_play(run, 2, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_let_go_on(run->root), ORK_OK);
    add_held(run, 2, 4);
    run_play(run, 2, ORK_STATE_RUNNING);
    assert_int_equal(run->hold, ORK_HOLD_OVER);
}

static void a_run_that_is_being_ended_is_not_held(void **state)
{
    struct run *run = *state;

    run_init(run);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    add_held(run, 2, 4);
    run_play(run, 2, ORK_STATE_RUNNING);
    assert_int_equal(run->hold, ORK_HOLD_OVER);
}

static void a_replay_that_did_not_stop_says_so(void **state)
{
    struct run *run = *state;
    struct ork_report report;

    run_init(run);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.num_notes, 1);
    assert_string_equal(report.note[0], "the run did not come to choice 4 of rank 2, so it did not "
                                        "stop there (--must:stop-at)");
    ork_report_release(&report);
}

/* --must:on deadlock=stop: nothing is held, for the job is deadlocked. */
static void the_processes_of_a_deadlocked_job_are_told(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    run_create_as(run, &(struct ork_root_options){.deadlocks = true, .stops_at_deadlock = true});
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_root_note_process(run->root, r, 100 + r, "node"), ORK_OK);
    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, LONG);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->held, 0);
    assert_int_equal(ork_root_tell_processes(run->root), ORK_OK);
    assert_int_equal(run->held, 1);
    assert_int_equal(run->hold, ORK_HOLD_NONE);
    assert_string_equal(run->doing[0], "inside MPI_Recv");
    assert_string_equal(run->doing[2], "outside MPI");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, run_tear_down)

int test_hold(void)
{
    const struct CMUnitTest tests[] = {
        CASE(nothing_is_found_while_the_ranks_are_held),
        CASE(what_there_is_is_found_when_they_go_on),
        CASE(the_time_held_is_no_time_without_progress),
        CASE(another_rank_or_a_second_stop_changes_nothing),
        CASE(a_run_that_is_being_ended_is_not_held),
        CASE(a_replay_that_did_not_stop_says_so),
        CASE(the_processes_of_a_deadlocked_job_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
