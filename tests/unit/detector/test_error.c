/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that failed, under MPI_ERRORS_RETURN. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#define WINDOW(n)       COLL_ON(0, ORK_COLL_WIN_CREATE), DEFINE_SAME(n, 0, WIN_CREATE)
#define COLL_ON(c, m)   RECORD(.kind = ORK_KIND_COLL, .mode = (m), .comm = (c), .peer = ORK_NO_PEER)
#define LOCK(n, target) RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = (n), .peer = (target))
#define EPOCH(k, n, ...)                                                                           \
    {                                                                                              \
        .rec = {.kind = (k), .comm = (n), .peer = ORK_NO_PEER, .count = LENGTH(__VA_ARGS__)},      \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define TRUNCATED                                                                                  \
    RECORD(.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER, .flags = ORK_F_ERROR | ORK_F_MATCHED)

static void a_send_that_nobody_took_is_gone(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0), FAILED(2), R(1, 0)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    ork_detector_destroy(d);
}

static void nothing_is_said_of_who_took_what_was_never_sent(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(R(0, 0)));
    script_feed(d, 0, RANK(S(1, 0), FAILED(2), R(1, 0)));
    script_feed(d, 1, RANK(R(0, 1)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    assert_string_equal(script_statuses(d, 2).of, "BU");
    ork_detector_destroy(d);
}

static void nothing_is_said_of_who_has_a_message_that_it_did_not_take(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(S(0, 0), F));
    script_feed(d, 0, RANK(R(1, 0), FAILED(2), R(1, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

static void a_truncated_exchange_has_sent(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(SR(1, 0, 1, 0), TRUNCATED));
    script_feed(d, 1, RANK(S(0, 0), R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_lock_that_failed_is_held_by_nobody(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(WINDOW(2), LOCK(2, 0), FAILED(2)));
    script_feed(d, 1, RANK(WINDOW(2), LOCK(2, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_second_epoch_that_failed_leaves_the_first(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(WINDOW(2), EPOCH(ORK_KIND_WIN_POST, 2, 0, 1, 1)));
    script_feed(d, 0, RANK(WINDOW(2), EPOCH(ORK_KIND_WIN_START, 2, 1, 1, 1)));
    script_feed(d, 0, RANK(EPOCH(ORK_KIND_WIN_START, 2, 1, 1, 1), FAILED(2)));
    script_feed(d, 0, RANK(RECORD(.kind = ORK_KIND_WIN_COMPLETE, .comm = 2)));
    script_feed(d, 1, RANK(RECORD(.kind = ORK_KIND_WIN_WAIT, .comm = 2)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_root_that_is_no_rank_is_no_arrival(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .peer = 2)));
    script_feed(d, 0, RANK(FAILED(2), BAR(0)));
    script_feed(d, 1, RANK(BAR(0)));
    assert_int_equal(ork_detector_num_issues(d), 0);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void who_is_not_in_the_group_makes_nothing(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 2, RANK(CALL_CREATE_GROUP(0, 0, 0, 1, 2), R(0, 0)));
    script_feed(d, 1, RANK(CALL_CREATE_GROUP(0, 0, 0, 1, 2)));
    script_feed(d, 0,
                RANK(COLL_ON(0, ORK_COLL_COMM_CREATE_GROUP), CALL_CREATE_GROUP(0, 0, 0, 1, 2)));
    assert_null(ork_detector_fault(d, 0));
    assert_null(ork_detector_fault(d, 2));
    assert_string_equal(script_statuses(d, 3).of, "RRB");
    ork_detector_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_send_that_nobody_took_is_gone),
        cmocka_unit_test(nothing_is_said_of_who_took_what_was_never_sent),
        cmocka_unit_test(nothing_is_said_of_who_has_a_message_that_it_did_not_take),
        cmocka_unit_test(a_truncated_exchange_has_sent),
        cmocka_unit_test(a_lock_that_failed_is_held_by_nobody),
        cmocka_unit_test(a_second_epoch_that_failed_leaves_the_first),
        cmocka_unit_test(a_root_that_is_no_rank_is_no_arrival),
        cmocka_unit_test(who_is_not_in_the_group_makes_nothing),
    };

    return cmocka_run_group_tests_name("detector.error", tests, NULL, NULL);
}
