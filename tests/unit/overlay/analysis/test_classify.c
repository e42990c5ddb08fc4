/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/patience.h"

#include "record/usage.h"
#include "tests/unit/overlay/stage/judged_job.h"
#include "tests/unit/overlay/stage/unit.h"

static void a_job_that_can_go_on_has_no_verdict(void **state)
{
    struct judged_job *job = *state;

    script_send(&job->script[0], 1, 0);
    script_recv(&job->script[1], 0, 0);
    judged_play(job);
    assert_int_equal(judged_classify(job), ORK_VERDICT_NONE);
    assert_int_equal(job->collects, 0);
}

static void receives_for_each_other_are_manifest_at_once(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
    assert_int_equal(job->collects, 2);
}

/* It has published the record of its call, and lost its processor before it could say so. */
static void a_rank_on_its_way_into_a_call_has_not_returned_from_it(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->snapshot[0].word[0] = (job->snapshot[0].head - 1) << 8 | ORK_STATE_RUNNING;
    assert_int_equal(judged_classify_at(job, SECOND, false), ORK_VERDICT_WAIT);
    assert_int_equal(judged_classify_at(job, SECOND + LOOK_NS, false), ORK_VERDICT_WAIT);
    assert_false(ork_detector_rank(job->d, 0).moved);
    judged_set_state(job, 0, 0, ORK_STATE_BLOCKED);
    assert_int_equal(judged_classify_at(job, SECOND + 2 * LOOK_NS, false), ORK_VERDICT_MANIFEST);
}

static void a_rank_that_does_not_enter_its_call_has_returned_from_it(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->snapshot[0].word[0] = (job->snapshot[0].head - 1) << 8 | ORK_STATE_RUNNING;
    assert_int_equal(judged_classify_at(job, SECOND, false), ORK_VERDICT_WAIT);
    assert_int_equal(judged_classify_at(job, 4 * SECOND, false), ORK_VERDICT_MOVED);
    assert_true(ork_detector_rank(job->d, 0).moved);
}

static void a_rank_with_records_under_way_is_waited_for(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->snapshot[1].head++;
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    judged_take_in(job, 1, 1);
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
}

static void a_rank_that_is_gone_is_waited_for(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->absent[0] = true;
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    job->absent[0] = false;
    job->absent[2] = true;
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    job->absent[2] = false;
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
}

static void a_move_between_the_two_collects_is_seen(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    job->moves_at = 2;
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    assert_int_equal(job->collects, 2);
}

/* Rank r spends ns[r] of processor time in its call between two looks. Looks until the verdict is
 * MANIFEST; `most`: it never was. */
static unsigned looks_until_manifest(struct judged_job *job, const uint64_t ns[RANKS],
                                     unsigned most)
{
    for (unsigned n = 1; n < most; n++) {
        for (uint32_t r = 0; r < RANKS; r++)
            job->snapshot[r].inside_ns += ns[r];
        job->now_ns += LOOK_NS;
        enum ork_verdict verdict = judged_classify_at(job, job->now_ns, false);
        if (verdict == ORK_VERDICT_MANIFEST)
            return n;
        assert_int_equal(verdict, ORK_VERDICT_WAIT);
    }
    return most;
}

static void sends_are_stuck_when_all_have_used_the_processor(void **state)
{
    struct judged_job *job = *state;
    const uint64_t spin[RANKS] = {LOOK_NS, LOOK_NS, 0};

    judged_send_send(job);
    unsigned n = looks_until_manifest(job, spin, 100);
    assert_in_range(n, 2, 20);
    assert_true(n * LOOK_NS >= ORK_PATIENCE_CPU_NS);
}

static void sends_to_a_rank_that_is_stopped_are_not_stuck(void **state)
{
    struct judged_job *job = *state;
    const uint64_t stopped[RANKS] = {LOOK_NS, 0, LOOK_NS};

    judged_send_send(job);
    assert_int_equal(looks_until_manifest(job, stopped, 2000), 2000);
}

/* The next call of the script is wrong; in its place the rank makes no other. */
static void add_mistake(struct script *s, enum ork_usage_event event)
{
    const struct ork_record r = {.kind = ORK_KIND_USAGE,
                                 .call = ORK_CALL_MPI_Recv,
                                 .mode = ORK_USAGE_NEGATIVE_COUNT,
                                 .site = 7,
                                 .peer = (int32_t)event};

    script_text(s, r, "count", event == ORK_USAGE_FOUND ? sizeof("count") : 0);
}

