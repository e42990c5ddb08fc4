/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which window locks are granted, and MPI_Win_test. */
#include "tests/unit/arbiter/script.h"

enum { WIN = 5, OTHER_WIN = 6, ALL = ORK_NO_PEER };

static void define(struct ork_arbiter *a, uint32_t rank, uint32_t win)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                             .flags = ORK_F_SAME_GROUP,
                             .mode = ORK_COLL_WIN_CREATE,
                             .comm = win,
                             .extra = 100 + win});
}

/* With two windows. */
static struct ork_arbiter *create_windows(uint32_t nprocs)
{
    struct ork_arbiter *a = create(nprocs);

    for (uint32_t r = 0; r < nprocs; r++) {
        define(a, r, WIN);
        define(a, r, OTHER_WIN);
    }
    return a;
}

static void steps(struct ork_arbiter *a, uint32_t rank, uint64_t number)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_STEPS, .bytes = number});
}

static void call(struct ork_arbiter *a, uint32_t rank, enum ork_kind kind, uint32_t win,
                 int32_t target, bool is_exclusive)
{
    feed(a, rank,
         (struct ork_record){
             .kind = (uint8_t)kind, .comm = win, .peer = target, .mode = is_exclusive});
}

/* The question has number 1. */
static void lock(struct ork_arbiter *a, uint32_t rank, int32_t target, bool is_exclusive,
                 uint64_t number)
{
    call(a, rank, ORK_KIND_WIN_LOCK, WIN, target, is_exclusive);
    feed(a, rank,
         (struct ork_record){
             .kind = ORK_KIND_ASK, .mode = ORK_ASK_LOCK, .bytes = number, .extra = 1});
}

static void unlock(struct ork_arbiter *a, uint32_t rank, int32_t target)
{
    returned(a, rank, ORK_NO_PEER, 0);
    call(a, rank, ORK_KIND_WIN_UNLOCK, WIN, target, false);
}

static void granted(struct ork_arbiter *a, uint32_t rank, int32_t number)
{
    expect(a, rank, ORK_DECIDED_LOCK, 1, number, 0);
}

static void the_earliest_request_is_first(void **state)
{
    struct ork_arbiter *a = create_windows(3);

    (void)state;
    lock(a, 2, 0, true, 6);
    expect_nothing_yet(a);
    lock(a, 1, 0, true, 2);
    expect_nothing_yet(a); /* rank 0 may ask for an earlier one */
    lock(a, 0, 0, true, 2);
    granted(a, 0, 0);
    expect_nothing_yet(a);
    unlock(a, 0, 0);
    granted(a, 1, 1);
    expect_nothing_yet(a);
    assert_true(ork_arbiter_is_waiting(a));
    unlock(a, 1, 0);
    expect_nothing_yet(a); /* their next ones may be earlier */
    steps(a, 0, 6);
    expect_nothing_yet(a);
    steps(a, 1, 3);
    granted(a, 2, 2);
    assert_true(ork_arbiter_is_waiting(a)); /* until its call has returned */
    unlock(a, 2, 0);
    assert_false(ork_arbiter_is_waiting(a));
    ork_arbiter_destroy(a);
}

static void of_equal_times_the_lowest_rank_is_first(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    lock(a, 1, 0, true, 4);
    steps(a, 0, 2);
    expect_nothing_yet(a);
    steps(a, 0, 3);
    expect_nothing_yet(a); /* its next one may have the time 4 */
    steps(a, 0, 4);
    granted(a, 1, 0);
    ork_arbiter_destroy(a);
}

static void messages_are_counted_too(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    lock(a, 1, 0, true, 3);
    send(a, 0, 1, 0);
    expect_nothing_yet(a);
    send(a, 0, 1, 0);
    expect_nothing_yet(a);
    send(a, 0, 1, 0);
    granted(a, 1, 0);
    ork_arbiter_destroy(a);
}

