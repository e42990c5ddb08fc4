/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message a receive or probe takes, and when that is certain. */
#include "tests/unit/arbiter/script.h"

static const struct ork_record probe = {.kind = ORK_KIND_PROBE, .peer = ORK_ANY_SOURCE, .tag = 5};

static struct ork_record ask(enum ork_ask what, uint64_t number, struct ork_record about)
{
    about.kind = ORK_KIND_ASK;
    about.mode = (uint16_t)what;
    about.extra = number;
    return about;
}

static void the_earliest_message_is_taken(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    recv(a, 0, ANY, ANY_TAG);
    send(a, 2, 1, 7);
    send(a, 2, 0, 8);      /* at time 2 */
    expect_nothing_yet(a); /* rank 1 may send at time 1 */
    send(a, 1, 0, 9);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 9);
    returned(a, 0, 1, 9);
    recv(a, 0, ANY, ANY_TAG);
    expect_nothing_yet(a); /* (2, 1) would be earlier than (2, 2) */
    send(a, 1, 2, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 2, 2, 8);
    ork_arbiter_destroy(a);
}

static void equal_times_are_ordered_by_rank(void **state)
{
    struct ork_arbiter *a = create(4);

    (void)state;
    send(a, 0, 1, 0); /* it does not send to itself at time 1 any more */
    for (uint32_t r = 3; r > 0; r--)
        send(a, r, 0, (int32_t)r);
    for (uint32_t r = 1; r < 4; r++) {
        irecv(a, 0, ANY, ANY_TAG, r);
        expect(a, 0, ORK_DECIDED_RECEIVE, r, (int32_t)r, (int32_t)r);
    }
    ork_arbiter_destroy(a);
}

/* A worker that waits for the master sends nothing before the master does. */
static void ranks_that_wait_do_not_delay_others(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    send(a, 2, 0, 0);
    recv(a, 2, 0, 0);
    recv(a, 1, 2, 0);
    recv(a, 0, ANY, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 2, 0);
    ork_arbiter_destroy(a);
}

static void ranks_that_have_ended_send_nothing(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    recv(a, 0, ANY, 0);
    send(a, 2, 0, 0);
    finalize(a, 2);
    expect_nothing_yet(a);
    finalize(a, 1);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 2, 0);
    ork_arbiter_destroy(a);
}

static void a_named_receive_waits_for_the_wildcard_before_it(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    irecv(a, 0, ANY, 0, 4);
    irecv(a, 0, 2, 0, 5);
    send(a, 2, 0, 0);
    send(a, 2, 0, 0);
    feed_list(a, 0, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ANY}, 5u, 4u,
              END_OF_LIST);
    feed_list(a, 0, ask(ORK_ASK_WAIT_ANY, 1, (struct ork_record){0}), 5u, 4u, END_OF_LIST);
    expect_nothing_yet(a);
    send(a, 1, 2, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 2, 0);
    expect(a, 0, ORK_DECIDED_INDEX, 1, 1, 0); /* the wildcard has the earlier message */
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void other_tags_do_not_wait_for_a_wildcard(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    irecv(a, 0, ANY, 1, 0);
    irecv(a, 0, 1, 2, 1);
    irecv(a, 0, ANY, ANY_TAG, 2);
    send(a, 1, 0, 2);
    send(a, 1, 0, 2);
    expect_nothing_yet(a); /* rank 0 may still send to itself */
    recv(a, 0, 1, 3);
    expect(a, 0, ORK_DECIDED_RECEIVE, 2, 1, 2);
    send(a, 1, 0, 1);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 1);
    ork_arbiter_destroy(a);
}

/* Receive 2 takes the message of tag 2 if the wildcard takes that of tag 1: then it is not for
 * receive 3. */
static void a_named_receive_waits_for_another_one(void **state)
{
    struct ork_arbiter *a = create(3);
    struct ork_record question = ask(ORK_ASK_CANCEL, 1, (struct ork_record){.request = 3});

    (void)state;
    irecv(a, 0, ANY, 1, 1);
    irecv(a, 0, 2, ANY_TAG, 2);
    irecv(a, 0, 2, 2, 3);
    send(a, 2, 0, 1);
    send(a, 2, 0, 2);
    feed(a, 0, question);
    expect_nothing_yet(a);
    recv(a, 1, 0, 0); /* rank 1 sends nothing at time 1 any more */
    go_on(a, 0);
    send(a, 0, 1, 0);
    feed(a, 0, question);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 2, 1);
    expect_nothing_yet(a);
    send(a, 2, 0, 2);
    expect(a, 0, ORK_DECIDED_INDEX, 1, 0, 0);
    ork_arbiter_destroy(a);
}

