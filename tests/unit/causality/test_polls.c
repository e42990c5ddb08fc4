/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests and probes that return at once, and loops of them. */
#include "script.h"
#include "tests/unit/detector/unit.h"

/* A successful MPI_Test of a receive from any source. */
static void put_tested(struct script *s, uint32_t rank, uint32_t request, int32_t source)
{
    struct ork_record r = {.kind = ORK_KIND_TESTED, .extra = s->named[rank] == 0 ? 1 : 2};

    PUT_LIST(s, rank, r, request, (uint32_t)source, 0);
    s->named[rank]++;
}

/* Each test succeeds at once. */
static void a_test_could_have_been_unsuccessful(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_irecv(&s, 0, ANY, 0);
    put_tested(&s, 0, 0, 1);
    script_send(&s, 0, 2);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    script_send(&s, 2, 0);
    script_irecv(&s, 0, ANY, 0);
    put_tested(&s, 0, 0, 2);
    script_check(&s, "0:1 test one more keep 0 0 0 ahead 0:1=1\n"
                     "0:3 test one more keep 2 0 0 ahead 0:2=2\n");
}

/* A test of this request at a site is unsuccessful, after so many others before choice 1. */
static void put_poll(struct script *s, uint32_t rank, uint32_t site, uint32_t request,
                     uint64_t polls)
{
    struct ork_record r = {.kind = ORK_KIND_POLL,
                           .site = site,
                           .mode = ORK_WAIT_ONE,
                           .arg = ORK_POLL_TEST,
                           .bytes = polls,
                           .extra = 1};

    PUT_LIST(s, rank, r, request);
}

static void put_tested_at_a_site(struct script *s, uint32_t rank, uint32_t request)
{
    struct ork_record r = {.kind = ORK_KIND_TESTED, .extra = 1, .site = 1};

    PUT_LIST(s, rank, r, request, (uint32_t)ORK_NO_PEER, 0);
}

/* Rank 0 asks rank 2, and tests until there is an answer. */
static void a_test_after_a_send_could_have_succeeded_at_once(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_irecv(&s, 0, 2, 0);
    script_send(&s, 0, 2);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    script_send(&s, 2, 0);
    put_poll(&s, 0, 1, 0, 0);
    put_tested_at_a_site(&s, 0, 0);
    script_check(&s, "0:1 test given up keep 0 0 0\n"
                     "0:1 test fewer 0 keep 0 0 0\n");
}

/* It asks after a test. So the test could only have been unsuccessful again. */
static void a_test_before_a_send_could_not_have_succeeded(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_irecv(&s, 0, 2, 0);
    put_poll(&s, 0, 1, 0, 0);
    script_send(&s, 0, 2);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    script_send(&s, 2, 0);
    put_tested_at_a_site(&s, 0, 0);
    script_check(&s, "0:1 test all given up keep 0 0 0\n");
}

/* While it tests for the message of rank 1, rank 0 sends to rank 2, and posts a receive. Rank 2
 * could have taken a message of rank 1 first, and rank 0 must send again for that. */
static void what_came_of_unsuccessful_tests_needs_them(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 1, 2);
    script_send(&s, 2, 0);
    script_irecv(&s, 0, 1, 0);
    put_poll(&s, 0, 1, 0, 0);
    put_poll(&s, 0, 1, 0, 4);
    script_send(&s, 0, 2);
    script_irecv(&s, 0, ANY, 1);
    put_tested_at_a_site(&s, 0, 0);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}), 1);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}), 0, 2, 0);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 0, .extra = 1});
    script_check(&s, "0:1 test all given up keep 0 0 1 ahead 0:1=2\n"
                     "0:1 test fewer 0 keep 0 0 0\n"
                     "0:1 test again 4 as 0 keep 0 0 0\n"
                     "2:1 receive 1 keep 2 0 0\n");
}

/* The same, and the test of rank 0 is never successful: all of its unsuccessful ones are needed,
 * and each of them could have been successful. */
static void unsuccessful_tests_without_a_choice_are_kept(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_irecv(&s, 0, 2, 0);
    put_poll(&s, 0, 1, 0, 0);
    script_send(&s, 0, 2);
    put_poll(&s, 0, 1, 0, 3);
    script_send(&s, 1, 2);
    script_send(&s, 1, 2);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 0, .extra = 1});
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 1, .extra = 1});
    script_send(&s, 2, 0);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}), 0);
    script_check(&s, "0:1 test fewer 3 keep 0 0 2\n"
                     "2:1 receive 1 keep 0 0 0 failed 0:-1\n");
}

