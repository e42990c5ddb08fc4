/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/timers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void things_take_longer_on_a_crowded_machine(void **state)
{
    (void)state;
    assert_int_equal(ork_slowness(0, 2), 1);
    assert_int_equal(ork_slowness(1.9, 2), 1);
    assert_int_equal(ork_slowness(2.5, 2), 1);
    assert_int_equal(ork_slowness(4, 2), 2);
    assert_int_equal(ork_slowness(15, 2), 7);
    assert_int_equal(ork_slowness(1000, 2), 10);
    assert_int_equal(ork_slowness(15, 64), 1);
    assert_int_equal(ork_slowness(15, -1), 1); /* unknown */
}

static void a_timer_is_extended_as_often_as_the_machine_is_slow(void **state)
{
    struct ork_timers timers = {0};
    int times = 0;

    (void)state;
    while (ork_timer_extend(&timers, ORK_TIMER_READY, 1000)) {
        assert_true(ork_timer_is_on(&timers, ORK_TIMER_READY));
        ork_timer_stop(&timers, ORK_TIMER_READY);
        times++;
    }
    assert_in_range(times, 0, 9);
    assert_false(ork_timer_is_on(&timers, ORK_TIMER_READY));
    assert_int_equal(timers.extended[ORK_TIMER_FINAL], 0);
}

int test_timers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_take_longer_on_a_crowded_machine),
        cmocka_unit_test(a_timer_is_extended_as_often_as_the_machine_is_slow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
