/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks in opposite orders are told unless something makes sure that one order is over before the
 * other begins, in whatever order the records come. A lock that the run has passed never waits. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#define WINDOW(n)                                                                                  \
    RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER),               \
        DEFINE_SAME(n, 0, WIN_CREATE)
#define LOCK(target)   RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = 2, .peer = (target))
#define UNLOCK(target) RECORD(.kind = ORK_KIND_WIN_UNLOCK, .comm = 2, .peer = (target))
#define LOCK_BY(t, target)                                                                         \
    RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = 2, .peer = (target), .thread = (t))
#define UNLOCK_BY(t, target)                                                                       \
    RECORD(.kind = ORK_KIND_WIN_UNLOCK, .comm = 2, .peer = (target), .thread = (t))
#define LOCK_OF(window)   RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = (window), .peer = 0)
#define UNLOCK_OF(window) RECORD(.kind = ORK_KIND_WIN_UNLOCK, .comm = (window), .peer = 0)
#define BOTH(a, b)        LOCK(a), LOCK(b), UNLOCK(b), UNLOCK(a)

static size_t num_findings(const struct step *zero, const struct step *one, bool zero_first)
{
    struct ork_detector *d = script_create(2);

    script_feed(d, zero_first ? 0 : 1, zero_first ? zero : one);
    script_feed(d, zero_first ? 1 : 0, zero_first ? one : zero);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    size_t n = ork_detector_num_issues(d);
    ork_detector_destroy(d);
    return n;
}

static void expect(const struct step *zero, const struct step *one, size_t findings)
{
    assert_int_equal(num_findings(zero, one, true), findings);
    assert_int_equal(num_findings(zero, one, false), findings);
}

static void opposite_orders_after_a_collective(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), BOTH(0, 1)), RANK(WINDOW(2), BOTH(1, 0)), 1);
}

static void the_same_order(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), BOTH(0, 1)), RANK(WINDOW(2), BOTH(0, 1)), 0);
}

static void opposite_orders_with_a_barrier_between_them(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), BOTH(0, 1), BAR(0)), RANK(WINDOW(2), BAR(0), BOTH(1, 0)), 0);
}

static void opposite_orders_with_a_message_between_them(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), BOTH(0, 1), S(1, 0)), RANK(WINDOW(2), R(0, 0), BOTH(1, 0)), 0);
}

static void a_synchronous_send_learns_that_its_receive_has_started(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), BOTH(0, 1), R(1, 0)), RANK(WINDOW(2), Y(0, 0), BOTH(1, 0)), 0);
}

static void a_standard_send_learns_nothing(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), BOTH(0, 1), R(1, 0)), RANK(WINDOW(2), S(0, 0), BOTH(1, 0)), 1);
}

/* The word that the receive is posted may be in the window. */
static void who_holds_a_lock_may_know_that_a_receive_is_posted(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), LOCK(0), RSEND(1, 0), UNLOCK(0)), RANK(WINDOW(2), R(0, 0)), 0);
    expect(RANK(WINDOW(2), LOCK(0), RSEND(1, 0), UNLOCK(0), RSEND(1, 0)),
           RANK(WINDOW(2), R(0, 0), R(0, 0)), 0);
    expect(RANK(WINDOW(2), LOCK(0), UNLOCK(0), BAR(0), RSEND(1, 0)),
           RANK(WINDOW(2), BAR(0), R(0, 0)), 1);
    expect(RANK(WINDOW(2), RSEND(1, 0)), RANK(WINDOW(2), R(0, 0)), 1);
}

/* Both have locked and unlocked by the time when it is known that they left the collective. */
static void orders_that_wait_in_their_queues_for_a_late_rank(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(WINDOW(2), BOTH(0, 1)));
    script_feed(d, 1, RANK(WINDOW(2), BOTH(1, 0)));
    script_feed(d, 2, RANK(WINDOW(2)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    assert_int_equal(ork_detector_num_issues(d), 1);
    ork_detector_destroy(d);
}

static void a_lock_of_another_thread_makes_no_order(void **state)
{
    (void)state;
    expect(RANK(WINDOW(2), LOCK_BY(1, 0), BOTH(1, 1), UNLOCK_BY(1, 0)), RANK(WINDOW(2), BOTH(1, 0)),
           0);
    expect(RANK(WINDOW(2), LOCK_BY(1, 0), LOCK_BY(1, 1), UNLOCK_BY(1, 1), UNLOCK_BY(1, 0)),
           RANK(WINDOW(2), BOTH(1, 0)), 1);
}

static void expect_deadlocked(struct ork_detector *d, const char *ranks)
{
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, ranks);
}

