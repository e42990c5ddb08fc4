/* SPDX-License-Identifier: BSD-3-Clause */
/* Following a rank through its records: order, cuts, threads, ends, relaxing. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

static struct step on_thread(struct step step, uint16_t thread)
{
    step.rec.thread = thread;
    return step;
}

static void what_comes_behind_a_held_call_waits(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0), S(1, 1), BAR(0)));
    assert_int_equal(ork_detector_counts(d).queued, 2);
    assert_int_equal(ork_detector_counts(d).calls, 1);
    script_feed(d, 1, RANK(R(0, 0), R(0, 1), BAR(0)));
    assert_int_equal(ork_detector_counts(d).queued, 0);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void an_exit_may_come_before_or_after_the_message(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        struct ork_detector *d = script_create(2);
        const struct step *rank[] = {RANK(S(1, 0)), RANK(R(ANY, 0), FOUND(0, 0), BAR(1))};
        script_feed(d, first, rank[first]);
        script_feed(d, !first, rank[!first]);
        assert_string_equal(script_statuses(d, 2).of, "RR");
        ork_detector_destroy(d);
    }
}

static void an_early_source_inside_a_call_does_not_wait_for_it(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(J(ANY, 0, 3), R(0, 1), EARLY_INSIDE(3, 0, 0)));
    assert_int_equal(ork_detector_counts(d).messages, 1);
    assert_int_equal(ork_detector_counts(d).queued, 0);
    assert_string_equal(script_statuses(d, 2).of, "RB");
    assert_false(ork_detector_rank(d, 1).moved);
    ork_detector_destroy(d);
}

static void an_early_source_between_calls_says_that_the_call_is_over(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(J(ANY, 0, 3), S(0, 1), EARLY(3, 0, 0)));
    assert_int_equal(ork_detector_counts(d).messages, 0);
    assert_true(ork_detector_rank(d, 1).moved);
    ork_detector_destroy(d);
}

static void an_early_source_in_the_queue_belongs_to_its_call(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(ANY, 0, 3), S(0, 9), R(0, 1), EARLY_INSIDE(3, 0, 0)));
    script_feed(d, 0, RANK(I(1, 0, 0)));
    assert_int_equal(ork_detector_counts(d).messages, 0);
    script_feed(d, 0, RANK(R(1, 9)));
    assert_int_equal(ork_detector_counts(d).messages, 2);
    assert_string_equal(script_statuses(d, 2).of, "RB");
    ork_detector_destroy(d);
}

static void an_early_source_of_no_request_says_nothing(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1,
                RANK(EARLY(7, 0, 0), EARLY(NULL_REQUEST, 0, 0), J(0, 0, 1), EARLY(1, 5, 0),
                     EARLY(1, 0, ANY_TAG), IBAR(0, 2), EARLY(2, 0, 0), W(1)));
    assert_null(ork_detector_fault(d, 1));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    script_feed(d, 0, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_list_may_be_cut_anywhere(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    const struct step wait = W(0, 1);
    struct ork_record record[2];

    script_feed(d, 0, RANK(J(1, 0, 0), J(1, 1, 1)));
    assert_int_equal(script_records(&wait, record), 2);
    assert_int_equal(ork_detector_feed(d, 0, &record[0], 1), ORK_OK);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    script_feed(d, 1, RANK(S(0, 0)));
    assert_int_equal(ork_detector_feed(d, 0, &record[1], 1), ORK_OK);
    assert_string_equal(script_statuses(d, 2).of, "BR");
    ork_detector_destroy(d);
}

static void a_rank_waits_only_if_all_its_threads_do(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(R(0, 0)));
    script_feed(d, 0, (const struct step[]){on_thread((struct step)R(1, 0), 0), {.rec = {0}}});
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    script_feed(d, 0, (const struct step[]){on_thread((struct step)I(1, 9, 3), 1), {.rec = {0}}});
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    script_feed(d, 0, (const struct step[]){on_thread((struct step)R(1, 1), 1), {.rec = {0}}});
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    script_feed(d, 0, (const struct step[]){on_thread((struct step)S(1, 0), 2), {.rec = {0}}});
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

static void a_call_that_is_not_analysed_is_no_wait(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(OPAQUE(3)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "UB");
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    script_feed(d, 0, RANK(RETURNED, R(1, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    ork_detector_destroy(d);
}

static void a_communicator_that_is_not_known_is_no_wait(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(R_ON(ORK_COMM_UNKNOWN, 1, 0)));
    script_feed(d, 1, RANK(BAR(ORK_COMM_UNKNOWN)));
    assert_string_equal(script_statuses(d, 2).of, "UU");
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    script_feed(d, 0, RANK(R(1, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BU");
    ork_detector_destroy(d);
}

static void who_waits_when_another_rank_aborts_is_not_deadlocked(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(R(0, 0)));
    script_feed(d, 0, RANK(ABORT));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    ork_detector_destroy(d);
}

static void a_rank_that_was_ended_from_outside_is_still_there(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(R(1, 0)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_int_equal(ork_detector_end(d, 0, ORK_END_KILLED), ORK_OK);
    assert_string_equal(script_statuses(d, 2).of, "BB");
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "01");
    ork_detector_destroy(d);
}

/* A message that nobody received: the sender is in MPI_Finalize, strictly it never got there. Told
 * before or after the processes ended, the cause is the same. */
