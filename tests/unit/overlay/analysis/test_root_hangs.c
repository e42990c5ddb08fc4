/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that make no progress, and no deadlock explains it. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

static void what_comes_while_the_root_looks_is_no_hang(void **state)
{
    struct run *run = *state;

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_send(&run->script[r], ORK_PROC_NULL, 0);
    run_play_all(run);
    run->goes_on = true;
    run_step(run, 1, 4000);
    assert_int_equal(run->findings, 0);
}

static void stay_in_calls_that_could_return(struct run *run, bool is_starved)
{
    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_send(&run->script[r], ORK_PROC_NULL, 0);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        run->snapshot[r].inside_ns = 1;
        run->snapshot[r].is_runnable = true;
    }
    run->snapshot[0].is_runnable = is_starved;
    run->snapshot[1].sleeps = run->snapshot[2].sleeps = true;
}

static void ranks_that_wait_for_a_processor_do_not_hang_yet(void **state)
{
    struct run *run = *state;

    stay_in_calls_that_could_return(run, true);
    run_step(run, 1, 20000);
    assert_int_equal(run->findings, 0);
    run->snapshot[0].inside_ns += 50000000; /* it has looked for messages */
    run_step(run, 1, 2000);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "hang");
}

static void ranks_that_stay_in_calls_for_long_hang(void **state)
{
    struct run *run = *state;

    stay_in_calls_that_could_return(run, false);
    run_step(run, 1, 12000);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "hang");
}

static void a_hang_goes_when_a_deadlock_explains_it(void **state)
{
    struct run *run = *state;

    stay_in_calls_that_could_return(run, false);
    run_step(run, 1, 12000);
    assert_string_equal(run->reported[0].id, "hang");
    for (uint32_t r = 0; r < RANKS; r++)
        script_recv(&run->script[r], (int32_t)((r + 1) % RANKS), 0);
    for (uint32_t r = 0; r < RANKS; r++)
        run_play(run, r, ORK_STATE_BLOCKED);
    run_step(run, 2, 30000);
    assert_int_equal(run->findings, 2);
    assert_int_equal(run->reported[1].class_, ORK_MANIFEST);
    assert_int_equal(run->superseded, 1);
}

static void ranks_that_get_no_processor_hang_in_the_end(void **state)
{
    struct run *run = *state;

    stay_in_calls_that_could_return(run, true);
    run_step(run, 1, 80000);
    assert_int_equal(run->findings, 1);
}

static void ranks_that_have_just_left_finalize_are_no_hang(void **state)
{
    struct run *run = *state;

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_finalize(&run->script[r]);
    run_play_all(run);
    run_step(run, 1, 500);
    for (uint32_t r = 0; r < RANKS; r++) {
        run->snapshot[r].word[0] = run->snapshot[r].head << 8 | ORK_STATE_DONE;
        run->snapshot[r].sleeps = true;
    }
    run_step(run, 1, 4000);
    assert_int_equal(run->findings, 0);
}

/* Rank 0 hangs in its second receive if the first one has taken the message of rank 2. */
static void hang_in_receives(struct run *run)
{
    run_init(run);
    script_send(&run->script[1], 0, 0);
    script_send(&run->script[2], 0, 0);
    script_recv(&run->script[0], ORK_ANY_SOURCE, 0);
    script_recv(&run->script[0], 2, 0);
    script_recv(&run->script[1], 0, 7);
    script_recv(&run->script[2], 0, 7);
    run_play_all(run);
}

static void ranks_that_hang_are_asked_for_sources_once(void **state)
{
    struct run *run = *state;

    for (int far = 0; far < 2; far++) {
        run_tear_down(state);
        run_create_as(run,
                      &(struct ork_root_options){.deadlocks = true, .probing = ORK_PROBING_HANG});
        run->is_far = far != 0;
        hang_in_receives(run);
        run_step(run, 1, 400);
        assert_int_equal(run->asked, 0);
        run_step(run, 1, 300);
        assert_int_equal(run->asked, 1);
        run_step(run, 1, 5000);
        assert_int_equal(run->asked, 1);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, run_set_up, run_tear_down)

int test_root_hangs(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_comes_while_the_root_looks_is_no_hang),
        CASE(ranks_that_wait_for_a_processor_do_not_hang_yet),
        CASE(ranks_that_stay_in_calls_for_long_hang),
        CASE(a_hang_goes_when_a_deadlock_explains_it),
        CASE(ranks_that_get_no_processor_hang_in_the_end),
        CASE(ranks_that_have_just_left_finalize_are_no_hang),
        CASE(ranks_that_hang_are_asked_for_sources_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
