/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/watch.h"
#include "interceptor/memory/runtime/tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PAGE = ORK_MEMORY_PAGE, RANGES = 200 };

static bool is_near(uint64_t address)
{
    return ork_memory_is_near(ork_watch_filter(), address) != 0;
}

static uint32_t bits(void)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < ORK_MEMORY_WORDS; i++)
        n += (uint32_t)__builtin_popcountll(atomic_load(&ork_watch_filter()[i]));
    return n;
}

static void a_page_is_near_as_long_as_it_has_watched_bytes(void **state)
{
    uint64_t page = UINT64_C(0x7f1234567000);

    (void)state;
    assert_false(is_near(page));
    ork_watch_add(page + 4, page + 8);
    ork_watch_add(page + 100, page + 101);
    assert_true(is_near(page) && is_near(page + PAGE - 1));
    assert_false(is_near(page - 1) || is_near(page + PAGE));
    ork_watch_remove(page + 4, page + 8);
    assert_true(is_near(page));
    ork_watch_remove(page + 100, page + 101);
    assert_false(is_near(page));
    assert_int_equal(bits(), 0);
}

static void a_range_is_near_from_its_first_to_its_last_page(void **state)
{
    uint64_t low = UINT64_C(0x10000fff), high = low + 2 * PAGE;

    (void)state;
    ork_watch_add(low, high);
    assert_int_equal(bits(), 3);
    assert_true(is_near(low) && is_near(low + PAGE) && is_near(high - 1));
    assert_false(is_near(low - PAGE) || is_near(high + PAGE));
    ork_watch_remove(low, high);
    ork_watch_add(low, low);
    assert_int_equal(bits(), 0);
}

static void a_range_may_have_more_pages_than_there_are_classes(void **state)
{
    uint64_t low = UINT64_C(0x7f0000000123), size = UINT64_C(1) << 33;

    (void)state;
    ork_watch_add(low, low + size);
    ork_watch_add(low, low + 1);
    for (uint64_t at = low; at < low + size; at += size / 100)
        assert_true(is_near(at));
    ork_watch_remove(low, low + size);
    assert_int_equal(bits(), 1);
    ork_watch_remove(low, low + 1);
    assert_int_equal(bits(), 0);
}

static void every_change_is_a_new_generation(void **state)
{
    uint32_t first = atomic_load(&ork_watch_generation), second;

    (void)state;
    ork_watch_add(PAGE, PAGE + 1);
    second = atomic_load(&ork_watch_generation);
    ork_watch_remove(PAGE, PAGE + 1);
    assert_true(first != second && second != atomic_load(&ork_watch_generation));
    atomic_store(&ork_watch_generation, UINT32_MAX);
    ork_watch_add(PAGE, PAGE + 1);
    assert_int_not_equal(atomic_load(&ork_watch_generation), 0); /* 0 is no generation */
    ork_watch_remove(PAGE, PAGE + 1);
}

/* The bits of random ranges are those of their pages, counted one by one. */
static void random_ranges_are_counted(void **state)
{
    static uint32_t expected[ORK_MEMORY_CLASSES];
    uint64_t low[RANGES], high[RANGES];
    uint32_t n = 0;

    (void)state;
    srand(1);
    for (int i = 0; i < RANGES; i++) {
        low[i] = ((uint64_t)(uint32_t)rand() << 8) + (uint64_t)rand() % PAGE;
        high[i] = low[i] + 1 + (uint64_t)rand() % (100 * PAGE);
        ork_watch_add(low[i], high[i]);
    }
    for (int i = 0; i < RANGES; i++) {
        if (i % 2 == 0)
            ork_watch_remove(low[i], high[i]);
        for (uint64_t page = low[i] / PAGE; i % 2 == 1 && page <= (high[i] - 1) / PAGE; page++)
            expected[ork_memory_class(page * PAGE)]++;
    }
    for (uint32_t i = 0; i < ORK_MEMORY_CLASSES; i++)
        n += expected[i] > 0;
    assert_int_equal(bits(), n);
    for (int i = 1; i < RANGES; i += 2)
        ork_watch_remove(low[i], high[i]);
    assert_int_equal(bits(), 0);
}

/* A piece is the part around the address where every byte is in the same ranges. */
static void a_piece_ends_where_something_else_is_to_be_done(void **state)
{
    struct ork_piece p = {.low = 0, .high = PAGE};

    (void)state;
    ork_piece_cut(&p, 100, 200, 300, ORK_PIECE_CHECKS_STORES);
    assert_true(p.low == 0 && p.high == 200 && p.checks == 0);
    ork_piece_cut(&p, 100, 50, 100, ORK_PIECE_CHECKS_STORES);
    assert_true(p.low == 100 && p.high == 200 && p.checks == 0);
    ork_piece_cut(&p, 100, 90, 150, ORK_PIECE_CHECKS_STORES);
    assert_true(p.low == 100 && p.high == 150 && p.checks == ORK_PIECE_CHECKS_STORES);
    ork_piece_cut(&p, 100, 100, 101, ORK_PIECE_CHECKS_LOADS);
    assert_true(p.low == 100 && p.high == 101 &&
                p.checks == (ORK_PIECE_CHECKS_STORES | ORK_PIECE_CHECKS_LOADS));
}

int test_watch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_near_as_long_as_it_has_watched_bytes),
        cmocka_unit_test(a_range_is_near_from_its_first_to_its_last_page),
        cmocka_unit_test(a_range_may_have_more_pages_than_there_are_classes),
        cmocka_unit_test(every_change_is_a_new_generation),
        cmocka_unit_test(random_ranges_are_counted),
        cmocka_unit_test(a_piece_ends_where_something_else_is_to_be_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
