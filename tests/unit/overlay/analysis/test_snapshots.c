/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/snapshots.h"

#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

enum { LEAVES = 3, MS = 1000000 };

/* Leaves that answer when the test says so. */
struct scene {
    struct ork_snapshots *snapshots;
    struct ork_down down;
    unsigned collects;
    uint32_t round; /* latest that was asked for */
    bool at_once;   /* all answer inside the call, with this of rank 0: */
    struct ork_snapshot snapshot;
    enum ork_status status; /* of the next collects */
};

static enum ork_status collect(void *context, const struct ork_order *order)
{
    struct scene *s = context;

    assert_int_equal(order->kind, ORK_ORDER_COLLECT);
    s->collects++;
    if (s->status != ORK_OK)
        return s->status;
    assert_int_not_equal(order->round, s->round);
    s->round = order->round;
    if (!s->at_once)
        return ORK_OK;
    assert_int_equal(ork_snapshots_take(s->snapshots, 0, &s->snapshot), ORK_OK);
    for (unsigned i = 0; i < LEAVES; i++)
        ork_snapshots_collected(s->snapshots, order->round);
    return ORK_OK;
}

static int set_up(void **state)
{
    static struct scene s;

    memset(&s, 0, sizeof(s));
    s.down = (struct ork_down){.context = &s, .send = collect};
    *state = &s;
    return ork_snapshots_create(&s.down, LEAVES, &s.snapshots) != ORK_OK;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    ork_snapshots_destroy(s->snapshots);
    return 0;
}

static void take(struct scene *s, uint32_t rank, uint64_t head)
{
    const struct ork_snapshot snapshot = {.head = head, .threads = 1};

    assert_int_equal(ork_snapshots_take(s->snapshots, rank, &snapshot), ORK_OK);
}

static void answer(struct scene *s, uint32_t round, unsigned leaves)
{
    for (unsigned i = 0; i < leaves; i++)
        ork_snapshots_collected(s->snapshots, round);
}

static bool is_fresh(struct scene *s, unsigned rounds, uint64_t at_ms)
{
    return ork_snapshots_is_fresh(s->snapshots, rounds, at_ms * MS);
}

static uint64_t head_of(const struct scene *s, unsigned ago, uint32_t rank)
{
    const struct ork_snapshot *snapshot = ork_snapshots_of(s->snapshots, ago, rank);

    return snapshot != NULL ? snapshot->head : UINT64_MAX;
}

/* ---- rounds ---- */

static void nothing_is_asked_before_somebody_wants_to_know(void **state)
{
    struct scene *s = *state;

    assert_int_equal(s->collects, 0);
    assert_null(ork_snapshots_of(s->snapshots, 0, 0));
    assert_null(ork_snapshots_of(s->snapshots, 1, UINT32_MAX));
    ork_snapshots_destroy(NULL);
}

static void a_round_is_over_when_all_leaves_have_answered(void **state)
{
    struct scene *s = *state;

    assert_false(is_fresh(s, 1, 1));
    assert_false(is_fresh(s, 1, 2));
    assert_int_equal(s->collects, 1); /* under way: not asked again */
    take(s, 4, 10);
    answer(s, s->round, LEAVES - 1);
    assert_false(is_fresh(s, 1, 3));
    answer(s, s->round, 1);
    assert_true(is_fresh(s, 1, 4));
    assert_int_equal(s->collects, 1);
    assert_int_equal(head_of(s, 0, 4), 10);
    assert_null(ork_snapshots_of(s->snapshots, 0, 3)); /* was not there */
}

