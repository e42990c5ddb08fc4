/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of a job in which nobody gets on, and of its end. */
#include "tests/unit/overlay/stage/status_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "record/calls.h"

#include <string.h>

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
    status_step(run, 300, &status_sleeping);
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
    status_create(run, 0.3, false);
    status_play(run);
    status_step(run, 900, &status_sleeping);
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
    status_create(run, 0.3, false);
    run->no_stacks = true;
    status_play(run);
    status_step(run, 900, &status_sleeping);
    assert_int_equal(run->findings, 0);
    status_step(run, 2500, &status_sleeping);
    assert_int_equal(run->findings, 1);
    assert_non_null(strstr(heard.hang, " s: rank 1 sleeps outside MPI, last in MPI_Barrier, and "
                                       "ranks 0 and 2 wait for it"));
}

/* Rank 0 waits for rank 2 alone, which does not sleep. */
static void who_waits_for_others_does_not_wait_for_a_sleeper(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create(run, 0.3, false);
    run_init(run);
    script_recv(&run->script[0], 2, 0);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    status_step(run, 900, &(struct doing){.processors = {1, 0, 1}, .polls = {0, 0, 500}});
    assert_int_equal(run->findings, 1);
    assert_non_null(strstr(heard.hang, ", and no deadlock explains it"));
}

static void polling_in_vain_is_not_getting_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create(run, 0.3, true);
    status_play(run);
    status_step(run, 900, &status_polling);
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
    status_create(run, 0.2, false);
    status_play(run);
    status_step(run, 500, &status_computing);
    status_step(run, 500, &works_between_polls);
    assert_int_equal(run->findings, 0);
    status_step(run, 800, &status_sleeping); /* now it has stopped */
    assert_int_equal(run->findings, 1);
}

static void the_time_in_which_the_tool_was_stopped_does_not_count(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create(run, 2,
                  false); /* far longer than the steps take, also where there is much to do */
    status_play(run);
    status_step(run, 50, &status_sleeping);
    run->now_ns += 2500000000u;
    status_step(run, 50, &status_sleeping);
    assert_int_equal(run->findings, 0);
    status_step(run, 2500, &status_sleeping);
    assert_int_equal(run->findings, 1);
}

static void what_is_not_known_may_get_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create(run, 0.2, false);
    status_play(run);
    run->present[1] = false; /* nothing is heard of it */
    status_step(run, 700, &status_sleeping);
    assert_int_equal(run->findings, 0);
}

static void a_record_is_getting_on(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create(run, 2.0,
                  false); /* in all longer than that, each step far shorter, also under load */
    status_play(run);
    for (int i = 0; i < 12; i++) {
        status_step(run, 200, &status_sleeping);
        script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
        run_play(run, 1, ORK_STATE_RUNNING);
    }
    assert_int_equal(run->findings, 0);
}

static void who_has_gone_is_not_waited_for(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create(run, 0.3, false);
    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&run->script[r]);
        run_play(run, r, ORK_STATE_DONE);
    }
    run_end(run, 0, ORK_DEATH_FINISHED);
    run_end(run, 1, ORK_DEATH_FINISHED);
    status_step(run, 700, &status_sleeping); /* rank 2 does whatever it does after MPI */
    assert_int_equal(run->findings, 0);
}

/* ---- without --must:hang-after ---- */

static void standing_still_is_told_once_and_is_no_finding(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create_still(run, 0.3);
    status_play(run);
    status_step(run, 2000, &status_sleeping);
    assert_int_equal(heard.stills, 1);
    assert_true(heard.still >= 0.3);
    assert_int_equal(run->findings, 0);
}

/* The root looks at the ranks for other reasons, too, and more often than the watchdog would. */
static void standing_still_for_long_is_told_too(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create_still(run, 12);
    status_play(run);
    status_step(run, 20000, &status_sleeping);
    assert_int_equal(heard.stills, 1);
    assert_true(heard.still >= 12);
}

static void it_is_withdrawn_when_a_rank_calls_mpi(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create_still(run, 0.3);
    status_play(run);
    status_step(run, 900, &status_sleeping);
    assert_int_equal(heard.stills, 1);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play(run, 1, ORK_STATE_RUNNING);
    status_step(run, 100, &status_sleeping);
    assert_int_equal(heard.stills, 2);
    assert_true(heard.still == 0);
    status_step(run, 900, &status_sleeping); /* and told again */
    assert_int_equal(heard.stills, 3);
    assert_true(heard.still > 0);
}

static void it_is_withdrawn_when_a_rank_computes(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create_still(run, 0.3);
    status_play(run);
    status_step(run, 900, &status_sleeping);
    status_step(run, 600, &status_computing);
    assert_int_equal(heard.stills, 2);
    assert_true(heard.still == 0);
    assert_int_equal(run->findings, 0);
}

static void who_computes_does_not_stand_still(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create_still(run, 0.3);
    status_play(run);
    status_step(run, 1500, &status_computing);
    assert_int_equal(heard.stills, 0);
}

static void a_run_that_ends_there_has_a_finding(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    status_create_still(run, 0.3);
    status_play(run);
    status_step(run, 900, &status_sleeping);
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
    status_create_still(run, 0.3);
    status_play(run);
    status_step(run, 900, &status_sleeping);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play(run, 1, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_interrupt(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, status_set_up, run_tear_down)

int test_watchdog(void)
{
    const struct CMUnitTest tests[] = {
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