static void a_rank_that_waits_for_a_message_asks_later(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    lock(a, 1, 0, true, 1);
    expect_nothing_yet(a);
    recv(a, 0, 1, 0); /* at time 1 or later, so its lock has the time 3 or more */
    granted(a, 1, 0);
    ork_arbiter_destroy(a);
}

static void a_rank_that_has_ended_asks_no_more(void **state)
{
    struct ork_arbiter *a = create_windows(3);

    (void)state;
    lock(a, 1, 0, true, 9);
    finalize(a, 0);
    expect_nothing_yet(a);
    ork_arbiter_end(a, 2);
    granted(a, 1, 0);
    ork_arbiter_destroy(a);
}

static void other_targets_and_windows_do_not_conflict(void **state)
{
    struct ork_arbiter *a = create_windows(3);

    (void)state;
    lock(a, 0, 0, true, 1);
    granted(a, 0, 0);
    lock(a, 1, 1, true, 1);
    granted(a, 1, 0);
    call(a, 2, ORK_KIND_WIN_LOCK, OTHER_WIN, 0, true);
    feed(a, 2,
         (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_LOCK, .bytes = 1, .extra = 1});
    granted(a, 2, 0);
    ork_arbiter_destroy(a);
}

static void shared_sections_are_there_together(void **state)
{
    struct ork_arbiter *a = create_windows(4);

    (void)state;
    lock(a, 0, 2, false, 1);
    granted(a, 0, 0);
    lock(a, 1, 2, false, 2);
    lock(a, 2, 2, true, 3);
    lock(a, 3, 2, false, 4);
    steps(a, 0, 5);
    granted(a, 1, 0);
    unlock(a, 0, 2);
    steps(a, 0, 9);
    steps(a, 1, 9);
    expect_nothing_yet(a); /* rank 1 still has it */
    unlock(a, 1, 2);
    granted(a, 2, 2);
    expect_nothing_yet(a); /* the later shared one is behind it */
    unlock(a, 2, 2);
    steps(a, 2, 9);
    granted(a, 3, 1);
    ork_arbiter_destroy(a);
}

static void a_lock_of_all_conflicts_with_each_target(void **state)
{
    struct ork_arbiter *a = create_windows(3);

    (void)state;
    lock(a, 1, 0, true, 1);
    steps(a, 0, 1);
    granted(a, 1, 0);
    lock(a, 2, 1, true, 2);
    steps(a, 0, 2);
    steps(a, 1, 2);
    granted(a, 2, 0);
    lock(a, 0, ALL, false, 3);
    expect_nothing_yet(a);
    unlock(a, 1, 0);
    steps(a, 1, 5);
    expect_nothing_yet(a);
    unlock(a, 2, 1);
    steps(a, 2, 5);
    granted(a, 0, 2); /* of all targets together */
    lock(a, 1, 2, true, 6);
    expect_nothing_yet(a);
    unlock(a, 0, ALL);
    steps(a, 0, 9);
    steps(a, 2, 9);
    granted(a, 1, 1);
    ork_arbiter_destroy(a);
}

/* Rank 0 holds a shared lock and waits for rank 2, which wants one, too; rank 1 is between them. */
static void in_a_quiescent_state_a_lock_may_overtake_one_that_waits(void **state)
{
    struct ork_arbiter *a = create_windows(3);

    (void)state;
    lock(a, 0, 0, false, 1);
    granted(a, 0, 0);
    returned(a, 0, ORK_NO_PEER, 0);
    recv(a, 0, 2, 0);
    lock(a, 1, 0, true, 2);
    lock(a, 2, 0, false, 3);
    expect_break(a, 2, ORK_DECIDED_LOCK, 1, 0, 0);
    expect_nothing(a);
    unlock(a, 2, 0);
    send(a, 2, 0, 0);
    unlock(a, 0, 0);
    steps(a, 2, 9);
    granted(a, 1, 2);
    ork_arbiter_destroy(a);
}

/* Rank 3 waits for the sections of ranks 0 and 1. That of rank 1 is over, but rank 2 is before it.
 */