/* The double collect depends on it: what lies between the two is an instant of both. */
static void the_second_round_begins_after_the_first_was_over(void **state)
{
    struct scene *s = *state;

    assert_false(is_fresh(s, 2, 1));
    uint32_t first = s->round;
    take(s, 0, 5);
    answer(s, first, LEAVES);
    assert_int_equal(s->collects, 1);
    assert_false(is_fresh(s, 2, 2));
    assert_int_equal(s->collects, 2);
    assert_int_not_equal(s->round, first);
    take(s, 0, 6);
    answer(s, first, LEAVES); /* once more: not of this round */
    assert_false(is_fresh(s, 2, 3));
    answer(s, s->round, LEAVES);
    assert_true(is_fresh(s, 2, 4));
    assert_int_equal(head_of(s, 1, 0), 5);
    assert_int_equal(head_of(s, 0, 0), 6);
}

static void leaves_of_the_same_process_answer_inside_the_question(void **state)
{
    struct scene *s = *state;

    s->at_once = true;
    assert_true(is_fresh(s, 2, 1));
    assert_int_equal(s->collects, 2);
}

static void what_was_found_is_fresh_for_a_moment(void **state)
{
    struct scene *s = *state;

    s->at_once = true;
    assert_true(is_fresh(s, 1, 1));
    assert_true(is_fresh(s, 1, 2));
    assert_int_equal(s->collects, 1);
    assert_true(is_fresh(s, 1, 1000)); /* after new rounds */
    assert_int_equal(s->collects, 2);
    ork_snapshots_expire(s->snapshots);
    assert_true(is_fresh(s, 1, 1001));
    assert_int_equal(s->collects, 3);
}

/* One round that is fresh is not the first of two: between them much may have happened unseen. */
static void who_wants_two_rounds_gets_two_new_ones(void **state)
{
    struct scene *s = *state;

    s->at_once = true;
    assert_true(is_fresh(s, 1, 1));
    assert_true(is_fresh(s, 2, 2));
    assert_int_equal(s->collects, 3);
    assert_true(is_fresh(s, 1, 3));
    assert_int_equal(s->collects, 3);
}

static void a_wish_for_more_joins_the_round_under_way(void **state)
{
    struct scene *s = *state;

    assert_false(is_fresh(s, 1, 1));
    assert_false(is_fresh(s, 2, 2));
    assert_int_equal(s->collects, 1);
    answer(s, s->round, LEAVES);
    assert_false(is_fresh(s, 1, 3)); /* the other's second is asked for */
    assert_int_equal(s->collects, 2);
    answer(s, s->round, LEAVES);
    assert_true(is_fresh(s, 2, 4));
    assert_true(is_fresh(s, 1, 4));
    assert_int_equal(s->collects, 2);
}

static void a_rank_that_has_gone_is_not_in_the_next_round(void **state)
{
    struct scene *s = *state;

    for (unsigned i = 0; i < 5; i++) {
        assert_false(is_fresh(s, 1, 100 * i + 1));
        if (i % 2 == 0)
            take(s, 7, i);
        answer(s, s->round, LEAVES);
        assert_true(is_fresh(s, 1, 100 * i + 1));
        if (i % 2 == 0)
            assert_int_equal(head_of(s, 0, 7), i);
        else
            assert_null(ork_snapshots_of(s->snapshots, 0, 7));
        assert_int_equal(ork_snapshots_last(s->snapshots, 7)->head, i / 2 * 2);
        assert_null(ork_snapshots_last(s->snapshots, 6));
    }
}

static void a_question_that_cannot_be_asked_is_asked_again_later(void **state)
{
    struct scene *s = *state;

    s->status = ORK_NOMEM;
    assert_false(is_fresh(s, 2, 1));
    assert_false(is_fresh(s, 2, 2));
    assert_int_equal(s->collects, 2);
    s->status = ORK_OK;
    s->at_once = true;
    assert_true(is_fresh(s, 2, 3));
    assert_int_equal(s->collects, 4);
}

/* ---- leaves that are lost ---- */

