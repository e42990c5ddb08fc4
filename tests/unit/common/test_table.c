/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void what_is_kept_is_zero_at_first_and_does_not_move(void **state)
{
    enum { PAIRS = 1000 };
    struct ork_table table = {0};
    uint64_t *kept[PAIRS];

    (void)state;
    for (uint64_t i = 0; i < PAIRS; i++) {
        kept[i] = ork_table_use(&table, i / 10, i % 10, sizeof(**kept));
        assert_non_null(kept[i]);
        assert_int_equal(*kept[i], 0);
        *kept[i] = i + 1;
    }
    for (uint64_t i = 0; i < PAIRS; i++) {
        assert_ptr_equal(ork_table_use(&table, i / 10, i % 10, sizeof(**kept)), kept[i]);
        assert_int_equal(*kept[i], i + 1);
    }
    ork_table_release(&table, NULL, NULL);
}

static void the_order_of_the_two_numbers_counts(void **state)
{
    struct ork_table table = {0};

    (void)state;
    assert_ptr_not_equal(ork_table_use(&table, 1, 2, 4), ork_table_use(&table, 2, 1, 4));
    ork_table_release(&table, NULL, NULL);
}

static void add(void *context, void *kept)
{
    *(uint32_t *)context += *(const uint32_t *)kept;
}

static void each_one_is_destroyed_once(void **state)
{
    struct ork_table table = {0};
    uint32_t sum = 0;

    (void)state;
    for (uint32_t i = 0; i < 100; i++)
        *(uint32_t *)ork_table_use(&table, 0, i, sizeof(uint32_t)) = 1;
    ork_table_release(&table, add, &sum);
    assert_int_equal(sum, 100);
    ork_table_release(&table, add, &sum);
    assert_int_equal(sum, 100);
}

int test_table(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_zero_at_first_and_does_not_move),
        cmocka_unit_test(the_order_of_the_two_numbers_counts),
        cmocka_unit_test(each_one_is_destroyed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