static void the_end_of_a_section_makes_no_request_earlier(void **state)
{
    struct ork_arbiter *a = create_windows(5);

    (void)state;
    lock(a, 0, 0, false, 1);
    granted(a, 0, 0);
    lock(a, 1, 1, true, 1);
    granted(a, 1, 0);
    lock(a, 2, 0, true, 3);
    lock(a, 3, ALL, false, 5);
    returned(a, 0, ORK_NO_PEER, 0);
    steps(a, 0, 20);
    returned(a, 1, ORK_NO_PEER, 0);
    steps(a, 1, 20);
    unlock(a, 1, 1);
    lock(a, 4, 2, false, 8); /* rank 3 asks for no other one before time 20 */
    granted(a, 4, 0);
    expect_nothing_yet(a);
    ork_arbiter_destroy(a);
}

static void in_a_quiescent_state_the_earliest_lock_is_granted(void **state)
{
    struct ork_arbiter *a = create_windows(4);

    (void)state;
    lock(a, 2, 0, true, 7);
    lock(a, 1, 0, true, 8);
    lock(a, 3, 1, true, 6);
    expect_break(a, 3, ORK_DECIDED_LOCK, 1, 0, 0);
    expect_break(a, 2, ORK_DECIDED_LOCK, 1, 0, 0);
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void messages_come_before_locks(void **state)
{
    struct ork_arbiter *a = create_windows(3);

    (void)state;
    recv(a, 1, ANY, 0);
    send(a, 2, 1, 0);
    lock(a, 2, 0, true, 5);
    expect_break(a, 1, ORK_DECIDED_RECEIVE, 1, 2, 0);
    expect_break(a, 2, ORK_DECIDED_LOCK, 1, 0, 0);
    ork_arbiter_destroy(a);
}

static void each_has_the_lock_of_the_other(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    lock(a, 0, 0, true, 1);
    granted(a, 0, 0);
    lock(a, 1, 1, true, 1);
    granted(a, 1, 0);
    returned(a, 0, ORK_NO_PEER, 0);
    returned(a, 1, ORK_NO_PEER, 0);
    lock(a, 0, 1, true, 2);
    lock(a, 1, 0, true, 2);
    expect_nothing(a);
    assert_true(ork_arbiter_is_waiting(a));
    ork_arbiter_destroy(a);
}

static void a_lock_that_failed_is_not_held(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    lock(a, 0, 0, true, 1);
    granted(a, 0, 0);
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR});
    lock(a, 1, 0, true, 1);
    steps(a, 0, 3);
    granted(a, 1, 0);
    ork_arbiter_destroy(a);
}

static void a_lock_that_the_rank_has_is_not_decided(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    lock(a, 0, 0, true, 1);
    granted(a, 0, 0);
    returned(a, 0, ORK_NO_PEER, 0);
    lock(a, 0, 0, false, 2);
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR});
    lock(a, 0, ALL, false, 3);
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    lock(a, 1, 0, true, 1);
    steps(a, 0, 9);
    expect_nothing_yet(a); /* rank 0 still has it */
    call(a, 0, ORK_KIND_WIN_UNLOCK, WIN, 0, false);
    granted(a, 1, 1);
    ork_arbiter_destroy(a);
}

static void a_window_that_is_not_known_is_not_decided(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    lock(a, 0, 0, true, 1);
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    define(a, 1, WIN);
    lock(a, 1, 2, true, 1); /* no such target */
    expect(a, 1, ORK_DECIDED_NOTHING, 1, 0, 0);
    unlock(a, 1, 0);
    feed(a, 1, (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_LOCK, .extra = 1});
    expect(a, 1, ORK_DECIDED_NOTHING, 1, 0, 0);
    ork_arbiter_destroy(a);
}

