/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching of sends and receives. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

static uint64_t num_messages(const struct ork_detector *d)
{
    return ork_detector_counts(d).messages;
}

static void a_send_and_a_receive_match_in_either_order(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        struct ork_detector *d = script_create(2);
        const struct step *rank[] = {RANK(S(1, 3)), RANK(R(0, 3))};
        script_feed(d, first, rank[first]);
        assert_int_equal(num_messages(d), 0);
        script_feed(d, !first, rank[!first]);
        assert_int_equal(num_messages(d), 1);
        assert_string_equal(script_statuses(d, 2).of, "RR");
        ork_detector_destroy(d);
    }
}

static void any_tag_takes_the_oldest_message_of_its_source(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I(1, 5, 0), I(1, 6, 1), W(1), S(1, 9)));
    assert_int_equal(script_call(d, 0), ORK_KIND_WAIT);
    script_feed(d, 1, RANK(R(0, ANY_TAG)));
    assert_int_equal(script_call(d, 0), ORK_KIND_WAIT); /* that was tag 5 */
    script_feed(d, 1, RANK(R(0, ANY_TAG)));
    assert_int_equal(script_call(d, 0), ORK_KIND_SEND);
    ork_detector_destroy(d);
}

static void an_older_receive_of_the_very_tag_comes_before_any_tag(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 5, 0), J(0, ANY_TAG, 1), W(1)));
    script_feed(d, 0, RANK(S(1, 5)));
    assert_int_equal(script_call(d, 1), ORK_KIND_WAIT);
    script_feed(d, 0, RANK(S(1, 5)));
    assert_int_equal(script_call(d, 1), ORK_KIND_CONT);
    ork_detector_destroy(d);
}