static void feed(struct ork_detector *d, uint32_t rank, const struct step *steps)
{
    script_feed(d, rank, steps);
    expect_deadlocked(d, "");
}

/* `ranks` ranks that have made window 2, and window 3. */
static struct ork_detector *create_with_windows(uint32_t ranks)
{
    struct ork_detector *d = script_create(ranks);

    for (uint32_t r = 0; r < ranks; r++)
        feed(d, r, RANK(WINDOW(2), WINDOW(3)));
    return d;
}

/* Rank 1 gets the locks after rank 0, and its records come before those that release them. */
static void the_next_owner_may_be_known_before_the_release(void **state)
{
    (void)state;
    struct ork_detector *d = create_with_windows(2);

    feed(d, 0, RANK(LOCK(1), LOCK(0)));
    feed(d, 1, RANK(LOCK(1), LOCK(0)));
    feed(d, 1, RANK(UNLOCK(0), UNLOCK(1), BAR(0)));
    feed(d, 0, RANK(UNLOCK(0), UNLOCK(1), BAR(0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void the_same_with_the_locks_of_two_windows(void **state)
{
    (void)state;
    struct ork_detector *d = create_with_windows(3);

    feed(d, 0, RANK(LOCK_OF(2), LOCK_OF(3)));
    for (uint32_t r = 1; r < 3; r++)
        feed(d, r, RANK(LOCK_OF(2), LOCK_OF(3)));
    for (uint32_t r = 0; r < 3; r++)
        feed(d, r, RANK(UNLOCK_OF(3), UNLOCK_OF(2), BAR(0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

/* Rank 0 requests the lock first, but rank 1 gets it first, and tells rank 0. */
static void a_lock_that_the_run_passed_does_not_wait(void **state)
{
    (void)state;
    struct ork_detector *d = create_with_windows(2);
    uint32_t passed;

    feed(d, 0, RANK(LOCK(1)));
    feed(d, 1, RANK(LOCK(1)));
    script_feed(d, 0, RANK(R(1, 0)));
    expect_deadlocked(d, "01"); /* if rank 1 is seen to wait for the lock now */
    assert_true(ork_detector_rank(d, 1).awaits_lock);
    feed(d, 1, RANK(UNLOCK(1), S(0, 0), F));
    feed(d, 0, RANK(UNLOCK(1), F));
    assert_int_equal(ork_detector_catch_up(d, true, &passed), ORK_OK);
    assert_int_equal(passed, 1);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* Both ranks are in their second lock before the records come that show that one had both locks. */
static void locks_that_seem_to_wait_for_each_other_were_granted_one_by_one(void **state)
{
    (void)state;
    for (int32_t first = 0; first < 2; first++) {
        int32_t other = 1 - first;
        struct ork_detector *d = script_create(2);
        script_feed(d, 0, RANK(WINDOW(2), LOCK(0)));
        script_feed(d, 1, RANK(WINDOW(2), LOCK(1)));
        script_feed(d, (uint32_t)other, RANK(LOCK(first)));
        script_feed(d, (uint32_t)first,
                    RANK(LOCK(other), UNLOCK(other), UNLOCK(first), R(other, 0)));
        script_feed(d, (uint32_t)other, RANK(UNLOCK(first), UNLOCK(other), R(first, 0)));
        assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
        assert_int_equal(ork_detector_rank(d, 0).call.kind, ORK_KIND_RECV);
        assert_int_equal(ork_detector_rank(d, 1).call.kind, ORK_KIND_RECV);
        assert_int_equal(ork_detector_num_issues(d), 1);
        ork_detector_destroy(d);
    }
}

static void locks_that_wait_for_each_other_are_a_deadlock(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(WINDOW(2), LOCK(0)));
    script_feed(d, 1, RANK(WINDOW(2), LOCK(1)));
    script_feed(d, 2, RANK(WINDOW(2), LOCK(2)));
    script_feed(d, 0, RANK(LOCK(1)));
    script_feed(d, 1, RANK(LOCK(2)));
    script_feed(d, 2, RANK(LOCK(0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "012");
    ork_detector_destroy(d);
}

/* The library lets MPI_Win_lock return before it has the lock. */
static void a_lock_that_the_library_defers_waits_in_unlock(void **state)
{
    (void)state;
    struct ork_detector *d = create_with_windows(2);
    uint32_t passed;

    feed(d, 0, RANK(LOCK(1), R(1, 0)));
    feed(d, 1, RANK(LOCK(1), UNLOCK(1)));
    assert_int_equal(ork_detector_catch_up(d, false, &passed), ORK_OK);
    assert_int_equal(passed, 1);
    expect_deadlocked(d, "01");
    assert_int_equal(script_call(d, 1), ORK_KIND_WIN_UNLOCK);
    assert_true(ork_detector_rank(d, 1).awaits_lock);
    assert_false(ork_detector_rank(d, 1).moved);
    feed(d, 1, RANK(S(0, 0)));
    feed(d, 0, RANK(UNLOCK(1)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_deferred_lock_is_granted_with_the_release_of_the_other(void **state)
{
    (void)state;
    struct ork_detector *d = create_with_windows(3);
    uint32_t passed;

    feed(d, 0, RANK(LOCK(1), R(2, 0)));
    feed(d, 1, RANK(LOCK(1), UNLOCK(1)));
    assert_int_equal(ork_detector_catch_up(d, true, &passed), ORK_OK);
    assert_int_equal(passed, 1);
    assert_int_equal(script_call(d, 1), ORK_KIND_WIN_UNLOCK);
    feed(d, 2, RANK(S(0, 0)));
    feed(d, 0, RANK(UNLOCK(1)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

/* ---- who took the lock that a rank waits for ---- */

/* The EXIT record of a lock, after so many others since the one before. */
#define TAKEN(n) RECORD(.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER, .tag = (n), .extra = 1)

static struct ork_detector *waiting(const struct step *zero)
{
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, zero);
    script_feed(d, 1, RANK(WINDOW(2), LOCK(1)));
    return d;
}

static void the_holder_of_a_lock_is_known_with_its_place_in_the_order(void **state)
{
    struct ork_detector *d = waiting(
        RANK(WINDOW(2), LOCK(0), TAKEN(7), LOCK(1), TAKEN(1), UNLOCK(1), LOCK(1), TAKEN(2)));
    struct ork_lock_holder holder;

    (void)state;
    assert_true(ork_detector_lock_holder(d, 1, 0, &holder));
    assert_int_equal(holder.rank, 0);
    assert_int_equal(holder.call.peer, 1);
    assert_true(holder.is_counted);
    assert_int_equal(holder.before, 3);
    assert_false(ork_detector_lock_holder(d, 1, 1, &holder));
    assert_false(ork_detector_lock_holder(d, 0, 0, &holder));
    ork_detector_destroy(d);
}

static void without_a_count_only_the_holder_is_known(void **state)
{
    struct ork_detector *d = waiting(RANK(WINDOW(2), LOCK(1), R(1, 0)));
    struct ork_lock_holder holder;

    (void)state;
    assert_true(ork_detector_lock_holder(d, 1, 0, &holder));
    assert_false(holder.is_counted);
    ork_detector_destroy(d);
    d = waiting(RANK(WINDOW(2), LOCK(1))); /* it may wait there, too */
    assert_false(ork_detector_lock_holder(d, 1, 0, &holder));
    ork_detector_destroy(d);
}

static void a_lock_that_was_released_has_no_holder(void **state)
{
    struct ork_detector *d = waiting(RANK(WINDOW(2), LOCK(1), TAKEN(0), UNLOCK(1), LOCK(0)));
    struct ork_lock_holder holder;

    (void)state;
    assert_false(ork_detector_lock_holder(d, 1, 0, &holder));
    assert_false(ork_detector_lock_holder(d, 7, 0, &holder));
    ork_detector_destroy(d);
}

int test_lock_order(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_orders_after_a_collective),
        cmocka_unit_test(the_same_order),
        cmocka_unit_test(opposite_orders_with_a_barrier_between_them),
        cmocka_unit_test(opposite_orders_with_a_message_between_them),
        cmocka_unit_test(a_synchronous_send_learns_that_its_receive_has_started),
        cmocka_unit_test(a_standard_send_learns_nothing),
        cmocka_unit_test(who_holds_a_lock_may_know_that_a_receive_is_posted),
        cmocka_unit_test(orders_that_wait_in_their_queues_for_a_late_rank),
        cmocka_unit_test(a_lock_of_another_thread_makes_no_order),
        cmocka_unit_test(the_next_owner_may_be_known_before_the_release),
        cmocka_unit_test(the_same_with_the_locks_of_two_windows),
        cmocka_unit_test(a_lock_that_the_run_passed_does_not_wait),
        cmocka_unit_test(locks_that_seem_to_wait_for_each_other_were_granted_one_by_one),
        cmocka_unit_test(locks_that_wait_for_each_other_are_a_deadlock),
        cmocka_unit_test(a_lock_that_the_library_defers_waits_in_unlock),
        cmocka_unit_test(a_deferred_lock_is_granted_with_the_release_of_the_other),
        cmocka_unit_test(the_holder_of_a_lock_is_known_with_its_place_in_the_order),
        cmocka_unit_test(without_a_count_only_the_holder_is_known),
        cmocka_unit_test(a_lock_that_was_released_has_no_holder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