static void receive_wrongly(struct script *s, int32_t source)
{
    script_recv(s, source, 0);
    s->record[s->n - 1].call = ORK_CALL_MPI_Recv;
    s->record[s->n - 1].site = 7;
}

/* Nothing arrives for it, but the MPI library may find the mistake when the rank gets a processor
 * again. */
static void a_call_that_is_wrong_may_still_return_an_error(void **state)
{
    struct judged_job *job = *state;
    const uint64_t other[RANKS] = {LOOK_NS, 0, LOOK_NS};
    const uint64_t both[RANKS] = {LOOK_NS, LOOK_NS, 0};

    script_recv(&job->script[0], 1, 0);
    add_mistake(&job->script[1], ORK_USAGE_FOUND);
    receive_wrongly(&job->script[1], 0);
    judged_play(job);
    assert_int_equal(looks_until_manifest(job, other, 200), 200);
    assert_in_range(looks_until_manifest(job, both, 200), 2, 20);
}

/* The tool knows of no mistake, but errors are returned. */
static void a_collective_call_may_return_an_error_that_the_tool_does_not_expect(void **state)
{
    struct judged_job *job = *state;
    const uint64_t other[RANKS] = {LOOK_NS, 0, LOOK_NS};
    const uint64_t all[RANKS] = {LOOK_NS, LOOK_NS, LOOK_NS};

    script_recv(&job->script[0], 1, 0);
    script_coll(&job->script[1], ORK_COMM_WORLD, ORK_COLL_ALLREDUCE);
    job->script[1].record[job->script[1].n - 1].flags |= ORK_F_FALLIBLE;
    judged_play(job);
    assert_int_equal(looks_until_manifest(job, other, 200), 200);
    assert_in_range(looks_until_manifest(job, all, 200), 2, 20);
}

static void a_call_that_passed_in_spite_of_a_mistake_does_not_return_an_error(void **state)
{
    struct judged_job *job = *state;

    add_mistake(&job->script[1], ORK_USAGE_FOUND);
    add_mistake(&job->script[1], ORK_USAGE_RETURNED);
    script_recv(&job->script[0], 1, 0);
    receive_wrongly(&job->script[1], 0);
    judged_play(job);
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
}

/* It waits for the two, and will do so as long as they hang. But until it acts, the records of
 * the deadlock are not all that its ranks do. */
static void every_rank_that_waits_for_the_deadlock_counts(void **state)
{
    struct judged_job *job = *state;
    const uint64_t two[RANKS] = {LOOK_NS, LOOK_NS, 0};
    const uint64_t three[RANKS] = {LOOK_NS, LOOK_NS, LOOK_NS};

    script_recv(&job->script[2], 0, 0);
    judged_send_send(job);
    assert_int_equal(looks_until_manifest(job, two, 200), 200);
    assert_in_range(looks_until_manifest(job, three, 200), 2, 20);
}

static void sends_that_sleep_are_stuck_after_a_while(void **state)
{
    struct judged_job *job = *state;
    const uint64_t none[RANKS] = {0};

    judged_send_send(job);
    assert_int_equal(looks_until_manifest(job, none, 2000), 2000);
    job->snapshot[0].sleeps = job->snapshot[1].sleeps = true;
    assert_in_range(looks_until_manifest(job, none, 2000), ORK_PATIENCE_SLEEP_NS / LOOK_NS, 1000);
}

static void long_messages_have_more_time(void **state)
{
    struct judged_job *job = *state;
    const uint64_t spin[RANKS] = {LOOK_NS, LOOK_NS, 0};

    script_send(&job->script[0], 1, 0);
    script_send(&job->script[1], 0, 0);
    job->script[0].record[job->script[0].n - 1].bytes = 1 << 29;
    judged_play(job);
    assert_in_range(looks_until_manifest(job, spin, 1000), (1 << 29) / LOOK_NS, 200);
}