static void a_lost_leaf_is_not_waited_for(void **state)
{
    struct scene *s = *state;

    assert_false(is_fresh(s, 1, 1));
    uint32_t first = s->round;
    answer(s, first, LEAVES - 1);
    ork_snapshots_lose(s->snapshots, 1);
    assert_false(is_fresh(s, 1, 2)); /* who had answered is not known: a new round */
    assert_int_not_equal(s->round, first);
    answer(s, first, 1);
    assert_false(is_fresh(s, 1, 3));
    answer(s, s->round, LEAVES - 1);
    assert_true(is_fresh(s, 1, 4));
}

static void a_round_that_was_over_stays_so_when_a_leaf_is_lost(void **state)
{
    struct scene *s = *state;

    assert_false(is_fresh(s, 1, 1));
    take(s, 1, 3);
    answer(s, s->round, LEAVES);
    ork_snapshots_lose(s->snapshots, 2);
    assert_true(is_fresh(s, 1, 2));
    assert_int_equal(head_of(s, 0, 1), 3);
    ork_snapshots_lose(s->snapshots, 100); /* one is the root's own */
    assert_false(is_fresh(s, 1, 1000));
    answer(s, s->round, 1);
    assert_true(is_fresh(s, 1, 1001));
}

/* ---- have all records been taken? ---- */

static bool is_current(const struct scene *s, uint32_t rank, uint64_t head)
{
    return ork_snapshots_is_current(s->snapshots, &(struct ork_snapshot){.head = head}, rank);
}

static void records_are_counted_for_each_rank(void **state)
{
    struct scene *s = *state;

    assert_false(is_current(s, 0, 0)); /* never heard of */
    assert_int_equal(ork_snapshots_records(s->snapshots, 0, 3), ORK_OK);
    assert_int_equal(ork_snapshots_records(s->snapshots, 5, 1), ORK_OK);
    assert_int_equal(ork_snapshots_records(s->snapshots, 0, 4), ORK_OK);
    assert_true(is_current(s, 0, 7));
    assert_true(is_current(s, 5, 1));
    assert_false(is_current(s, 0, 6)); /* acted since */
    assert_false(is_current(s, 0, 8)); /* one is under way */
    assert_false(is_current(s, 4, 0));
    assert_false(is_current(s, UINT32_MAX, 0));
}

static void a_record_of_all_counts_for_those_who_were_known(void **state)
{
    struct scene *s = *state;

    assert_int_equal(ork_snapshots_records(s->snapshots, 0, 2), ORK_OK);
    ork_snapshots_record_of_all(s->snapshots);
    ork_snapshots_record_of_all(s->snapshots);
    assert_true(is_current(s, 0, 4));
    assert_int_equal(ork_snapshots_records(s->snapshots, 100, 1), ORK_OK); /* came after these */
    assert_true(is_current(s, 100, 1));
    assert_false(is_current(s, 50, 2));
    ork_snapshots_record_of_all(s->snapshots);
    assert_true(is_current(s, 0, 5));
    assert_true(is_current(s, 100, 2));
    assert_int_equal(ork_snapshots_records(s->snapshots, 50, 9), ORK_OK);
    assert_true(is_current(s, 50, 9));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_snapshots(void)
{
    const struct CMUnitTest tests[] = {
        CASE(nothing_is_asked_before_somebody_wants_to_know),
        CASE(a_round_is_over_when_all_leaves_have_answered),
        CASE(the_second_round_begins_after_the_first_was_over),
        CASE(leaves_of_the_same_process_answer_inside_the_question),
        CASE(what_was_found_is_fresh_for_a_moment),
        CASE(who_wants_two_rounds_gets_two_new_ones),
        CASE(a_wish_for_more_joins_the_round_under_way),
        CASE(a_rank_that_has_gone_is_not_in_the_next_round),
        CASE(a_question_that_cannot_be_asked_is_asked_again_later),
        CASE(a_lost_leaf_is_not_waited_for),
        CASE(a_round_that_was_over_stays_so_when_a_leaf_is_lost),
        CASE(records_are_counted_for_each_rank),
        CASE(a_record_of_all_counts_for_those_who_were_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