static void it_is_known_who_holds_a_lock_up(void **state)
{
    struct ork_arbiter *a = create_windows(3);
    uint32_t by = UINT32_MAX;
    uint64_t bound = 0;

    (void)state;
    lock(a, 1, 0, true, 4);
    steps(a, 0, 9);
    assert_true(ork_arbiter_is_held_up(a, 1, &by, &bound));
    expect_nothing_yet(a);
    assert_true(ork_arbiter_is_held_up(a, 1, &by, &bound));
    assert_int_equal(by, 2);
    assert_int_equal(bound, 1);
    assert_false(ork_arbiter_is_held_up(a, 0, &by, &bound));
    steps(a, 2, 2);
    expect_nothing_yet(a);
    assert_true(ork_arbiter_is_held_up(a, 1, &by, &bound));
    assert_int_equal(bound, 3);
    lock(a, 2, 0, true, 3);
    granted(a, 2, 0);
    assert_false(ork_arbiter_is_held_up(a, 1, &by, &bound)); /* it waits for the section */
    ork_arbiter_destroy(a);
}

static void so_many_calls_cannot_be(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    steps(a, 0, UINT64_MAX - 1);
    lock(a, 1, 0, true, 1);
    expect_nothing_yet(a); /* rank 0 is lost: it may do anything */
    expect_break(a, 1, ORK_DECIDED_LOCK, 1, 0, 0);
    ork_arbiter_destroy(a);
}

static void a_test_of_a_window_ends_in_a_quiescent_state(void **state)
{
    struct ork_arbiter *a = create_windows(2);
    const struct ork_record test = {
        .kind = ORK_KIND_ASK, .mode = ORK_ASK_TEST_WIN, .bytes = 1, .extra = 1};

    (void)state;
    for (int i = 0; i < 3; i++)
        send(a, 1, 0, 0);
    lock(a, 1, 0, true, 1); /* at time 4 */
    feed(a, 0, test);
    expect_nothing_yet(a);
    assert_true(ork_arbiter_is_waiting(a));
    expect_break(a, 1, ORK_DECIDED_LOCK, 1, 0, 0);
    returned(a, 1, ORK_NO_PEER, 0);
    expect_break(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    assert_false(ork_arbiter_is_waiting(a));
    unlock(a, 1, 0);
    lock(a, 1, 0, true, 2); /* at time 6, and the test ended at time 5 */
    expect_nothing_yet(a);
    steps(a, 0, 2);
    granted(a, 1, 1);
    ork_arbiter_destroy(a);
}

static void a_successful_test_needs_no_decision(void **state)
{
    struct ork_arbiter *a = create_windows(2);

    (void)state;
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_TEST_WIN, .extra = 1});
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_WIN_TESTED, .comm = WIN});
    assert_false(ork_arbiter_is_waiting(a));
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

int test_locks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_request_is_first),
        cmocka_unit_test(of_equal_times_the_lowest_rank_is_first),
        cmocka_unit_test(messages_are_counted_too),
        cmocka_unit_test(a_rank_that_waits_for_a_message_asks_later),
        cmocka_unit_test(a_rank_that_has_ended_asks_no_more),
        cmocka_unit_test(other_targets_and_windows_do_not_conflict),
        cmocka_unit_test(shared_sections_are_there_together),
        cmocka_unit_test(a_lock_of_all_conflicts_with_each_target),
        cmocka_unit_test(in_a_quiescent_state_a_lock_may_overtake_one_that_waits),
        cmocka_unit_test(the_end_of_a_section_makes_no_request_earlier),
        cmocka_unit_test(in_a_quiescent_state_the_earliest_lock_is_granted),
        cmocka_unit_test(messages_come_before_locks),
        cmocka_unit_test(each_has_the_lock_of_the_other),
        cmocka_unit_test(a_lock_that_failed_is_not_held),
        cmocka_unit_test(a_lock_that_the_rank_has_is_not_decided),
        cmocka_unit_test(a_window_that_is_not_known_is_not_decided),
        cmocka_unit_test(it_is_known_who_holds_a_lock_up),
        cmocka_unit_test(so_many_calls_cannot_be),
        cmocka_unit_test(a_test_of_a_window_ends_in_a_quiescent_state),
        cmocka_unit_test(a_successful_test_needs_no_decision),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
