/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks with several threads: which of them count, and calls that never return whatever the other
 * threads do. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

static struct step on_thread(struct step step, uint16_t thread)
{
    step.rec.thread = thread;
    return step;
}

/* In thread 1. */
static void feed_second(struct ork_detector *d, uint32_t rank, struct step step)
{
    script_feed(d, rank, RANK(on_thread(step, 1)));
}

static uint32_t num_deadlocked(struct ork_detector *d)
{
    struct ork_search *search;

    assert_int_equal(ork_detector_search(d, ORK_STRICT, &search), ORK_OK);
    uint32_t n = ork_wfg_num_deadlocked(search->wfg);
    ork_search_destroy(search);
    return n;
}

/* Ranks with calls that never return, and whoever these wait for; *site: of the call of rank 0. */
static uint32_t num_with_dead_calls(struct ork_detector *d, uint32_t *thread)
{
    struct ork_search *search;
    uint32_t n = 0;

    assert_int_equal(ork_detector_search_calls(d, &search), ORK_OK);
    if (search != NULL) {
        n = ork_wfg_num_deadlocked(search->wfg);
        *thread = ork_search_rank(d, search, 0).call.thread;
        assert_true(ork_wfg_num_bottom(search->wfg) > 0);
    }
    ork_search_destroy(search);
    return n;
}

/* Both ranks: thread 0 is outside MPI, thread 1 receives. */
static struct ork_detector *both_receive(void)
{
    struct ork_detector *d = script_create(2);
    const struct step receive[] = {R(1, 0), R(0, 0)};

    for (int32_t r = 0; r < 2; r++) {
        script_feed(d, (uint32_t)r, RANK(SR(r, 9, r, 9)));
        feed_second(d, (uint32_t)r, receive[r]);
    }
    return d;
}

static void a_thread_that_rests_does_not_count(void **state)
{
    struct ork_detector *d = both_receive();

    (void)state;
    assert_int_equal(num_deadlocked(d), 0);
    ork_detector_set_resting(d, 0, 1);
    assert_int_equal(num_deadlocked(d), 0);
    ork_detector_set_resting(d, 1, 1);
    assert_int_equal(num_deadlocked(d), 2);
    assert_int_equal(ork_detector_resting(d, 1), 1);
    ork_detector_set_resting(d, 1, 2); /* another thread */
    assert_int_equal(num_deadlocked(d), 0);
    ork_detector_destroy(d);
}

static void a_thread_with_records_to_come_does_not_rest(void **state)
{
    struct ork_detector *d = both_receive();

    (void)state;
    ork_detector_set_resting(d, 0, 1);
    ork_detector_set_resting(d, 1, 1);
    script_feed(d, 0, RANK(S(1, 0)));
    assert_int_equal(num_deadlocked(d), 0);
    ork_detector_destroy(d);
}

static void a_rank_of_which_all_threads_rest_is_in_no_call(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(R(1, 0)));
    script_feed(d, 1, RANK(BAR(1)));
    ork_detector_set_resting(d, 1, UINT64_MAX);
    assert_int_equal(num_deadlocked(d), 0);
    ork_detector_destroy(d);
}

static void it_is_known_which_thread_is_inside(void **state)
{
    struct ork_detector *d = both_receive();

    (void)state;
    assert_false(ork_detector_is_inside(d, 0, 0));
    assert_true(ork_detector_is_inside(d, 0, 1));
    assert_false(ork_detector_is_inside(d, 0, 2));
    assert_false(ork_detector_is_inside(d, 7, 0));
    ork_detector_destroy(d);
}

static void a_receive_from_a_rank_in_finalize_never_returns(void **state)
{
    struct ork_detector *d = both_receive();
    uint32_t thread;

    (void)state;
    assert_int_equal(num_with_dead_calls(d, &thread), 0);
    ork_detector_destroy(d);
    d = script_create(3);
    script_feed(d, 0, RANK(BAR(1)));
    feed_second(d, 0, (struct step)R(1, 0));
    script_feed(d, 1, RANK(F));
    script_feed(d, 2, RANK(R(0, 0))); /* the first thread of rank 0 may send */
    assert_int_equal(num_deadlocked(d), 0);
    assert_int_equal(num_with_dead_calls(d, &thread), 2);
    assert_int_equal(thread, 1);
    ork_detector_destroy(d);
}

