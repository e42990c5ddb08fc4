/* SPDX-License-Identifier: BSD-3-Clause */
/* Which sequences match: MPI-3.1 sections 3.3.1, 5.9.4 and 17.2.6. */
#include "bytes/datatype/sequence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t id(enum ork_basic basic, uint64_t size)
{
    return ork_type_id_of_basic(basic, size);
}

#define INT     id(ORK_BASIC_MPI_INT, 4)
#define FLOAT   id(ORK_BASIC_MPI_FLOAT, 4)
#define DOUBLE  id(ORK_BASIC_MPI_DOUBLE, 8)
#define LONG    id(ORK_BASIC_MPI_LONG, 8)
#define INT64   id(ORK_BASIC_MPI_INT64_T, 8)
#define CHAR    id(ORK_BASIC_MPI_CHAR, 1)
#define BYTE    id(ORK_BASIC_MPI_BYTE, 1)
#define PACKED  id(ORK_BASIC_MPI_PACKED, 1)
#define INTEGER id(ORK_BASIC_MPI_INTEGER, 4)

static struct ork_comparison compare(uint64_t sent, uint32_t sent_id, uint64_t received,
                                     uint32_t received_id)
{
    struct ork_sequence *a = ork_sequence_of_basic(sent_id);
    struct ork_sequence *b = ork_sequence_of_basic(received_id);
    struct ork_items x = {sent, a}, y = {received, b};
    struct ork_comparison c = ork_items_compare(&x, &y);

    ork_sequence_unref(a);
    ork_sequence_unref(b);
    return c;
}

static void assert_match(uint32_t sent, uint32_t received, enum ork_types_match expected)
{
    assert_int_equal(compare(3, sent, 3, received).match, expected);
    assert_int_equal(compare(3, received, 3, sent).match, expected);
}

static void test_types_match_only_themselves(void **state)
{
    (void)state;
    assert_match(INT, INT, ORK_TYPES_MATCH);
    assert_match(INT, FLOAT, ORK_TYPES_DIFFER);
    assert_match(INT, id(ORK_BASIC_MPI_UNSIGNED, 4), ORK_TYPES_DIFFER);
    assert_match(DOUBLE, LONG, ORK_TYPES_DIFFER);
    assert_match(BYTE, BYTE, ORK_TYPES_MATCH);
    assert_match(BYTE, INT, ORK_TYPES_DIFFER);
}

static void test_names_of_one_representation_are_alike(void **state)
{
    (void)state;
    assert_match(INT64, LONG, ORK_TYPES_ALIKE);
    assert_match(CHAR, BYTE, ORK_TYPES_ALIKE);
    assert_match(id(ORK_BASIC_MPI_UINT8_T, 1), id(ORK_BASIC_MPI_UNSIGNED_CHAR, 1), ORK_TYPES_ALIKE);
}

static void test_types_of_two_languages_match_by_their_size(void **state)
{
    (void)state;
    assert_match(INT, INTEGER, ORK_TYPES_MATCH);
    assert_match(INT, id(ORK_BASIC_MPI_INTEGER, 8), ORK_TYPES_DIFFER);
    assert_match(DOUBLE, id(ORK_BASIC_MPI_DOUBLE_PRECISION, 8), ORK_TYPES_MATCH);
    assert_match(DOUBLE, id(ORK_BASIC_F90_REAL, 8), ORK_TYPES_MATCH);
    assert_match(id(ORK_BASIC_MPI_REAL8, 8), id(ORK_BASIC_MPI_DOUBLE_PRECISION, 8),
                 ORK_TYPES_ALIKE);
    assert_match(CHAR, id(ORK_BASIC_MPI_CHARACTER, 1), ORK_TYPES_MATCH);
}

static void test_packed_matches_every_type(void **state)
{
    (void)state;
    assert_match(PACKED, INT, ORK_TYPES_MATCH);
    assert_false(compare(100, PACKED, 1, INT).is_longer);
    assert_match(PACKED, BYTE, ORK_TYPES_MATCH);
}

static void test_nothing_matches_every_type(void **state)
{
    struct ork_comparison c = compare(0, INT, 5, DOUBLE);

    (void)state;
    assert_int_equal(c.match, ORK_TYPES_MATCH);
    assert_true(c.is_shorter);
    assert_int_equal(compare(0, INT, 0, DOUBLE).match, ORK_TYPES_MATCH);
    assert_int_equal(compare(7, id(ORK_BASIC_MPI_LB, 0), 1, INT).match, ORK_TYPES_MATCH);
}

static void test_only_the_elements_that_are_sent_count(void **state)
{
    struct ork_comparison c = compare(3, INT, 5, INT);

    (void)state;
    assert_int_equal(c.match, ORK_TYPES_MATCH);
    assert_true(c.is_shorter && !c.is_longer);
    c = compare(5, INT, 3, INT);
    assert_int_equal(c.match, ORK_TYPES_MATCH);
    assert_true(c.is_longer && !c.is_shorter);
}

static void test_pairs_are_sequences_of_two(void **state)
{
    struct ork_comparison c = compare(2, id(ORK_BASIC_MPI_2INT, 8), 4, INT);

    (void)state;
    assert_int_equal(c.match, ORK_TYPES_MATCH);
    assert_false(c.is_longer || c.is_shorter);
    c = compare(2, id(ORK_BASIC_MPI_DOUBLE_INT, 12), 4, DOUBLE);
    assert_int_equal(c.match, ORK_TYPES_DIFFER);
    assert_int_equal(c.first, 1);
    c = compare(2, id(ORK_BASIC_MPI_2INTEGER, 8), 2, id(ORK_BASIC_MPI_2INT, 8));
    assert_int_equal(c.match, ORK_TYPES_MATCH);
}