static bool take_polled(void *context, const struct ork_polled_choice *p)
{
    struct ork_polled_choice *to = context;

    assert_int_equal(p->rank, 0);
    assert_int_equal(p->number, 1);
    *to = *p;
    return true;
}

static struct ork_polled_choice polled_choice(struct script *s)
{
    struct ork_polled_choice polled = {0};

    ork_causality_polled_choices(s->causality, take_polled, &polled);
    ork_causality_destroy(s->causality);
    return polled;
}

/* Two requests are tested in turn, and the first one is complete at last. */
static void equal_polls_in_a_row_count_once(void **state)
{
    struct ork_polled_choice polled;

    (void)state;
    for (uint64_t rounds = 1; rounds < 9; rounds *= 2) {
        struct script s = script_begin();
        script_irecv(&s, 0, 1, 0);
        script_irecv(&s, 0, 2, 1);
        for (uint64_t i = 0; i < 2 * rounds; i++)
            put_poll(&s, 0, 1, (uint32_t)(i % 2), i);
        put_tested_at_a_site(&s, 0, 0);
        polled = polled_choice(&s);
        assert_int_equal(polled.polls, 2 * rounds);
        assert_int_equal(polled.different, 2);
        assert_int_equal(polled.same, 1);
        assert_int_equal(polled.num_distinct, 2);
        assert_int_equal(polled.poll_index, 1);
        assert_int_equal(polled.series_abandoned, 0);
        assert_int_equal(polled.all_abandoned, 0);
    }
}

/* After unsuccessful tests rank 0 makes no call, sends, or waits for any request. */
static void a_row_is_given_up_by_another_call(void **state)
{
    (void)state;
    for (unsigned after = 0; after < 3; after++) {
        struct script s = script_begin();
        script_irecv(&s, 0, 1, 0);
        put_poll(&s, 0, 1, 0, 0);
        put_poll(&s, 0, 1, 0, 1);
        if (after == 1)
            script_send(&s, 0, 1);
        if (after == 2) {
            PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ANY}), 0);
            PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}), 0);
        }
        struct ork_polled_choice polled = polled_choice(&s);
        assert_int_equal(polled.polls, 2);
        assert_int_equal(polled.series_abandoned, after > 0);
    }
}

/* Rank 0 sends to rank 1 between equal tests: rank 1 can count them. */
static void equal_polls_with_a_call_between_count_each(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_irecv(&s, 0, 1, 0);
    put_poll(&s, 0, 1, 0, 0);
    script_send(&s, 0, 1);
    put_poll(&s, 0, 1, 0, 1);
    put_poll(&s, 0, 1, 0, 2);
    script_send(&s, 0, 1);
    put_tested_at_a_site(&s, 0, 0);
    struct ork_polled_choice polled = polled_choice(&s);
    assert_int_equal(polled.polls, 3);
    assert_int_equal(polled.different, 2);
    assert_int_equal(polled.same, 0);
    assert_int_equal(polled.num_distinct, 1);
    assert_int_equal(polled.poll_index, 1);
    assert_int_equal(polled.series_abandoned, 1);
    assert_int_equal(polled.all_abandoned, 0);
}

/* Three requests are tested at one place; the third one, at its first test, is complete. */
static void each_request_could_have_been_complete(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_irecv(&s, 0, 1, 0);
    script_irecv(&s, 0, 1, 1);
    script_irecv(&s, 0, 2, 2);
    put_poll(&s, 0, 1, 0, 0);
    put_poll(&s, 0, 1, 1, 1);
    put_poll(&s, 0, 1, 0, 3);
    put_tested_at_a_site(&s, 0, 2);
    script_check(&s, "0:1 test one more keep 0 0 0\n"
                     "0:1 test fewer 0 keep 0 0 0\n"
                     "0:1 test fewer 3 keep 0 0 0\n");
}

/* Two requests are tested in turn. The other one could have been complete next: after as many
 * unsuccessful tests as there were, or at its own test, if that is known. */