static void a_receive_from_anybody_may_get_a_message_of_the_own_rank(void **state)
{
    struct ork_detector *d = script_create(2);
    uint32_t thread;

    (void)state;
    script_feed(d, 0, RANK(BAR(1)));
    feed_second(d, 0, (struct step)R(ANY, 0));
    script_feed(d, 1, RANK(F));
    assert_int_equal(num_with_dead_calls(d, &thread), 0);
    ork_detector_destroy(d);
}

static void a_message_that_was_sent_before_finalize_is_there(void **state)
{
    struct ork_detector *d = script_create(2);
    uint32_t thread;

    (void)state;
    script_feed(d, 0, RANK(BAR(1)));
    feed_second(d, 0, (struct step)R(1, 0));
    script_feed(d, 1, RANK(I(0, 0, 3), F));
    assert_int_equal(num_with_dead_calls(d, &thread), 0);
    ork_detector_destroy(d);
}

static void a_thread_that_never_called_changes_nothing_about_a_dead_call(void **state)
{
    struct ork_detector *d = script_create(2);
    uint32_t thread;

    (void)state;
    script_feed(d, 0, RANK(R(1, 0)));
    script_feed(d, 1, RANK(F));
    ork_detector_set_busy(d, 0, true);
    assert_int_equal(num_deadlocked(d), 0);
    assert_int_equal(num_with_dead_calls(d, &thread), 2);
    assert_int_equal(thread, 0);
    ork_detector_destroy(d);
}

#define THREAD_END RECORD(.kind = ORK_KIND_THREAD_END, .peer = ORK_NO_PEER)

static void a_thread_that_has_ended_does_not_count(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    for (int32_t r = 0; r < 2; r++) {
        feed_second(d, (uint32_t)r, (struct step)SR(r, 9, r, 9));
        script_feed(d, (uint32_t)r, RANK(R(1 - r, 0)));
        assert_int_equal(num_deadlocked(d), 0);
    }
    feed_second(d, 0, (struct step)THREAD_END);
    assert_int_equal(num_deadlocked(d), 0);
    feed_second(d, 1, (struct step)THREAD_END);
    assert_int_equal(num_deadlocked(d), 2);
    ork_detector_destroy(d);
}

/* What the ended thread sent was buffered: strictly it is still there. */
static void the_next_thread_of_a_number_does_not_wait_for_the_last(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(R(1, 7)));
    feed_second(d, 0, (struct step)S(1, 0));
    feed_second(d, 0, (struct step)THREAD_END);
    assert_true(ork_detector_rank(d, 0).moved);
    assert_false(ork_detector_is_inside(d, 0, 1));
    feed_second(d, 0, (struct step)S(1, 1));
    assert_true(ork_detector_is_inside(d, 0, 1));
    script_feed(d, 1, RANK(R(0, 1)));
    assert_false(ork_detector_is_inside(d, 0, 1));
    assert_int_equal(ork_detector_counts(d).messages, 1);
    script_feed(d, 1, RANK(R(0, 0)));
    assert_int_equal(ork_detector_counts(d).messages, 2);
    ork_detector_destroy(d);
}

