/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/poller_job.h"
#include "tests/unit/overlay/stage/unit.h"

/* So many looks that the next one like them makes a suspicion, if there is reason to. */
static void look_for_long(struct poller_job *job, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS));
}

static void receive_from_poller(struct poller_job *job)
{
    script_recv(&job->script[1], 0, 0);
    poller_play(job);
}

/* Of the polls that it needs, it makes some at each look, and none at others. */
static void who_waits_for_a_processor_is_suspected_when_it_has_polled_enough(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS));
    job->snapshot[0].is_runnable = true;
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_LOOKS; i++) {
        assert_false(poller_look(job, 0));
        assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS / 2));
        assert_int_equal(poller_look(job, ORK_BUSY_WAIT_POLLS / 2), i == ORK_BUSY_WAIT_LOOKS - 1);
    }
}

/* It has got a tenth of a processor. */
static bool look_on_crowded(struct poller_job *job, uint64_t work_ns)
{
    job->snapshot[0].cpu_ns -= ORK_BUSY_WAIT_NS / 10 * 9;
    return poller_look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS, .work_ns = work_ns});
}

static void a_little_work_on_a_crowded_machine_is_none(void **state)
{
    const uint64_t lump = ORK_BUSY_WAIT_NS / 10 / (ORK_ACTIVITY_WORK / 2);
    struct poller_job *job = *state;

    receive_from_poller(job);
    job->snapshot[0].cpu_ns = ORK_BUSY_WAIT_NS;
    assert_false(look_on_crowded(job, 0));
    for (uint32_t i = 1; i < ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_on_crowded(job, i == 2 ? lump : 0));
    assert_true(look_on_crowded(job, 0));
}

static void a_little_work_at_each_look_is_work(void **state)
{
    const uint64_t lump = ORK_BUSY_WAIT_NS / 10 / (ORK_ACTIVITY_WORK / 2);
    struct poller_job *job = *state;

    receive_from_poller(job);
    job->snapshot[0].cpu_ns = ORK_BUSY_WAIT_NS;
    for (uint32_t i = 0; i < 4 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_on_crowded(job, lump));
}

/* It sleeps between its polls, and each sleep costs it some processor time. */
static bool look_at_sleeper(struct poller_job *job, uint64_t work_ns)
{
    return poller_look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS,
                                              .work_ns = work_ns,
                                              .slept_ns = ORK_BUSY_WAIT_NS / 20 * 19});
}

static void what_sleeping_costs_is_no_work(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_at_sleeper(job, ORK_BUSY_WAIT_NS / 100));
    assert_true(look_at_sleeper(job, ORK_BUSY_WAIT_NS / 100));
}

static void who_works_between_sleeps_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < 4 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(look_at_sleeper(job, ORK_BUSY_WAIT_NS / ORK_ACTIVITY_WORK + 1));
}

static void who_polls_seldom_but_gets_its_processor_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < 4 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS / 2));
}

static void polling_for_what_never_comes_is_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS); /* with the first there is nothing to compare */
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(ork_detector_rank(job->d, 0).status, ORK_RANK_RUNNING); /* forgotten */
}

/* ---- the partner got past a buffered send ---- */

static void go_on_to_finalize(struct script *s)
{
    script_finalize(s);
}

static void go_on_to_receive(struct script *s)
{
    script_recv(s, 0, 9);
}

static void go_on_to_barrier(struct script *s)
{
    script_coll(s, ORK_COMM_WORLD, ORK_COLL_BARRIER);
}

/* Rank 1 sends what rank 0 does not poll for, and goes on. */
static void send_and_go_on(struct poller_job *job, void (*go_on)(struct script *s),
                           enum ork_state in)
{
    for (int i = 0; i < 3; i++)
        script_send(&job->script[1], 0, 4 + i);
    go_on(&job->script[1]);
    poller_play(job);
    job->snapshot[1].word[0] = job->snapshot[1].head << 8 | (uint64_t)in;
}

static void a_partner_behind_buffered_sends_is_suspected_where_it_waits(void **state)
{
    struct poller_job *job = *state;
    void (*const next[])(struct script * s) = {go_on_to_finalize, go_on_to_receive,
                                               go_on_to_barrier};
    const enum ork_kind kind[] = {ORK_KIND_FINALIZE, ORK_KIND_RECV, ORK_KIND_COLL};

    for (unsigned i = 0; i < 3; i++) {
        send_and_go_on(job, next[i], ORK_STATE_BLOCKED);
        look_for_long(job, ORK_BUSY_WAIT_LOOKS);
        assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
        assert_true(job->found.polls);
        assert_true(job->found.rests); /* so the deadlocks that follow are searched, too */
        assert_int_equal(ork_detector_rank(job->d, 1).call.kind, kind[i]);
        assert_false(ork_detector_rank(job->d, 1).moved);
        assert_int_equal(poller_tear_down(state), 0);
        assert_int_equal(poller_set_up(state), 0);
        job = *state;
    }
}

/* It may still send, so the analysis keeps its place: a potential deadlock may follow there. */
static void a_partner_that_runs_behind_a_buffered_send_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    send_and_go_on(job, go_on_to_finalize, ORK_STATE_RUNNING);
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
    assert_true(ork_detector_rank(job->d, 1).moved);
    assert_int_equal(ork_detector_rank(job->d, 1).call.kind, ORK_KIND_SEND);
}

