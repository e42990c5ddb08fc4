/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "wfg/wfg_internal.h"

#include <stdlib.h>

static void a_new_array_is_zeroed(void **state)
{
    (void)state;
    uint32_t *array = ork_array_create(1000, sizeof(*array));

    assert_non_null(array);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(array[i], 0);
    free(array);
}

static void an_empty_array_is_not_out_of_memory(void **state)
{
    (void)state;
    void *array = ork_array_create(0, 8);

    assert_non_null(array);
    free(array);
}

static void a_size_that_overflows_is_out_of_memory(void **state)
{
    (void)state;
    assert_null(ork_array_create(UINT64_MAX / 2, 8));
}

static void growing_keeps_the_elements_and_copies_seldom(void **state)
{
    (void)state;
    uint32_t *array = NULL;
    uint32_t capacity = 0;
    uint32_t grown = 0;

    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t before = capacity;
        uint32_t *larger = ork_array_grow(array, i, &capacity, sizeof(*array));
        assert_non_null(larger);
        array = larger;
        array[i] = i;
        grown += capacity != before;
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(array[i], i);
    assert_in_range(grown, 1, 20);
    assert_in_range(capacity, 100000, 200000);
    free(array);
}

static void an_array_with_as_many_elements_as_numbers_cannot_grow(void **state)
{
    (void)state;
    uint32_t capacity = ORK_NONE;

    assert_null(ork_array_grow(NULL, ORK_NONE, &capacity, 1));
    assert_int_equal(capacity, ORK_NONE);
}

int test_array(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_array_is_zeroed),
        cmocka_unit_test(an_empty_array_is_not_out_of_memory),
        cmocka_unit_test(a_size_that_overflows_is_out_of_memory),
        cmocka_unit_test(growing_keeps_the_elements_and_copies_seldom),
        cmocka_unit_test(an_array_with_as_many_elements_as_numbers_cannot_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
