/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of an exploration: tests and probes that wait are unsuccessful if no rank can go on. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "order/file/file.h"

static void create(struct run *run, bool is_explored)
{
    run_create_as(run, &(struct ork_root_options){
                           .deadlocks = true, .alternatives = is_explored ? "/dev/null" : NULL});
    run_init(run);
}

/* A probe that waits. */
static void poll(struct run *run, uint32_t rank)
{
    script_add(&run->script[rank], (struct ork_record){.kind = ORK_KIND_OPAQUE,
                                                       .call = ORK_CALL_MPI_Iprobe,
                                                       .site = 1,
                                                       .request = ORK_REQUEST_NULL,
                                                       .peer = ORK_NO_PEER});
}

/* Ranks 0 and 1 poll, rank 2 waits for a message. */
static void poll_and_receive(struct run *run)
{
    poll(run, 0);
    poll(run, 1);
    script_recv(&run->script[2], 0, 0);
}

static int set_up(void **state)
{
    static struct run run;

    *state = &run;
    return 0;
}

static void polls_expire_if_no_rank_can_go_on(void **state)
{
    struct run *run = *state;

    create(run, true);
    poll_and_receive(run);
    run_play_all(run);
    run_step(run, FINDINGS, 40);
    assert_int_equal(run->expired, 0);
    run_step(run, FINDINGS, 400);
    assert_int_equal(run->expired, 1);
    run_step(run, FINDINGS, 2000); /* nothing has changed */
    assert_int_equal(run->expired, 1);
    poll(run, 0);
    run_play(run, 0, ORK_STATE_BLOCKED);
    run_step(run, FINDINGS, 400);
    assert_int_equal(run->expired, 2);
    assert_int_equal(run->findings, 0);
}

static void a_rank_without_a_processor_may_go_on(void **state)
{
    struct run *run = *state;

    create(run, true);
    poll_and_receive(run);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].inside_ns = 1;
    for (int i = 0; i < 30; i++) {
        run->snapshot[0].inside_ns += 10000000;
        run->snapshot[1].sleeps = true;
        run_step(run, FINDINGS, 100);
    }
    assert_int_equal(run->expired, 0);
    run->snapshot[2].inside_ns += 10000000;
    run_step(run, FINDINGS, 400);
    assert_int_equal(run->expired, 1);
}

/* Rank 0 waits in a choice of the plan, rank 1 outside MPI. Released after so many seconds, in
 * steps; 0: never. */
static unsigned released_after(struct run *run, bool is_explored, uint64_t cpu_ns)
{
    static struct ork_order_rank nothing[RANKS];
    static const struct ork_order_file plan = {.rank = nothing, .num_ranks = RANKS};

    run_create_as(run,
                  &(struct ork_root_options){.deadlocks = true,
                                             .replay = &plan,
                                             .alternatives = is_explored ? "/dev/null" : NULL});
    run_init(run);
    poll(run, 0);
    script_recv(&run->script[2], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_BLOCKED);
    for (unsigned seconds = 1; seconds <= 100; seconds++) {
        run->snapshot[1].cpu_ns += cpu_ns;
        run_step(run, FINDINGS, 1000);
        if (run->released > 0)
            return seconds;
    }
    return 0;
}

static void choices_wait_for_a_rank_outside_but_not_for_ever(void **state)
{
    struct run *run = *state;

    assert_in_range(released_after(run, true, 1), 20, 30);
    run_tear_down(state);
    assert_in_range(released_after(run, true, 500000000), 60, 70);
    run_tear_down(state);
    assert_int_equal(released_after(run, false, 1), 0);
}

static void polls_wait_for_a_rank_that_runs(void **state)
{
    struct run *run = *state;

    create(run, true);
    poll_and_receive(run);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    for (int i = 0; i < 30; i++) {
        run->snapshot[2].cpu_ns += 100000000;
        run_step(run, FINDINGS, 100);
    }
    assert_int_equal(run->expired, 0);
}

static void polls_of_other_runs_do_not_expire(void **state)
{
    struct run *run = *state;

    create(run, false);
    poll_and_receive(run);
    run_play_all(run);
    run_step(run, FINDINGS, 2000);
    assert_int_equal(run->expired, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, run_tear_down)

int test_expiry(void)
{
    const struct CMUnitTest tests[] = {
        CASE(polls_expire_if_no_rank_can_go_on),
        CASE(a_rank_without_a_processor_may_go_on),
        CASE(polls_wait_for_a_rank_that_runs),
        CASE(choices_wait_for_a_rank_outside_but_not_for_ever),
        CASE(polls_of_other_runs_do_not_expire),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
