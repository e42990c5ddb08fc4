/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that have called a function without a hook: they may have done anything since. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#define UNHOOKED RECORD(.kind = ORK_KIND_UNHOOKED, .peer = ORK_NO_PEER, .extra = 1)

static void nobody_waits_for_ever_for_an_open_rank(void **state)
{
    struct ork_detector *d = script_create(3);

    (void)state;
    script_feed(d, 0, RANK(UNHOOKED, R(1, 0)));
    script_feed(d, 1, RANK(R(0, 0)));
    script_feed(d, 2, RANK(BAR(0)));
    assert_string_equal(script_statuses(d, 3).of, "UBB");
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

static void others_may_still_wait_for_each_other(void **state)
{
    struct ork_detector *d = script_create(3);

    (void)state;
    script_feed(d, 0, RANK(UNHOOKED));
    script_feed(d, 1, RANK(R(2, 0)));
    script_feed(d, 2, RANK(R(1, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "12");
    ork_detector_destroy(d);
}

/* Its barrier may not be the first collective call that it makes from there on. */
static void its_later_calls_are_compared_with_no_other(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(UNHOOKED, BAR(0), B(1, 0), F));
    script_feed(d, 1, RANK(BCAST(0, 0), R(0, 1), F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

static void a_deadlock_before_the_call_is_found(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(S(1, 0), UNHOOKED, R(1, 0)));
    script_feed(d, 1, RANK(S(0, 0), R(0, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    assert_int_equal(script_relax(d), 2);
    assert_string_equal(script_statuses(d, 2).of, "UR");
    ork_detector_destroy(d);
}

static void messages_before_the_call_are_received(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(I(1, 0, 0), UNHOOKED, W(0)));
    script_feed(d, 1, RANK(R(0, 0), R(0, 0)));
    assert_int_equal(script_call(d, 1), ORK_KIND_RECV);
    assert_int_equal(ork_detector_counts(d).messages, 1);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

/* No record tells that its other thread has left the receive. */
static void a_rank_with_several_threads_is_open_at_once(void **state)
{
    struct step other = R(1, 5);
    struct ork_detector *d = script_create(2);

    (void)state;
    other.rec.thread = 1;
    script_feed(d, 0, RANK(Y(1, 0), other, UNHOOKED));
    script_feed(d, 1, RANK(R(0, 9)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

static void no_state_with_an_open_rank_repeats(void **state)
{
    struct ork_detector *d = script_create(2);
    struct ork_detector_state now = {.words = {0}};

    (void)state;
    script_feed(d, 0, RANK(R(1, 0)));
    script_feed(d, 1, RANK(S(0, 0)));
    assert_true(ork_detector_state(d, SIZE_MAX, &now));
    script_feed(d, 0, RANK(UNHOOKED));
    assert_false(ork_detector_state(d, SIZE_MAX, &now));
    ork_detector_release_state(&now);
    ork_detector_destroy(d);
}

int test_open(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_for_ever_for_an_open_rank),
        cmocka_unit_test(others_may_still_wait_for_each_other),
        cmocka_unit_test(its_later_calls_are_compared_with_no_other),
        cmocka_unit_test(a_deadlock_before_the_call_is_found),
        cmocka_unit_test(messages_before_the_call_are_received),
        cmocka_unit_test(a_rank_with_several_threads_is_open_at_once),
        cmocka_unit_test(no_state_with_an_open_rank_repeats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
