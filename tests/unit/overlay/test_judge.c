/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/judge.h"

#include "script.h"
#include "unit.h"

#include <string.h>

enum { RANKS = 3 };
#define SECOND UINT64_C(1000000000)

/* A job whose records were all taken, and what a collect shows of it. */
struct job {
    struct ork_detector *d;
    struct ork_judge *judge;
    struct ork_snapshot snapshot[RANKS];
    bool absent[RANKS];
    struct ork_down down;
    struct ork_census *census;
    unsigned collects;
    unsigned moves_at; /* rank 0 publishes a record before this collect; 0: never */
    struct script script[RANKS];
};

/* A leaf: answers at once. */
static enum ork_status collect(void *context, uint32_t round)
{
    struct job *job = context;

    if (++job->collects == job->moves_at)
        job->snapshot[0].head++;
    for (uint32_t r = 0; r < RANKS; r++) {
        if (!job->absent[r])
            assert_int_equal(ork_census_take(job->census, r, &job->snapshot[r]), ORK_OK);
    }
    ork_census_collected(job->census, round);
    return ORK_OK;
}

static void set_state(struct job *job, uint32_t rank, uint32_t thread, enum ork_state state)
{
    job->snapshot[rank].word[thread] = job->snapshot[rank].head << 8 | (uint64_t)state;
}

/* The root has taken `n` more records of `rank`. */
static void take_in(struct job *job, uint32_t rank, size_t n)
{
    assert_int_equal(ork_census_records(job->census, rank, n), ORK_OK);
}

/* Give the detector what the scripts say; every rank is in its last call. */
static void play(struct job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &job->script[r];
        assert_int_equal(ork_detector_feed(job->d, r, s->record, s->n), ORK_OK);
        take_in(job, r, s->n);
        job->snapshot[r].head += s->n;
        job->snapshot[r].threads = 1;
        set_state(job, r, 0, ORK_STATE_BLOCKED);
        s->n = 0;
    }
}

static int set_up(void **state)
{
    static struct job job;

    memset(&job, 0, sizeof(job));
    job.down = (struct ork_down){.context = &job, .collect = collect};
    *state = &job;
    if (ork_census_create(&job.down, 1, &job.census) != ORK_OK)
        return 1;
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&job.script[r], r, RANKS);
    return ork_detector_create(RANKS, &job.d) != ORK_OK ||
           ork_judge_create(RANKS, &job.judge) != ORK_OK;
}

static int tear_down(void **state)
{
    struct job *job = *state;

    ork_detector_destroy(job->d);
    ork_judge_destroy(job->judge);
    ork_census_destroy(job->census);
    return 0;
}

static enum ork_verdict judge_at(struct job *job, uint64_t now_ns, bool final)
{
    enum ork_verdict verdict;
    struct ork_search *search = NULL;
    const bool *root = NULL;

    assert_int_equal(
        ork_judge_state(job->judge, job->d, job->census, now_ns, final, &verdict, &search, &root),
        ORK_OK);
    if (verdict == ORK_VERDICT_MANIFEST || verdict == ORK_VERDICT_POTENTIAL) {
        assert_non_null(search);
        assert_true(root[0]);
    } else {
        assert_null(search);
    }
    ork_search_destroy(search);
    return verdict;
}

static enum ork_verdict judge(struct job *job)
{
    return judge_at(job, SECOND, false);
}

/* Ranks 0 and 1 wait for each other's message, rank 2 for rank 0's. */
static void recv_recv(struct job *job)
{
    script_recv(&job->script[0], 1, 0);
    script_recv(&job->script[1], 0, 0);
    script_recv(&job->script[2], 0, 0);
    play(job);
}

static void send_send(struct job *job)
{
    script_send(&job->script[0], 1, 0);
    script_send(&job->script[1], 0, 0);
    play(job);
}

static void a_job_that_can_go_on_has_no_verdict(void **state)
{
    struct job *job = *state;

    script_send(&job->script[0], 1, 0);
    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_int_equal(judge(job), ORK_VERDICT_NONE);
    assert_int_equal(job->collects, 0);
}

static void receives_for_each_other_are_manifest_at_once(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    assert_int_equal(judge(job), ORK_VERDICT_MANIFEST);
    assert_int_equal(job->collects, 2);
}

static void a_rank_with_records_under_way_is_waited_for(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    job->snapshot[1].head++;
    assert_int_equal(judge(job), ORK_VERDICT_WAIT);
    take_in(job, 1, 1);
    assert_int_equal(judge(job), ORK_VERDICT_MANIFEST);
}

static void a_rank_that_is_gone_is_waited_for(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    job->absent[0] = true;
    assert_int_equal(judge(job), ORK_VERDICT_WAIT);
    job->absent[0] = false;
    job->absent[2] = true;
    assert_int_equal(judge(job), ORK_VERDICT_WAIT);
    job->absent[2] = false;
    assert_int_equal(judge(job), ORK_VERDICT_MANIFEST);
}

static void a_move_between_the_two_collects_is_seen(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    job->moves_at = 2;
    assert_int_equal(judge(job), ORK_VERDICT_WAIT);
    assert_int_equal(job->collects, 2);
}

static void sends_are_stuck_only_when_they_have_used_the_processor(void **state)
{
    struct job *job = *state;

    send_send(job);
    assert_int_equal(judge_at(job, SECOND, false), ORK_VERDICT_WAIT);
    assert_int_equal(judge_at(job, SECOND + 1000, false), ORK_VERDICT_WAIT);
    job->snapshot[0].cpu_ns += ORK_STUCK_CPU_NS;
    assert_int_equal(judge_at(job, SECOND + 2000, false), ORK_VERDICT_WAIT);
    job->snapshot[1].cpu_ns += ORK_STUCK_CPU_NS;
    assert_int_equal(judge_at(job, SECOND + 3000, false), ORK_VERDICT_MANIFEST);
}

