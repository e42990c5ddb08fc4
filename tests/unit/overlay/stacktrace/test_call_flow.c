/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order a program (calls.c) makes its calls. */
#include "overlay/stacktrace/call_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static uint64_t address_of(const char *name)
{
    unsigned long address, last = 0;
    char line[256], found[128];
    FILE *out = popen(ORK_TEST_CALLS, "r");

    assert_non_null(out);
    while (fgets(line, sizeof(line), out) != NULL) {
        if (sscanf(line, "%lx %127[^\n]", &address, found) == 2 && strcmp(found, name) == 0)
            last = address;
    }
    pclose(out);
    assert_int_not_equal(last, 0);
    return last;
}

/* In whichever order. */
static bool are_sequence(const char *first, const char *second)
{
    uint64_t a = address_of(first), b = address_of(second);
    bool yes = ork_calls_are_sequence(ORK_TEST_CALLS, a, b);

    assert_int_equal(ork_calls_are_sequence(ORK_TEST_CALLS, b, a), yes);
    return yes;
}

static void what_always_follows_is_a_sequence(void **state)
{
    (void)state;
    assert_true(are_sequence("in a loop", "after the loop"));
    assert_true(are_sequence("in a loop that may be empty", "after that loop"));
}

static void what_always_comes_before_is_a_sequence(void **state)
{
    (void)state;
    assert_true(are_sequence("first of a loop", "second of a loop"));
}

static void alternatives_are_none(void **state)
{
    (void)state;
    assert_false(are_sequence("in a branch", "in the other branch"));
    assert_false(are_sequence("by one condition", "by its opposite"));
}

static void loops_that_may_be_empty_are_none(void **state)
{
    (void)state;
    assert_false(are_sequence("in the first loop", "in the second loop"));
}

static void calls_of_two_functions_are_none(void **state)
{
    (void)state;
    assert_false(are_sequence("in a loop", "in a branch"));
}

static void what_cannot_be_read_is_none(void **state)
{
    uint64_t a = address_of("in a loop");

    (void)state;
    assert_false(ork_calls_are_sequence("/nonexistent", 16, 32));
    assert_false(ork_calls_are_sequence(__FILE__, 16, 32));
    assert_false(ork_calls_are_sequence(ORK_TEST_CALLS, 0, a));
    assert_false(ork_calls_are_sequence(ORK_TEST_CALLS, a, a + 1));
    assert_false(ork_calls_are_sequence(ORK_TEST_CALLS, a, a));
}

int test_call_flow(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_always_follows_is_a_sequence),
        cmocka_unit_test(what_always_comes_before_is_a_sequence),
        cmocka_unit_test(alternatives_are_none),
        cmocka_unit_test(loops_that_may_be_empty_are_none),
        cmocka_unit_test(calls_of_two_functions_are_none),
        cmocka_unit_test(what_cannot_be_read_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
