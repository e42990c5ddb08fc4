/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks in opposite orders are told unless something makes sure that one order is over before the
 * other begins, in whatever order the records come. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#define WINDOW(n)                                                                                  \
    RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER),               \
        DEFINE_SAME(n, 0, WIN_CREATE)
#define LOCK(target)   RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = 2, .peer = (target))
#define UNLOCK(target) RECORD(.kind = ORK_KIND_WIN_UNLOCK, .comm = 2, .peer = (target))
#define BOTH(a, b)     LOCK(a), LOCK(b), UNLOCK(b), UNLOCK(a)

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

int main(void)
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
