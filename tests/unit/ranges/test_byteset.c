/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of datatypes as sets of bytes: their size in memory, and what is decided about them. */
#include "bytes/ranges/byteset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct ork_byteset block(int64_t offset, int64_t length)
{
    struct ork_byteset set = {0};

    assert_true(ork_byteset_add_block(&set, offset, length));
    assert_true(ork_byteset_finish(&set));
    return set;
}

/* A block in loops: pairs of count and stride, the innermost first, until a count of 0. */
static struct ork_byteset nest(int64_t offset, int64_t length, const int64_t *loops)
{
    struct ork_byteset set = block(offset, length);

    for (; loops[0] != 0; loops += 2)
        assert_true(ork_byteset_repeat(&set, loops[0], loops[1]));
    assert_true(ork_byteset_finish(&set));
    return set;
}
#define NEST(offset, length, ...) nest(offset, length, (const int64_t[]){__VA_ARGS__, 0})

static struct ork_span span(const struct ork_byteset *set, int64_t at, int64_t count,
                            int64_t stride)
{
    struct ork_span s;

    assert_true(ork_span_of_layout(&s, set, at, count, stride));
    return s;
}

static void assert_overlap(struct ork_byteset a, struct ork_byteset b, enum ork_answer expected)
{
    struct ork_span x = span(&a, 0, 1, 0), y = span(&b, 0, 1, 0);
    struct ork_common common;

    assert_int_equal(ork_spans_overlap(&x, &y, &common), expected);
    assert_int_equal(ork_spans_overlap(&y, &x, &common), expected);
    ork_byteset_reset(&a);
    ork_byteset_reset(&b);
}

static void assert_repeats(struct ork_byteset set, enum ork_answer expected)
{
    struct ork_span s = span(&set, 0, 1, 0);
    struct ork_common common;

    assert_int_equal(ork_span_repeats(&s, &common), expected);
    ork_byteset_reset(&set);
}

static void copies_without_holes_are_one_block(void **state)
{
    struct ork_byteset set = NEST(0, 4, 10, 4, 3, 40);

    (void)state;
    assert_int_equal(set.num_runs, 1);
    assert_int_equal(set.run[0].num_dims, 0);
    assert_int_equal(set.run[0].length, 120);
    struct ork_span s = span(&set, 1000, 5, 120);
    assert_null(s.set);
    assert_int_equal(s.low, 1000);
    assert_int_equal(s.high, 1600);
    ork_byteset_reset(&set);
}

/* 100 planes of 200 rows of 30 doubles of an array [200][300][400]. */
static void a_subarray_of_three_dimensions_is_one_run(void **state)
{
    struct ork_byteset set = NEST(80, 240, 200, 3200, 100, 960000);

    (void)state;
    assert_int_equal(set.num_runs, 1);
    assert_int_equal(set.num_dims, 2);
    assert_int_equal(set.size, 100 * 200 * 240);
    assert_int_equal(set.low, 80);
    assert_int_equal(set.high, 80 + 240 + 199 * 3200 + 99 * 960000);
    ork_byteset_reset(&set);
}

static void regular_blocks_of_an_indexed_type_are_one_run(void **state)
{
    struct ork_byteset set = {0};

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_true(ork_byteset_add_block(&set, 24 * (int64_t)i, 8));
    assert_true(ork_byteset_finish(&set));
    assert_int_equal(set.num_runs, 1);
    assert_int_equal(set.size, 8000);
    ork_byteset_reset(&set);
}

static void the_order_of_blocks_does_not_matter(void **state)
{
    struct ork_byteset set = {0};

    (void)state;
    assert_true(ork_byteset_add_block(&set, 12, 4));
    assert_true(ork_byteset_add_block(&set, 0, 4));
    assert_true(ork_byteset_add_block(&set, 4, 8));
    assert_true(ork_byteset_finish(&set));
    assert_int_equal(set.num_runs, 1);
    assert_int_equal(set.run[0].length, 16);
    ork_byteset_reset(&set);
}

static void a_negative_stride_is_a_positive_one(void **state)
{
    struct ork_byteset set = NEST(0, 4, 3, -16);

    (void)state;
    assert_int_equal(set.low, -32);
    assert_int_equal(set.high, 4);
    ork_byteset_reset(&set);
}

static void columns_of_a_matrix_are_apart(void **state)
{
    (void)state;
    assert_overlap(NEST(0, 8, 1000000, 8000), NEST(8, 8, 1000000, 8000), ORK_NO);
    assert_overlap(NEST(0, 8, 1000000, 8000), NEST(7, 8, 1000000, 8000), ORK_YES);
    assert_overlap(NEST(0, 8, 1000000, 8000), block(8, 7992), ORK_NO);
    assert_overlap(NEST(0, 8, 1000000, 8000), block(8, 7993), ORK_YES);
}

/* Strides without a common divisor: only the last block of one meets the other. */
static void two_vectors_are_always_decided(void **state)
{
    int64_t s = 1000003, t = 999983; /* primes: 1 and t * x are equal modulo s at one x below s */

    (void)state;
    assert_overlap(NEST(0, 1, s, t), NEST(1, 1, s, s), ORK_YES);
    assert_overlap(NEST(0, 1, 3, t), NEST(1, 1, s, s), ORK_NO);
    assert_overlap(NEST(0, 1, 10, INT64_C(1) << 40), NEST(1, 1, 10, (INT64_C(1) << 40) - 3),
                   ORK_NO);
}

