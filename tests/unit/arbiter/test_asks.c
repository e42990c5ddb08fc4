/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions: requests, tests, cancelling, collective calls. Collective calls and what they do to
 * the clocks. Records that are wrong. */
#include "tests/unit/arbiter/script.h"

#include "tests/unit/detector/memory.h"

static const struct ork_record wait_any = {.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ANY};

static struct ork_record ask(enum ork_ask what, uint64_t number)
{
    return (struct ork_record){.kind = ORK_KIND_ASK, .mode = (uint16_t)what, .extra = number};
}

static void sends_complete_before_receives(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    irecv(a, 0, 1, 0, 0);
    isend(a, 0, 1, 0, 1);
    isend(a, 0, 1, 0, 2);
    send(a, 1, 0, 0);
    feed_list(a, 0, wait_any, ORK_REQUEST_NULL, 0u, 1u, 2u, END_OF_LIST);
    feed_list(a, 0, ask(ORK_ASK_WAIT_ANY, 1), ORK_REQUEST_NULL, 0u, 1u, 2u, END_OF_LIST);
    expect(a, 0, ORK_DECIDED_INDEX, 1, 2, 0);
    expect_break(a, 0, ORK_DECIDED_INDEX, 1, 3, 0);
    assert_true(ork_arbiter_is_waiting(a));
    expect_break(a, 0, ORK_DECIDED_INDEX, 1, 1, 0); /* no send is complete */
    assert_false(ork_arbiter_is_waiting(a));
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void sends_are_tried_again_when_something_has_happened(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    isend(a, 0, 1, 0, 1);
    isend(a, 0, 1, 0, 2);
    feed_list(a, 0, wait_any, 1u, 2u, END_OF_LIST);
    feed_list(a, 0, ask(ORK_ASK_WAIT_ANY, 1), 1u, 2u, END_OF_LIST);
    expect(a, 0, ORK_DECIDED_INDEX, 1, 0, 0);
    expect_break(a, 0, ORK_DECIDED_INDEX, 1, 1, 0);
    expect_nothing(a);
    recv(a, 1, 0, 0);
    expect_break(a, 0, ORK_DECIDED_INDEX, 1, 0, 0);
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void the_earliest_receive_of_a_list_completes(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    irecv(a, 0, 1, 0, 0);
    irecv(a, 0, 2, 0, 1);
    send(a, 2, 0, 0);
    feed_list(a, 0, wait_any, 0u, 1u, END_OF_LIST);
    feed_list(a, 0, ask(ORK_ASK_WAIT_ANY, 7), 0u, 1u, END_OF_LIST);
    expect_nothing_yet(a); /* rank 1 may send at time 1 too */
    recv(a, 1, 2, 0);
    expect(a, 0, ORK_DECIDED_INDEX, 7, 1, 0);
    ork_arbiter_destroy(a);
}

static void started_persistent_receives_are_numbered(void **state)
{
    struct ork_arbiter *a = create(2);
    struct ork_record init = {.kind = ORK_KIND_RECV, .flags = ORK_F_PERSISTENT, .peer = ANY};

    (void)state;
    for (init.request = 0; init.request < 3; init.request++)
        feed(a, 0, init);
    expect_nothing(a);
    send(a, 1, 0, 0);
    send(a, 1, 0, 0);
    feed_list(a, 0, (struct ork_record){.kind = ORK_KIND_START}, 2u, 0u, END_OF_LIST);
    feed_list(a, 0, wait_any, 0u, 1u, 2u, END_OF_LIST);
    feed_list(a, 0, ask(ORK_ASK_WAIT_ANY, 1), 0u, 1u, 2u, END_OF_LIST); /* 1 is not active */
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 0);
    expect(a, 0, ORK_DECIDED_INDEX, 1, 2, 0);
    feed_list(a, 0, (struct ork_record){.kind = ORK_KIND_EXIT}, 2u, 1u, 0u, END_OF_LIST);
    expect(a, 0, ORK_DECIDED_RECEIVE, 2, 1, 0);
    ork_arbiter_destroy(a);
}

static void unsuccessful_tests_end_together(void **state)
{
    struct ork_arbiter *a = create(3);
    struct ork_record probe = ask(ORK_ASK_TEST_PROBE, 4);

    (void)state;
    probe.peer = ANY;
    send(a, 2, 2, 0);
    send(a, 2, 2, 0); /* the greatest clock is 2 */
    recv(a, 2, ANY, 9);
    irecv(a, 0, 2, 0, 0);
    feed_list(a, 0, ask(ORK_ASK_TEST_ALL, 1), 0u, END_OF_LIST);
    feed(a, 1, probe);
    expect_break(a, 0, ORK_DECIDED_ENDING, 1, 0, 0); /* it looks for itself */
    expect_nothing_yet(a);
    feed(a, 0, ask(ORK_ASK_ENDED, 0));
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    expect(a, 1, ORK_DECIDED_NOTHING, 4, 0, 0);
    send(a, 1, 2, 9); /* at time 4 */
    expect_nothing_yet(a);
    recv(a, 0, 1, 0); /* rank 0 cannot send before time 5 any more */
    expect(a, 2, ORK_DECIDED_RECEIVE, 1, 1, 9);
    ork_arbiter_destroy(a);
}

/* MPI_Test completes the request; MPI_Request_get_status does not, and writes no record. */
static void check_test(bool completes)
{
    struct ork_arbiter *a = create(3);

    for (unsigned i = 0; i < 4; i++)
        send(a, 1, 2, 0);
    send(a, 1, 0, 0); /* at time 5 */
    irecv(a, 0, 1, 0, 0);
    feed_list(a, 0, ask(ORK_ASK_TEST_ALL, 1), 0u, END_OF_LIST);
    if (completes)
        feed_list(a, 0, (struct ork_record){.kind = ORK_KIND_TESTED}, 0u, 1u, 0u, END_OF_LIST);
    send(a, 0, 2, 9); /* at time 7 */
    send(a, 1, 2, 9); /* at time 6 */
    finalize(a, 0);
    recv(a, 2, ANY, 9);
    expect(a, 2, ORK_DECIDED_RECEIVE, 1, 1, 9);
    ork_arbiter_destroy(a);
}

static void a_successful_test_merges_its_messages(void **state)
{
    (void)state;
    check_test(true);
    check_test(false);
}

static void a_receive_with_a_message_is_not_cancelled(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    irecv(a, 0, 1, 0, 3);
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_CANCEL, .request = 3});
    struct ork_record question = ask(ORK_ASK_CANCEL, 1);
    question.request = 3;
    feed(a, 0, question);
    expect_nothing_yet(a);
    send(a, 1, 0, 0);
    expect(a, 0, ORK_DECIDED_INDEX, 1, 0, 0);
    ork_arbiter_destroy(a);
}

