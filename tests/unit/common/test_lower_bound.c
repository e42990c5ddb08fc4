/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary search: lower_bound.h. */
#include "common/lower_bound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The elements are 1, 3, 5, .. */
static void it_is_the_number_of_elements_before_the_key(void **state)
{
    (void)state;
    for (uint32_t count = 0; count < 40; count++) {
        for (uint32_t key = 0; key < 2 * count + 3; key++) {
            ORK_LOWER_BOUND(low, count, i, 2 * i + 1 < key);
            uint32_t before = key / 2;
            assert_int_equal(low, before < count ? before : count);
        }
    }
}

static void of_equal_elements_it_is_the_first(void **state)
{
    static const int element[] = {1, 4, 4, 4, 9};

    (void)state;
    ORK_LOWER_BOUND(first, 5, i, element[i] < 4);
    assert_int_equal(first, 1);
    ORK_LOWER_BOUND(after, 5, i, element[i] <= 4);
    assert_int_equal(after, 4);
}

static void each_step_halves_what_is_left(void **state)
{
    unsigned asked = 0;

    (void)state;
    ORK_LOWER_BOUND(low, UINT32_MAX, i, (asked++, i < UINT32_MAX - 1));
    assert_int_equal(low, UINT32_MAX - 1);
    assert_in_range(asked, 31, 33);
}

int test_lower_bound(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_number_of_elements_before_the_key),
        cmocka_unit_test(of_equal_elements_it_is_the_first),
        cmocka_unit_test(each_step_halves_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