/* Fields of an array of structures, read through types of different shapes. */
static void fields_are_apart_whatever_the_loops_are(void **state)
{
    (void)state;
    assert_overlap(NEST(0, 8, 999, 48, 777, 96000), NEST(8, 8, 500, 144, 300, 480000), ORK_NO);
    assert_overlap(NEST(0, 8, 999, 48, 777, 96000), NEST(7, 8, 500, 144, 300, 480000), ORK_YES);
}

static void tiles_of_an_array_are_apart(void **state)
{
    (void)state;
    assert_overlap(NEST(0, 400, 100, 8000, 10, 8000000), NEST(400, 400, 100, 8000, 10, 8000000),
                   ORK_NO);
    assert_overlap(NEST(0, 400, 100, 8000, 10, 8000000), NEST(800000, 400, 9, 8000), ORK_NO);
    assert_overlap(NEST(0, 400, 100, 8000, 10, 8000000), NEST(792000, 400, 9, 8000), ORK_YES);
}

/* Five loops with strides that have nothing in common: an answer, or none, but soon. */
static void a_search_that_is_too_long_is_undecided(void **state)
{
    struct ork_byteset a = NEST(0, 1, 99, 1009, 99, 100003, 99, 10000019, 99, 1000000007);
    struct ork_byteset b = NEST(5, 1, 99, 2003, 99, 200003, 99, 20000003, 99, 500000003);
    struct ork_span x = span(&a, 0, 1, 0), y = span(&b, 0, 1, 0);
    struct ork_common common = {0, 0};
    enum ork_answer answer = ork_spans_overlap(&x, &y, &common);

    (void)state;
    assert_true(answer == ORK_UNDECIDED || (answer == ORK_YES && common.low < common.high));
    ork_byteset_reset(&a);
    ork_byteset_reset(&b);
}

static void copies_that_overlap_repeat_bytes(void **state)
{
    (void)state;
    assert_repeats(NEST(0, 8, 10, 8), ORK_NO);
    assert_repeats(NEST(0, 8, 10, 7), ORK_YES);
    assert_repeats(NEST(0, 8, 2, 0), ORK_YES);
    assert_repeats(NEST(0, 4, 3, 100, 20, 8), ORK_NO);  /* a transposed matrix: 8 * 20 > 100 .. */
    assert_repeats(NEST(0, 4, 3, 100, 26, 4), ORK_YES); /* .. and the rows meet here */
}

static void what_is_too_large_is_refused(void **state)
{
    struct ork_byteset set = block(0, 8), other = {0};

    (void)state;
    assert_false(ork_byteset_repeat(&set, INT64_MAX, 16));
    ork_byteset_reset(&set);
    assert_false(ork_byteset_add_block(&set, INT64_MAX - 3, 8));
    assert_false(ork_byteset_add_block(&set, 0, -1));
    ork_byteset_reset(&set);
    set = block(0, 1);
    for (int i = 0; i < ORK_RUN_DIMS; i++)
        assert_true(ork_byteset_repeat(&set, 2, 3 * (INT64_C(1) << (4 * i))));
    assert_false(ork_byteset_repeat(&set, 2, INT64_C(1) << 50));
    ork_byteset_reset(&set);
    set = block(ORK_OFFSET_LIMIT - 8, 8);
    assert_false(ork_byteset_add(&other, &set, 1, 1, 0));
    ork_byteset_reset(&other);
    struct ork_span s;
    assert_false(ork_span_of_layout(&s, &set, 1, 1, 0));
    ork_byteset_reset(&set);
}

static void nothing_overlaps_nothing(void **state)
{
    struct ork_byteset none = {0}, some = block(0, 8);
    struct ork_span empty = span(&none, 4, 1, 0), full = span(&some, 0, 1, 0);
    struct ork_common common;

    (void)state;
    assert_true(ork_span_is_empty(&empty));
    assert_int_equal(ork_spans_overlap(&empty, &full, &common), ORK_NO);
    struct ork_span zero = span(&some, 0, 0, 8);
    assert_true(ork_span_is_empty(&zero));
    ork_byteset_reset(&some);
}

int test_byteset(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_without_holes_are_one_block),
        cmocka_unit_test(a_subarray_of_three_dimensions_is_one_run),
        cmocka_unit_test(regular_blocks_of_an_indexed_type_are_one_run),
        cmocka_unit_test(the_order_of_blocks_does_not_matter),
        cmocka_unit_test(a_negative_stride_is_a_positive_one),
        cmocka_unit_test(columns_of_a_matrix_are_apart),
        cmocka_unit_test(two_vectors_are_always_decided),
        cmocka_unit_test(fields_are_apart_whatever_the_loops_are),
        cmocka_unit_test(tiles_of_an_array_are_apart),
        cmocka_unit_test(a_search_that_is_too_long_is_undecided),
        cmocka_unit_test(copies_that_overlap_repeat_bytes),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(nothing_overlaps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