/* 1,000,000 times { MPI_INT, MPI_DOUBLE }. */
static struct ork_sequence *records(uint32_t second)
{
    struct ork_part field[2] = {{1, ork_sequence_of_basic(INT)},
                                {1, ork_sequence_of_basic(second)}};
    struct ork_part both = {1000000, ork_sequence_of_parts(field, 2)};
    struct ork_sequence *s = ork_sequence_of_parts(&both, 1);

    ork_sequence_unref(both.sequence);
    ork_sequence_unref(field[0].sequence);
    ork_sequence_unref(field[1].sequence);
    return s;
}

static void test_the_first_difference_is_found(void **state)
{
    struct ork_sequence *good = records(DOUBLE), *bad = records(LONG);
    struct ork_part part[3] = {{700, good}, {1, bad}, {299, good}};
    struct ork_sequence *mixed = ork_sequence_of_parts(part, 3);
    struct ork_items sent = {1000, good}, received = {2, mixed};
    struct ork_comparison c = ork_items_compare(&sent, &received);

    (void)state;
    assert_int_equal(c.match, ORK_TYPES_DIFFER);
    assert_int_equal(c.first, UINT64_C(700) * 2000000 + 1);
    assert_true(c.is_shorter);
    assert_int_equal(ork_items_at(&sent, c.first), DOUBLE);
    assert_int_equal(ork_items_at(&received, c.first), LONG);
    assert_int_equal(ork_items_at(&sent, UINT64_C(2000000000)), ORK_TYPE_UNKNOWN);
    ork_sequence_unref(good);
    ork_sequence_unref(bad);
    ork_sequence_unref(mixed);
}

static void test_one_sequence_has_one_id(void **state)
{
    struct ork_sequence *one = ork_sequence_of_basic(INT);
    struct ork_part three[2] = {{1, one}, {2, one}};
    struct ork_part single = {1, one};
    struct ork_sequence *a = ork_sequence_of_parts(three, 2);
    struct ork_sequence *b = ork_sequence_of_parts(&single, 1);

    (void)state;
    assert_int_equal(a->num_parts, 1);
    assert_int_equal(a->part[0].count, 3);
    assert_int_equal(a->bytes, 12);
    assert_true(a->id >= ORK_TYPE_DERIVED);
    assert_ptr_equal(b, one);
    ork_sequence_unref(a);
    ork_sequence_unref(b);
    ork_sequence_unref(one);
}

static void test_copies_of_one_element_are_known(void **state)
{
    struct ork_sequence *one = ork_sequence_of_basic(INT), *other = ork_sequence_of_basic(DOUBLE);
    struct ork_part three = {3, one}, mixed[2] = {{3, one}, {1, other}};
    struct ork_sequence *a = ork_sequence_of_parts(&three, 1);
    struct ork_part nested[2] = {{2, a}, {1, one}};
    struct ork_sequence *b = ork_sequence_of_parts(nested, 2);
    struct ork_sequence *c = ork_sequence_of_parts(mixed, 2);
    struct ork_part twice = {2, c};
    struct ork_sequence *d = ork_sequence_of_parts(&twice, 1);

    (void)state;
    assert_int_equal(ork_sequence_element(one), INT);
    assert_int_equal(ork_sequence_element(b), INT);
    assert_int_equal(ork_sequence_element(c), ORK_TYPE_UNKNOWN);
    assert_int_equal(ork_sequence_element(d), ORK_TYPE_UNKNOWN);
    ork_sequence_unref(a);
    ork_sequence_unref(b);
    ork_sequence_unref(c);
    ork_sequence_unref(d);
    ork_sequence_unref(one);
    ork_sequence_unref(other);
}

/* Each level has a part of its own, so that the levels cannot be joined. */
static void test_what_is_nested_too_deeply_is_unknown(void **state)
{
    struct ork_sequence *element = ork_sequence_of_basic(CHAR);
    struct ork_sequence *s = ork_sequence_of_basic(INT);

    (void)state;
    for (unsigned i = 0; i < 2 * ORK_SEQUENCE_DEPTH; i++) {
        struct ork_part part[2] = {{1, s}, {1, element}};
        struct ork_sequence *next = ork_sequence_of_parts(part, 2);
        ork_sequence_unref(s);
        s = next;
        assert_int_equal(s->bytes, 4 + i + 1);
    }
    assert_true(s->signature.unknown);
    assert_int_equal(s->id, ORK_TYPE_UNKNOWN);
    struct ork_items sent = {1, s}, received = {1, element};
    assert_int_equal(ork_items_compare(&sent, &received).match, ORK_TYPES_MATCH);
    ork_sequence_unref(s);
    ork_sequence_unref(element);
}

int test_matching(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_match_only_themselves),
        cmocka_unit_test(test_names_of_one_representation_are_alike),
        cmocka_unit_test(test_types_of_two_languages_match_by_their_size),
        cmocka_unit_test(test_packed_matches_every_type),
        cmocka_unit_test(test_nothing_matches_every_type),
        cmocka_unit_test(test_only_the_elements_that_are_sent_count),
        cmocka_unit_test(test_pairs_are_sequences_of_two),
        cmocka_unit_test(test_the_first_difference_is_found),
        cmocka_unit_test(test_one_sequence_has_one_id),
        cmocka_unit_test(test_copies_of_one_element_are_known),
        cmocka_unit_test(test_what_is_nested_too_deeply_is_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
