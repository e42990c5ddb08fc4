/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/loops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PLACE = 100, OTHER = 200 };

/* After `history`. */
static struct ork_loop loop_after(uint64_t place, uint64_t number, uint64_t history)
{
    return (struct ork_loop){place, place + number, (place + number) << 32 | history};
}

static struct ork_loop loop(uint64_t place, uint64_t number)
{
    return loop_after(place, number, 1);
}

static void only_a_loop_that_went_on_is_endless(void **state)
{
    struct ork_loops loops = {0};

    (void)state;
    assert_int_equal(ork_loops_find(&loops, loop(PLACE, 1)), ORK_LOOP_MAY_END);
    assert_true(ork_loops_note_endless(&loops, loop(PLACE, 1)));
    assert_int_equal(ork_loops_find(&loops, loop(PLACE, 1)), ORK_LOOP_ENDLESS);
    assert_int_equal(ork_loops_find(&loops, loop(PLACE, 2)), ORK_LOOP_MAY_END);
    ork_loops_release(&loops);
}

static void many_endless_loops_stand_for_all_of_their_place(void **state)
{
    struct ork_loops loops = {0};

    (void)state;
    for (uint64_t i = 0; i < ORK_LOOPS_MAX; i++) {
        assert_int_equal(ork_loops_find(&loops, loop(PLACE, i)), ORK_LOOP_MAY_END);
        for (unsigned again = 0; again < 2; again++)
            assert_true(ork_loops_note_endless(&loops, loop(PLACE, i)));
    }
    assert_int_equal(ork_loops_find(&loops, loop(PLACE, ORK_LOOPS_MAX)), ORK_LOOP_ASSUMED);
    assert_int_equal(ork_loops_find(&loops, loop(OTHER, 0)), ORK_LOOP_MAY_END);
    ork_loops_release(&loops);
}

static void an_endless_loop_is_tried_after_some_other_choices(void **state)
{
    struct ork_loops loops = {0};

    (void)state;
    for (uint64_t i = 0; i <= ORK_LOOPS_AGAIN_MAX; i++) {
        assert_int_equal(ork_loops_find(&loops, loop_after(PLACE, 1, i)), ORK_LOOP_MAY_END);
        for (unsigned again = 0; again < 2; again++)
            assert_true(ork_loops_note_endless(&loops, loop_after(PLACE, 1, i)));
        assert_int_equal(ork_loops_find(&loops, loop_after(PLACE, 1, i)), ORK_LOOP_ENDLESS);
    }
    assert_int_equal(ork_loops_find(&loops, loop_after(PLACE, 1, ORK_LOOPS_AGAIN_MAX + 1)),
                     ORK_LOOP_ENDLESS);
    assert_int_equal(ork_loops_find(&loops, loop(PLACE, 2)), ORK_LOOP_MAY_END);
    ork_loops_release(&loops);
}

static void where_a_loop_gave_up_all_are_tried(void **state)
{
    struct ork_loops loops = {0};
    bool is_first = false;

    (void)state;
    for (uint64_t i = 0; i < ORK_LOOPS_MAX; i++)
        assert_true(ork_loops_note_endless(&loops, loop(PLACE, i)));
    assert_true(ork_loops_note_abandoned(&loops, loop(PLACE, ORK_LOOPS_MAX), &is_first));
    assert_true(is_first);
    assert_true(ork_loops_note_abandoned(&loops, loop(PLACE, 1), &is_first));
    assert_false(is_first);
    for (uint64_t i = 0; i < 2 * ORK_LOOPS_MAX; i++)
        assert_int_equal(ork_loops_find(&loops, loop(PLACE, i)), ORK_LOOP_MAY_END);
    ork_loops_release(&loops);
}

int test_loops(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_loop_that_went_on_is_endless),
        cmocka_unit_test(many_endless_loops_stand_for_all_of_their_place),
        cmocka_unit_test(an_endless_loop_is_tried_after_some_other_choices),
        cmocka_unit_test(where_a_loop_gave_up_all_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
