/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of live byte sets, with few and with many of them. */
#include "bytes/ranges/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MANY = 10000, READ = 1, WRITE = 2 };

struct seen {
    uint64_t count, sum; /* of payloads */
    uint64_t stop_after;
};

static bool see(void *context, const struct ork_index_entry *entry, const struct ork_common *common)
{
    struct seen *s = context;

    assert_true(common->low < common->high);
    s->sum += entry->payload;
    return ++s->count != s->stop_after;
}

static struct seen visit(const struct ork_index *index, int64_t low, int64_t length, uint32_t kinds,
                         enum ork_answer expected)
{
    struct seen s = {0, 0, 0};
    struct ork_span span = ork_span_of_block(low, length);

    assert_int_equal(ork_index_visit(index, &span, kinds, see, &s), expected);
    return s;
}

/* `count` blocks of 8 bytes, 10 apart; the payload is the number. */
static void fill(struct ork_index *index, uint32_t *entry, uint32_t count)
{
    ork_index_init(index);
    for (uint32_t i = 0; i < count; i++) {
        struct ork_span span = ork_span_of_block(10 * (int64_t)i, 8);
        entry[i] = ork_index_insert(index, &span, i % 2 == 0 ? READ : WRITE, i);
        assert_int_not_equal(entry[i], ORK_INDEX_NONE);
    }
    assert_int_equal(index->count, count);
}

static uint32_t entry[MANY];

static void only_sets_with_a_common_byte_are_visited(void **state)
{
    static const uint32_t counts[] = {5, ORK_INDEX_FEW, ORK_INDEX_FEW + 1, MANY};
    struct ork_index index;

    (void)state;
    for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
        fill(&index, entry, counts[k]);
        assert_int_equal(visit(&index, 8, 2, READ | WRITE, ORK_NO).count, 0);
        assert_int_equal(visit(&index, 7, 3, READ | WRITE, ORK_YES).count, 1);
        struct seen s = visit(&index, 17, 14, READ | WRITE, ORK_YES);
        assert_int_equal(s.count, 3);
        assert_int_equal(s.sum, 1 + 2 + 3);
        ork_index_reset(&index);
    }
}

static void only_the_kinds_that_were_named_are_visited(void **state)
{
    struct ork_index index;

    (void)state;
    fill(&index, entry, 10);
    assert_int_equal(visit(&index, 0, 20, READ, ORK_YES).sum, 0);
    assert_int_equal(visit(&index, 0, 20, WRITE, ORK_YES).sum, 1);
    assert_int_equal(visit(&index, 0, 8, WRITE, ORK_NO).count, 0);
    ork_index_reset(&index);
}

static void a_visitor_can_end_the_search(void **state)
{
    struct ork_index index;
    struct ork_span all = ork_span_of_block(0, 10 * (int64_t)MANY);

    (void)state;
    for (uint32_t count = 10; count <= 1000; count *= 100) {
        struct seen s = {0, 0, 3};
        fill(&index, entry, count);
        assert_int_equal(ork_index_visit(&index, &all, READ | WRITE, see, &s), ORK_YES);
        assert_int_equal(s.count, 3);
        ork_index_reset(&index);
    }
}

static void removed_sets_are_gone_and_their_numbers_are_used_again(void **state)
{
    struct ork_index index;

    (void)state;
    fill(&index, entry, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        if (i % 1000 != 7)
            ork_index_remove(&index, entry[i]);
    assert_int_equal(index.count, MANY / 1000);
    assert_int_equal(visit(&index, 0, 10 * (int64_t)MANY, READ | WRITE, ORK_YES).count,
                     MANY / 1000);
    assert_int_equal(visit(&index, 60, 10, READ | WRITE, ORK_NO).count, 0);
    assert_int_equal(visit(&index, 70, 10, READ | WRITE, ORK_YES).sum, 7);
    uint32_t used = index.num_entries;
    struct ork_span span = ork_span_of_block(60, 1);
    ork_index_insert(&index, &span, READ, 6);
    assert_int_equal(index.num_entries, used);
    assert_int_equal(visit(&index, 60, 10, READ | WRITE, ORK_YES).sum, 6);
    for (uint32_t i = 7; i < MANY; i += 1000)
        ork_index_remove(&index, entry[i]);
    assert_int_equal(index.count, 1);
    assert_int_equal(visit(&index, 60, 10, READ | WRITE, ORK_YES).sum, 6);
    ork_index_reset(&index);
}

static void a_set_takes_the_place_of_one_with_the_same_bounds(void **state)
{
    static const uint32_t counts[] = {5, MANY};
    struct ork_byteset ends = {0};
    struct ork_index index;
    struct ork_span gaps, longer = ork_span_of_block(20, 9);

    (void)state;
    assert_true(ork_byteset_add_block(&ends, 0, 2) && ork_byteset_add_block(&ends, 6, 2));
    assert_true(ork_byteset_finish(&ends) && ork_span_of_layout(&gaps, &ends, 20, 1, 0));
    for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
        fill(&index, entry, counts[k]);
        assert_false(ork_index_replace(&index, entry[2], &longer, 100));
        assert_int_equal(visit(&index, 22, 4, READ | WRITE, ORK_YES).sum, 2);
        assert_true(ork_index_replace(&index, entry[2], &gaps, 100));
        assert_int_equal(index.count, counts[k]);
        assert_int_equal(visit(&index, 22, 4, READ | WRITE, ORK_NO).count, 0);
        assert_int_equal(visit(&index, 26, 1, READ, ORK_YES).sum, 100);
        ork_index_remove(&index, entry[2]);
        assert_int_equal(visit(&index, 20, 8, READ | WRITE, ORK_NO).count, 0);
        ork_index_reset(&index);
    }
    ork_byteset_reset(&ends);
}

/* Columns of one matrix: all bounds meet, no bytes do. */
static void too_many_near_sets_are_undecided(void **state)
{
    struct ork_byteset column = {0};
    struct ork_index index;
    struct ork_span span;

    (void)state;
    assert_true(ork_byteset_add_block(&column, 0, 8));
    assert_true(ork_byteset_repeat(&column, 100, 8 * (int64_t)MANY));
    assert_true(ork_byteset_finish(&column));
    ork_index_init(&index);
    for (int64_t i = 1; i <= ORK_INDEX_NEAR + 1; i++) {
        assert_true(ork_span_of_layout(&span, &column, 8 * i, 1, 0));
        ork_index_insert(&index, &span, WRITE, (uint64_t)i);
        if (i == ORK_INDEX_NEAR)
            assert_int_equal(visit(&index, 8 * (int64_t)MANY, 8, WRITE, ORK_NO).count, 0);
    }
    visit(&index, 8 * (int64_t)MANY, 8, WRITE, ORK_UNDECIDED);
    ork_index_reset(&index);
    ork_byteset_reset(&column);
}

int test_index(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_sets_with_a_common_byte_are_visited),
        cmocka_unit_test(only_the_kinds_that_were_named_are_visited),
        cmocka_unit_test(a_visitor_can_end_the_search),
        cmocka_unit_test(a_set_takes_the_place_of_one_with_the_same_bounds),
        cmocka_unit_test(removed_sets_are_gone_and_their_numbers_are_used_again),
        cmocka_unit_test(too_many_near_sets_are_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
