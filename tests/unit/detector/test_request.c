/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and the calls that complete them. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

static void a_wait_for_all_waits_for_each(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(J(1, 0, 4), J(2, 0, 7), W(4, NULL_REQUEST, 7)));
    script_feed(d, 1, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 3).of, "BRR");
    script_feed(d, 2, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

static void a_number_named_twice_is_waited_for_once(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(J(1, 0, 0), W(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_number_is_used_again(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(J(1, 0, 0), W(0), J(1, 0, 0), W(0)));
    script_feed(d, 1, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_freed_request_goes_on_without_its_handle(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(J(1, 0, 0), FREE(0), W(0), R(1, 0)));
    script_feed(d, 1, RANK(S(0, 0), S(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_counts(d).messages, 2);
    ork_detector_destroy(d);
}

static void a_persistent_request_starts_anew_each_time(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S_INIT(1, 0, 0), START(0), W(0), START(0), W(0)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_counts(d).messages, 2);
    ork_detector_destroy(d);
}

static void a_wait_for_any_needs_one_and_consumes_the_one_that_was_told(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(J(1, 0, 0), J(2, 0, 1), WANY(0, 1)));
    assert_string_equal(script_statuses(d, 3).of, "BRR");
    script_feed(d, 2, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 3).of, "SRR"); /* it may return, but has not yet */
    script_feed(d, 0, RANK(COMPLETED(1, NOT_SEEN), W(0, NULL_REQUEST)));
    assert_string_equal(script_statuses(d, 3).of, "BRR");
    script_feed(d, 1, RANK(S(0, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

static void a_wait_for_any_that_is_told_too_early_waits_for_one_of_them(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(J(1, 0, 0), WANY(0), COMPLETED(0, NOT_SEEN), S(1, 1)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    assert_true(ork_detector_rank(d, 0).moved);
    script_feed(d, 1, RANK(S(0, 0)));
    assert_int_equal(script_call(d, 0), ORK_KIND_SEND);
    ork_detector_destroy(d);
}

static void a_wait_for_some_consumes_all_that_were_told(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(S(0, 0), S(0, 1)));
    script_feed(d, 0,
                RANK(J(1, 0, 0), J(1, 1, 1), J(1, 2, 2), WSOME(0, 1, 2),
                     COMPLETED(0, NOT_SEEN, 1, NOT_SEEN), W(2)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    ork_detector_destroy(d);
}

/* What the outcome of a wait does not name is still waited for, whatever let the run go on. */
static void a_wait_that_the_run_left_completes_only_what_was_told(const struct step *first,
                                                                  const struct step *then)
{
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(DUP(2, 0)));
    script_feed(d, 1, RANK(DUP(2, 0), R(0, 7)));
    script_feed(d, 0, first);
    script_feed(d, 0, then);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    assert_true(ork_detector_rank(d, 0).moved);
    assert_true(script_relax(d) > 0);
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    assert_string_equal(script_verdict(d, ORK_PERMISSIVE).deadlocked, "01");
    assert_false(ork_detector_rank(d, 0).moved);
    assert_int_equal(script_call(d, 0), ORK_KIND_WAIT);
    ork_detector_destroy(d);
}

static void a_collective_that_was_not_told_is_still_waited_for(void **state)
{
    (void)state;
    a_wait_that_the_run_left_completes_only_what_was_told(
        RANK(IBAR(0, 0), IBAR(2, 1), WANY(0, 1), COMPLETED(0, NOT_SEEN)), RANK(W(1)));
    a_wait_that_the_run_left_completes_only_what_was_told(
        RANK(IBAR(0, 0), IBAR(2, 1), WSOME(0, 1), COMPLETED(1, NOT_SEEN)), RANK(WSOME(0)));
}

static void a_send_that_was_not_told_is_still_waited_for(void **state)
{
    (void)state;
    a_wait_that_the_run_left_completes_only_what_was_told(
        RANK(IY(1, 0, 0), I(1, 1, 1), WANY(0, 1), COMPLETED(1, NOT_SEEN)), RANK(W(0)));
    a_wait_that_the_run_left_completes_only_what_was_told(RANK(IY(1, 0, 0), I(1, 1, 1), I(1, 2, 2),
                                                               WSOME(0, 1, 2),
                                                               COMPLETED(1, NOT_SEEN, 2, NOT_SEEN)),
                                                          RANK(WANY(0)));
}

static void only_a_shared_handle_that_was_told_is_complete(void **state)
{
    (void)state;
    a_wait_that_the_run_left_completes_only_what_was_told(
        RANK(I(1, 0, SHARED), IBAR(2, 1), WANY(SHARED, 1), COMPLETED(0, NOT_SEEN)), RANK(W(1)));
    a_wait_that_the_run_left_completes_only_what_was_told(
        RANK(IY(1, 0, SHARED), IBAR(2, 1), WANY(SHARED, 1), COMPLETED(1, NOT_SEEN)),
        RANK(W(SHARED)));
}

/* The message that was told is not known here. */
static void a_receive_that_was_not_told_is_still_waited_for(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    uint32_t passed;

    script_feed(d, 0, RANK(J(1, 0, 0), J(1, 1, 1), WANY(0, 1), COMPLETED(1, NOT_SEEN), W(0)));
    script_feed(d, 1, RANK(R(0, 5)));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "01");
    for (passed = 1; passed > 0;)
        assert_int_equal(ork_detector_catch_up(d, true, &passed), ORK_OK);
    assert_string_equal(script_verdict(d, ORK_PERMISSIVE).deadlocked, "01");
    assert_false(ork_detector_rank(d, 0).moved);
    ork_detector_destroy(d);
}

static void a_test_that_was_true_too_early_holds_until_its_message_is_sent(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(J(1, 2, 0), TESTED(0, NOT_SEEN)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_true(ork_detector_rank(d, 0).depends_on_buffering);
    script_feed(d, 1, RANK(S(0, 2)));
    assert_false(ork_detector_rank(d, 0).depends_on_buffering);
    script_feed(d, 0, RANK(IBAR(0, 0), TESTED(0, NOT_SEEN)));
    assert_true(ork_detector_rank(d, 0).depends_on_buffering);
    script_feed(d, 1, RANK(BAR(0)));
    assert_false(ork_detector_rank(d, 0).depends_on_buffering);
    ork_detector_destroy(d);
}

static void all_shared_handles_are_waited_for_exactly(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I(1, 0, SHARED), I(1, 1, SHARED), W(SHARED, SHARED)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(R(0, 1)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_false(ork_detector_rank(d, 0).depends_on_buffering);
    ork_detector_destroy(d);
}

static void one_of_several_shared_handles_is_any_one(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I(1, 0, SHARED), I(1, 1, SHARED), W(SHARED)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(R(0, 1)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_true(ork_detector_rank(d, 0).depends_on_buffering);
    script_feed(d, 1, RANK(R(0, 0)));
    assert_false(ork_detector_rank(d, 0).depends_on_buffering);
    ork_detector_destroy(d);
}

/* The test may have found the other send complete, whose message the library has buffered. */
static void a_tested_shared_handle_is_not_taken_for_the_complete_one(void **state)
{
    (void)state;
    for (unsigned is_late = 0; is_late < 2; is_late++) {
        struct ork_detector *d = script_create(2);
        script_feed(d, 0, RANK(I(1, 0, SHARED), I(1, 1, SHARED)));
        if (!is_late)
            script_feed(d, 1, RANK(R(0, 0)));
        script_feed(d, 0, RANK(TESTED(SHARED, NOT_SEEN), W(SHARED)));
        assert_string_equal(script_statuses(d, 2).of, is_late ? "BR" : "RR");
        if (is_late)
            script_feed(d, 1, RANK(R(0, 0)));
        assert_string_equal(script_statuses(d, 2).of, "RR");
        assert_true(ork_detector_rank(d, 0).depends_on_buffering);
        script_feed(d, 1, RANK(R(0, 1)));
        assert_false(ork_detector_rank(d, 0).depends_on_buffering);
        ork_detector_destroy(d);
    }
}

static void shared_handles_that_were_all_tested_do_not_count_for_later_waits(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0,
                RANK(I(1, 0, SHARED), I(1, 1, SHARED), TESTED(SHARED, NOT_SEEN),
                     TESTED(SHARED, NOT_SEEN), I(1, 2, SHARED), W(SHARED)));
    script_feed(d, 1, RANK(R(0, 0), R(0, 1)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(R(0, 2)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_false(ork_detector_rank(d, 0).depends_on_buffering);
    ork_detector_destroy(d);
}

static void a_shared_handle_too_many_is_complete(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(1);

    script_feed(d, 0, RANK(W(SHARED), WANY(SHARED), COMPLETED(0, NOT_SEEN), FREE(SHARED)));
    assert_string_equal(script_statuses(d, 1).of, "R");
    ork_detector_destroy(d);
}

static void an_error_ends_the_call_and_withdraws_what_it_posted(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0), FAILED(5)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    script_feed(d, 1, RANK(FAILED(5), J(0, 0, 0), W(0), FAILED(5)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void requests_that_are_left_are_leaks(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    const struct ork_issue *issue;

    script_feed(d, 0, RANK(J(1, 0, 0), F));
    assert_int_equal(ork_detector_num_issues(d), 1);
    issue = ork_detector_issue(d, 0);
    assert_int_equal(issue->kind, ORK_ISSUE_REQUEST_LEAK);
    assert_int_equal(issue->num_sides, 1);
    assert_int_equal(issue->side[0].rank, 0);
    assert_int_equal(issue->side[0].call.kind, ORK_KIND_RECV);
    ork_detector_destroy(d);
}

#define ACCESS(q)                                                                                  \
    RECORD(.kind = ORK_KIND_ACCESS, .peer = 1, .flags = ORK_F_NONBLOCKING, .request = (q),         \
           .site = 9)
#define I_AT(s, d, q)                                                                              \
    RECORD(.kind = ORK_KIND_SEND, .peer = (d), .bytes = 8, .flags = ORK_F_NONBLOCKING,             \
           .request = (q), .site = (s))

/* The only issue. */
static const struct ork_issue *leak_of(struct ork_detector *d, unsigned num_sides, uint64_t times)
{
    assert_int_equal(ork_detector_num_issues(d), 1);
    const struct ork_issue *issue = ork_detector_issue(d, 0);
    assert_int_equal(issue->kind, ORK_ISSUE_REQUEST_LEAK);
    assert_int_equal(issue->num_sides, num_sides);
    assert_int_equal(issue->repeats + 1, times);
    return issue;
}

static void all_requests_of_the_shared_handle_that_are_left_are_counted(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I_AT(3, NOBODY, SHARED), I_AT(3, NOBODY, SHARED)));
    script_feed(d, 0, RANK(W(SHARED), I_AT(3, NOBODY, SHARED), I_AT(3, NOBODY, SHARED)));
    script_feed(d, 0, RANK(TESTED(SHARED, NOT_SEEN), F));
    assert_int_equal(leak_of(d, 1, 2)->side[0].call.site, 3);
    ork_detector_destroy(d);
}

static void a_request_of_the_shared_handle_may_be_from_each_place(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I_AT(3, NOBODY, SHARED), I_AT(4, NOBODY, SHARED), W(SHARED, SHARED)));
    script_feed(d, 0, RANK(I_AT(5, NOBODY, SHARED), I_AT(6, NOBODY, SHARED)));
    script_feed(d, 0, RANK(I_AT(5, NOBODY, SHARED), W(SHARED), F));
    const struct ork_issue *issue = leak_of(d, 2, 2);
    assert_int_equal(issue->side[0].call.site, 5);
    assert_int_equal(issue->side[1].call.site, 6);
    ork_detector_destroy(d);
}

static void requests_of_the_shared_handle_that_are_completed_are_no_leak(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I_AT(3, NOBODY, SHARED), I_AT(4, NOBODY, SHARED), FREE(SHARED)));
    script_feed(d, 0, RANK(W(SHARED), ACCESS(SHARED), W(SHARED), F));
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

static void an_access_that_is_complete_at_once_counts_too(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I_AT(3, NOBODY, SHARED), ACCESS(SHARED), W(SHARED), F));
    leak_of(d, 2, 1);
    ork_detector_destroy(d);
}

static void the_graph_names_the_requests_that_are_open(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);
    struct ork_search *s = NULL;

    script_feed(d, 1, RANK(J(0, 1, 0), J(0, 2, 1), W(0, 1)));
    script_feed(d, 0, RANK(S(1, 1), R(1, 0)));
    assert_int_equal(ork_detector_search(d, ORK_STRICT, &s), ORK_OK);
    assert_int_equal(ork_wfg_num_arcs(s->wfg, 1), 1);
    struct ork_wfg_arc arc = ork_wfg_arc(s->wfg, 1, 0);
    assert_int_equal(arc.to, 0);
    const struct ork_term *term = &s->term[arc.label - 1];
    assert_int_equal(term->rank, 1);
    assert_int_equal(term->index, 1);
    assert_int_equal(term->kind, ORK_KIND_RECV);
    assert_int_equal(term->peer, 0);
    assert_int_equal(term->tag, 2);
    ork_search_destroy(s);
    ork_detector_destroy(d);
}

int test_request(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_for_all_waits_for_each),
        cmocka_unit_test(a_number_named_twice_is_waited_for_once),
        cmocka_unit_test(a_number_is_used_again),
        cmocka_unit_test(a_freed_request_goes_on_without_its_handle),
        cmocka_unit_test(a_persistent_request_starts_anew_each_time),
        cmocka_unit_test(a_wait_for_any_needs_one_and_consumes_the_one_that_was_told),
        cmocka_unit_test(a_wait_for_any_that_is_told_too_early_waits_for_one_of_them),
        cmocka_unit_test(a_wait_for_some_consumes_all_that_were_told),
        cmocka_unit_test(a_collective_that_was_not_told_is_still_waited_for),
        cmocka_unit_test(a_send_that_was_not_told_is_still_waited_for),
        cmocka_unit_test(only_a_shared_handle_that_was_told_is_complete),
        cmocka_unit_test(a_receive_that_was_not_told_is_still_waited_for),
        cmocka_unit_test(a_test_that_was_true_too_early_holds_until_its_message_is_sent),
        cmocka_unit_test(all_shared_handles_are_waited_for_exactly),
        cmocka_unit_test(one_of_several_shared_handles_is_any_one),
        cmocka_unit_test(a_tested_shared_handle_is_not_taken_for_the_complete_one),
        cmocka_unit_test(shared_handles_that_were_all_tested_do_not_count_for_later_waits),
        cmocka_unit_test(a_shared_handle_too_many_is_complete),
        cmocka_unit_test(an_error_ends_the_call_and_withdraws_what_it_posted),
        cmocka_unit_test(requests_that_are_left_are_leaks),
        cmocka_unit_test(all_requests_of_the_shared_handle_that_are_left_are_counted),
        cmocka_unit_test(a_request_of_the_shared_handle_may_be_from_each_place),
        cmocka_unit_test(requests_of_the_shared_handle_that_are_completed_are_no_leak),
        cmocka_unit_test(an_access_that_is_complete_at_once_counts_too),
        cmocka_unit_test(the_graph_names_the_requests_that_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
