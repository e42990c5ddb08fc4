/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer to whoever asks where the ranks are. */
#include "tests/unit/overlay/stage/status_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "record/calls.h"

#include <string.h>

static void before_the_start_there_is_an_answer(void **state)
{
    struct run *run = *state;

    status_ask(run, &status_sleeping);
    assert_string_equal(heard.message, "no rank has called MPI_Init yet");
    assert_int_equal(heard.num_rows, 0);
}

static void the_answer_says_who_is_where(void **state)
{
    struct run *run = *state;

    status_play(run);
    status_ask(run, &status_sleeping);
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

    status_play(run);
    status_ask(run, &status_sleeping);
    script_coll(&run->script[1], 1, ORK_COLL_BARRIER);
    run_play(run, 1, ORK_STATE_RUNNING);
    status_ask(run, &status_sleeping);
    assert_int_equal(heard.progress[1].calls, 3);
    assert_int_equal(heard.progress[1].more, 1);
    assert_int_equal(heard.progress[0].more, 0);
    assert_non_null(strstr(heard.message, "7 calls so far, 1 of them since the last answer "));
}

static void asking_again_before_the_answer_gives_one(void **state)
{
    struct run *run = *state;

    status_play(run);
    ork_root_ask(run->root);
    ork_root_ask(run->root);
    status_step(run, 400, &status_sleeping);
    assert_int_equal(heard.answers, 1);
}

static void who_has_been_outside_for_long_shows_its_stack(void **state)
{
    struct run *run = *state;

    status_play(run);
    status_step(run, 1100, &status_computing);
    status_ask(run, &status_computing);
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

    status_play(run);
    run->no_stacks = true;
    status_step(run, 1100, &status_sleeping);
    status_ask(run, &status_sleeping);
    assert_string_equal(heard.frame[1], "");
}

static void who_polls_is_in_the_polling_call(void **state)
{
    struct run *run = *state;

    status_play(run);
    status_ask(run, &status_polling);
    assert_string_equal(heard.call[1], "MPI_Test");
    assert_string_equal(heard.state[1], "polling");
    assert_string_equal(heard.peer[1], "");
    assert_string_equal(heard.comm[1], "");
    assert_true(heard.progress[1].polls > 1000);
}

static void who_polls_most_of_its_time_is_in_the_polling_call(void **state)
{
    struct doing working = status_polling;
    struct run *run = *state;

    status_play(run);
    working.works_now_and_then = 0.4;
    status_step(run, 200, &working);
    status_ask(run, &working);
    assert_string_equal(heard.state[1], "polling");
    working.works_now_and_then = 0.6;
    status_step(run, 200, &working);
    status_ask(run, &working);
    assert_string_equal(heard.words[1], "outside MPI, computes, last in MPI_Barrier");
}

static void who_probes_says_what_for(void **state)
{
    struct doing probing = status_polling;
    struct run *run = *state;

    status_play(run);
    probing.probe = (struct ork_polled){
        .call = ORK_CALL_MPI_Iprobe, .peer = ORK_ANY_SOURCE, .tag = 5, .comm = ORK_COMM_WORLD};
    status_ask(run, &probing);
    assert_string_equal(heard.call[1], "MPI_Iprobe");
    assert_string_equal(heard.state[1], "polling");
    assert_string_equal(heard.peer[1], "MPI_ANY_SOURCE");
    assert_string_equal(heard.tag[1], "5");
    assert_string_equal(heard.comm[1], "MPI_COMM_WORLD");
    probing.probe.peer = 2;
    probing.probe.tag = ORK_ANY_TAG;
    probing.probe.comm = 7; /* which nobody has made */
    status_ask(run, &probing);
    assert_string_equal(heard.peer[1], "2");
    assert_string_equal(heard.tag[1], "MPI_ANY_TAG");
    assert_string_equal(heard.comm[1], "");
}

static void a_call_that_could_return_is_said_to(void **state)
{
    struct run *run = *state;

    status_play(run);
    run_play(run, 1, ORK_STATE_BLOCKED); /* its barrier of one is complete */
    status_ask(run, &status_sleeping);
    assert_string_equal(heard.call[1], "MPI_Barrier");
    assert_string_equal(heard.words[1], "all calls that it waits for were made; uses no CPU time");
    run->snapshot[1].is_runnable = true; /* the machine is overloaded */
    status_ask(run, &status_sleeping);
    assert_string_equal(heard.words[1],
                        "all calls that it waits for were made; waits for a processor");
}

static void who_gets_no_processor_outside_is_not_said_to_sleep(void **state)
{
    struct run *run = *state;

    status_play(run);
    status_ask(run, &status_sleeping);
    assert_string_equal(heard.words[1], "outside MPI, uses no CPU time, last in MPI_Barrier");
    run->snapshot[1].is_runnable = true; /* the machine is overloaded */
    status_ask(run, &status_sleeping);
    assert_string_equal(heard.words[1], "outside MPI, waits for a processor, last in MPI_Barrier");
}

static void a_send_that_was_buffered_is_over(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_send(&run->script[0], 1, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        run_play(run, r, ORK_STATE_RUNNING);
    status_ask(run, &status_computing);
    assert_string_equal(heard.call[0], "");
    assert_string_equal(heard.words[0], "outside MPI, computes, last in MPI_Send");
}

static void figures_name_who_has_waited_longest(void **state)
{
    struct run *run = *state;

    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_int_equal(heard.latest.ranks, 0);
    status_play(run);
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

    status_play(run); /* rank 0 waits for rank 1, which is in no call */
    status_step(run, 1100, &status_sleeping);
    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_true(heard.latest.is_blocked);
    assert_true(heard.latest.is_outside);
    assert_int_equal(heard.latest.rank, 1);
    assert_int_equal(heard.latest.waiting, 2);
}

static void figures_have_the_calls_by_second(void **state)
{
    struct run *run = *state;

    status_play(run);
    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_int_equal(heard.num_rates, 0); /* nothing is known yet */
    status_step(run, 6000, &status_sleeping);
    assert_int_equal(ork_root_figures(run->root), ORK_OK);
    assert_int_equal(heard.num_rates, RANKS);
    assert_in_range(heard.rated_seconds, 3, 60);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, status_set_up, run_tear_down)

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
        TEST(figures_have_the_calls_by_second),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
