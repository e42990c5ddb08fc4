/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds and bytes of datatypes, by the examples of MPI-3.1 section 4.1. */
#include "bytes/datatype/type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct ork_type *basic(enum ork_basic number, uint64_t size)
{
    return ork_type_of_basic(ork_type_id_of_basic(number, size));
}

/* Example 4.1: { (double, 0), (char, 8) } has an extent of 16. */
static struct ork_type *double_char(void)
{
    struct ork_block block[2] = {{1, 0, basic(ORK_BASIC_MPI_DOUBLE, 8)},
                                 {1, 8, basic(ORK_BASIC_MPI_CHAR, 1)}};
    struct ork_type *type = ork_type_of_blocks(block, 2);

    ork_type_unref(block[0].type);
    ork_type_unref(block[1].type);
    return type;
}

static void test_the_extent_is_rounded_up(void **state)
{
    struct ork_type *type = double_char();

    (void)state;
    assert_int_equal(type->lb, 0);
    assert_int_equal(type->ub, 16);
    assert_int_equal(type->data.high, 9);
    assert_int_equal(type->sequence->bytes, 9);
    ork_type_unref(type);
}

/* Example 4.3: vector(2, 3, 4) of it. Three copies of 16 bytes, then a gap of one extent. */
static void test_a_vector(void **state)
{
    struct ork_type *old = double_char();
    struct ork_type *type = ork_type_vector(2, 3, 4 * 16, old);

    (void)state;
    assert_int_equal(type->ub, 64 + 3 * 16);
    assert_int_equal(type->data.high, 64 + 2 * 16 + 9);
    assert_int_equal(type->sequence->signature.length, 12);
    ork_type_unref(old);
    ork_type_unref(type);
}

/* Example 4.4: vector(3, 1, -2). */
static void test_a_negative_stride(void **state)
{
    struct ork_type *old = double_char();
    struct ork_type *type = ork_type_vector(3, 1, -2 * 16, old);

    (void)state;
    assert_int_equal(type->lb, -64);
    assert_int_equal(type->ub, 16);
    assert_int_equal(type->data.low, -64);
    ork_type_unref(old);
    ork_type_unref(type);
}

/* Section 4.1.7: markers stay in types that are made of a resized one. */
static void test_markers_stay(void **state)
{
    struct ork_type *integer = basic(ORK_BASIC_MPI_INT, 4);
    struct ork_type *wide = ork_type_resized(-3, 9, integer);
    struct ork_type *two = ork_type_vector(1, 2, 0, wide);
    struct ork_block block[2] = {{1, 0, two}, {1, 100, integer}};
    struct ork_type *mixed = ork_type_of_blocks(block, 2);

    (void)state;
    assert_int_equal(wide->lb, -3);
    assert_int_equal(wide->ub, 6);
    assert_int_equal(two->lb, -3);
    assert_int_equal(two->ub, 15);
    assert_int_equal(mixed->ub, 15);
    assert_int_equal(mixed->data.high, 104);
    ork_type_unref(integer);
    ork_type_unref(wide);
    ork_type_unref(two);
    ork_type_unref(mixed);
}

/* MPI_LB and MPI_UB in a struct, as before MPI-3.0. */
static void test_the_old_markers(void **state)
{
    struct ork_block block[3] = {{1, -3, basic(ORK_BASIC_MPI_LB, 0)},
                                 {1, 0, basic(ORK_BASIC_MPI_INT, 4)},
                                 {1, 6, basic(ORK_BASIC_MPI_UB, 0)}};
    struct ork_type *type = ork_type_of_blocks(block, 3);

    (void)state;
    assert_int_equal(type->lb, -3);
    assert_int_equal(type->ub, 6);
    assert_int_equal(type->sequence->id, block[1].type->sequence->id);
    for (unsigned i = 0; i < 3; i++)
        ork_type_unref(block[i].type);
    ork_type_unref(type);
}

static void test_pairs_are_structs_of_c(void **state)
{
    static const struct {
        enum ork_basic basic;
        uint64_t size, extent;
    } of[] = {
        {ORK_BASIC_MPI_FLOAT_INT, 8, 8}, {ORK_BASIC_MPI_DOUBLE_INT, 12, 16},
        {ORK_BASIC_MPI_SHORT_INT, 6, 8}, {ORK_BASIC_MPI_LONG_DOUBLE_INT, 20, 32},
        {ORK_BASIC_MPI_2REAL, 8, 8},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct ork_type *type = basic(of[i].basic, of[i].size);
        assert_int_equal(type->sequence->bytes, of[i].size);
        assert_int_equal(ork_type_extent(type), of[i].extent);
        assert_int_equal(type->sequence->signature.length, 2);
        ork_type_unref(type);
    }
}

/* A column of a matrix of 3 rows and 4 columns in C's order. */
static void test_a_subarray(void **state)
{
    struct ork_type *old = basic(ORK_BASIC_MPI_DOUBLE, 8);
    struct ork_dimension d[2] = {{.size = 4, .start = 1, .count = 1},
                                 {.size = 3, .start = 0, .count = 3}};
    struct ork_type *type = ork_type_array(d, 2, old);
    struct ork_span span;
    struct ork_common common;

    (void)state;
    assert_int_equal(type->ub, 96);
    assert_int_equal(type->data.low, 8);
    assert_int_equal(type->data.high, 80);
    assert_int_equal(type->sequence->bytes, 24);
    assert_int_equal(type->layout.num_runs, 1);
    assert_true(ork_span_of_layout(&span, &type->layout, 0, 1, 0));
    assert_int_equal(ork_span_repeats(&span, &common), ORK_NO);
    ork_type_unref(old);
    ork_type_unref(type);
}

static void test_entries_that_overlap_are_seen(void **state)
{
    struct ork_type *old = basic(ORK_BASIC_MPI_INT, 4);
    struct ork_block block[2] = {{2, 0, old}, {1, 4, old}};
    struct ork_type *type = ork_type_of_blocks(block, 2);
    struct ork_span span;
    struct ork_common common;

    (void)state;
    assert_true(ork_span_of_layout(&span, &type->layout, 0, 1, 0));
    assert_int_equal(ork_span_repeats(&span, &common), ORK_YES);
    assert_int_equal(common.low, 4);
    assert_int_equal(common.high, 8);
    ork_type_unref(old);
    ork_type_unref(type);
}

static void test_negative_lengths_give_no_type(void **state)
{
    struct ork_type *old = basic(ORK_BASIC_MPI_INT, 4);
    struct ork_block block = {-1, 0, old};

    (void)state;
    assert_null(ork_type_of_blocks(&block, 1));
    assert_null(ork_type_vector(-1, 1, 4, old));
    assert_null(ork_type_vector(1, -1, 4, old));
    ork_type_unref(old);
}

int test_bounds(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_extent_is_rounded_up),
        cmocka_unit_test(test_a_vector),
        cmocka_unit_test(test_a_negative_stride),
        cmocka_unit_test(test_markers_stay),
        cmocka_unit_test(test_the_old_markers),
        cmocka_unit_test(test_pairs_are_structs_of_c),
        cmocka_unit_test(test_a_subarray),
        cmocka_unit_test(test_entries_that_overlap_are_seen),
        cmocka_unit_test(test_negative_lengths_give_no_type),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
