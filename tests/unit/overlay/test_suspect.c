/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/pulse.h"
#include "overlay/suspect.h"

#include "script.h"
#include "unit.h"

#include <string.h>

enum { RANKS = 2 };

/* Rank 0 polls, rank 1 is in its last call. */
struct job {
    struct ork_detector *d;
    struct ork_suspect *suspect;
    struct ork_snapshot snapshot[RANKS];
    struct ork_down down;
    struct ork_census *census;
    struct script script[RANKS];
    uint64_t now_ns;
    bool polls; /* said with the latest suspicion */
};

/* A leaf: answers at once. */
static enum ork_status collect(void *context, uint32_t round)
{
    const struct job *job = context;

    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_census_take(job->census, r, &job->snapshot[r]), ORK_OK);
    ork_census_collected(job->census, round);
    return ORK_OK;
}

static int set_up(void **state)
{
    static struct job job;

    memset(&job, 0, sizeof(job));
    job.down = (struct ork_down){.context = &job, .collect = collect};
    job.now_ns = ORK_SUSPECT_NS;
    *state = &job;
    if (ork_census_create(&job.down, 1, &job.census) != ORK_OK)
        return 1;
    for (uint32_t r = 0; r < RANKS; r++) {
        script_init(&job.script[r], r, RANKS);
        job.snapshot[r].threads = 1;
        job.snapshot[r].poll_call = ORK_CALL_MPI_Iprobe;
    }
    return ork_detector_create(RANKS, &job.d) != ORK_OK ||
           ork_suspect_create(RANKS, &job.suspect) != ORK_OK;
}

static int tear_down(void **state)
{
    struct job *job = *state;

    ork_suspect_destroy(job->suspect);
    ork_detector_destroy(job->d);
    ork_census_destroy(job->census);
    return 0;
}

/* The root has taken `n` more records of `rank`. */
static void take_in(struct job *job, uint32_t rank, size_t n)
{
    assert_int_equal(ork_census_records(job->census, rank, n), ORK_OK);
}

static void play(struct job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *s = &job->script[r];
        assert_int_equal(ork_detector_feed(job->d, r, s->record, s->n), ORK_OK);
        job->snapshot[r].head += s->n;
        take_in(job, r, s->n);
        s->n = 0;
    }
}

/* One interval later, in which rank 0 polled so often and used a processor, so long of it between
 * two polls. Is there a suspicion? */
static bool look_at_worker(struct job *job, uint64_t polls, uint64_t work_ns)
{
    struct ork_search *search = NULL;
    bool is_poll;

    job->snapshot[0].polls += polls;
    job->snapshot[0].probes += polls;
    job->snapshot[0].looks++;
    job->snapshot[0].work_ns += work_ns;
    job->snapshot[0].cpu_ns += ORK_SUSPECT_NS;
    job->now_ns += ORK_SUSPECT_NS;
    assert_int_equal(
        ork_suspect_look(job->suspect, job->d, job->census, job->now_ns, &search, &is_poll),
        ORK_OK);
    if (search == NULL)
        return false;
    job->polls = is_poll;
    assert_int_equal(ork_wfg_num_deadlocked(search->wfg), RANKS);
    ork_search_destroy(search);
    ork_suspect_forget(job->suspect, job->d);
    return true;
}

static bool look(struct job *job, uint64_t polls)
{
    return look_at_worker(job, polls, ORK_PULSE_WORK_NS - 1);
}

static void polling_for_what_never_comes_is_suspected(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS)); /* nothing to compare with */
    assert_true(look(job, ORK_SUSPECT_POLLS));
    assert_int_equal(ork_detector_rank(job->d, 0).status, ORK_RANK_RUNNING); /* forgotten */
}

static void a_few_polls_are_no_reason(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, 1));
    assert_false(look(job, ORK_SUSPECT_POLLS - 1));
}

static void who_works_between_polls_is_not_suspected(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_false(look_at_worker(job, ORK_SUSPECT_POLLS, ORK_PULSE_WORK_NS));
    assert_true(look(job, ORK_SUSPECT_POLLS));
}

