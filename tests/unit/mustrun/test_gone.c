/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/gone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PAUSE = 500, FOR_EVER = 1000 };

static struct ork_gone gone;

static int set_up(void **state)
{
    (void)state;
    gone = (struct ork_gone){0};
    return 0;
}

static struct ork_gone_look asleep(void)
{
    return (struct ork_gone_look){.ms = PAUSE, .state = 'S', .is_read = true, .is_certain = true};
}

/* After how many milliseconds of such looks it is killed; -1: never. */
static int killed_after(struct ork_gone_look look, bool hangs, int slowness)
{
    for (int i = 1; i <= FOR_EVER; i++) {
        if (ork_gone_judge(&gone, &look, hangs, slowness) == ORK_GONE_KILL)
            return i * look.ms;
    }
    return -1;
}

static void one_that_sleeps_gets_longer_on_a_crowded_machine(void **state)
{
    (void)state;
    assert_int_equal(killed_after(asleep(), true, 1), ORK_GONE_ASLEEP);
    set_up(NULL);
    assert_int_equal(killed_after(asleep(), true, 10), 10 * ORK_GONE_ASLEEP);
}

static void one_in_any_other_state_gets_a_minute_however_crowded_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ork_gone_look look = asleep();
        set_up(NULL);
        look.state = "RTD"[i];
        assert_int_equal(killed_after(look, true, 10), ORK_GONE_STOPPED);
    }
}

static void one_with_a_living_child_or_an_output_that_is_not_read_is_waited_for(void **state)
{
    struct ork_gone_look look = asleep();

    (void)state;
    look.has_children = true;
    assert_int_equal(killed_after(look, true, 1), -1);
    look.has_children = false;
    look.is_read = false;
    assert_int_equal(killed_after(look, true, 1), -1);
}

static void a_look_at_which_it_could_not_end_begins_the_time_anew(void **state)
{
    struct ork_gone_look look = asleep(), busy = asleep();

    (void)state;
    busy.has_children = true;
    for (int ms = PAUSE; ms < ORK_GONE_ASLEEP; ms += PAUSE)
        assert_int_equal(ork_gone_judge(&gone, &look, true, 1), ORK_GONE_WAIT);
    assert_int_equal(ork_gone_judge(&gone, &busy, true, 1), ORK_GONE_WAIT);
    assert_int_equal(killed_after(asleep(), true, 1), ORK_GONE_ASLEEP);
}

static void without_the_tool_it_must_have_had_children_and_gets_a_minute(void **state)
{
    struct ork_gone_look look = asleep();

    (void)state;
    look.is_certain = false;
    assert_int_equal(killed_after(look, true, 1), -1);
    set_up(NULL);
    look.has_children = true;
    assert_int_equal(ork_gone_judge(&gone, &look, true, 1), ORK_GONE_WAIT);
    look.has_children = false;
    assert_int_equal(killed_after(look, true, 1), ORK_GONE_STOPPED);
}

static void a_launcher_of_another_kind_is_killed_only_if_it_is_stopped(void **state)
{
    struct ork_gone_look look = asleep();

    (void)state;
    assert_int_equal(killed_after(look, false, 1), -1);
    look.state = 'T';
    assert_int_equal(killed_after(look, false, 10), ORK_GONE_STOPPED);
    set_up(NULL);
    look.is_certain = false;
    assert_int_equal(killed_after(look, false, 1), -1);
}

static void it_is_said_once_that_a_launcher_which_may_hang_has_not_ended(void **state)
{
    struct ork_gone_look look = asleep();
    int said = 0;

    (void)state;
    look.has_children = true;
    for (int i = 0; i < FOR_EVER; i++)
        said += ork_gone_judge(&gone, &look, true, 1) == ORK_GONE_SAY;
    assert_int_equal(said, 1);
    set_up(NULL);
    for (int i = 0; i < FOR_EVER; i++)
        assert_int_equal(ork_gone_judge(&gone, &look, false, 1), ORK_GONE_WAIT);
}

int test_gone(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(one_that_sleeps_gets_longer_on_a_crowded_machine, set_up),
        cmocka_unit_test_setup(one_in_any_other_state_gets_a_minute_however_crowded_it_is, set_up),
        cmocka_unit_test_setup(one_with_a_living_child_or_an_output_that_is_not_read_is_waited_for,
                               set_up),
        cmocka_unit_test_setup(a_look_at_which_it_could_not_end_begins_the_time_anew, set_up),
        cmocka_unit_test_setup(without_the_tool_it_must_have_had_children_and_gets_a_minute,
                               set_up),
        cmocka_unit_test_setup(a_launcher_of_another_kind_is_killed_only_if_it_is_stopped, set_up),
        cmocka_unit_test_setup(it_is_said_once_that_a_launcher_which_may_hang_has_not_ended,
                               set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
