/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/number_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t *find(const struct ork_number_map *map, uint32_t number)
{
    return ork_number_map_find(map, number, sizeof(uint32_t));
}

static void add(struct ork_number_map *map, uint32_t number)
{
    uint32_t *entry = ork_number_map_add(map, number, sizeof(*entry));

    assert_non_null(entry);
    assert_int_equal(*entry, 0);
    *entry = ~number;
}

static void remove_one(struct ork_number_map *map, uint32_t number)
{
    ork_number_map_remove(map, number, sizeof(uint32_t));
}

static void an_empty_map_has_nothing(void **state)
{
    struct ork_number_map map = {0};
    uint32_t slot = 0, number;

    (void)state;
    assert_null(find(&map, 0));
    remove_one(&map, 0);
    assert_null(ork_number_map_next(&map, &slot, &number, sizeof(number)));
    ork_number_map_release(&map);
}

static void an_entry_stays_as_it_is_when_its_number_is_added_again(void **state)
{
    struct ork_number_map map = {0};

    (void)state;
    add(&map, UINT32_MAX - 1);
    uint32_t *again = ork_number_map_add(&map, UINT32_MAX - 1, sizeof(*again));
    assert_ptr_equal(again, find(&map, UINT32_MAX - 1));
    assert_int_equal(*again, 1);
    assert_int_equal(map.used, 1);
    ork_number_map_release(&map);
}

/* Random numbers, few of which have the same place, and an array that says which are there. */
static void it_has_what_was_added_and_not_removed(void **state)
{
    enum { NUMBERS = 300, STEPS = 100000 };
    struct ork_number_map map = {0};
    bool is_there[NUMBERS] = {false};
    uint32_t count = 0, seen = 0, slot = 0, number;
    const uint32_t *entry;

    (void)state;
    srand(1);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint32_t n = (uint32_t)rand() % NUMBERS;
        assert_int_equal(find(&map, n * 7) != NULL, is_there[n]);
        if (is_there[n])
            assert_int_equal(*find(&map, n * 7), ~(n * 7));
        if (is_there[n])
            remove_one(&map, n * 7);
        else
            add(&map, n * 7);
        is_there[n] = !is_there[n];
        count += is_there[n] ? 1u : UINT32_MAX;
        assert_int_equal(map.used, count);
    }
    while ((entry = ork_number_map_next(&map, &slot, &number, sizeof(*entry))) != NULL) {
        assert_true(is_there[number / 7]);
        assert_int_equal(*entry, ~number);
        seen++;
    }
    assert_int_equal(seen, count);
    ork_number_map_release(&map);
}

static void its_memory_does_not_grow_with_the_numbers(void **state)
{
    enum { NUMBERS = 1000000, LIVE = 3 };
    struct ork_number_map map = {0};

    (void)state;
    for (uint32_t n = 0; n < NUMBERS; n++) {
        add(&map, n);
        if (n >= LIVE)
            remove_one(&map, n - LIVE);
    }
    assert_in_range(map.slots, LIVE, 8);
    ork_number_map_release(&map);
}

int test_number_map(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing),
        cmocka_unit_test(an_entry_stays_as_it_is_when_its_number_is_added_again),
        cmocka_unit_test(it_has_what_was_added_and_not_removed),
        cmocka_unit_test(its_memory_does_not_grow_with_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
