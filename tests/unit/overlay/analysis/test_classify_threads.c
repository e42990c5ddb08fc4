/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks with several threads: which of them may yet act, and what their words say. */
#include "overlay/root/policy.h"
#include "tests/unit/overlay/stage/judged_job.h"
#include "tests/unit/overlay/stage/unit.h"

/* A thread is in no record before its first call. */
static void a_thread_without_a_call_may_be_what_the_others_wait_for(void **state)
{
    struct judged_job *job = *state;

    job->script[0].record[0].arg = 3; /* MPI_THREAD_MULTIPLE */
    judged_send_send(job);
    script_recv(&job->script[0], 1, 0);
    judged_play(job);
    job->snapshot[0].others = ORK_OTHERS_ACT;
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    job->snapshot[0].others = ORK_OTHERS_NONE;
    job->snapshot[0].head++; /* its first call is under way */
    assert_int_equal(judged_classify_at(job, 2 * SECOND, false), ORK_VERDICT_WAIT);
    job->snapshot[0].head--;
    assert_int_equal(judged_classify_at(job, 3 * SECOND, false), ORK_VERDICT_POTENTIAL);
}

/* Such a thread may run for as long as the program. */
static void a_thread_without_a_call_does_not_hold_up_the_analysis_for_ever(void **state)
{
    struct judged_job *job = *state;

    job->script[0].record[0].arg = 3; /* MPI_THREAD_MULTIPLE */
    judged_send_send(job);
    job->snapshot[0].others = ORK_OTHERS_ACT;
    for (unsigned queued = 500; queued < ROOT_QUEUE_FIRST + 500; queued += 500) {
        for (unsigned i = 0; i < 500; i++)
            script_recv(&job->script[0], 1, 0);
        judged_play(job);
        assert_int_equal(judged_classify(job),
                         queued < ROOT_QUEUE_FIRST ? ORK_VERDICT_WAIT : ORK_VERDICT_MOVED);
    }
}

static void a_rank_with_a_busy_thread_may_yet_act(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->snapshot[1].others = ORK_OTHERS_ACT;
    assert_int_equal(judged_classify(job), ORK_VERDICT_MOVED);
    assert_true(ork_detector_is_busy(job->d, 1));
    assert_int_equal(judged_classify(job), ORK_VERDICT_NONE);
    ork_detector_set_busy(job->d, 1, false);
    job->snapshot[1].others = ORK_OTHERS_NONE;
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
}

/* Ranks 0 and 1: the second thread receives from the other rank, the first one waits for it. */
static void receive_in_second_threads(struct judged_job *job)
{
    for (uint32_t r = 0; r < 2; r++) {
        script_recv(&job->script[r], 1 - (int32_t)r, 0);
        job->script[r].record[job->script[r].n - 1].thread = 1;
    }
    judged_play(job);
    for (uint32_t r = 0; r < 2; r++) {
        job->snapshot[r].threads = 2;
        judged_set_state(job, r, 0, ORK_STATE_RUNNING);
        judged_set_state(job, r, 1, ORK_STATE_BLOCKED);
        job->snapshot[r].resting = 1;
        assert_int_equal(ork_detector_set_resting(job->d, r, 1), ORK_OK);
    }
}

static void threads_that_wait_for_threads_that_wait_are_manifest(void **state)
{
    struct judged_job *job = *state;

    receive_in_second_threads(job);
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
}

static void a_thread_that_woke_up_rests_no_more(void **state)
{
    struct judged_job *job = *state;

    receive_in_second_threads(job);
    job->snapshot[1].resting = 0;
    assert_int_equal(judged_classify(job), ORK_VERDICT_MOVED);
    assert_int_equal(ork_detector_resting(job->d, 1), 0);
    assert_int_equal(judged_classify(job), ORK_VERDICT_NONE);
}

static void threads_of_which_nobody_knows_who_wakes_them_are_not_manifest(void **state)
{
    struct judged_job *job = *state;

    receive_in_second_threads(job);
    job->snapshot[0].others = ORK_OTHERS_UNKNOWN;
    assert_int_equal(judged_classify(job), ORK_VERDICT_MOVED);
    assert_int_equal(judged_classify(job), ORK_VERDICT_NONE);
}

/* Verdict after at most `most` looks, when it no longer says that something moved. */
static enum ork_verdict settle(struct judged_job *job, int most)
{
    enum ork_verdict verdict;

    do {
        verdict = judged_classify(job);
    } while (verdict == ORK_VERDICT_MOVED && --most > 0);
    assert_int_not_equal(verdict, ORK_VERDICT_MOVED);
    return verdict;
}

static void a_thread_that_acts_without_records_keeps_the_rank_out_of_it(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->snapshot[1].threads = 2; /* the second one has called MPI, but published nothing */
    judged_set_state(job, 1, 1, ORK_STATE_RUNNING);
    assert_int_not_equal(settle(job, 5), ORK_VERDICT_MANIFEST);
}

static void states_that_make_no_sense_never_keep_the_judge_busy(void **state)
{
    const uint64_t word[] = {0, UINT64_MAX, ORK_STATE_DONE, 77};

    for (size_t i = 0; i < sizeof(word) / sizeof(*word); i++) {
        for (uint32_t r = 0; r < RANKS; r++) {
            struct judged_job *job = *state;
            judged_recv_recv(job);
            job->snapshot[r].threads = ORK_RING_THREADS;
            for (unsigned t = 0; t < ORK_RING_THREADS; t++)
                job->snapshot[r].word[t] = word[i];
            settle(job, 5);
            judged_tear_down(state);
            judged_set_up(state);
        }
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, judged_set_up, judged_tear_down)

int test_classify_threads(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_thread_without_a_call_may_be_what_the_others_wait_for),
        CASE(a_thread_without_a_call_does_not_hold_up_the_analysis_for_ever),
        CASE(a_rank_with_a_busy_thread_may_yet_act),
        CASE(threads_that_wait_for_threads_that_wait_are_manifest),
        CASE(a_thread_that_woke_up_rests_no_more),
        CASE(threads_of_which_nobody_knows_who_wakes_them_are_not_manifest),
        CASE(a_thread_that_acts_without_records_keeps_the_rank_out_of_it),
        CASE(states_that_make_no_sense_never_keep_the_judge_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
