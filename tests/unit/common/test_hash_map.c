/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void an_empty_map_has_nothing(void **state)
{
    struct ork_hash_map map = {0};

    (void)state;
    assert_int_equal(ork_hash_map_get(&map, 0), 0);
    assert_int_equal(ork_hash_map_get(&map, 7), 0);
    ork_hash_map_release(&map);
}

static void each_key_keeps_its_value(void **state)
{
    enum { KEYS = 10000 };
    struct ork_hash_map map = {0};

    (void)state;
    for (uint32_t i = 0; i < KEYS; i++) {
        uint32_t *value = ork_hash_map_use(&map, (uint64_t)i << 40);
        assert_non_null(value);
        assert_int_equal(*value, 0);
        *value = i + 1;
    }
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(ork_hash_map_get(&map, (uint64_t)i << 40), i + 1);
    assert_int_equal(ork_hash_map_get(&map, 1), 0);
    assert_int_equal(map.used, KEYS);
    ork_hash_map_release(&map);
}

static void a_key_has_several_values(void **state)
{
    enum { KEYS = 200, VALUES = 5 };
    struct ork_hash_map map = {0};

    (void)state;
    for (uint32_t i = 0; i < KEYS * VALUES; i++)
        assert_true(ork_hash_map_add(&map, i % KEYS, i + 1));
    for (uint32_t key = 0; key < KEYS; key++) {
        uint32_t probe = 0, value, seen = 0;
        while ((value = ork_hash_map_next(&map, key, &probe)) != 0) {
            assert_int_equal((value - 1) % KEYS, key);
            assert_int_equal(seen & 1u << (value - 1) / KEYS, 0);
            seen |= 1u << (value - 1) / KEYS;
        }
        assert_int_equal(seen, (1u << VALUES) - 1);
    }
    uint32_t probe = 0;
    assert_int_equal(ork_hash_map_next(&map, KEYS, &probe), 0);
    ork_hash_map_release(&map);
}

int test_hash_map(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing),
        cmocka_unit_test(each_key_keeps_its_value),
        cmocka_unit_test(a_key_has_several_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