static void the_watch_starts_again_with_the_next_call(void **state)
{
    struct judged_job *job = *state;
    const uint64_t spin[RANKS] = {LOOK_NS, LOOK_NS, 0};

    judged_send_send(job);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(looks_until_manifest(job, spin, 5), 5);
        job->snapshot[0].head++;
        judged_take_in(job, 0, 1);
        judged_set_state(job, 0, 0, ORK_STATE_BLOCKED);
    }
    assert_in_range(looks_until_manifest(job, spin, 100), 2, 20);
}

static void isend(struct script *s, int32_t destination, uint32_t request)
{
    script_send(s, destination, 0);
    s->record[s->n - 1].flags |= ORK_F_NONBLOCKING;
    s->record[s->n - 1].request = request;
}

/* The send to rank 2 is matched, but really it may still be under way. */
static void who_has_part_in_a_call_of_many_messages_counts(void **state)
{
    struct judged_job *job = *state;
    const uint64_t spin[RANKS] = {LOOK_NS, LOOK_NS, 0};

    const uint32_t requests[] = {1, 2};
    isend(&job->script[0], 2, requests[0]);
    isend(&job->script[0], 1, requests[1]);
    script_wait_all(&job->script[0], requests, 2);
    script_send(&job->script[1], 0, 0);
    script_recv(&job->script[2], 0, 0);
    judged_play(job);
    assert_int_equal(looks_until_manifest(job, spin, 200), 200);
    const uint64_t all[RANKS] = {LOOK_NS, LOOK_NS, LOOK_NS};
    assert_in_range(looks_until_manifest(job, all, 200), 2, 20);
}

static void sends_that_the_run_went_past_are_potential(void **state)
{
    struct judged_job *job = *state;

    judged_send_send(job);
    script_recv(&job->script[0], 1, 0);
    judged_play(job);
    assert_int_equal(judged_classify(job), ORK_VERDICT_POTENTIAL);
}

/* The run went past the first send. Rank 1 has not sent yet, but it is in a wrong receive, which
 * may return an error when the rank gets a processor. */
static void a_potential_deadlock_waits_for_a_call_that_may_fail(void **state)
{
    struct judged_job *job = *state;

    script_send(&job->script[0], 1, 0);
    script_recv(&job->script[0], 1, 0);
    add_mistake(&job->script[1], ORK_USAGE_FOUND);
    receive_wrongly(&job->script[1], 2);
    script_recv(&job->script[2], 0, 0);
    judged_play(job);
    for (unsigned i = 0; i < 200; i++) {
        job->now_ns += LOOK_NS;
        job->snapshot[0].inside_ns += LOOK_NS;
        assert_int_equal(judged_classify_at(job, job->now_ns, false), ORK_VERDICT_WAIT);
    }
    enum ork_verdict verdict = ORK_VERDICT_WAIT;
    for (unsigned i = 0; i < 20 && verdict == ORK_VERDICT_WAIT; i++) {
        job->now_ns += LOOK_NS;
        job->snapshot[1].inside_ns += LOOK_NS;
        verdict = judged_classify_at(job, job->now_ns, false);
    }
    assert_int_equal(verdict, ORK_VERDICT_POTENTIAL);
}

/* Rank 1 is out of the call in which an error was possible, without a record of one. */
static void a_call_that_has_returned_fails_no_more(void **state)
{
    struct judged_job *job = *state;

    script_send(&job->script[0], 1, 0);
    script_recv(&job->script[0], 1, 0);
    script_coll(&job->script[1], ORK_COMM_WORLD, ORK_COLL_ALLREDUCE);
    job->script[1].record[job->script[1].n - 1].flags |= ORK_F_FALLIBLE;
    judged_play(job);
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    job->snapshot[1].word[0] = (job->snapshot[1].head - 1) << 8 | ORK_STATE_RUNNING;
    assert_int_equal(judged_classify_at(job, 2 * SECOND, false), ORK_VERDICT_WAIT);
    judged_set_state(job, 1, 0, ORK_STATE_RUNNING);
    assert_int_equal(judged_classify_at(job, 3 * SECOND, false), ORK_VERDICT_POTENTIAL);
}

static void window(struct script *s, uint8_t kind, int32_t target)
{
    script_add(s, (struct ork_record){.kind = kind, .mode = 1, .comm = 2, .peer = target});
}

