/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { KEYS = 3000, STEPS = 200000 };

/* Keys as handles are: addresses at a distance of a power of two, so that they would share
 * slots. */
static uint64_t key_of(unsigned i)
{
    return UINT64_C(0x7f0000001000) + i * UINT64_C(0x180);
}

static void check_all(const struct ork_map *map, const uint32_t *expected)
{
    for (unsigned i = 0; i < KEYS; i++) {
        const struct ork_entry *e = ork_map_find(map, key_of(i));
        assert_int_equal(e != NULL ? e->id + 1 : 0, expected[i]);
    }
}

static void a_map_agrees_with_an_array(void **state)
{
    static uint32_t expected[KEYS]; /* id + 1, 0: not there */
    struct ork_map map = {0};
    unsigned random = 1;

    (void)state;
    for (unsigned step = 0; step < STEPS; step++) {
        random = random * 1103515245u + 12345u;
        unsigned i = random / 65536u % KEYS;
        struct ork_entry *e = ork_map_find(&map, key_of(i));
        assert_int_equal(e != NULL, expected[i] != 0);
        if (e != NULL) {
            ork_map_remove(&map, e);
            expected[i] = 0;
        } else {
            ork_map_insert(&map, key_of(i))->id = step;
            expected[i] = step + 1;
        }
        if (step % 20000 == 0)
            check_all(&map, expected);
    }
    check_all(&map, expected);
    free(map.slot);
}

static void a_new_entry_is_empty(void **state)
{
    struct ork_map map = {0};

    (void)state;
    assert_null(ork_map_find(&map, 5));
    struct ork_entry *e = ork_map_insert(&map, 5);
    e->id = 7;
    e->flags = 9;
    ork_map_remove(&map, e);
    e = ork_map_insert(&map, 5);
    assert_int_equal(e->id, 0);
    assert_int_equal(e->flags, 0);
    free(map.slot);
}

static void numbers_are_dense_and_used_again(void **state)
{
    struct ork_ids ids = {0};

    (void)state;
    for (uint32_t i = 0; i < 500; i++)
        assert_int_equal(ork_ids_take(&ids), i);
    for (uint32_t i = 0; i < 500; i += 2)
        ork_ids_give(&ids, i);
    for (uint32_t i = 0; i < 250; i++)
        assert_int_equal(ork_ids_take(&ids) % 2, 0);
    assert_int_equal(ork_ids_take(&ids), 500);
    free(ids.spare);
}

static void a_loop_has_the_same_numbers_in_each_iteration(void **state)
{
    struct ork_ids ids = {0};

    (void)state;
    for (int iteration = 0; iteration < 5; iteration++) {
        for (uint32_t i = 0; i < 12; i++)
            assert_int_equal(ork_ids_take(&ids), i);
        for (uint32_t i = 0; i < 12; i++)
            ork_ids_give(&ids, i * 5 % 12);
    }
    free(ids.spare);
}

int test_map(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_agrees_with_an_array),
        cmocka_unit_test(a_new_entry_is_empty),
        cmocka_unit_test(numbers_are_dense_and_used_again),
        cmocka_unit_test(a_loop_has_the_same_numbers_in_each_iteration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
