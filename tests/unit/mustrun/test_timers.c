/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/timers.h"

#include "common/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t now_ms;

static uint64_t time_of_test(void *context)
{
    (void)context;
    return now_ms * 1000000u;
}

static const struct ork_clock test_clock = {.monotonic_ns = time_of_test,
                                            .processor_ns = time_of_test};

static struct ork_timers timers;

static int set_up(void **state)
{
    (void)state;
    now_ms = 5000;
    timers = (struct ork_timers){.clock = &test_clock};
    return 0;
}

static void a_timer_expires_once_after_its_time(void **state)
{
    (void)state;
    assert_int_equal(ork_timer_wait(&timers), -1);
    ork_timer_start(&timers, ORK_TIMER_STATE, 2000);
    assert_int_equal(ork_timer_wait(&timers), 2000);
    now_ms += 1999;
    assert_int_equal(ork_timer_wait(&timers), 1);
    assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_MAX);
    now_ms += 1;
    assert_int_equal(ork_timer_wait(&timers), 0);
    assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_STATE);
    assert_false(ork_timer_is_on(&timers, ORK_TIMER_STATE));
    assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_MAX);
    assert_int_equal(ork_timer_wait(&timers), -1);
}

static void the_first_one_to_expire_is_waited_for(void **state)
{
    (void)state;
    ork_timer_start(&timers, ORK_TIMER_READY, 300000);
    assert_int_equal(ork_timer_wait(&timers), 60000); /* and then again */
    ork_timer_start(&timers, ORK_TIMER_TOOL, 3000);
    ork_timer_start(&timers, ORK_TIMER_FINAL, 30000);
    assert_int_equal(ork_timer_wait(&timers), 3000);
    ork_timer_stop(&timers, ORK_TIMER_TOOL);
    assert_int_equal(ork_timer_wait(&timers), 30000);
    now_ms += 400000;
    assert_int_equal(ork_timer_wait(&timers), 0);
    assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_READY);
    assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_FINAL);
    assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_MAX);
}

static void hastening_never_delays(void **state)
{
    (void)state;
    ork_timer_hasten(&timers, ORK_TIMER_GONE, 3000);
    assert_int_equal(ork_timer_wait(&timers), 3000);
    ork_timer_hasten(&timers, ORK_TIMER_GONE, 4000);
    assert_int_equal(ork_timer_wait(&timers), 3000);
    ork_timer_hasten(&timers, ORK_TIMER_GONE, 500);
    assert_int_equal(ork_timer_wait(&timers), 500);
}

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
    assert_in_range(ork_slowness_now(), 1, 10);
}

static void a_timer_is_extended_as_often_as_the_machine_is_slow(void **state)
{
    int times = 0;

    (void)state;
    assert_false(ork_timer_extend(&timers, ORK_TIMER_READY, 1000, 1));
    while (ork_timer_extend(&timers, ORK_TIMER_READY, 1000, 7)) {
        assert_int_equal(ork_timer_wait(&timers), 1000);
        now_ms += 1000;
        assert_int_equal(ork_timer_expired(&timers), ORK_TIMER_READY);
        times++;
    }
    assert_int_equal(times, 6);
    assert_false(ork_timer_is_on(&timers, ORK_TIMER_READY));
    assert_int_equal(timers.extended[ORK_TIMER_FINAL], 0);
}

int test_timers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_timer_expires_once_after_its_time, set_up),
        cmocka_unit_test_setup(the_first_one_to_expire_is_waited_for, set_up),
        cmocka_unit_test_setup(hastening_never_delays, set_up),
        cmocka_unit_test(things_take_longer_on_a_crowded_machine),
        cmocka_unit_test_setup(a_timer_is_extended_as_often_as_the_machine_is_slow, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
