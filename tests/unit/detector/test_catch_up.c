/* SPDX-License-Identifier: BSD-3-Clause */
/* The strict analysis catches up with a run that is ahead: first by what later records show, then
 * with calls whose matches are not decided, and only then with calls that strict semantics holds.
 */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

/* How many ranks made progress. */
static uint32_t catch_up(struct ork_detector *d)
{
    uint32_t passed;

    assert_int_equal(ork_detector_catch_up(d, true, &passed), ORK_OK);
    return passed;
}

static void expect_deadlocked(struct ork_detector *d, const char *ranks)
{
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, ranks);
}

/* Rank 1 takes the first two messages, and is held in a send. The third message of rank 0 needs a
 * receive behind that. `after`: the calls of rank 1 behind its send. */
static struct ork_detector *two_of_three(const struct step *after)
{
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I(1, 0, 0), I(1, 1, 1), I(1, 1, 2), W(0, 1, 2), R(1, 0), F));
    script_feed(d, 1, RANK(J(ANY, 0, 0), J(ANY, ANY_TAG, 1), S(0, 0)));
    script_feed(d, 1, after);
    script_feed(d, 1, RANK(R(0, 1), F));
    return d;
}

static void expect_outcomes_from(const struct step *after)
{
    struct ork_detector *d = two_of_three(after);

    expect_deadlocked(d, "");
    assert_int_equal(catch_up(d), 2);
    expect_deadlocked(d, "01");
    assert_false(ork_detector_rank(d, 0).depends_on_buffering);
    assert_false(ork_detector_rank(d, 1).depends_on_buffering);
    ork_detector_destroy(d);
}

static void a_later_wait_shows_which_messages_were_taken(void **state)
{
    (void)state;
    expect_outcomes_from(RANK(W(0, 1), COMPLETED(0, 0, 0, 1, 0, 1)));
    expect_outcomes_from(
        RANK(WANY(0, 1), COMPLETED(1, 0, 1), WANY(0, NULL_REQUEST), COMPLETED(0, 0, 0)));
}

static void a_later_test_shows_it(void **state)
{
    (void)state;
    expect_outcomes_from(RANK(TESTED(1, 0, 1), TESTED(0, 0, 0)));
}

static void a_source_that_is_known_early_shows_it(void **state)
{
    (void)state;
    expect_outcomes_from(
        RANK(EARLY(0, 0, 0), EARLY(1, 0, 1), W(0, 1), COMPLETED(0, 0, 0, 1, 0, 1)));
}

/* The wait is for another receive that got the number of the first one. */
static void a_number_that_is_used_again_shows_nothing(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 1, RANK(J(ANY, 0, 0), S(0, 1), FREE(0), J(ANY, 0, 0)));
    script_feed(d, 1, RANK(W(0), COMPLETED(0, 2, 0)));
    script_feed(d, 0, RANK(S(1, 0), R(1, 1)));
    assert_int_equal(catch_up(d), 1); /* rank 0's send: the receive may have taken it */
    script_feed(d, 2, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

/* Rank 0's receive of its own message is known, its send is not decided: the receive of rank 1 was
 * freed. Behind that, nobody receives the message of rank 2. */
static void undecided_calls_are_released_before_those_that_wait(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(I(0, 0, 0), SR(1, 1, ANY, 0), FOUND(0, 0), W(0), F));
    script_feed(d, 1, RANK(S(2, 0), J(ANY, 1, 0), FREE(0), R(2, 0), F));
    script_feed(d, 2, RANK(I(0, 0, 0), R(ANY, 0), FOUND(1, 0), W(0), I(1, 0, 0), W(0), F));
    expect_deadlocked(d, "");
    assert_int_equal(catch_up(d), 1);
    expect_deadlocked(d, "012");
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "012");
    ork_detector_destroy(d);
}

int test_catch_up(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_later_wait_shows_which_messages_were_taken),
        cmocka_unit_test(a_later_test_shows_it),
        cmocka_unit_test(a_source_that_is_known_early_shows_it),
        cmocka_unit_test(a_number_that_is_used_again_shows_nothing),
        cmocka_unit_test(undecided_calls_are_released_before_those_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