static void a_partner_that_moves_behind_a_buffered_send_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    send_and_go_on(job, go_on_to_receive, ORK_STATE_BLOCKED);
    for (unsigned i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++) {
        job->snapshot[1].word[0] += 256;
        assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS));
    }
    assert_int_equal(ork_detector_rank(job->d, 1).call.kind, ORK_KIND_SEND);
}

static void a_suspicion_shows_what_was_probed_for(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(job->poller.status, ORK_RANK_POLLING);
    assert_int_equal(job->poller.call.kind, ORK_KIND_PROBED);
    assert_int_equal(job->poller.call.peer, ORK_ANY_SOURCE);
    assert_int_equal(job->poller.call.tag, 5);
    assert_int_equal(job->poller.comm, ORK_COMM_WORLD);
    job->snapshot[0].polled = (struct ork_polled){
        .call = ORK_CALL_MPI_Iprobe, .peer = 1, .tag = 6, .comm = 7 /* which nobody has made */};
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(job->poller.call.peer, 1);
    assert_int_equal(job->poller.call.tag, 6);
    assert_int_equal(job->poller.comm, UINT32_MAX);
    job->snapshot[0].polled = (struct ork_polled){.call = ORK_CALL_MPI_Test, .peer = ORK_NO_PEER};
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_int_equal(job->poller.call.kind, ORK_KIND_TESTED);
}

static void a_few_polls_are_no_reason(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS - 1));
}

static void who_works_between_polls_is_not_suspected(void **state)
{
    const struct doing works = {.polls = ORK_BUSY_WAIT_POLLS, .busy = LOOKS / ORK_ACTIVITY_BUSY};
    const struct doing is_disturbed = {.polls = ORK_BUSY_WAIT_POLLS,
                                       .busy = LOOKS / ORK_ACTIVITY_BUSY - 1};
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_false(poller_look_at(job, works));
    for (uint32_t i = 1; i < ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(poller_look_at(job, is_disturbed));
    assert_true(poller_look_at(job, is_disturbed));
}

/* Many polls in a row, and then something else for a moment. */
static void who_works_now_and_then_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(poller_look_at(
            job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS,
                                .work_ns = ORK_BUSY_WAIT_NS / ORK_ACTIVITY_WORK + 1}));
}

static void who_reads_a_clock_between_polls_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_LOOKS; i++)
        assert_false(poller_look_at(job, (struct doing){.polls = ORK_BUSY_WAIT_POLLS, .timed = 1}));
}

static void a_suspicion_is_told_once(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_true(job->news);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_LOOKS; i++) {
        job->snapshot[0].polled.site++; /* another poll of its loop */
        assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
        assert_false(job->news);
    }
}

static void after_a_wrong_suspicion_the_next_one_takes_longer(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_true(job->news);
    job->snapshot[0].head++; /* it went on */
    poller_take_in(job, 0, 1);
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
    assert_true(job->news);
}

static void a_partner_that_runs_may_still_send(void **state)
{
    struct poller_job *job = *state;

    poller_play(job);
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
}

static void whoever_moved_in_between_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    job->snapshot[1].head++;
    poller_take_in(job, 1, 1);
    assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS));
    job->snapshot[0].head++; /* published, not taken yet */
    assert_false(poller_look(job, ORK_BUSY_WAIT_POLLS));
    poller_take_in(job, 0, 1);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    assert_true(poller_look(job, ORK_BUSY_WAIT_POLLS));
}

static void a_thread_that_may_yet_call_clears_the_rank(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    job->snapshot[1].others = ORK_OTHERS_ACT;
    look_for_long(job, 2 * ORK_BUSY_WAIT_LOOKS);
}

static void nobody_looks_more_often_than_agreed(void **state)
{
    struct poller_job *job = *state;

    receive_from_poller(job);
    look_for_long(job, ORK_BUSY_WAIT_LOOKS);
    job->snapshot[0].polls += ORK_BUSY_WAIT_POLLS;
    assert_int_equal(ork_busy_wait_observe(job->busy_wait, job->d, job->snapshots,
                                           job->now_ns + ORK_BUSY_WAIT_NS - 1, &job->found),
                     ORK_OK);
    assert_null(job->found.search);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, poller_set_up, poller_tear_down)

int test_busy_wait(void)
{
    const struct CMUnitTest tests[] = {
        CASE(polling_for_what_never_comes_is_suspected),
        CASE(who_waits_for_a_processor_is_suspected_when_it_has_polled_enough),
        CASE(who_polls_seldom_but_gets_its_processor_is_not_suspected),
        CASE(a_little_work_on_a_crowded_machine_is_none),
        CASE(what_sleeping_costs_is_no_work),
        CASE(who_works_between_sleeps_is_not_suspected),
        CASE(a_little_work_at_each_look_is_work),
        CASE(a_partner_behind_buffered_sends_is_suspected_where_it_waits),
        CASE(a_partner_that_runs_behind_a_buffered_send_is_not_suspected),
        CASE(a_partner_that_moves_behind_a_buffered_send_is_not_suspected),
        CASE(a_suspicion_shows_what_was_probed_for),
        CASE(a_few_polls_are_no_reason),
        CASE(who_works_between_polls_is_not_suspected),
        CASE(who_works_now_and_then_is_not_suspected),
        CASE(who_reads_a_clock_between_polls_is_not_suspected),
        CASE(a_suspicion_is_told_once),
        CASE(after_a_wrong_suspicion_the_next_one_takes_longer),
        CASE(a_partner_that_runs_may_still_send),
        CASE(whoever_moved_in_between_is_not_suspected),
        CASE(a_thread_that_may_yet_call_clears_the_rank),
        CASE(nobody_looks_more_often_than_agreed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
