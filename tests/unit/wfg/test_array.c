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

int test_array(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_array_is_zeroed),
        cmocka_unit_test(an_empty_array_is_not_out_of_memory),
        cmocka_unit_test(a_size_that_overflows_is_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