static void a_probe_does_not_take_the_message(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    feed(a, 0, probe);
    feed(a, 0, ask(ORK_ASK_PROBE, 1, probe));
    assert_true(ork_arbiter_is_waiting(a));
    send(a, 1, 0, 5);
    expect(a, 0, ORK_DECIDED_PROBE, 1, 1, 5);
    assert_false(ork_arbiter_is_waiting(a));
    returned(a, 0, 1, 5);
    recv(a, 0, ANY, 5);
    assert_true(ork_arbiter_is_waiting(a));
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 5);
    ork_arbiter_destroy(a);
}

static void a_matched_probe_takes_it(void **state)
{
    struct ork_arbiter *a = create(2);
    struct ork_record matched = probe;

    (void)state;
    matched.flags = ORK_F_MATCHED;
    feed(a, 0, matched);
    feed(a, 0, ask(ORK_ASK_PROBE, 1, matched));
    send(a, 1, 0, 5);
    expect(a, 0, ORK_DECIDED_PROBE, 1, 1, 5);
    returned(a, 0, 1, 5);
    recv(a, 0, ANY, 5);
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void what_belongs_to_a_posted_receive_is_not_probed(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    irecv(a, 0, 1, 5, 0);
    feed(a, 0, probe);
    feed(a, 0, ask(ORK_ASK_PROBE, 1, probe));
    send(a, 1, 0, 5);
    expect_nothing(a);
    send(a, 1, 0, 5);
    expect(a, 0, ORK_DECIDED_UPCOMING, 0, 0, 0); /* the clock is 3 when it goes on */
    expect(a, 0, ORK_DECIDED_UPCOMING_TAKEN, 0, -2, 0);
    expect(a, 0, ORK_DECIDED_UPCOMING_MESSAGE, (uint32_t)-1, 1, 5);
    expect(a, 0, ORK_DECIDED_UPCOMING_END, 3, 0, 0);
    expect(a, 0, ORK_DECIDED_PROBE, 1, 1, 5);
    ork_arbiter_destroy(a);
}

/* The answer to a receive that waits is all messages that are certain. Those that are taken
 * without a question are followed by their records. */
static void upcoming_messages_come_before_an_answer(void **state)
{
    struct ork_arbiter *a = create(3);
    struct ork_record taken = {
        .kind = ORK_KIND_ASK, .mode = ORK_ASK_TAKEN, .request = 4, .peer = 2, .tag = 8};

    (void)state;
    send(a, 1, 0, 5);
    send(a, 1, 0, 6); /* at time 2 */
    recv(a, 0, ANY, 5);
    feed(a, 0, ask(ORK_ASK_RECEIVE, 1, (struct ork_record){0}));
    assert_true(ork_arbiter_is_waiting(a));
    send(a, 2, 0, 7); /* at time 1 */
    send(a, 2, 0, 8);
    expect(a, 0, ORK_DECIDED_UPCOMING, 0, 0, 0);
    expect(a, 0, ORK_DECIDED_UPCOMING_MESSAGE, (uint32_t)-1, 2, 7);
    expect(a, 0, ORK_DECIDED_UPCOMING_MESSAGE, 0, 1, 6);
    expect(a, 0, ORK_DECIDED_UPCOMING_MESSAGE, 0, 2, 8);
    expect(a, 0, ORK_DECIDED_UPCOMING_END, 3, 0, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 5);
    expect_nothing_yet(a);
    assert_false(ork_arbiter_is_waiting(a)); /* else each record would wake the tool */
    returned(a, 0, 1, 5);
    recv(a, 0, ANY, 6);
    returned(a, 0, 1, 6);
    irecv(a, 0, ANY, ANY_TAG, 3);
    taken.request = 3;
    taken.tag = 7;
    feed(a, 0, taken);
    irecv(a, 0, ANY, 8, 4);
    taken.request = 4;
    taken.tag = 8;
    feed(a, 0, taken);
    expect_nothing(a); /* all is decided */
    ork_arbiter_destroy(a);
}

static void a_list_ends_where_an_earlier_message_may_come(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    send(a, 1, 0, 5);
    send(a, 1, 0, 6);
    send(a, 1, 0, 6); /* at time 3 */
    recv(a, 0, ANY, 5);
    feed(a, 0, ask(ORK_ASK_RECEIVE, 1, (struct ork_record){0}));
    send(a, 2, 1, 0);
    send(a, 2, 1, 0); /* the next one of rank 2 is at time 3 or later */
    expect(a, 0, ORK_DECIDED_UPCOMING, 0, 0, 0);
    expect(a, 0, ORK_DECIDED_UPCOMING_MESSAGE, 0, 1, 6);
    expect(a, 0, ORK_DECIDED_UPCOMING_MESSAGE, 1, 1, 6); /* rank 1 is before rank 2 */
    expect(a, 0, ORK_DECIDED_UPCOMING_END, 2, 0, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 5);
    send(a, 1, 0, 6); /* at time 4 */
    returned(a, 0, 1, 5);
    irecv(a, 0, ANY, 9, 0); /* undecided, so there is no list */
    recv(a, 0, ANY, 6);
    feed(a, 0, ask(ORK_ASK_RECEIVE, 2, (struct ork_record){0}));
    expect(a, 0, ORK_DECIDED_RECEIVE, 3, 1, 6);
    ork_arbiter_destroy(a);
}

/* Its record is written after the call: the receiver may be ahead of it. */
static void records_wait_for_those_of_the_sender(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    recv(a, 1, 0, 0);
    send(a, 1, 2, 7); /* the receive has returned */
    send(a, 2, 1, 0);
    send(a, 2, 1, 0);
    recv(a, 2, ANY, 7);
    expect_nothing(a);
    send(a, 0, 2, 7);
    isend(a, 0, 1, 0, 3); /* at time 2: that of rank 1 is at 4 */
    expect(a, 2, ORK_DECIDED_RECEIVE, 1, 0, 7);
    returned(a, 2, 0, 7);
    recv(a, 2, ANY, 7);
    recv(a, 0, 1, 0);
    expect(a, 2, ORK_DECIDED_RECEIVE, 2, 1, 7);
    ork_arbiter_destroy(a);
}

static void an_intercommunicator_has_remote_sources(void **state)
{
    struct ork_arbiter *a = create(3);
    struct ork_record def = {
        .kind = ORK_KIND_COMM_DEF, .comm = 2, .flags = ORK_F_INTER, .arg2 = 1, .extra = 9};

    (void)state;
    feed_list(a, 0, def, 0u, 0u, 1u, 1u, 1u, 2u, END_OF_LIST);
    feed_list(a, 1, def, 1u, 1u, 2u, 0u, 0u, 1u, END_OF_LIST);
    feed_list(a, 2, def, 1u, 1u, 2u, 0u, 0u, 1u, END_OF_LIST);
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_RECV, .comm = 2, .peer = ANY, .tag = 0});
    feed(a, 2, (struct ork_record){.kind = ORK_KIND_SEND, .comm = 2, .peer = 0, .tag = 0});
    expect_nothing_yet(a);
    go_on(a, 1);
    send(a, 1, 2, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 0); /* rank 1 of the remote group */
    ork_arbiter_destroy(a);
}