static void
an_undecided_wildcard_has_the_only_message_or_leaves_it_for_a_later_receive(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 1, RANK(J(ANY, 0, 0), R(0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RBR");
    assert_int_equal(num_messages(d), 0);
    ork_detector_destroy(d);
}

static void with_more_messages_than_rivals_a_receive_is_certain(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 1, RANK(J(ANY, 0, 0), R(0, 0)));
    script_feed(d, 0, RANK(I(1, 0, 0), I(1, 0, 1)));
    assert_int_equal(num_messages(d), 1);
    assert_int_equal(script_call(d, 1), ORK_KIND_CONT);
    ork_detector_destroy(d);
}

static void what_waits_for_a_wildcard_goes_on_when_its_source_is_told(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 1, RANK(J(ANY, 0, 0), J(0, 0, 1), W(0, 1)));
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 2, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RSS");
    script_feed(d, 1, RANK(COMPLETED(0, 2, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

static void a_source_told_out_of_order_takes_the_head_of_its_channel(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(ANY, 0, 0), R(ANY, 0), FOUND(0, 0)));
    assert_int_equal(script_call(d, 1), ORK_KIND_RECV);
    script_feed(d, 0, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_true(
        ork_detector_rank(d, 1).depends_on_buffering); /* the older receive must have had its own */
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(W(0), COMPLETED(0, 0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_false(ork_detector_rank(d, 1).depends_on_buffering);
    ork_detector_destroy(d);
}

static void an_older_receive_is_done_when_a_later_one_of_its_source_is(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 0, 0), R(ANY, 0), FOUND(0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    assert_int_equal(script_call(d, 0), ORK_KIND_CONT);
    assert_int_equal(script_call(d, 1), ORK_KIND_RECV); /* that was for the older one */
    script_feed(d, 0, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* The receive in between has one of the messages before that of the last, and not the next. */
static void any_tag_takes_nothing_behind_what_a_later_receive_took(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(ANY, 0, 0), J(0, ANY_TAG, 1), R(0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(W(0, 1))); /* so it has received */
    script_feed(d, 0, RANK(I(1, 0, 0), I(1, 1, 1), S(1, 0)));
    script_feed(d, 1, RANK(COMPLETED(0, 0, 0, 1, 0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    script_feed(d, 0, RANK(W(0)));
    assert_int_equal(script_call(d, 0), ORK_KIND_CONT);
    script_feed(d, 0, RANK(W(1)));
    assert_int_equal(script_call(d, 0), ORK_KIND_WAIT); /* nobody took the one with tag 1 */
    ork_detector_destroy(d);
}

static void a_reported_source_that_has_not_sent_must_send(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(S(1, 1), S(1, 2)));
    script_feed(d, 1, RANK(R(ANY, 2), FOUND(0, 2)));
    assert_string_equal(script_statuses(d, 3).of, "BBR");
    assert_true(ork_detector_rank(d, 1).depends_on_buffering);
    script_feed(d, 2, RANK(S(1, 2))); /* some other message that it could have taken */
    assert_string_equal(script_statuses(d, 3).of, "BSB");
    ork_detector_destroy(d);
}

static void a_cancelled_receive_takes_nothing(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 0, 0), CANCEL(0)));
    script_feed(d, 0, RANK(S(1, 0)));
    assert_int_equal(num_messages(d), 0);
    script_feed(d, 1, RANK(W(0), COMPLETED(0, WAS_CANCELLED), R(0, 0)));
    assert_int_equal(num_messages(d), 1);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_cancel_that_came_too_late_takes_its_message(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 0, 0), CANCEL(0)));
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 1, RANK(W(0), COMPLETED(0, NOT_SEEN), R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    ork_detector_destroy(d);
}

static void a_receive_cancelled_after_its_message_came_gives_it_back(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0), F));
    script_feed(d, 1, RANK(J(0, 0, 0), CANCEL(0), W(0), COMPLETED(0, WAS_CANCELLED), R(0, 0), F));
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "");
    assert_int_equal(ork_detector_num_issues(d), 0);
    ork_detector_destroy(d);
}

static void a_cancelled_receive_makes_way_for_those_behind_it(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 0, 0), J(0, 0, 1), CANCEL(0), W(0, 1)));
    script_feed(d, 0, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 2).of, "SS");
    script_feed(d, 1, RANK(COMPLETED(0, WAS_CANCELLED)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_matched_probe_takes_the_message_and_its_receive_frees_the_sender(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(Y(1, 0)));
    script_feed(d, 1, RANK(MP(0, 0), TOOK(0, 0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(MR(0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_wildcard_with_another_tag_is_not_overtaken(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(ANY, 1, 0), R(ANY, 0), FOUND(0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_false(ork_detector_rank(d, 1).depends_on_buffering);
    ork_detector_destroy(d);
}

static void a_matched_probe_beside_a_wildcard_is_undecided(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 0), S(1, 0)));
    script_feed(d, 1, RANK(J(ANY, 0, 0), MP(0, 0), TOOK(0, 0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "SR");
    assert_true(ork_detector_rank(d, 1).depends_on_buffering);
    script_feed(d, 1, RANK(W(0), COMPLETED(0, 0, 0))); /* the first one was the wildcard's */
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, RANK(MR(0)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_probe_sees_only_what_no_pending_receive_takes(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 0, 0), P(0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    assert_int_equal(script_call(d, 1), ORK_KIND_PROBE);
    script_feed(d, 0, RANK(S(1, 0)));
    assert_int_equal(script_call(d, 1), ORK_KIND_CONT);
    assert_int_equal(script_call(d, 0), ORK_KIND_SEND);
    ork_detector_destroy(d);
}

static void decide(struct ork_detector *d, bool expected)
{
    bool decided;

    assert_int_equal(ork_detector_assume_match(d, &decided), ORK_OK);
    assert_int_equal(decided, expected);
}

/* Of ranks 0 and 2, the one whose message the receive of rank 1 was assumed to have. */
static struct ork_detector *assume_one_of_two(uint32_t *taken)
{
    struct ork_detector *d = script_create(3);

    script_feed(d, 1, RANK(J(ANY, 0, 0)));
    script_feed(d, 0, RANK(S(1, 0)));
    script_feed(d, 2, RANK(S(1, 0)));
    assert_string_equal(script_statuses(d, 3).of, "SRS");
    decide(d, true);
    decide(d, false); /* nothing else is open */
    *taken = script_call(d, 0) == ORK_KIND_CONT ? 0 : 2;
    assert_int_equal(script_call(d, 2 - *taken), ORK_KIND_SEND);
    assert_true(ork_detector_rank(d, *taken).assumed);
    assert_true(ork_detector_rank(d, 1).assumed);
    assert_false(ork_detector_rank(d, 2 - *taken).assumed);
    return d;
}

static void a_match_that_was_assumed_rightly_stays(void **state)
{
    (void)state;
    uint32_t taken;
    struct ork_detector *d = assume_one_of_two(&taken);

    script_feed(d, 1, RANK(W(0), COMPLETED(0, taken, 0), R((int32_t)(2 - taken), 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    assert_int_equal(num_messages(d), 2);
    ork_detector_destroy(d);
}

static void a_match_that_was_assumed_wrongly_changes_places(void **state)
{
    (void)state;
    uint32_t taken;
    struct ork_detector *d = assume_one_of_two(&taken);
    uint32_t told = 2 - taken;

    script_feed(d, 1, RANK(W(0), COMPLETED(0, told, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR"); /* the other sender has gone on, too */
    script_feed(d, 1, RANK(R((int32_t)taken, 0)));
    assert_string_equal(script_statuses(d, 3).of, "RRR"); /* its message is there again */
    script_feed(d, 1, RANK(R((int32_t)told, 0)));
    assert_int_equal(script_call(d, 1), ORK_KIND_RECV); /* and that one is gone */
    ork_detector_destroy(d);
}

static void messages_of_other_communicators_do_not_match(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(DUP(2, 0), DUP(3, 0), S_ON(2, 1, 0)));
    script_feed(d, 1, RANK(DUP(2, 0), DUP(3, 0), R_ON(3, 0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "BB");
    ork_detector_destroy(d);
}

/* The channel's order is made when the first wildcard comes: messages of several tags are there. */
static void the_first_any_tag_takes_the_oldest_of_what_is_there(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(I(1, 9, 0), I(1, 5, 1), I(1, 7, 2), I(1, 5, 3), W(0), W(1), W(2), W(3)));
    script_feed(d, 1, RANK(R(0, ANY_TAG), R(0, 7), R(0, 5), R(0, ANY_TAG)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(num_messages(d), 4);
    script_feed(d, 1, RANK(R(0, 9)));
    assert_string_equal(script_statuses(d, 2).of, "RB");
    ork_detector_destroy(d);
}

static void the_first_wildcard_finds_what_is_there(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 0, RANK(S(1, 5)));
    script_feed(d, 2, RANK(S(1, 6)));
    script_feed(d, 1, RANK(R(ANY, 6)));
    assert_string_equal(script_statuses(d, 3).of, "BSS");
    script_feed(d, 1, RANK(FOUND(2, 6), R(0, 5)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

static void a_receive_that_was_there_before_the_first_wildcard_comes_first(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 1, RANK(J(0, 5, 0), J(ANY, 5, 1), W(0)));
    script_feed(d, 0, RANK(S(1, 5)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    script_feed(d, 1, RANK(W(1), COMPLETED(0, 0, 5)));
    script_feed(d, 0, RANK(S(1, 5)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_probe_for_any_tag_sees_what_is_there(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(2);

    script_feed(d, 0, RANK(S(1, 5)));
    script_feed(d, 1, RANK(P(0, ANY_TAG), R(0, 5)));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_sender_goes_on_while_its_receiver_probes(void **state)
{
    (void)state;

    for (unsigned first = 0; first < 2; first++) {
        struct ork_detector *d = script_create(3);

        for (unsigned i = 0; i < 2; i++) {
            if (first == i)
                script_feed(d, 0, RANK(J(ANY, 1, 0), J(1, 1, 1), P(1, 1)));
            else
                script_feed(d, 1, RANK(S(0, 1), R(0, 0)));
        }
        assert_int_equal(ork_detector_rank(d, 1).call.kind, ORK_KIND_RECV);
        ork_detector_destroy(d);
    }
}

/* Of the messages with tag 0, the receive that names it gets the third one, whichever of the others
 * gets the first and the second. So the message with tag 1, which is between them, is left. */
static void any_tag_takes_no_message_behind_those_of_a_later_receive(void **state)
{
    (void)state;
    struct ork_detector *d = script_create(3);

    script_feed(d, 2, RANK(S(0, 0), I(0, 0, 0), I(0, 1, 1), S(0, 0), W(0, 1)));
    script_feed(d, 0, RANK(J(ANY, 0, 0), J(2, ANY_TAG, 1), R(2, 0)));
    assert_int_equal(num_messages(d), 1);
    script_feed(d, 0, RANK(W(0, 1), COMPLETED(0, 2, 0, 1, 2, 0)));
    assert_int_equal(num_messages(d), 3);
    assert_int_equal(script_call(d, 2), ORK_KIND_WAIT);
    script_feed(d, 0, RANK(R(ANY, 1), FOUND(2, 1)));
    assert_string_equal(script_statuses(d, 3).of, "RRR");
    ork_detector_destroy(d);
}

int test_match(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_tag_takes_no_message_behind_those_of_a_later_receive),
        cmocka_unit_test(the_first_any_tag_takes_the_oldest_of_what_is_there),
        cmocka_unit_test(the_first_wildcard_finds_what_is_there),
        cmocka_unit_test(a_receive_that_was_there_before_the_first_wildcard_comes_first),
        cmocka_unit_test(a_probe_for_any_tag_sees_what_is_there),
        cmocka_unit_test(a_sender_goes_on_while_its_receiver_probes),
        cmocka_unit_test(a_send_and_a_receive_match_in_either_order),
        cmocka_unit_test(any_tag_takes_the_oldest_message_of_its_source),
        cmocka_unit_test(an_older_receive_of_the_very_tag_comes_before_any_tag),
        cmocka_unit_test(
            an_undecided_wildcard_has_the_only_message_or_leaves_it_for_a_later_receive),
        cmocka_unit_test(with_more_messages_than_rivals_a_receive_is_certain),
        cmocka_unit_test(what_waits_for_a_wildcard_goes_on_when_its_source_is_told),
        cmocka_unit_test(a_source_told_out_of_order_takes_the_head_of_its_channel),
        cmocka_unit_test(a_wildcard_with_another_tag_is_not_overtaken),
        cmocka_unit_test(an_older_receive_is_done_when_a_later_one_of_its_source_is),
        cmocka_unit_test(any_tag_takes_nothing_behind_what_a_later_receive_took),
        cmocka_unit_test(a_reported_source_that_has_not_sent_must_send),
        cmocka_unit_test(a_cancelled_receive_takes_nothing),
        cmocka_unit_test(a_cancel_that_came_too_late_takes_its_message),
        cmocka_unit_test(a_receive_cancelled_after_its_message_came_gives_it_back),
        cmocka_unit_test(a_cancelled_receive_makes_way_for_those_behind_it),
        cmocka_unit_test(a_matched_probe_takes_the_message_and_its_receive_frees_the_sender),
        cmocka_unit_test(a_matched_probe_beside_a_wildcard_is_undecided),
        cmocka_unit_test(a_probe_sees_only_what_no_pending_receive_takes),
        cmocka_unit_test(a_match_that_was_assumed_rightly_stays),
        cmocka_unit_test(a_match_that_was_assumed_wrongly_changes_places),
        cmocka_unit_test(messages_of_other_communicators_do_not_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