static void a_cancelled_receive_takes_nothing(void **state)
{
    struct ork_arbiter *a = create(2);
    struct ork_record question = ask(ORK_ASK_CANCEL, 1);

    (void)state;
    irecv(a, 0, ANY, 0, 3);
    question.request = 3;
    feed(a, 0, question);
    expect_break(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    feed_list(a, 0, (struct ork_record){.kind = ORK_KIND_WAIT}, 3u, END_OF_LIST);
    feed_list(a, 0, (struct ork_record){.kind = ORK_KIND_EXIT}, 0u, (uint32_t)ORK_CANCELLED, 0u,
              END_OF_LIST);
    send(a, 1, 0, 0);
    recv(a, 0, ANY, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 2, 1, 0);
    ork_arbiter_destroy(a);
}

static void a_rank_enters_when_all_have_called(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    irecv(a, 0, ANY, 0, 0);
    coll(a, 0, ORK_COLL_BARRIER);
    feed(a, 0, ask(ORK_ASK_ENTER, 1));
    expect_nothing_yet(a);
    assert_true(ork_arbiter_is_waiting(a));
    coll(a, 1, ORK_COLL_BARRIER);
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

static void a_rank_enters_in_a_quiescent_state(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    irecv(a, 0, ANY, 0, 0);
    irecv(a, 1, ANY, 0, 0);
    for (uint32_t r = 0; r < 2; r++) {
        coll(a, r, ORK_COLL_BARRIER);
        feed(a, r, ask(ORK_ASK_ENTER, 1));
    }
    send(a, 2, 1, 0);
    recv(a, 2, 1, 0);
    expect(a, 1, ORK_DECIDED_RECEIVE, 1, 2, 0); /* all others are blocked for ever */
    expect_break(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    expect_break(a, 1, ORK_DECIDED_NOTHING, 1, 0, 0);
    expect_nothing(a);
    ork_arbiter_destroy(a);
}

/* Rank 1 has the greatest clock: the others have it after the call. */
static void check_merge(enum ork_coll what, bool merges)
{
    struct ork_arbiter *a = create(3);

    send(a, 1, 1, 0);
    send(a, 1, 1, 0);
    for (uint32_t r = 0; r < 3; r++)
        coll(a, r, what);
    send(a, 0, 2, 9); /* at time 4 or 1 */
    finalize(a, 0);
    send(a, 1, 2, 9); /* at time 4 or 3 */
    finalize(a, 1);
    for (unsigned i = 0; i < 2; i++)
        send(a, 2, 2, 9); /* at times 4 and 5, or 1 and 2 */
    recv(a, 2, ANY, 9);
    expect(a, 2, ORK_DECIDED_RECEIVE, 1, 0, 9);
    returned(a, 2, 0, 9);
    recv(a, 2, ANY, 9);
    expect(a, 2, ORK_DECIDED_RECEIVE, 2, merges ? 1 : 2, 9);
    ork_arbiter_destroy(a);
}

static void collective_calls_merge_clocks(void **state)
{
    (void)state;
    check_merge(ORK_COLL_BARRIER, true);
    check_merge(ORK_COLL_ALLREDUCE, true);
    check_merge(ORK_COLL_COMM_DUP, true);
    check_merge(ORK_COLL_SCATTER, false);
}

static void a_member_waits_for_the_data_of_the_root(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    coll(a, 1, ORK_COLL_BCAST);
    recv(a, 2, ANY, 0);
    send(a, 0, 2, 0);                           /* at time 1 */
    expect(a, 2, ORK_DECIDED_RECEIVE, 1, 0, 0); /* rank 1 waits for rank 0 */
    ork_arbiter_destroy(a);
}

static void a_root_that_has_called_counts_as_before(void **state)
{
    struct ork_arbiter *a = create(3);

    (void)state;
    coll(a, 1, ORK_COLL_BCAST);
    recv(a, 2, ANY, 0);
    send(a, 0, 1, 9);
    send(a, 0, 1, 9);
    coll(a, 0, ORK_COLL_BCAST); /* at time 2, so rank 1 sends its next message at time 4 */
    send(a, 0, 2, 0);           /* at time 3 */
    expect(a, 2, ORK_DECIDED_RECEIVE, 1, 0, 0);
    ork_arbiter_destroy(a);
}

/* The list of a WAIT comes in three batches. */
static void a_batch_may_end_inside_a_list(void **state)
{
    struct ork_arbiter *a = create(2);
    struct ork_record wait = {.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ALL, .count = 20};
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = 15};
    struct ork_record batch[3];

    (void)state;
    irecv(a, 0, ANY, 0, 19);
    memcpy(&batch[0], &wait, sizeof(wait));
    for (uint32_t i = 0; i < 15; i++)
        cont.word[i] = ORK_REQUEST_NULL;
    memcpy(&batch[1], &cont, sizeof(cont));
    cont.words = 5;
    cont.word[4] = 19;
    memcpy(&batch[2], &cont, sizeof(cont));
    send(a, 1, 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        expect_nothing_yet(a); /* what rank 0 waits for is not known */
        feed(a, 0, batch[i]);
    }
    expect(a, 0, ORK_DECIDED_RECEIVE, 1, 1, 0);
    ork_arbiter_destroy(a);
}

static void an_invalid_rank_delays_nobody(void **state)
{
    static const struct ork_record wrong[] = {
        {.kind = ORK_KIND_CONT},
        {.kind = ORK_KIND_MAX},
        {.kind = ORK_KIND_SEND, .thread = 1},
        {.kind = ORK_KIND_UNHOOKED},
        {.kind = ORK_KIND_WAIT, .count = UINT32_MAX},
        {.kind = ORK_KIND_COMM_DEF, .comm = UINT32_MAX - 1, .extra = 1},
        {.kind = ORK_KIND_COMM_DEF, .comm = 2, .extra = 1},
        {.kind = ORK_KIND_COLL, .mode = UINT16_MAX},
        {.kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .request = 1u << 30},
        {.kind = ORK_KIND_ASK, .mode = UINT16_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct ork_arbiter *a = create(3);
        feed(a, 1, wrong[i]);
        recv(a, 0, 1, 0); /* of a message that is not known */
        coll(a, 0, ORK_COLL_BARRIER);
        send(a, 0, 1, 0);
        send(a, 0, 2, 0);
        recv(a, 2, ANY, 0);
        expect_nothing_yet(a);
        expect_break(a, 2, ORK_DECIDED_RECEIVE, 1, 0, 0);
        ork_arbiter_destroy(a);
    }
}

static void failed_calls_take_nothing(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    recv(a, 0, ANY, 0);
    feed(a, 0,
         (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR, .peer = ORK_NO_PEER});
    coll(a, 0, ORK_COLL_BARRIER);
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR});
    send(a, 1, 0, 0);
    recv(a, 0, ANY, 0);
    expect(a, 0, ORK_DECIDED_RECEIVE, 2, 1, 0);
    ork_arbiter_destroy(a);
}

static enum ork_status some_run(void)
{
    struct ork_arbiter *a = NULL;
    struct ork_record dup = {
        .kind = ORK_KIND_COMM_DEF, .comm = 2, .flags = ORK_F_SAME_GROUP, .extra = 9};
    struct ork_record init = {.kind = ORK_KIND_RECV, .flags = ORK_F_PERSISTENT, .peer = ANY};
    struct ork_record record[] = {
        dup,
        init,
        {.kind = ORK_KIND_SEND, .comm = 2},
        {.kind = ORK_KIND_RECV, .comm = 2, .flags = ORK_F_NONBLOCKING, .request = 1, .peer = ANY},
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER},
        {.kind = ORK_KIND_WIN_LOCK, .comm = 2, .mode = 1},
        {.kind = ORK_KIND_ASK, .mode = ORK_ASK_LOCK, .bytes = 1, .extra = 1}};
    struct ork_decision decision;
    uint32_t rank;
    enum ork_status status = ork_arbiter_create(2, &a);

    for (uint32_t r = 0; r < 2 && status == ORK_OK; r++)
        status = ork_arbiter_feed(a, r, record, sizeof(record) / sizeof(*record));
    for (unsigned i = 0; i < 8 && status == ORK_OK; i++) {
        status = ork_arbiter_decide(a, &rank, &decision);
        if (status == ORK_NOTFOUND)
            status = ork_arbiter_break(a, &rank, &decision);
    }
    ork_arbiter_destroy(a);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

static void memory_may_run_out(void **state)
{
    enum ork_status status = ORK_NOMEM;
    long allocations = 0;

    (void)state;
    for (; status != ORK_OK; allocations++) {
        memory_arm(allocations);
        status = some_run();
        assert_int_equal(memory_live(), 0);
        assert_true(status == ORK_OK ? memory_failures() == 0 : status == ORK_NOMEM);
        memory_disarm();
    }
    assert_true(allocations > 20);
}

int test_asks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_complete_before_receives),
        cmocka_unit_test(sends_are_tried_again_when_something_has_happened),
        cmocka_unit_test(the_earliest_receive_of_a_list_completes),
        cmocka_unit_test(started_persistent_receives_are_numbered),
        cmocka_unit_test(unsuccessful_tests_end_together),
        cmocka_unit_test(a_successful_test_merges_its_messages),
        cmocka_unit_test(a_receive_with_a_message_is_not_cancelled),
        cmocka_unit_test(a_cancelled_receive_takes_nothing),
        cmocka_unit_test(a_rank_enters_when_all_have_called),
        cmocka_unit_test(a_rank_enters_in_a_quiescent_state),
        cmocka_unit_test(collective_calls_merge_clocks),
        cmocka_unit_test(a_member_waits_for_the_data_of_the_root),
        cmocka_unit_test(a_root_that_has_called_counts_as_before),
        cmocka_unit_test(a_batch_may_end_inside_a_list),
        cmocka_unit_test(an_invalid_rank_delays_nobody),
        cmocka_unit_test(failed_calls_take_nothing),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
