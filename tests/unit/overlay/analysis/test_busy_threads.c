/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks with several threads, some of which wait or have ended, while others are in a call. */
#include "tests/unit/overlay/stage/poller_job.h"
#include "tests/unit/overlay/stage/unit.h"

/* Both ranks: the second thread receives from the other rank, the first one is outside MPI. */
static void receive_in_second_threads(struct poller_job *job, enum ork_others others)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        script_recv(&job->script[r], 1 - (int32_t)r, 0);
        job->script[r].record[job->script[r].n - 1].thread = 1;
        job->snapshot[r].threads = 2;
        job->snapshot[r].word[1] = ORK_STATE_BLOCKED;
        job->snapshot[r].resting = 1;
        job->snapshot[r].others = others;
    }
    poller_play(job);
}

static uint32_t strictly_deadlocked(struct poller_job *job)
{
    struct ork_search *search;

    assert_int_equal(ork_detector_search(job->d, ORK_STRICT, &search), ORK_OK);
    uint32_t n = ork_wfg_num_deadlocked(search->wfg);
    ork_search_destroy(search);
    return n;
}

static void threads_that_wait_for_threads_that_wait_are_for_the_judge(void **state)
{
    struct poller_job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_NONE);
    assert_false(poller_look(job, 0));
    assert_false(job->found.rests);
    assert_false(poller_look(job, 0));
    assert_true(job->found.rests);
    assert_int_equal(strictly_deadlocked(job), RANKS);
    assert_false(poller_look(job, 0));
    assert_false(job->found.rests); /* it knows */
}

static void a_thread_that_woke_in_between_is_not_resting(void **state)
{
    struct poller_job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_NONE);
    for (uint32_t i = 0; i < 20; i++) {
        job->snapshot[i % 2].stirred++;
        assert_false(poller_look(job, 0));
        assert_int_equal(strictly_deadlocked(job), 0);
    }
}

static void threads_that_anybody_may_wake_are_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_UNKNOWN);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_SLEEPS; i++)
        assert_false(poller_look(job, 0));
    assert_true(poller_look(job, 0));
    assert_false(job->found.polls);
    assert_false(job->found.is_certain);
    assert_true(ork_busy_wait_unsure(job->busy_wait)[0]);
    assert_int_equal(strictly_deadlocked(job), 0); /* forgotten */
}

static void a_thread_that_never_called_and_anybody_may_wake_makes_it_a_suspicion(void **state)
{
    struct poller_job *job = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_recv(&job->script[r], 1 - (int32_t)r, 0);
        job->snapshot[r].word[0] = ORK_STATE_BLOCKED;
    }
    job->snapshot[1].others = ORK_OTHERS_UNKNOWN;
    poller_play(job);
    for (uint32_t i = 0; i < ORK_BUSY_WAIT_SLEEPS; i++)
        assert_false(poller_look(job, 0));
    assert_true(poller_look(job, 0));
    assert_false(ork_busy_wait_unsure(job->busy_wait)[0]);
    assert_true(ork_busy_wait_unsure(job->busy_wait)[1]);
}

static void a_thread_that_woke_is_not_suspected(void **state)
{
    struct poller_job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_UNKNOWN);
    for (uint32_t i = 0; i < 20; i++) {
        job->snapshot[i % 2].stirred += i % ORK_BUSY_WAIT_SLEEPS == 0;
        assert_false(poller_look(job, 0));
    }
}

static void a_thread_that_runs_may_end_the_wait_of_another(void **state)
{
    struct poller_job *job = *state;

    receive_in_second_threads(job, ORK_OTHERS_NONE);
    job->snapshot[1].threads = 3; /* the third one called MPI and computes */
    for (uint32_t i = 0; i < 2 * ORK_BUSY_WAIT_SLEEPS; i++)
        assert_false(poller_look(job, 0));
}

/* The second thread of rank 0 receives from rank 1, which is in MPI_Finalize; the first one runs.
 */
static void receive_from_finalize(struct poller_job *job)
{
    script_coll(&job->script[0], ORK_COMM_SELF, ORK_COLL_BARRIER);
    script_recv(&job->script[0], 1, 0);
    job->script[0].record[job->script[0].n - 1].thread = 1;
    script_finalize(&job->script[1]);
    job->snapshot[0].threads = 2;
    job->snapshot[0].word[1] = 3 << 8 | ORK_STATE_BLOCKED;
    job->snapshot[1].word[0] = 1 << 8 | ORK_STATE_BLOCKED;
    poller_play(job);
}

static void a_receive_from_a_rank_in_finalize_is_dead_whatever_others_do(void **state)
{
    struct poller_job *job = *state;

    receive_from_finalize(job);
    job->snapshot[0].others = ORK_OTHERS_ACT;
    assert_false(poller_look(job, 0));
    assert_true(poller_look(job, 0));
    assert_true(job->found.is_certain);
    assert_false(ork_detector_is_busy(job->d, 0));
}

static void a_call_that_returned_meanwhile_was_not_dead(void **state)
{
    struct poller_job *job = *state;

    receive_from_finalize(job);
    for (uint32_t i = 0; i < 4; i++) {
        job->snapshot[0].word[1] += 1 << 8;
        assert_false(poller_look(job, 0));
    }
    job->snapshot[0].word[1] = ORK_STATE_RUNNING;
    assert_false(poller_look(job, 0));
    assert_false(poller_look(job, 0));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, poller_set_up, poller_tear_down)

int test_busy_threads(void)
{
    const struct CMUnitTest tests[] = {
        CASE(threads_that_wait_for_threads_that_wait_are_for_the_judge),
        CASE(a_thread_that_woke_in_between_is_not_resting),
        CASE(threads_that_anybody_may_wake_are_suspected),
        CASE(a_thread_that_never_called_and_anybody_may_wake_makes_it_a_suspicion),
        CASE(a_thread_that_woke_is_not_suspected),
        CASE(a_thread_that_runs_may_end_the_wait_of_another),
        CASE(a_receive_from_a_rank_in_finalize_is_dead_whatever_others_do),
        CASE(a_call_that_returned_meanwhile_was_not_dead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