/* Where many ranks share a processor. */
static void who_works_and_gets_little_of_a_processor_is_not_suspected(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[0].cpu_ns -= ORK_SUSPECT_NS - 1000;
    assert_false(look_at_worker(job, ORK_SUSPECT_POLLS, ORK_PULSE_WORK_NS));
}

static void a_partner_that_runs_may_still_send(void **state)
{
    struct job *job = *state;

    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_false(look(job, ORK_SUSPECT_POLLS));
}

static void whoever_moved_in_between_is_not_suspected(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[1].head++;
    take_in(job, 1, 1);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[0].head++; /* published, not taken yet */
    assert_false(look(job, ORK_SUSPECT_POLLS));
    take_in(job, 0, 1);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_true(look(job, ORK_SUSPECT_POLLS));
}

static void a_thread_that_may_yet_call_clears_the_rank(void **state)
{
    struct job *job = *state;

    script_recv(&job->script[1], 0, 0);
    play(job);
    job->snapshot[1].strangers = 1;
    assert_false(look(job, ORK_SUSPECT_POLLS));
    assert_false(look(job, ORK_SUSPECT_POLLS));
}

static void nobody_looks_more_often_than_agreed(void **state)
{
    struct job *job = *state;
    struct ork_search *search = NULL;
    bool is_poll;

    script_recv(&job->script[1], 0, 0);
    play(job);
    assert_false(look(job, ORK_SUSPECT_POLLS));
    job->snapshot[0].polls += ORK_SUSPECT_POLLS;
    assert_int_equal(ork_suspect_look(job->suspect, job->d, job->census,
                                      job->now_ns + ORK_SUSPECT_NS - 1, &search, &is_poll),
                     ORK_OK);
    assert_null(search);
}

/* Both ranks: the second thread receives from the other rank, the first one is outside MPI. */
static void receive_in_second_threads(struct job *job)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        script_recv(&job->script[r], 1 - (int32_t)r, 0);
        job->script[r].record[job->script[r].n - 1].thread = 1;
        job->snapshot[r].threads = 2;
        job->snapshot[r].word[1] = ORK_STATE_BLOCKED;
        job->snapshot[r].asleep = 1;
    }
    play(job);
}

static void threads_that_wait_for_threads_that_wait_are_a_deadlock(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job);
    for (uint32_t i = 0; i < ORK_SUSPECT_SLEEPS; i++)
        assert_false(look(job, 0));
    assert_true(look(job, 0));
    assert_false(job->polls);
    struct ork_search *search;
    assert_int_equal(ork_detector_search(job->d, ORK_STRICT, &search), ORK_OK);
    assert_int_equal(ork_wfg_num_deadlocked(search->wfg), 0); /* forgotten */
    ork_search_destroy(search);
}

static void a_thread_that_woke_in_between_is_not_stuck(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job);
    for (uint32_t i = 0; i < 20; i++) {
        job->snapshot[i % 2].asleep = i % ORK_SUSPECT_SLEEPS != 0;
        assert_false(look(job, 0));
    }
}

static void a_thread_that_runs_may_end_the_wait_of_another(void **state)
{
    struct job *job = *state;

    receive_in_second_threads(job);
    job->snapshot[1].threads = 3; /* the third one called MPI and computes */
    for (uint32_t i = 0; i < 2 * ORK_SUSPECT_SLEEPS; i++)
        assert_false(look(job, 0));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(polling_for_what_never_comes_is_suspected),
        CASE(a_few_polls_are_no_reason),
        CASE(who_works_between_polls_is_not_suspected),
        CASE(who_works_and_gets_little_of_a_processor_is_not_suspected),
        CASE(a_partner_that_runs_may_still_send),
        CASE(whoever_moved_in_between_is_not_suspected),
        CASE(a_thread_that_may_yet_call_clears_the_rank),
        CASE(threads_that_wait_for_threads_that_wait_are_a_deadlock),
        CASE(a_thread_that_woke_in_between_is_not_stuck),
        CASE(a_thread_that_runs_may_end_the_wait_of_another),
        CASE(nobody_looks_more_often_than_agreed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
