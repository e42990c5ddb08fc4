/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks in which a receive with a wildcard may be overtaken by one that is posted later. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#include "detector/fold/period.h"

enum { MOST = 200 };

static bool may_repeat(const struct step *step)
{
    struct ork_record block[MOST];
    uint32_t n = 0;

    for (; step->rec.kind != ORK_KIND_CONT; step++)
        n += script_records(step, &block[n]);
    assert_in_range(n, 1, MOST);
    return ork_wildcards_may_repeat(block, n, NULL);
}

static void one_that_is_completed_before_the_next_is_posted_may_repeat(void **state)
{
    (void)state;
    assert_true(may_repeat(RANK(J(ANY, 0, 0), W(0), COMPLETED(0, 1, 0), R(1, 0))));
    assert_true(may_repeat(
        RANK(J(ANY, 0, 0), TESTED(0, 1, 0), J(1, ANY_TAG, 0), W(0), COMPLETED(0, 1, 5))));
    assert_true(may_repeat(RANK(J(1, ANY_TAG, 0), S(1, 0), WANY(3, 0), COMPLETED(1, 1, 2))));
}

static void a_later_one_that_completes_first_may_overtake(void **state)
{
    (void)state;
    assert_false(may_repeat(RANK(J(ANY, 0, 0), R(1, 0), W(0), COMPLETED(0, 1, 0))));
    assert_false(may_repeat(RANK(J(ANY, 0, 0), J(1, 0, 1), W(1), W(0), COMPLETED(0, 1, 0))));
    assert_false(may_repeat(RANK(J(ANY, 0, 0), SR(1, 0, 1, 0), W(0), COMPLETED(0, 1, 0))));
    assert_false(may_repeat(RANK(J(ANY, 0, 0), J(ANY, 0, 1), WANY(0, 1), COMPLETED(1, 1, 0), W(0),
                                 COMPLETED(0, 2, 0))));
    assert_false(
        may_repeat(RANK(J(1, ANY_TAG, 0), J(1, 3, 1), TESTED(1, 1, 3), W(0), COMPLETED(0, 1, 0))));
}

static void those_that_complete_in_the_order_of_posting_may_repeat(void **state)
{
    (void)state;
    assert_true(may_repeat(RANK(J(ANY, 0, 0), J(ANY, 0, 1), W(0, 1), COMPLETED(0, 1, 0, 1, 2, 0))));
    assert_true(may_repeat(RANK(J(ANY, 0, 0), J(ANY, 0, 1), WANY(0, 1), COMPLETED(0, 1, 0), W(1),
                                COMPLETED(0, 2, 0))));
    assert_true(may_repeat(RANK(J(1, 0, 0), J(ANY, 0, 1), W(0), W(1), COMPLETED(0, 1, 0))));
}

static void those_that_cannot_take_the_same_do_not_matter(void **state)
{
    (void)state;
    assert_true(may_repeat(RANK(J(ANY, 0, 0), R(1, 1), W(0), COMPLETED(0, 1, 0))));
    assert_true(may_repeat(RANK(J(1, ANY_TAG, 0), R(2, 0), W(0), COMPLETED(0, 1, 0))));
    assert_true(may_repeat(RANK(J(ANY, 0, 0), R_ON(2, 1, 0), W(0), COMPLETED(0, 1, 0))));
}

static void a_probe_looks_past_open_ones(void **state)
{
    (void)state;
    assert_false(may_repeat(RANK(J(ANY, 0, 0), P(1, 0), W(0), COMPLETED(0, 1, 0))));
    assert_true(may_repeat(RANK(J(ANY, 0, 0), P(1, 1), W(0), COMPLETED(0, 1, 0))));
}

static void what_was_told_early_is_known(void **state)
{
    (void)state;
    assert_true(may_repeat(RANK(J(ANY, 0, 0), EARLY(0, 2, 0), R(1, 0), W(0), COMPLETED(0, 2, 0))));
    assert_false(may_repeat(
        RANK(J(ANY, 0, 0), J(ANY, 0, 1), EARLY(1, 1, 0), W(0, 1), COMPLETED(0, 2, 0, 1, 1, 0))));
}

/* It is pending at the end of the block, and so at its beginning. */
static void the_block_goes_round(void **state)
{
    (void)state;
    assert_false(may_repeat(RANK(R(1, 0), W(0), COMPLETED(0, 1, 0), J(ANY, 0, 0))));
    assert_true(may_repeat(RANK(R(1, 1), W(0), COMPLETED(0, 1, 0), J(ANY, 0, 0))));
}

/* Requests 10 and 11 are persistent receives of tag 0: of any source, and from rank 1. */
static bool find(void *context, uint32_t request, struct ork_record *made)
{
    (void)context;
    if (request != 10 && request != 11)
        return false;
    *made = request == 10 ? RANK(R_INIT(ANY, 0, 10))->rec : RANK(R_INIT(1, 0, 11))->rec;
    return true;
}

static bool may_repeat_with_persistent(const struct step *step)
{
    struct ork_record block[MOST];
    uint32_t n = 0;

    for (; step->rec.kind != ORK_KIND_CONT; step++)
        n += script_records(step, &block[n]);
    return ork_wildcards_may_repeat(block, n, &(struct ork_persistent_receives){find, NULL});
}

static void persistent_ones_are_posted_when_they_are_started(void **state)
{
    (void)state;
    assert_true(may_repeat_with_persistent(RANK(START(10), W(10), COMPLETED(0, 1, 0), R(1, 0))));
    assert_true(may_repeat_with_persistent(RANK(START(11), R(1, 0), W(11))));
    assert_true(may_repeat_with_persistent(RANK(START(12), R(1, 0), W(12))));
    assert_false(may_repeat_with_persistent(RANK(START(10), R(1, 0), W(10), COMPLETED(0, 1, 0))));
    assert_false(may_repeat_with_persistent(RANK(START(10, 11), W(11), W(10), COMPLETED(0, 1, 0))));
    assert_false(
        may_repeat_with_persistent(RANK(J(ANY, 0, 0), START(11), W(11), W(0), COMPLETED(0, 1, 0))));
}

static void more_than_are_remembered_do_not_repeat(void **state)
{
    struct ork_record block[MOST];

    (void)state;
    for (uint32_t i = 0; i < MOST; i++)
        block[i] = RANK(J(ANY, 0, i))->rec;
    assert_false(ork_wildcards_may_repeat(block, MOST, NULL));
    for (uint32_t i = 0; i < MOST; i++)
        block[i] = RANK(J(1, 0, i))->rec;
    assert_true(ork_wildcards_may_repeat(block, MOST, NULL));
}

int test_wildcards(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_is_completed_before_the_next_is_posted_may_repeat),
        cmocka_unit_test(a_later_one_that_completes_first_may_overtake),
        cmocka_unit_test(those_that_complete_in_the_order_of_posting_may_repeat),
        cmocka_unit_test(those_that_cannot_take_the_same_do_not_matter),
        cmocka_unit_test(a_probe_looks_past_open_ones),
        cmocka_unit_test(what_was_told_early_is_known),
        cmocka_unit_test(the_block_goes_round),
        cmocka_unit_test(persistent_ones_are_posted_when_they_are_started),
        cmocka_unit_test(more_than_are_remembered_do_not_repeat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
