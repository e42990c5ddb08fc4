/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of functions without a hook are counted in a note, and nothing is said of what their ranks
 * did later. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "report/report.h"

enum { TAG = 4 };

static int set_up(void **state)
{
    int result = run_set_up(state);

    run_init(*state);
    return result;
}

/* The rank has called the function so often. */
static void add_calls(struct run *run, uint32_t rank, uint16_t call, uint64_t times)
{
    script_add(&run->script[rank], (struct ork_record){.kind = ORK_KIND_UNHOOKED,
                                                       .call = call,
                                                       .request = ORK_REQUEST_NULL,
                                                       .peer = ORK_NO_PEER,
                                                       .extra = times});
}

static void play(struct run *run)
{
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
}

static void assert_note(const struct run *run, const char *note)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.num_notes, note != NULL);
    assert_int_equal(report.complete, note == NULL);
    if (note != NULL)
        assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

static void without_such_calls_there_is_no_note(void **state)
{
    struct run *run = *state;

    play(run);
    run_end_all(run);
    assert_note(run, NULL);
}

static void one_call_of_one_rank(void **state)
{
    struct run *run = *state;

    add_calls(run, 1, ORK_CALL_MPI_Bcast, 1);
    play(run);
    run_end_all(run);
    assert_note(run, "1 call of MPI_Bcast was not looked at: from the first one on, rank 1 may "
                     "have done anything, so no finding depends on it");
}

static void calls_of_ranks_are_added_by_function(void **state)
{
    struct run *run = *state;

    add_calls(run, 2, ORK_CALL_MPI_Send, 1);
    add_calls(run, 0, ORK_CALL_MPI_Send, 1);
    add_calls(run, 0, ORK_CALL_MPI_Bcast, 1);
    add_calls(run, 0, ORK_CALL_MPI_Send, 1000);
    play(run);
    run_end_all(run);
    assert_note(run, "1,001 calls of MPI_Send and 1 call of MPI_Bcast were not looked "
                     "at: from the first one on, ranks 0 and 2 may have done anything, so no "
                     "finding depends on them");
}

static void a_rank_that_nobody_may_answer_is_not_deadlocked(void **state)
{
    struct run *run = *state;

    add_calls(run, 0, ORK_CALL_MPI_Bcast, 1);
    script_recv(&run->script[1], 0, TAG);
    script_recv(&run->script[2], 1, TAG);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED);
    run_step(run, 1, 3000);
    assert_int_equal(run->findings, 0);
}

/* The function may have been MPI_Session_finalize. */
static void an_exit_without_finalize_is_not_reported(void **state)
{
    struct run *run = *state;
    const struct ork_ending left = {.how = ORK_DEATH_OUTSIDE, .kind = ORK_NOTE_EXIT};

    add_calls(run, 0, ORK_CALL_MPI_Bcast, 1);
    play(run);
    run_end_as(run, 0, &left);
    run_step(run, 1, 5000);
    assert_int_equal(run->findings, 0);
}

static void a_crash_is_reported(void **state)
{
    struct run *run = *state;
    const struct ork_ending crash = {
        .how = ORK_DEATH_OUTSIDE, .kind = ORK_NOTE_SIGNAL, .value = 11, .time_ns = 5};

    add_calls(run, 0, ORK_CALL_MPI_Bcast, 1);
    play(run);
    run_end_as(run, 0, &crash);
    run_step(run, 1, 5000);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "abnormal-end");
}

int test_unhooked(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_such_calls_there_is_no_note, set_up, run_tear_down),
        cmocka_unit_test_setup_teardown(one_call_of_one_rank, set_up, run_tear_down),
        cmocka_unit_test_setup_teardown(calls_of_ranks_are_added_by_function, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(a_rank_that_nobody_may_answer_is_not_deadlocked, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(an_exit_without_finalize_is_not_reported, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(a_crash_is_reported, set_up, run_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