static void another_request_could_have_been_complete_later(void **state)
{
    (void)state;
    for (uint64_t rounds = 1; rounds <= 2; rounds++) {
        struct script s = script_begin();
        script_send(&s, 1, 0);
        script_send(&s, 2, 0);
        script_irecv(&s, 0, 1, 0);
        script_irecv(&s, 0, 2, 1);
        for (uint64_t i = 0; i < 2 * rounds; i++)
            put_poll(&s, 0, 1, (uint32_t)(i % 2), i);
        put_tested_at_a_site(&s, 0, 0);
        script_check(&s, rounds == 1 ? "0:1 test again -1 as 1 keep 0 0 0\n"
                                       "0:1 test given up keep 0 0 0\n"
                                       "0:1 test fewer 0 keep 0 0 0\n"
                                       "0:1 test fewer 1 keep 0 0 0\n"
                                     : "0:1 test given up keep 0 0 0\n"
                                       "0:1 test fewer 0 keep 0 0 0\n"
                                       "0:1 test fewer 1 keep 0 0 0\n"
                                       "0:1 test again 2 as 0 keep 0 0 0\n"
                                       "0:1 test again 3 as 1 keep 0 0 0\n");
    }
}

/* A request that was only tested before a loop is not tested again. */
static void what_was_tested_before_the_loop_does_not_come_again(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_irecv(&s, 0, 1, 0);
    script_irecv(&s, 0, 2, 1);
    put_poll(&s, 0, 1, 1, 0);
    put_poll(&s, 0, 1, 0, 1);
    put_tested_at_a_site(&s, 0, 0);
    script_check(&s, "0:1 test given up keep 0 0 0\n"
                     "0:1 test fewer 0 keep 0 0 0\n"
                     "0:1 test fewer 1 keep 0 0 0\n");
}

/* A request is tested at two places, and complete at the one where it was tested before. */
static void a_test_at_another_place_could_have_succeeded(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_irecv(&s, 0, 1, 0);
    put_poll(&s, 0, 1, 0, 0);
    put_poll(&s, 0, 2, 0, 1);
    put_tested_at_a_site(&s, 0, 0);
    script_check(&s, "0:1 test again -1 as 1 keep 0 0 0\n"
                     "0:1 test given up keep 0 0 0\n"
                     "0:1 test fewer 0 keep 0 0 0\n"
                     "0:1 test fewer 1 keep 0 0 0\n");
}

/* A later operation has the number of the request again. */
static void a_test_of_another_operation_is_another_test(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 1, 0);
    script_irecv(&s, 0, 1, 0);
    put_poll(&s, 0, 1, 0, 0);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}), 0);
    script_irecv(&s, 0, 1, 0);
    put_poll(&s, 0, 1, 0, 1);
    put_poll(&s, 0, 1, 0, 2);
    script_check(&s, "0:1 test fewer 0 keep 0 0 0\n"
                     "0:1 test fewer 1 keep 0 0 0\n"
                     "0:1 test fewer 2 keep 0 0 0\n");
}

static void polls_out_of_order_are_refused(void **state)
{
    static const struct {
        uint64_t number, polls;
    } after_one[] = {{0, 1}, {1, 0}, {UINT64_MAX, 1}, {1, UINT64_MAX}};

    (void)state;
    for (size_t i = 0; i < sizeof(after_one) / sizeof(after_one[0]); i++) {
        struct script s = script_begin();
        script_irecv(&s, 0, 1, 0);
        put_poll(&s, 0, 1, 0, 0);
        assert_null(ork_causality_lost(s.causality, 0));
        script_put(&s, 0,
                   (struct ork_record){.kind = ORK_KIND_POLL,
                                       .bytes = after_one[i].polls,
                                       .extra = after_one[i].number});
        assert_non_null(ork_causality_lost(s.causality, 0));
        ork_causality_destroy(s.causality);
    }
}

/* Rank 0 gives up after three tests, and sends between some of them. Each of them could have been
 * successful, but of two in a row the first one, or the second. Then two tests of another request,
 * which it still makes, are not given up. */