static void contexts_are_apart(void **state)
{
    struct ork_arbiter *a = create(2);
    struct ork_record def = {
        .kind = ORK_KIND_COMM_DEF, .comm = 2, .flags = ORK_F_SAME_GROUP, .extra = 9};

    (void)state;
    for (uint32_t r = 0; r < 2; r++) {
        def.comm = 2 + r; /* numbers are local */
        feed(a, r, def);
    }
    feed(a, 1, (struct ork_record){.kind = ORK_KIND_SEND, .comm = 3, .peer = 0});
    irecv(a, 0, ANY, ANY_TAG, 0);
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_RECV, .comm = 2, .peer = ANY});
    expect(a, 0, ORK_DECIDED_RECEIVE, 2, 1, 0);
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void without_a_context_nothing_is_decided(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    for (uint32_t r = 0; r < 2; r++)
        feed(a, r,
             (struct ork_record){.kind = ORK_KIND_COMM_DEF, .comm = 2, .flags = ORK_F_SAME_GROUP});
    feed(a, 1, (struct ork_record){.kind = ORK_KIND_SEND, .comm = 2, .peer = 0});
    feed(a, 0,
         (struct ork_record){
             .kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .comm = 2, .peer = ANY});
    expect_nothing(a);
    send(a, 1, 0, 0);
    recv(a, 0, ANY, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 0); /* the first that counts */
    ork_arbiter_destroy(a);
}

int test_messages(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_message_is_taken),
        cmocka_unit_test(equal_times_are_ordered_by_rank),
        cmocka_unit_test(ranks_that_wait_do_not_delay_others),
        cmocka_unit_test(ranks_that_have_ended_send_nothing),
        cmocka_unit_test(a_named_receive_waits_for_the_wildcard_before_it),
        cmocka_unit_test(other_tags_do_not_wait_for_a_wildcard),
        cmocka_unit_test(a_named_receive_waits_for_another_one),
        cmocka_unit_test(a_probe_does_not_take_the_message),
        cmocka_unit_test(a_matched_probe_takes_it),
        cmocka_unit_test(what_belongs_to_a_posted_receive_is_not_probed),
        cmocka_unit_test(upcoming_messages_come_before_an_answer),
        cmocka_unit_test(a_list_ends_where_an_earlier_message_may_come),
        cmocka_unit_test(records_wait_for_those_of_the_sender),
        cmocka_unit_test(an_intercommunicator_has_remote_sources),
        cmocka_unit_test(contexts_are_apart),
        cmocka_unit_test(without_a_context_nothing_is_decided),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