/* The records that show that rank 1 had the lock before rank 0 may be under way. */
static void a_potential_deadlock_needs_a_rank_that_is_seen_to_wait_for_its_lock(void **state)
{
    struct judged_job *job = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_coll(&job->script[r], 0, ORK_COLL_WIN_CREATE);
        script_add(&job->script[r], (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                                        .comm = 2,
                                                        .mode = ORK_COLL_WIN_CREATE,
                                                        .flags = ORK_F_SAME_GROUP});
    }
    window(&job->script[0], ORK_KIND_WIN_LOCK, 2);
    script_send(&job->script[0], 2, 0);
    window(&job->script[0], ORK_KIND_WIN_UNLOCK, 2);
    window(&job->script[1], ORK_KIND_WIN_LOCK, 2);
    script_recv(&job->script[2], 1, 0);
    judged_play(job);
    job->snapshot[1].head++;
    assert_int_equal(judged_classify(job), ORK_VERDICT_WAIT);
    job->snapshot[1].head--;
    judged_set_state(job, 1, 0, ORK_STATE_BLOCKED);
    assert_int_equal(judged_classify_at(job, 2 * SECOND, false), ORK_VERDICT_POTENTIAL);
}

static void a_send_that_returned_without_a_record_is_potential(void **state)
{
    struct judged_job *job = *state;

    judged_send_send(job);
    judged_set_state(job, 0, 0, ORK_STATE_RUNNING);
    assert_int_equal(judged_classify(job), ORK_VERDICT_MOVED);
    assert_int_equal(judged_classify(job), ORK_VERDICT_POTENTIAL);
}

static void when_all_are_gone_only_what_no_library_saves_is_manifest(void **state)
{
    struct judged_job *job = *state;

    judged_recv_recv(job);
    assert_int_equal(judged_classify_at(job, SECOND, true), ORK_VERDICT_MANIFEST);
    assert_int_equal(job->collects, 0);
    judged_tear_down(state);
    judged_set_up(state);
    judged_send_send(job);
    assert_int_equal(judged_classify_at(job, SECOND, true), ORK_VERDICT_POTENTIAL);
}

static void a_rank_that_ended_is_a_cause_only_if_somebody_waits_for_it(void **state)
{
    struct judged_job *job = *state;

    script_recv(&job->script[1], 0, 0);
    judged_play(job);
    assert_int_equal(ork_detector_end(job->d, 2, ORK_END_EXITED), ORK_OK);
    assert_int_equal(judged_classify(job), ORK_VERDICT_NONE);
    assert_int_equal(ork_detector_end(job->d, 0, ORK_END_EXITED), ORK_OK);
    assert_int_equal(judged_classify(job), ORK_VERDICT_MANIFEST);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, judged_set_up, judged_tear_down)

int test_classify(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_job_that_can_go_on_has_no_verdict),
        CASE(receives_for_each_other_are_manifest_at_once),
        CASE(a_rank_on_its_way_into_a_call_has_not_returned_from_it),
        CASE(a_rank_that_does_not_enter_its_call_has_returned_from_it),
        CASE(a_rank_with_records_under_way_is_waited_for),
        CASE(a_rank_that_is_gone_is_waited_for),
        CASE(a_move_between_the_two_collects_is_seen),
        CASE(sends_are_stuck_when_all_have_used_the_processor),
        CASE(sends_to_a_rank_that_is_stopped_are_not_stuck),
        CASE(every_rank_that_waits_for_the_deadlock_counts),
        CASE(long_messages_have_more_time),
        CASE(who_has_part_in_a_call_of_many_messages_counts),
        CASE(a_call_that_is_wrong_may_still_return_an_error),
        CASE(a_collective_call_may_return_an_error_that_the_tool_does_not_expect),
        CASE(a_call_that_passed_in_spite_of_a_mistake_does_not_return_an_error),
        CASE(sends_that_sleep_are_stuck_after_a_while),
        CASE(the_watch_starts_again_with_the_next_call),
        CASE(sends_that_the_run_went_past_are_potential),
        CASE(a_potential_deadlock_waits_for_a_call_that_may_fail),
        CASE(a_call_that_has_returned_fails_no_more),
        CASE(a_potential_deadlock_needs_a_rank_that_is_seen_to_wait_for_its_lock),
        CASE(a_send_that_returned_without_a_record_is_potential),
        CASE(when_all_are_gone_only_what_no_library_saves_is_manifest),
        CASE(a_rank_that_ended_is_a_cause_only_if_somebody_waits_for_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