static void sends_that_sleep_are_stuck_after_a_while(void **state)
{
    struct job *job = *state;

    send_send(job);
    assert_int_equal(judge_at(job, SECOND, false), ORK_VERDICT_WAIT);
    assert_int_equal(judge_at(job, SECOND + ORK_STUCK_WALL_NS - 1, false), ORK_VERDICT_WAIT);
    assert_int_equal(judge_at(job, SECOND + ORK_STUCK_WALL_NS, false), ORK_VERDICT_MANIFEST);
}

static void the_watch_starts_again_with_the_next_call(void **state)
{
    struct job *job = *state;

    send_send(job);
    assert_int_equal(judge_at(job, SECOND, false), ORK_VERDICT_WAIT);
    job->snapshot[0].head++;
    take_in(job, 0, 1);
    set_state(job, 0, 0, ORK_STATE_BLOCKED);
    assert_int_equal(judge_at(job, SECOND + ORK_STUCK_WALL_NS, false), ORK_VERDICT_WAIT);
    assert_int_equal(judge_at(job, SECOND + 2 * ORK_STUCK_WALL_NS, false), ORK_VERDICT_MANIFEST);
}

static void sends_that_the_run_went_past_are_potential(void **state)
{
    struct job *job = *state;

    send_send(job);
    script_recv(&job->script[0], 1, 0);
    play(job);
    assert_int_equal(judge(job), ORK_VERDICT_POTENTIAL);
}

static void a_send_that_returned_without_a_record_is_potential(void **state)
{
    struct job *job = *state;

    send_send(job);
    set_state(job, 0, 0, ORK_STATE_RUNNING);
    assert_int_equal(judge(job), ORK_VERDICT_MOVED);
    assert_int_equal(judge(job), ORK_VERDICT_POTENTIAL);
}

static void when_all_are_gone_only_what_no_library_saves_is_manifest(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    assert_int_equal(judge_at(job, SECOND, true), ORK_VERDICT_MANIFEST);
    assert_int_equal(job->collects, 0);
    tear_down(state);
    set_up(state);
    send_send(job);
    assert_int_equal(judge_at(job, SECOND, true), ORK_VERDICT_POTENTIAL);
}

static void a_rank_with_a_busy_thread_may_yet_act(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    job->snapshot[1].strangers = 1;
    assert_int_equal(judge(job), ORK_VERDICT_MOVED);
    assert_true(ork_detector_is_busy(job->d, 1));
    assert_int_equal(judge(job), ORK_VERDICT_NONE);
    ork_detector_set_busy(job->d, 1, false);
    job->snapshot[1].strangers = 0;
    assert_int_equal(judge(job), ORK_VERDICT_MANIFEST);
}

/* Verdict after at most `most` looks, when it no longer says that something moved. */
static enum ork_verdict settle(struct job *job, int most)
{
    enum ork_verdict verdict;

    do {
        verdict = judge(job);
    } while (verdict == ORK_VERDICT_MOVED && --most > 0);
    assert_int_not_equal(verdict, ORK_VERDICT_MOVED);
    return verdict;
}

static void a_thread_that_acts_without_records_keeps_the_rank_out_of_it(void **state)
{
    struct job *job = *state;

    recv_recv(job);
    job->snapshot[1].threads = 2; /* the second one has called MPI, but published nothing */
    set_state(job, 1, 1, ORK_STATE_RUNNING);
    assert_int_not_equal(settle(job, 5), ORK_VERDICT_MANIFEST);
}

static void states_that_make_no_sense_never_keep_the_judge_busy(void **state)
{
    const uint64_t word[] = {0, UINT64_MAX, ORK_STATE_DONE, 77};

    for (size_t i = 0; i < sizeof(word) / sizeof(*word); i++) {
        for (uint32_t r = 0; r < RANKS; r++) {
            struct job *job = *state;
            recv_recv(job);
            job->snapshot[r].threads = ORK_RING_THREADS;
            for (unsigned t = 0; t < ORK_RING_THREADS; t++)
                job->snapshot[r].word[t] = word[i];
            settle(job, 5);
            tear_down(state);
            set_up(state);
        }
    }
}

static void a_rank_that_ended_is_a_cause_only_if_somebody_waits_for_it(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_int_equal(ork_detector_end(job->d, 2, ORK_END_EXITED), ORK_OK);
    assert_int_equal(judge(job), ORK_VERDICT_NONE);
    assert_int_equal(ork_detector_end(job->d, 0, ORK_END_EXITED), ORK_OK);
    assert_int_equal(judge(job), ORK_VERDICT_MANIFEST);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_job_that_can_go_on_has_no_verdict),
        CASE(receives_for_each_other_are_manifest_at_once),
        CASE(a_rank_with_records_under_way_is_waited_for),
        CASE(a_rank_that_is_gone_is_waited_for),
        CASE(a_move_between_the_two_collects_is_seen),
        CASE(sends_are_stuck_only_when_they_have_used_the_processor),
        CASE(sends_that_sleep_are_stuck_after_a_while),
        CASE(the_watch_starts_again_with_the_next_call),
        CASE(sends_that_the_run_went_past_are_potential),
        CASE(a_send_that_returned_without_a_record_is_potential),
        CASE(when_all_are_gone_only_what_no_library_saves_is_manifest),
        CASE(a_rank_with_a_busy_thread_may_yet_act),
        CASE(a_thread_that_acts_without_records_keeps_the_rank_out_of_it),
        CASE(states_that_make_no_sense_never_keep_the_judge_busy),
        CASE(a_rank_that_ended_is_a_cause_only_if_somebody_waits_for_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
