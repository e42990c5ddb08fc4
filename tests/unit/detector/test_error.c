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

/* The receive of rank 1 was matched with the send that failed, and took the other one. */
static void after_a_failed_send_no_message_is_lost_at_its_receiver(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(R(0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 0, RANK(FAILED(2), B(1, 0), F));
    script_feed(d, 1, RANK(F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

static void a_send_that_a_matched_probe_took_is_gone_once(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(MP(0, 0), TOOK(0, 0, 0)));
    script_feed(d, 0, RANK(Y(1, 0), FAILED(2)));
    script_feed(d, 1, RANK(MR(0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_memory(d), 0);
    script_feed(d, 0, RANK(Y(1, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_buffered_send_that_was_not_buffered_is_gone(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(B(1, 0), FAILED(2)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    script_feed(d, 0, RANK(B(1, 0), F));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

/* MPI_Buffer_detach does not wait for it. */
static void a_persistent_send_that_was_not_started_is_gone(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    const struct step make = SEND_(ORK_SEND_BUFFERED, 1, 0, .flags = ORK_F_PERSISTENT);
    const struct step detach = RECORD(.kind = ORK_KIND_BUFFER_DETACH, .peer = ORK_NO_PEER);

    script_feed(d, 0, RANK(make, START(0), FAILED(2), detach, F));
    script_feed(d, 1, RANK(F));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_num_issues(d), 0);
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

/* A collective call of which the library may return an error. */
#define FALLIBLE(c, m)                                                                             \
    RECORD(.kind = ORK_KIND_COLL, .mode = (m), .comm = (c), .peer = ORK_NO_PEER,                   \
           .flags = ORK_F_FALLIBLE)
#define BARRIER FALLIBLE(0, ORK_COLL_BARRIER)

static uint32_t num_standing_issues(const struct ork_detector *d)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < ork_detector_num_issues(d); i++)
        n += !ork_detector_issue(d, i)->withdrawn;
    return n;
}

static void a_collective_that_failed_on_one_rank_is_repeated(void **state)
{
    (void)state;
    const struct step *wrong = RANK(FALLIBLE(0, ORK_COLL_ALLREDUCE));

    for (int late = 0; late < 2; late++) { /* the call that fails comes first, or last */
        struct ork_detector *d = script_create(2);
        if (!late)
            script_feed(d, 0, wrong);
        script_feed(d, 1, RANK(BARRIER));
        if (late)
            script_feed(d, 0, wrong);
        assert_int_equal(num_standing_issues(d), 1);
        assert_true(ork_detector_issue(d, 0)->unsure);
        script_feed(d, 0, RANK(FAILED(2)));
        assert_int_equal(num_standing_issues(d), 0);
        assert_string_equal(script_statuses(d, 2).of, "RB");
        script_feed(d, 0, RANK(BARRIER, R(1, 0)));
        script_feed(d, 1, RANK(R(0, 0)));
        assert_string_equal(script_statuses(d, 2).of, "BB");
        assert_int_equal(num_standing_issues(d), 0);
        ork_detector_destroy(d);
    }
}

/* The first call of the wave fails, and those that came meanwhile do not wait. */
static void later_calls_are_not_compared_with_one_that_failed(void **state)
{
    (void)state;
    const struct step *wrong = RANK(FALLIBLE(0, ORK_COLL_ALLREDUCE));
    const struct step *right = RANK(FALLIBLE(0, ORK_COLL_COMM_FREE));
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, wrong);
    script_feed(d, 1, right);
    script_feed(d, 0, RANK(FAILED(2)));
    script_feed(d, 0, right);
    assert_int_equal(num_standing_issues(d), 0);
    ork_detector_destroy(d);
}

static void a_wave_is_complete_when_no_call_of_it_can_fail(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(BARRIER));
    script_feed(d, 1, RANK(BAR(0)));
    assert_string_equal(script_statuses(d, 2).of, "SS");
    assert_true(ork_detector_rank(d, 0).unsure);
    assert_false(ork_detector_rank(d, 1).unsure);
    assert_int_equal(ork_detector_returned(d, 0, 0), ORK_OK);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* Collective calls wait for their data only, and rank 2 makes none. The root can leave the call as
 * soon as it is certain whether rank 1, which was there before it, made the call. */
static void a_root_leaves_when_it_is_certain_who_is_there(void **state)
{
    (void)state;
    const struct ork_model model = {.dataflow = true};
    const struct step *bcast = RANK(COLL_(BCAST, 0, 0, .bytes = 8, .flags = ORK_F_FALLIBLE));

    for (int fails = 0; fails < 2; fails++) {
        struct ork_detector *d = script_create(3);
        ork_detector_set_model(d, &model);
        script_feed(d, 1, bcast);
        script_feed(d, 0, RANK(BCAST(0, 0), S(2, 0)));
        script_feed(d, 1, fails ? RANK(FAILED(2)) : RANK(S(2, 1)));
        script_feed(d, 2, RANK(R(0, 0)));
        assert_int_equal(ork_detector_counts(d).messages, 1);
        ork_detector_destroy(d);
    }
}

static void a_call_that_failed_late_was_made(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(BARRIER, TRUNCATED));
    script_feed(d, 1, RANK(BAR(0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    script_feed(d, 0, RANK(BAR(0)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    ork_detector_destroy(d);
}

static void calls_that_may_fail_and_are_not_the_same_are_a_mismatch(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(FALLIBLE(0, ORK_COLL_ALLREDUCE)));
    script_feed(d, 1, RANK(BARRIER));
    assert_true(ork_detector_issue(d, 0)->unsure);
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_int_equal(num_standing_issues(d), 1);
    assert_false(ork_detector_issue(d, 0)->unsure);
    ork_detector_destroy(d);
}

static void a_leader_that_failed_has_not_met_the_other(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    struct step call = CALL_INTERCOMM(1, 0, 1, 0, 5);

    call.rec.flags = ORK_F_FALLIBLE;
    script_feed(d, 0, RANK(call, FAILED(2)));
    script_feed(d, 1, RANK(CALL_INTERCOMM(1, 0, 0, 0, 5)));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    script_feed(d, 0, RANK(call, DEFINE_INTER(2, 1, 0, 1, 1, 1, 1, 1)));
    script_feed(d, 1, RANK(DEFINE_INTER(2, 1, 1, 1, 1, 0, 1, 1)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_window_that_was_not_made_is_made_again(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(FALLIBLE(0, ORK_COLL_WIN_CREATE), FAILED(2)));
    script_feed(d, 1, RANK(WINDOW(2), COLL_ON(2, ORK_COLL_WIN_FENCE)));
    script_feed(d, 0, RANK(WINDOW(2), COLL_ON(2, ORK_COLL_WIN_FENCE)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

#define FAILED_BUT_TOOK(...)                                                                       \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_EXIT,                                                             \
                .peer = ORK_NO_PEER,                                                               \
                .flags = ORK_F_ERROR | ORK_F_MATCHED,                                              \
                .count = LENGTH(__VA_ARGS__)},                                                     \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* MPI_ERR_PENDING: MPI-3.1 section 3.7.5. */
static void what_a_failed_wait_for_all_left_pending_is_still_waited_for(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(S(0, 1), R(0, 3)));
    script_feed(d, 0, RANK(J(1, 1, 0), J(1, 2, 1), J(1, 4, 2), W(0, 1, 2)));
    script_feed(d, 0, RANK(FAILED_BUT_TOOK(0, NOT_SEEN)));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    script_feed(d, 0, RANK(W(1)));
    assert_string_equal(script_verdict(d, ORK_PERMISSIVE).deadlocked, "01");
    ork_detector_destroy(d);
}

#define WIN_COMPLETE(n) RECORD(.kind = ORK_KIND_WIN_COMPLETE, .comm = (n), .peer = ORK_NO_PEER)

/* A library may wait for MPI_Win_post as late as in MPI_Win_complete. */
static void an_epoch_that_started_early_still_waits_for_its_target(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(WINDOW(2), R(0, 0)));
    script_feed(d, 0, RANK(WINDOW(2), EPOCH(ORK_KIND_WIN_START, 2, 1, 1, 1), WIN_COMPLETE(2)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    assert_int_equal(script_relax(d), 1);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    assert_false(ork_detector_rank(d, 0).moved);
    assert_int_equal(script_call(d, 0), ORK_KIND_WIN_COMPLETE);
    ork_detector_destroy(d);
}

static void an_epoch_that_started_early_ends_when_its_target_has_posted(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    uint32_t passed;

    script_feed(d, 1, RANK(WINDOW(2)));
    script_feed(d, 0, RANK(WINDOW(2), EPOCH(ORK_KIND_WIN_START, 2, 1, 1, 1), WIN_COMPLETE(2)));
    assert_int_equal(ork_detector_catch_up(d, true, &passed), ORK_OK);
    assert_int_equal(passed, 1);
    assert_string_equal(script_statuses(d, 2).of, "BR");
    assert_int_equal(script_call(d, 0), ORK_KIND_WIN_COMPLETE);
    script_feed(d, 1, RANK(EPOCH(ORK_KIND_WIN_POST, 2, 0, 1, 1)));
    script_feed(d, 1, RANK(RECORD(.kind = ORK_KIND_WIN_WAIT, .comm = 2, .peer = ORK_NO_PEER)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* A library may keep the handle of a request that failed. */
static void what_a_failed_wait_for_all_left_is_no_leak(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(J(1, 1, 0), J(1, 2, 1), W(0, 1), TRUNCATED, F));
    script_feed(d, 1, RANK(F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

int test_error(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_send_that_nobody_took_is_gone),
        cmocka_unit_test(a_buffered_send_that_was_not_buffered_is_gone),
        cmocka_unit_test(a_persistent_send_that_was_not_started_is_gone),
        cmocka_unit_test(after_a_failed_send_no_message_is_lost_at_its_receiver),
        cmocka_unit_test(a_send_that_a_matched_probe_took_is_gone_once),
        cmocka_unit_test(nothing_is_said_of_who_took_what_was_never_sent),
        cmocka_unit_test(nothing_is_said_of_who_has_a_message_that_it_did_not_take),
        cmocka_unit_test(a_truncated_exchange_has_sent),
        cmocka_unit_test(a_lock_that_failed_is_held_by_nobody),
        cmocka_unit_test(a_second_epoch_that_failed_leaves_the_first),
        cmocka_unit_test(a_root_that_is_no_rank_is_no_arrival),
        cmocka_unit_test(who_is_not_in_the_group_makes_nothing),
        cmocka_unit_test(a_collective_that_failed_on_one_rank_is_repeated),
        cmocka_unit_test(later_calls_are_not_compared_with_one_that_failed),
        cmocka_unit_test(a_wave_is_complete_when_no_call_of_it_can_fail),
        cmocka_unit_test(a_root_leaves_when_it_is_certain_who_is_there),
        cmocka_unit_test(a_call_that_failed_late_was_made),
        cmocka_unit_test(calls_that_may_fail_and_are_not_the_same_are_a_mismatch),
        cmocka_unit_test(a_leader_that_failed_has_not_met_the_other),
        cmocka_unit_test(a_window_that_was_not_made_is_made_again),
        cmocka_unit_test(what_a_failed_wait_for_all_left_pending_is_still_waited_for),
        cmocka_unit_test(what_a_failed_wait_for_all_left_is_no_leak),
        cmocka_unit_test(an_epoch_that_started_early_still_waits_for_its_target),
        cmocka_unit_test(an_epoch_that_started_early_ends_when_its_target_has_posted),
    };

    return cmocka_run_group_tests_name("detector.error", tests, NULL, NULL);
}