static void each_test_before_a_loop_gave_up_could_have_been_successful(void **state)
{
    (void)state;
    for (unsigned tests = 0; tests < 3; tests++) {
        struct script s = script_begin();
        script_send(&s, 1, 0);
        script_send(&s, 2, 0);
        script_irecv(&s, 0, 1, 0);
        script_irecv(&s, 0, 2, 1);
        put_poll(&s, 0, 1, 0, 0);
        script_send(&s, 0, 1);
        put_poll(&s, 0, 1, 0, 1);
        put_poll(&s, 0, 1, 0, 2);
        put_poll(&s, 0, 1, 0, 3);
        for (unsigned i = 0; i < tests; i++)
            put_poll(&s, 0, 1, 1, 4 + i);
        if (tests > 0)
            put_tested_at_a_site(&s, 0, 1);
        script_check(&s, tests == 0   ? "0:1 test fewer 0 keep 0 0 0\n"
                                        "0:1 test fewer 1 keep 0 0 0\n"
                                        "0:1 test fewer 2 keep 0 0 0\n"
                         : tests == 1 ? "0:1 test all given up keep 0 0 0\n"
                                        "0:1 test fewer 0 keep 0 0 0\n"
                                        "0:1 test fewer 1 keep 0 0 0\n"
                                        "0:1 test fewer 2 keep 0 0 0\n"
                                        "0:1 test fewer 4 keep 0 0 0\n"
                                      : "0:1 test all given up keep 0 0 0\n"
                                        "0:1 test fewer 0 keep 0 0 0\n"
                                        "0:1 test fewer 1 keep 0 0 0\n"
                                        "0:1 test fewer 2 keep 0 0 0\n"
                                        "0:1 test fewer 4 keep 0 0 0\n"
                                        "0:1 test again 5 as 4 keep 0 0 0\n");
    }
}

static void put_testany_failed(struct script *s, uint16_t mode)
{
    struct ork_record r = {
        .kind = ORK_KIND_POLL, .site = 1, .mode = mode, .arg = ORK_POLL_TEST, .extra = 1};

    PUT_LIST(s, 0, r, 0, ORK_REQUEST_NULL, 1);
}

/* One of three elements is null, one has no message. */
static void an_unsuccessful_testany_could_have_had_indices(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_irecv(&s, 0, 2, 0);
    script_irecv(&s, 0, 1, 1);
    put_testany_failed(&s, ORK_WAIT_ANY);
    script_check(&s, "0:1 test fewer 0 [2] keep 0 0 0\n");
    s = script_begin();
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_irecv(&s, 0, 2, 0);
    script_irecv(&s, 0, 1, 1);
    put_testany_failed(&s, ORK_WAIT_SOME);
    script_check(&s, "0:1 test fewer 0 [0] keep 0 0 0\n"
                     "0:1 test fewer 0 [2] keep 0 0 0\n"
                     "0:1 test fewer 0 [0] [2] keep 0 0 0\n");
}

static void put_probe_failed(struct script *s, int32_t peer, int32_t tag, uint64_t polls)
{
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_POLL,
                                   .site = 1,
                                   .peer = peer,
                                   .tag = tag,
                                   .arg = ORK_POLL_PROBE,
                                   .bytes = polls,
                                   .extra = 1});
}

/* Messages of ranks 1 and 2, the first one of rank 1 for a receive that was posted before. */
static void an_unsuccessful_probe_could_have_found_a_message(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_irecv(&s, 0, 1, 0);
    put_probe_failed(&s, 1, 0, 0);
    put_probe_failed(&s, ANY, 0, 1);
    put_probe_failed(&s, ANY, 7, 2);
    put_probe_failed(&s, 2, ORK_ANY_TAG, 3);
    put_probe_failed(&s, 2, ORK_ANY_TAG, 4);
    script_check(&s, "0:1 probe fewer 1 2 keep 0 0 0\n"
                     "0:1 probe fewer 3 2 keep 0 0 0\n"
                     "0:1 probe fewer 4 2 keep 0 0 0\n");
}

int test_polls(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_could_have_been_unsuccessful),
        cmocka_unit_test(a_test_after_a_send_could_have_succeeded_at_once),
        cmocka_unit_test(a_test_before_a_send_could_not_have_succeeded),
        cmocka_unit_test(what_came_of_unsuccessful_tests_needs_them),
        cmocka_unit_test(unsuccessful_tests_without_a_choice_are_kept),
        cmocka_unit_test(each_request_could_have_been_complete),
        cmocka_unit_test(another_request_could_have_been_complete_later),
        cmocka_unit_test(what_was_tested_before_the_loop_does_not_come_again),
        cmocka_unit_test(a_test_at_another_place_could_have_succeeded),
        cmocka_unit_test(a_test_of_another_operation_is_another_test),
        cmocka_unit_test(equal_polls_in_a_row_count_once),
        cmocka_unit_test(a_row_is_given_up_by_another_call),
        cmocka_unit_test(equal_polls_with_a_call_between_count_each),
        cmocka_unit_test(each_test_before_a_loop_gave_up_could_have_been_successful),
        cmocka_unit_test(polls_out_of_order_are_refused),
        cmocka_unit_test(an_unsuccessful_testany_could_have_had_indices),
        cmocka_unit_test(an_unsuccessful_probe_could_have_found_a_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