static void the_queue_of_a_thread_that_ended_is_gone_through(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(SR(0, 9, 0, 9)));
    for (int i = 0; i < 20; i++) {
        feed_second(d, 0, (struct step)S(1, 0));
        feed_second(d, 0, (struct step)S(1, 1));
        feed_second(d, 0, (struct step)THREAD_END);
    }
    for (int i = 0; i < 20; i++)
        script_feed(d, 1, RANK(R(0, 0), R(0, 1)));
    assert_int_equal(ork_detector_counts(d).messages, 41);
    assert_int_equal(ork_detector_counts(d).queued, 0);
    script_feed(d, 0, RANK(R(1, 0)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_int_equal(num_deadlocked(d), 2); /* nothing is left of the threads */
    ork_detector_destroy(d);
}

static void finalize_waits_for_a_thread_that_ended_and_no_longer(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    feed_second(d, 0, (struct step)S(1, 0));
    script_feed(d, 0, RANK(SR(0, 9, 0, 9)));
    feed_second(d, 0, (struct step)THREAD_END);
    script_feed(d, 0, RANK(F));
    assert_int_equal(ork_detector_counts(d).queued, 1);
    script_feed(d, 1, RANK(R(0, 0), F));
    assert_int_equal(ork_detector_counts(d).queued, 0);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void the_end_of_a_thread_that_never_called_is_nothing(void **state)
{
    struct ork_detector *d = script_create(1);

    (void)state;
    feed_second(d, 0, (struct step)THREAD_END);
    script_feed(d, 0, RANK(R(0, 0)));
    assert_int_equal(num_deadlocked(d), 1);
    assert_null(ork_detector_fault(d, 0));
    ork_detector_destroy(d);
}

/* ---- the order of calls of several threads is not that of their records ---- */

/* Thread 0 has waited for a send that was buffered, and thread 1 makes a request that got the same
 * number. The receiver takes the second message first. */
static void a_number_that_is_used_again_holds_no_thread(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(I(1, 0, 5), W(5)));
    feed_second(d, 0, (struct step)I(1, 1, 5));
    feed_second(d, 0, (struct step)W(5));
    script_feed(d, 1, RANK(R(0, 1), R(0, 0)));
    assert_int_equal(ork_detector_counts(d).messages, 2);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* As before, with all calls that name a request. */
static void a_request_is_found_by_the_number_that_it_has_now(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(I(1, 0, 5), W(5)));
    feed_second(d, 0, (struct step)R_INIT(1, 7, 5));
    for (int i = 0; i < 2; i++) {
        feed_second(d, 0, (struct step)START(5));
        feed_second(d, 0, (struct step)TESTED(5, 1, 7));
    }
    feed_second(d, 0, (struct step)FREE(5));
    feed_second(d, 0, (struct step)J(1, 8, 5));
    feed_second(d, 0, (struct step)CANCEL(5));
    feed_second(d, 0, (struct step)W(5));
    feed_second(d, 0, (struct step)COMPLETED(0, WAS_CANCELLED));
    feed_second(d, 0, (struct step)S(1, 1));
    script_feed(d, 1, RANK(S(0, 7), S(0, 7), R(0, 1), R(0, 0)));
    assert_int_equal(ork_detector_counts(d).messages, 4);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* Two threads receive with MPI_ANY_TAG, and the one that came later got the message. */
static void a_message_of_any_tag_goes_where_the_run_shows(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 1, RANK(S(0, 1), R(0, 5)));
    feed_second(d, 0, (struct step)SR(0, 9, 0, 9));
    script_feed(d, 0, RANK(R(1, ANY_TAG)));
    feed_second(d, 0, (struct step)R(1, ANY_TAG));
    feed_second(d, 0, (struct step)FOUND(1, 1));
    feed_second(d, 0, (struct step)R(1, 6));
    assert_int_equal(ork_detector_counts(d).messages, 2);
    assert_int_equal(num_deadlocked(d), 2);
    ork_detector_destroy(d);
}

/* Another receive may have the only message, and then the one that returned took it. */
static void a_receive_that_returned_has_its_message(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 1, RANK(S(0, 0), R(0, 5)));
    feed_second(d, 0, (struct step)SR(0, 8, 0, 8));
    script_feed(d, 0, RANK(J(ANY, 0, 7), R(1, 0)));
    feed_second(d, 0, (struct step)R(1, 0));
    feed_second(d, 0, (struct step)R(1, 6));
    assert_int_equal(num_deadlocked(d), 2);
    ork_detector_destroy(d);
}

int test_threads(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_rests_does_not_count),
        cmocka_unit_test(a_thread_with_records_to_come_does_not_rest),
        cmocka_unit_test(a_rank_of_which_all_threads_rest_is_in_no_call),
        cmocka_unit_test(it_is_known_which_thread_is_inside),
        cmocka_unit_test(a_receive_from_a_rank_in_finalize_never_returns),
        cmocka_unit_test(a_receive_from_anybody_may_get_a_message_of_the_own_rank),
        cmocka_unit_test(a_message_that_was_sent_before_finalize_is_there),
        cmocka_unit_test(a_thread_that_has_ended_does_not_count),
        cmocka_unit_test(the_next_thread_of_a_number_does_not_wait_for_the_last),
        cmocka_unit_test(the_queue_of_a_thread_that_ended_is_gone_through),
        cmocka_unit_test(finalize_waits_for_a_thread_that_ended_and_no_longer),
        cmocka_unit_test(the_end_of_a_thread_that_never_called_is_nothing),
        cmocka_unit_test(a_number_that_is_used_again_holds_no_thread),
        cmocka_unit_test(a_request_is_found_by_the_number_that_it_has_now),
        cmocka_unit_test(a_message_of_any_tag_goes_where_the_run_shows),
        cmocka_unit_test(a_receive_that_returned_has_its_message),
        cmocka_unit_test(a_thread_that_never_called_changes_nothing_about_a_dead_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
