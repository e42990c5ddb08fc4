/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/heap.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 100, LARGE = 5000, MAPPED = 1 << 20 };

/* A free chunk of that size is not kept for later: the next one knows that it is free. */
static char *block[4];

static void make(void)
{
    for (int i = 0; i < 4; i++)
        block[i] = malloc(LARGE);
    if (ork_heap_low == UINT64_MAX)
        ork_heap_init();
}

static void release(void)
{
    for (int i = 0; i < 4; i++)
        free(block[i]);
}

static int64_t address_of(const void *p)
{
    return (int64_t)(uintptr_t)p;
}

/* What is known of `size` bytes from `at`, seen from an address. */
static bool look(const void *from, const char *at, int64_t size, struct ork_heap_view *view)
{
    const struct ork_span span = ork_span_of_block(address_of(at), size);

    return ork_heap_look((uint64_t)address_of(from), &span, view);
}

static void a_block_has_the_bytes_that_its_allocator_says(void **unused)
{
    struct ork_heap_view view;

    (void)unused;
    make();
    const int64_t room = (int64_t)malloc_usable_size(block[1]);
    assert_int_equal(ork_heap_room(block[1]), room);
    assert_true(look(block[1], block[1], room, &view));
    assert_int_equal(view.low, address_of(block[1]));
    assert_int_equal(view.high, address_of(block[1]) + room);
    assert_false(view.is_missing || view.is_elsewhere);
    assert_true(look(block[1] + LARGE / 2, block[1], 1, &view));
    assert_int_equal(view.low, address_of(block[1]));
    release();
}

static void bytes_behind_a_block_are_in_none(void **unused)
{
    struct ork_heap_view view;

    (void)unused;
    make();
    const int64_t room = (int64_t)malloc_usable_size(block[1]);
    assert_true(look(block[1], block[1], room + 1, &view));
    assert_true(view.is_missing);
    assert_true(look(block[1], block[1] - 1, 1, &view));
    assert_true(view.is_missing);
    assert_true(look(block[1], block[3], LARGE, &view));
    assert_false(view.is_missing || view.is_elsewhere);
    release();
}

static void bytes_of_a_free_block_are_in_none(void **unused)
{
    struct ork_heap_view view;

    (void)unused;
    make();
    free(block[2]);
    assert_true(look(block[1], block[2] + SMALL, 1, &view));
    assert_true(view.is_missing);
    assert_false(look(block[2] + SMALL, block[1], 1, &view));
    block[2] = NULL;
    release();
}

static void a_block_inside_of_another_one_is_none(void **unused)
{
    struct ork_heap_view view;
    uint64_t size = 48 | 1;

    (void)unused;
    make();
    memcpy(block[1] + 64 - sizeof(size), &size, sizeof(size));
    assert_int_equal(ork_heap_room(block[1] + 64), 40);
    assert_true(look(block[1] + 64, block[1] + 64, LARGE / 2, &view));
    assert_int_equal(view.low, address_of(block[1]));
    assert_false(view.is_missing);
    release();
}

static void a_large_block_is_a_mapping(void **unused)
{
    struct ork_heap_view view;
    char *large = malloc(MAPPED);

    (void)unused;
    make();
    const int64_t room = (int64_t)malloc_usable_size(large);
    assert_int_equal(ork_heap_room(large), UINT64_MAX);
    assert_true(ork_heap_may_be_mapping(large, MAPPED));
    assert_true(look(large, large, room, &view));
    assert_int_equal(view.high, address_of(large) + room);
    assert_false(view.is_missing);
    assert_true(look(large, large, room + 1, &view));
    assert_true(view.is_missing);
    free(large);
    release();
}

static void other_memory_is_in_no_block(void **unused)
{
    static char global[SMALL] __attribute__((aligned(16)));
    char local[SMALL] __attribute__((aligned(16))) = {0};
    struct ork_heap_view view;

    (void)unused;
    make();
    assert_int_equal(ork_heap_room(global), UINT64_MAX);
    assert_int_equal(ork_heap_room(local), UINT64_MAX);
    assert_false(look(global, global, SMALL, &view));
    assert_false(look(local, local, SMALL, &view));
    assert_true(look(block[1], global, SMALL, &view));
    assert_true(view.is_elsewhere && !view.is_missing);
    release();
}

static void the_allocator_does_not_matter_if_it_is_another_one(void **unused)
{
    struct ork_heap_view view;
    uint64_t low = ork_heap_low;

    (void)unused;
    make();
    ork_heap_low = UINT64_MAX;
    assert_int_equal(ork_heap_room(block[1]), UINT64_MAX);
    assert_false(ork_heap_may_be_mapping((void *)16, MAPPED));
    assert_false(look(block[1], block[1], LARGE, &view));
    ork_heap_low = low;
    release();
}

int test_heap(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_the_bytes_that_its_allocator_says),
        cmocka_unit_test(bytes_behind_a_block_are_in_none),
        cmocka_unit_test(bytes_of_a_free_block_are_in_none),
        cmocka_unit_test(a_block_inside_of_another_one_is_none),
        cmocka_unit_test(a_large_block_is_a_mapping),
        cmocka_unit_test(other_memory_is_in_no_block),
        cmocka_unit_test(the_allocator_does_not_matter_if_it_is_another_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