static void leaving_finalize_is_known_from_the_end(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0), F));
    script_feed(d, 1, RANK(F));
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "01");
    assert_int_equal(ork_detector_end(d, 1, ORK_END_FINISHED), ORK_OK);
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "01");
    assert_true(ork_detector_rank(d, 1).moved);
    assert_int_equal(ork_detector_end(d, 0, ORK_END_FINISHED), ORK_OK);
    script_relax(d);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    assert_string_equal(script_statuses(d, 2).of, "DD");
    ork_detector_destroy(d);
}

static void a_call_known_to_have_returned_has_moved(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(S(0, 0)));
    assert_int_equal(script_relax(d), 0);
    assert_int_equal(ork_detector_returned(d, 0, 0), ORK_OK);
    assert_true(ork_detector_rank(d, 0).moved);
    assert_int_equal(script_relax(d), 1);
    assert_string_equal(script_statuses(d, 2).of, "RB");
    assert_true(ork_detector_rank(d, 0).depends_on_buffering);
    ork_detector_destroy(d);
}

/* What was let pass once passes by itself at the same call site of the same rank. */
static void a_call_site_that_was_let_pass_passes_again(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    for (uint32_t r = 0; r < 2; r++)
        script_feed(d, r, RANK(S_AT(7, 1 - (int32_t)r, 0), R(1 - (int32_t)r, 0)));
    assert_int_equal(script_relax(d), 2);
    for (uint32_t r = 0; r < 2; r++)
        script_feed(d, r, RANK(S_AT(7, 1 - (int32_t)r, 0), R(1 - (int32_t)r, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    for (uint32_t r = 0; r < 2; r++)
        script_feed(d, r, RANK(S_AT(8, 1 - (int32_t)r, 0), R(1 - (int32_t)r, 0)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    ork_detector_destroy(d);
}

static void a_receive_is_never_let_pass(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(R(1, 0), RETURNED, BAR(1)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_int_equal(script_relax(d), 0);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    ork_detector_destroy(d);
}

static void ranks_out_of_range_are_refused(void **state)
{
    (void)state;
    struct ork_detector *d = NULL;
    struct ork_record record = {.kind = ORK_KIND_FINALIZE};

    assert_int_equal(ork_detector_create(0, &d), ORK_INVALID);
    assert_null(d);
    d = script_create(1);
    assert_int_equal(ork_detector_feed(d, 1, &record, 1), ORK_INVALID);
    assert_int_equal(ork_detector_end(d, 1, ORK_END_EXITED), ORK_INVALID);
    assert_int_equal(ork_detector_returned(d, 1, 0), ORK_INVALID);
    assert_null(ork_detector_fault(d, 1));
    assert_null(ork_detector_issue(d, 0));
    assert_int_equal(ork_detector_rank(d, 1).call.kind, ORK_KIND_CONT);
    ork_detector_destroy(d);
    ork_detector_destroy(NULL);
}

int test_thread(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_behind_a_held_call_waits),
        cmocka_unit_test(an_exit_may_come_before_or_after_the_message),
        cmocka_unit_test(an_early_source_inside_a_call_does_not_wait_for_it),
        cmocka_unit_test(an_early_source_between_calls_says_that_the_call_is_over),
        cmocka_unit_test(an_early_source_in_the_queue_belongs_to_its_call),
        cmocka_unit_test(an_early_source_of_no_request_says_nothing),
        cmocka_unit_test(a_list_may_be_cut_anywhere),
        cmocka_unit_test(a_rank_waits_only_if_all_its_threads_do),
        cmocka_unit_test(a_call_that_is_not_analysed_is_no_wait),
        cmocka_unit_test(a_communicator_that_is_not_known_is_no_wait),
        cmocka_unit_test(who_waits_when_another_rank_aborts_is_not_deadlocked),
        cmocka_unit_test(a_rank_that_was_ended_from_outside_is_still_there),
        cmocka_unit_test(leaving_finalize_is_known_from_the_end),
        cmocka_unit_test(a_call_known_to_have_returned_has_moved),
        cmocka_unit_test(a_call_site_that_was_let_pass_passes_again),
        cmocka_unit_test(a_receive_is_never_let_pass),
        cmocka_unit_test(ranks_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
