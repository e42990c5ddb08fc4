/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, and the order of collective calls on them. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

static uint32_t comm_of(struct ork_detector *d, uint32_t rank)
{
    return ork_detector_rank(d, rank).comm;
}

static void members_may_number_a_communicator_differently(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(GROUP(2, 0, 1, 0, 1, 2), GROUP(3, 0, 2, 0, 2, 2), BAR(2)));
    script_feed(d, 1, RANK(GROUP(2, 0, 1, 0, 1, 2), GROUP(3, 0, 3, 1, 1, 2), BAR(3)));
    script_feed(d, 2, RANK(GROUP(2, 0, 2, 0, 2, 2), GROUP(3, 0, 3, 1, 1, 2), BAR(3)));
    assert_string_equal(script_statuses(d, 3).of, "BRR"); /* 1 and 2 met, 0 waits for 1 */
    ork_detector_destroy(d);
}

static void ranks_of_a_communicator_may_be_in_any_order(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    for (uint32_t r = 0; r < 3; r++)
        script_feed(d, r, RANK(SPLIT(2, 0, 2, (uint32_t)-1, 3)));
    script_feed(d, 0, RANK(S_ON(2, 0, 0))); /* the first one is rank 2 of the world */
    script_feed(d, 1, RANK(R_ON(2, 2, 0)));
    script_feed(d, 2, RANK(R_ON(2, 2, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RBR");
    ork_detector_destroy(d);
}

static void groups_of_one_split_are_apart(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(4);

    for (uint32_t r = 0; r < 4; r++)
        script_feed(d, r,
                    r % 2 == 0 ? RANK(SPLIT(2, 0, 0, 2, 2), BAR(2)) : RANK(SPLIT(2, 0, 1, 2, 2)));
    script_feed(d, 1, RANK(BAR(2)));
    assert_string_equal(script_statuses(d, 4).of, "RBRR");
    assert_int_equal(ork_detector_comm(d, comm_of(d, 1)).size, 2);
    assert_int_equal(ork_detector_comm(d, comm_of(d, 1)).made_by, ORK_COLL_COMM_SPLIT);
    ork_detector_destroy(d);
}

static void its_lowest_rank_tells_where_a_communicator_was_made(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    for (uint32_t r = 0; r < 3; r++)
        script_feed(d, r, RANK(CALL_SPLIT(0)));
    script_feed(d, 2, RANK(DEFINE_(2, 0, COMM_SPLIT, 0, 1, 3), BAR(2)));
    assert_string_equal(script_statuses(d, 3).of, "RRB");
    assert_int_equal(ork_detector_comm(d, comm_of(d, 2)).rank, 2);
    script_feed(d, 1, RANK(DEFINE_(2, 0, COMM_SPLIT, 0, 1, 3), BAR(2)));
    script_feed(d, 0, RANK(DEFINE_(2, 0, COMM_SPLIT, 0, 1, 3)));
    assert_int_equal(ork_detector_comm(d, comm_of(d, 2)).rank, 0);
    ork_detector_destroy(d);
}

static void a_duplicate_of_self_is_each_ones_own(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(DUP(2, 1), BAR(2), S_ON(2, 0, 0)));
    script_feed(d, 1, RANK(DUP(2, 1), R_ON(2, ANY, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BB");
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "0 1");
    ork_detector_destroy(d);
}

static void create_group_does_not_count_in_the_parents_order(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(GROUP(2, 0, 7, 0, 1, 2), DUP(3, 0), BAR(3)));
    script_feed(d, 1, RANK(GROUP(2, 0, 7, 0, 1, 2), DUP(3, 0), BAR(3)));
    script_feed(d, 2, RANK(DUP(2, 0), BAR(2)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

static void the_same_group_and_tag_make_a_new_communicator_each_time(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(GROUP(2, 0, 7, 0, 1, 2), GROUP(3, 0, 7, 0, 1, 2), BAR(2)));
    script_feed(d, 1, RANK(GROUP(2, 0, 7, 0, 1, 2), GROUP(3, 0, 7, 0, 1, 2), BAR(3)));
    assert_string_equal(script_statuses(d, 2).of, "BB");
    ork_detector_destroy(d);
}

static void any_source_between_groups_is_the_other_group(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(
        d, 0,
        RANK(CALL_INTERCOMM(1, 0, 1, 0, 5), DEFINE_INTER(2, 1, 0, 1, 1, 1, 1, 1), R_ON(2, ANY, 0)));
    script_feed(
        d, 1,
        RANK(CALL_INTERCOMM(1, 0, 0, 0, 5), DEFINE_INTER(2, 1, 1, 1, 1, 0, 1, 1), R_ON(2, ANY, 0)));
    assert_true(ork_detector_comm(d, comm_of(d, 0)).inter);
    assert_int_equal(comm_of(d, 0), comm_of(d, 1));
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "01"); /* rank 2 is no member */
    ork_detector_destroy(d);
}

static void leaders_meet_in_the_order_of_their_calls(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    const struct step call = CALL_INTERCOMM(1, 0, 1, 0, 5);
    const struct step answer = CALL_INTERCOMM(1, 0, 0, 0, 5);

    script_feed(d, 0,
                RANK(call, DEFINE_INTER(2, 1, 0, 1, 1, 1, 1, 1), call,
                     DEFINE_INTER(3, 1, 0, 1, 1, 1, 1, 1), S_ON(3, 0, 0)));
    script_feed(d, 1,
                RANK(answer, DEFINE_INTER(2, 1, 1, 1, 1, 0, 1, 1), answer,
                     DEFINE_INTER(3, 1, 1, 1, 1, 0, 1, 1), R_ON(3, 0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_communicator_with_two_numbers_is_freed_with_its_last_reference(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(DUP(2, 0), DEFINE_SAME(3, 0, COMM_DUP), COMM_FREE(2), COMM_FREE(3)));
    script_feed(d, 1,
                RANK(DUP(2, 0), DEFINE_SAME(3, 0, COMM_DUP), DEFINE_SAME(4, 0, COMM_DUP),
                     COMM_FREE(2), COMM_FREE(3), R_ON(4, 0, 0)));
    assert_int_equal(ork_detector_comm(d, comm_of(d, 1)).size, 2);
    ork_detector_destroy(d);
}

static void a_freed_communicator_is_gone_and_others_stay(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    for (uint32_t r = 0; r < 2; r++)
        script_feed(d, r, RANK(DUP(2, 0), COMM_FREE(2)));
    assert_int_equal(ork_detector_comm(d, 3).size, 0); /* after world, self and Finalize's */
    for (uint32_t r = 0; r < 2; r++)
        script_feed(d, r, RANK(DUP(2, 0), BAR(2)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_communicator_may_be_freed_with_receives_pending(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    const struct step pending = {.rec = {.kind = ORK_KIND_RECV,
                                         .comm = 2,
                                         .peer = ANY,
                                         .flags = ORK_F_NONBLOCKING,
                                         .request = 0}};

    script_feed(d, 0, RANK(DUP(2, 0), pending, COMM_FREE(2), W(0)));
    script_feed(d, 1, RANK(DUP(2, 0), COMM_FREE(2), R(0, 0)));
    ork_search_destroy(NULL);
    script_verdict(d, ORK_STRICT);
    assert_null(ork_detector_fault(d, 0));
    ork_detector_destroy(d);
}

static void different_calls_in_one_place_are_one_mismatch(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(4);
    const struct ork_issue *issue;

    script_feed(d, 0, RANK(BCAST(0, 0)));
    script_feed(d, 1, RANK(BAR(0)));
    script_feed(d, 2, RANK(BCAST(0, 0)));
    script_feed(d, 3, RANK(BAR(0)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    issue = ork_detector_issue(d, 0);
    assert_int_equal(issue->kind, ORK_ISSUE_MISMATCH);
    assert_int_equal(issue->num_sides, 2);
    assert_int_equal(issue->side[0].num_ranks, 2);
    assert_int_equal(issue->side[0].ranks[1], 2);
    assert_int_equal(issue->side[1].num_ranks, 2);
    assert_int_equal(issue->side[1].ranks[0], 1);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

static void another_root_is_a_mismatch(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(BCAST(0, 0)));
    script_feed(d, 1, RANK(BCAST(0, 1)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    ork_detector_destroy(d);
}

static void blocking_and_nonblocking_calls_do_not_match(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(BAR(0)));
    script_feed(d, 1, RANK(IBAR(0, 0)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    ork_detector_destroy(d);
}

static void a_definition_that_differs_silences_the_rank(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(SPLIT(2, 0, 0, 1, 2)));
    script_feed(d, 1, RANK(CALL_SPLIT(0)));
    script_feed(d, 2, RANK(SPLIT(2, 0, 0, 2, 2)));
    assert_null(ork_detector_fault(d, 0));
    assert_non_null(ork_detector_fault(d, 2));
    assert_string_equal(script_statuses(d, 3).of, "RRU");
    ork_detector_destroy(d);
}

static void a_name_is_kept(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(1);
    struct step name = {.rec = {.kind = ORK_KIND_COMM_NAME, .comm = 2, .bytes = 5, .count = 2}};

    memcpy(name.list, "grid!", 5);
    script_feed(d, 0, RANK(DUP(2, 0), name, S_ON(2, 0, 0)));
    assert_string_equal(ork_detector_comm(d, comm_of(d, 0)).name, "grid!");
    ork_detector_destroy(d);
}

static void waves_of_one_communicator_may_be_many_apart(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    for (uint32_t q = 0; q < 40; q++)
        script_feed(d, 0, RANK(IBAR(0, q)));
    script_feed(d, 0, RANK(W(39)));
    for (uint32_t q = 0; q < 40; q++) {
        assert_int_equal(script_call(d, 0), ORK_KIND_WAIT);
        script_feed(d, 1, RANK(IBAR(0, q)));
    }
    assert_int_equal(script_call(d, 0), ORK_KIND_CONT);
    assert_int_equal(ork_detector_counts(d).collectives, 40);
    ork_detector_destroy(d);
}

int test_comm(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_may_number_a_communicator_differently),
        cmocka_unit_test(ranks_of_a_communicator_may_be_in_any_order),
        cmocka_unit_test(groups_of_one_split_are_apart),
        cmocka_unit_test(its_lowest_rank_tells_where_a_communicator_was_made),
        cmocka_unit_test(a_duplicate_of_self_is_each_ones_own),
        cmocka_unit_test(create_group_does_not_count_in_the_parents_order),
        cmocka_unit_test(the_same_group_and_tag_make_a_new_communicator_each_time),
        cmocka_unit_test(any_source_between_groups_is_the_other_group),
        cmocka_unit_test(leaders_meet_in_the_order_of_their_calls),
        cmocka_unit_test(a_communicator_with_two_numbers_is_freed_with_its_last_reference),
        cmocka_unit_test(a_freed_communicator_is_gone_and_others_stay),
        cmocka_unit_test(a_communicator_may_be_freed_with_receives_pending),
        cmocka_unit_test(different_calls_in_one_place_are_one_mismatch),
        cmocka_unit_test(another_root_is_a_mismatch),
        cmocka_unit_test(blocking_and_nonblocking_calls_do_not_match),
        cmocka_unit_test(a_definition_that_differs_silences_the_rank),
        cmocka_unit_test(a_name_is_kept),
        cmocka_unit_test(waves_of_one_communicator_may_be_many_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
