/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank that hand communicators and requests to each other. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

/* What thread `thread` of the rank does next. */
static void feed(struct ork_detector *d, uint32_t rank, uint16_t thread, const struct step *steps)
{
    for (; steps->rec.kind != ORK_KIND_CONT; steps++) {
        struct step one[2] = {*steps, {.rec = {0}}};
        one[0].rec.thread = thread;
        script_feed(d, rank, one);
    }
}

static void collectives_are_in_the_order_of_their_records(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 0, RANK(DUP(2, 0)));
    feed(d, 0, 1, RANK(S(1, 0), BAR(2)));
    feed(d, 0, 0, RANK(ALLREDUCE(2)));
    script_feed(d, 1, RANK(DUP(2, 0), R(0, 0), BAR(2), ALLREDUCE(2)));
    assert_int_equal(ork_detector_num_issues(d), 0);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void who_waits_for_its_turn_waits_for_the_other_thread(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 0, RANK(DUP(2, 0)));
    feed(d, 0, 1, RANK(S(1, 0), BAR(2)));
    script_feed(d, 1, RANK(DUP(2, 0), R(0, 5)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    feed(d, 0, 0, RANK(BAR(2)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    ork_detector_destroy(d);
}

static void groups_of_one_communicator_are_made_at_the_same_time(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 1, RANK(S(1, 0), CALL_CREATE_GROUP(0, 1, 0, 1, 2)));
    feed(d, 0, 0, RANK(CALL_CREATE_GROUP(0, 2, 0, 1, 2)));
    feed(d, 1, 0, RANK(CALL_CREATE_GROUP(0, 2, 0, 1, 2)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    feed(d, 1, 1, RANK(R(0, 0), CALL_CREATE_GROUP(0, 1, 0, 1, 2)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_request_is_freed_before_its_number_is_used_again(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 1, RANK(J(1, 1, 3), S(1, 0), W(3)));
    feed(d, 0, 0, RANK(J(1, 2, 3), W(3), F));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    script_feed(d, 1, RANK(S(0, 1), R(0, 0)));
    assert_int_equal(script_call(d, 0), ORK_KIND_WAIT);
    script_feed(d, 1, RANK(S(0, 2), F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    assert_int_equal(ork_detector_counts(d).queued, 0);
    ork_detector_destroy(d);
}

static void numbers_may_be_larger_than_all_before(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 1, RANK(J(1, 1, 3), S(1, 0), W(3)));
    feed(d, 0, 0, RANK(B(1, 9)));
    feed(d, 0, 1, RANK(J(1, 2, 500), W(500)));
    feed(d, 0, 0, RANK(J(1, 3, 500), W(500)));
    script_feed(d, 1, RANK(S(0, 1), R(0, 0), S(0, 2)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(S(0, 3), R(0, 9)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_counts(d).queued, 0);
    ork_detector_destroy(d);
}

static void finalize_comes_after_all_threads(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 1, RANK(J(1, 1, 3), S(1, 0), W(3)));
    feed(d, 0, 0, RANK(F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    script_feed(d, 1, RANK(F));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    ork_detector_destroy(d);
}

static void a_process_that_ended_has_left_all_its_calls(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    feed(d, 0, 1, RANK(S(1, 0)));
    feed(d, 0, 0, RANK(F));
    script_feed(d, 1, RANK(F));
    assert_int_equal(ork_detector_end(d, 0, ORK_END_FINISHED), ORK_OK);
    assert_int_equal(ork_detector_end(d, 1, ORK_END_FINISHED), ORK_OK);
    script_relax(d);
    assert_string_equal(script_statuses(d, 2).of, "DD");
    ork_detector_destroy(d);
}

int test_order(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collectives_are_in_the_order_of_their_records),
        cmocka_unit_test(who_waits_for_its_turn_waits_for_the_other_thread),
        cmocka_unit_test(groups_of_one_communicator_are_made_at_the_same_time),
        cmocka_unit_test(a_request_is_freed_before_its_number_is_used_again),
        cmocka_unit_test(numbers_may_be_larger_than_all_before),
        cmocka_unit_test(finalize_comes_after_all_threads),
        cmocka_unit_test(a_process_that_ended_has_left_all_its_calls),
    };

    return cmocka_run_group_tests_name("detector.turn", tests, NULL, NULL);
}
