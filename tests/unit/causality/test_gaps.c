/* SPDX-License-Identifier: BSD-3-Clause */
/* What causality/ says that it does not know of a run. */
#include "order/causality/causality.h"
#include "record/record.h"
#include "tests/unit/detector/unit.h"

enum { RANKS = 3, ANY = ORK_ANY_SOURCE };

struct script {
    struct ork_causality *causality;
    uint64_t polls; /* unsuccessful ones of rank 0 */
};

static struct script begin(void)
{
    struct script s = {0};

    assert_int_equal(ork_causality_create(RANKS, &s.causality), ORK_OK);
    return s;
}

static void put(struct script *s, uint32_t rank, struct ork_record record)
{
    assert_int_equal(ork_causality_feed(s->causality, rank, &record, 1), ORK_OK);
}

/* A record with a list of one word. */
static void put_word(struct script *s, uint32_t rank, struct ork_record record, uint32_t word)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = 1, .word = {word}};
    struct ork_record raw;

    record.count = 1;
    memcpy(&raw, &cont, sizeof(raw));
    put(s, rank, record);
    put(s, rank, raw);
}

static void put_send(struct script *s, uint32_t rank, int32_t to)
{
    put(s, rank, (struct ork_record){.kind = ORK_KIND_SEND, .peer = to});
}

static void put_irecv(struct script *s, uint32_t rank, int32_t from, uint32_t request)
{
    put(s, rank,
        (struct ork_record){
            .kind = ORK_KIND_RECV, .flags = ORK_F_NONBLOCKING, .peer = from, .request = request});
}

static void put_finalize(struct script *s, uint32_t rank)
{
    put(s, rank, (struct ork_record){.kind = ORK_KIND_FINALIZE});
    ork_causality_end(s->causality, rank, ORK_CAUSAL_OWN);
}

/* In how many ranks each of them occurred. */
static void check(struct script *s, uint32_t receives, uint32_t cuts, uint32_t cancels,
                  uint32_t locks)
{
    uint32_t gap[ORK_GAPS];

    for (uint32_t r = 0; r < RANKS; r++)
        assert_null(ork_causality_lost(s->causality, r));
    ork_causality_gaps(s->causality, gap);
    assert_int_equal(gap[ORK_GAP_RECEIVE], receives);
    assert_int_equal(gap[ORK_GAP_CUT], cuts);
    assert_int_equal(gap[ORK_GAP_CANCEL], cancels);
    assert_int_equal(gap[ORK_GAP_LOCK], locks);
    ork_causality_destroy(s->causality);
}

/* ---- receives ---- */

static void free_a_receive(struct script *s)
{
    put_irecv(s, 0, ANY, 0);
    put(s, 0, (struct ork_record){.kind = ORK_KIND_REQUEST_FREE, .request = 0});
}

static void a_freed_receive_may_have_taken_a_message(void **state)
{
    struct script s = begin();

    (void)state;
    free_a_receive(&s);
    put_send(&s, 1, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 1, 0, 0, 0);
}

static void a_freed_receive_without_a_message_took_none(void **state)
{
    struct script s = begin();

    (void)state;
    free_a_receive(&s);
    put_send(&s, 1, 2);
    put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 0);
}

/* The message has to be one of the later receive, which took one of this source and tag. */
static void a_message_that_another_receive_took_is_known(void **state)
{
    struct script s = begin();

    (void)state;
    free_a_receive(&s);
    put_send(&s, 1, 0);
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 1, .extra = 1});
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 0);
}

/* ---- ranks that were ended ---- */

/* Ranks 0 and 1 wait for each other, rank 2 has finished: nothing more could have come. */
static void a_deadlock_ends_what_could_not_go_on(void **state)
{
    struct script s = begin();

    (void)state;
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    put(&s, 1, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    put_finalize(&s, 2);
    ork_causality_end(s.causality, 0, ORK_CAUSAL_INSIDE);
    ork_causality_end(s.causality, 1, ORK_CAUSAL_INSIDE);
    check(&s, 0, 0, 0, 0);
}

static void a_rank_that_computes_could_have_gone_on(void **state)
{
    struct script s = begin();

    (void)state;
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    put(&s, 1, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    put_send(&s, 2, 2);
    ork_causality_end(s.causality, 0, ORK_CAUSAL_INSIDE);
    ork_causality_end(s.causality, 1, ORK_CAUSAL_INSIDE);
    ork_causality_end(s.causality, 2, ORK_CAUSAL_OUTSIDE);
    check(&s, 0, 1, 0, 0);
}

/* Rank 1 crashes; the message of rank 0 is there, that of rank 2 will never come. */
static void a_rank_whose_message_was_there_could_have_gone_on(void **state)
{
    struct script s = begin();

    (void)state;
    put_send(&s, 1, 0);
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    ork_causality_end(s.causality, 1, ORK_CAUSAL_OWN);
    ork_causality_end(s.causality, 0, ORK_CAUSAL_INSIDE);
    ork_causality_end(s.causality, 2, ORK_CAUSAL_INSIDE);
    check(&s, 0, 1, 0, 0);
}

static void a_barrier_without_all_members_holds(void **state)
{
    struct script s = begin();
    struct ork_record barrier = {
        .kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER, .peer = ORK_NO_PEER};

    (void)state;
    put(&s, 0, barrier);
    put(&s, 1, barrier);
    put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    for (uint32_t r = 0; r < RANKS; r++)
        ork_causality_end(s.causality, r, ORK_CAUSAL_INSIDE);
    check(&s, 0, 0, 0, 0);
}

/* A Wait for one that will not come, and a Waitany with one that has come. */
static void a_wait_for_any_needs_one(void **state)
{
    struct script s = begin();

    (void)state;
    put_send(&s, 2, 1);
    put_irecv(&s, 0, 2, 0);
    put_word(&s, 0, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 0);
    put_irecv(&s, 1, 2, 0);
    put_word(&s, 1, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ANY}, 0);
    put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    for (uint32_t r = 0; r < RANKS; r++)
        ork_causality_end(s.causality, r, ORK_CAUSAL_INSIDE);
    check(&s, 0, 1, 0, 0);
}

/* ---- cancelled operations ---- */

static void cancel(struct script *s)
{
    put_irecv(s, 0, ANY, 0);
    put(s, 0, (struct ork_record){.kind = ORK_KIND_CANCEL, .request = 0});
    put_word(s, 0, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}, 0);
}

/* EXIT of that Wait: index, source, tag. */
static void put_outcome(struct script *s, int32_t source)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = 3, .word = {0, (uint32_t)source, 0}};
    struct ork_record raw;

    memcpy(&raw, &cont, sizeof(raw));
    put(s, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1, .count = 3});
    put(s, 0, raw);
}

static void a_cancelled_receive_could_have_taken_a_message(void **state)
{
    struct script s = begin();

    (void)state;
    cancel(&s);
    put_outcome(&s, ORK_CANCELLED);
    put_send(&s, 1, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 1, 0);
}

static void a_cancelled_receive_without_a_message_is_certain(void **state)
{
    struct script s = begin();

    (void)state;
    cancel(&s);
    put_outcome(&s, ORK_CANCELLED);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 0);
}

static void a_receive_could_have_been_cancelled_in_time(void **state)
{
    struct script s = begin();

    (void)state;
    cancel(&s);
    put_send(&s, 1, 0);
    put_outcome(&s, 1);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 1, 0);
}

/* ---- window locks ---- */

/* A window of all ranks, with number 5 in each. */
static void make_window(struct script *s)
{
    for (uint32_t r = 0; r < RANKS; r++)
        put(s, r,
            (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                .flags = ORK_F_SAME_GROUP,
                                .mode = ORK_COLL_WIN_CREATE,
                                .comm = 5,
                                .extra = 77});
}

static void lock_and_unlock(struct script *s, uint32_t rank, int32_t target, bool is_exclusive)
{
    put(s, rank,
        (struct ork_record){
            .kind = ORK_KIND_WIN_LOCK, .comm = 5, .peer = target, .mode = is_exclusive});
    put(s, rank, (struct ork_record){.kind = ORK_KIND_WIN_UNLOCK, .comm = 5, .peer = target});
}

static void the_order_of_a_lock_of_all_targets_is_unknown(void **state)
{
    struct script s = begin();

    (void)state;
    make_window(&s);
    lock_and_unlock(&s, 0, ORK_NO_PEER, false);
    lock_and_unlock(&s, 1, 2, true);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 1);
}

static void shared_locks_have_no_order(void **state)
{
    struct script s = begin();

    (void)state;
    make_window(&s);
    lock_and_unlock(&s, 0, ORK_NO_PEER, false);
    lock_and_unlock(&s, 1, 2, false);
    lock_and_unlock(&s, 0, 2, false);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 0);
}

static void the_order_of_locks_that_are_not_counted_is_unknown(void **state)
{
    struct script s = begin();

    (void)state;
    make_window(&s);
    lock_and_unlock(&s, 0, 2, false);
    lock_and_unlock(&s, 1, 2, true);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 1);
}

/* On rank 2, after so many others that conflict. */
static void counted_lock_and_unlock(struct script *s, uint32_t rank, bool is_exclusive,
                                    uint32_t before)
{
    put(s, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_LOCK, .comm = 5, .peer = 2, .mode = is_exclusive});
    put(s, rank, (struct ork_record){.kind = ORK_KIND_EXIT, .tag = (int32_t)before, .extra = 1});
    put(s, rank, (struct ork_record){.kind = ORK_KIND_WIN_UNLOCK, .comm = 5, .peer = 2});
}

/* All ranks lock one target, the first ones exclusively. */
static void three_ranks_lock(uint32_t exclusive)
{
    struct script s = begin();

    make_window(&s);
    for (uint32_t r = 0; r < RANKS; r++)
        counted_lock_and_unlock(&s, r, r < exclusive, r < exclusive ? r : exclusive);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    check(&s, 0, 0, 0, 0);
}

static void the_order_of_counted_locks_is_known(void **state)
{
    (void)state;
    three_ranks_lock(3);
    three_ranks_lock(1);
    three_ranks_lock(0);
}

/* ---- sets ---- */

/* A test for some of that many requests, which completes the first one. */
static uint32_t gap_of_sets(uint32_t requests, bool is_some)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)(requests + 1)};
    struct script s = begin();
    uint32_t gap[ORK_GAPS];
    struct ork_record raw;

    for (uint32_t i = 0; i < requests; i++) {
        put_send(&s, 1, 0);
        put_irecv(&s, 0, 1, i);
        cont.word[i + 1] = i;
    }
    memcpy(&raw, &cont, sizeof(raw));
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_TESTS, .arg = 1, .count = requests + 1});
    put(&s, 0, raw);
    cont =
        (struct ork_cont){.kind = ORK_KIND_CONT, .words = 3, .word = {0, (uint32_t)ORK_NO_PEER, 0}};
    memcpy(&raw, &cont, sizeof(raw));
    put(&s, 0,
        (struct ork_record){.kind = ORK_KIND_TESTED,
                            .mode = is_some ? ORK_WAIT_SOME : ORK_WAIT_ANY,
                            .count = 3,
                            .extra = 1});
    put(&s, 0, raw);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(&s, r);
    ork_causality_gaps(s.causality, gap);
    ork_causality_destroy(s.causality);
    return gap[ORK_GAP_SET];
}

static void not_all_sets_of_many_requests_are_offered(void **state)
{
    (void)state;
    assert_int_equal(gap_of_sets(ORK_SET_MAX, true), 0);
    assert_int_equal(gap_of_sets(ORK_SET_MAX + 1, true), 1);
    assert_int_equal(gap_of_sets(ORK_SET_MAX + 1, false), 0);
}

/* ---- polls ---- */

static void put_poll(struct script *s, enum ork_poll_kind kind, uint32_t request)
{
    put_word(s, 0,
             (struct ork_record){.kind = ORK_KIND_POLL,
                                 .site = 1,
                                 .mode = ORK_WAIT_ONE,
                                 .arg = (uint32_t)kind,
                                 .bytes = s->polls++,
                                 .extra = 1},
             request);
}

static uint32_t gap_of_polls(struct script *s)
{
    uint32_t gap[ORK_GAPS];

    put_send(s, 1, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        put_finalize(s, r);
    ork_causality_gaps(s->causality, gap);
    ork_causality_destroy(s->causality);
    return gap[ORK_GAP_POLL];
}

static void a_poll_of_a_receive_is_known(void **state)
{
    struct script s = begin();

    (void)state;
    put_irecv(&s, 0, 1, 0);
    put_poll(&s, ORK_POLL_TEST, 0);
    put_poll(&s, ORK_POLL_TEST, ORK_REQUEST_NULL);
    assert_int_equal(gap_of_polls(&s), 0);
}

static void a_poll_of_an_unknown_request_is_not_known(void **state)
{
    struct script s = begin();

    (void)state;
    put_poll(&s, ORK_POLL_TEST, 3);
    assert_int_equal(gap_of_polls(&s), 1);
}

static void a_poll_of_something_else_is_not_known(void **state)
{
    struct script s = begin();

    (void)state;
    put_poll(&s, ORK_POLL_OTHER, ORK_REQUEST_NULL);
    assert_int_equal(gap_of_polls(&s), 1);
    s = begin();
    put_poll(&s, ORK_POLL_WINDOW, ORK_REQUEST_NULL); /* it is in no exposure epoch */
    assert_int_equal(gap_of_polls(&s), 1);
}

static void a_probe_of_an_unknown_communicator_is_not_known(void **state)
{
    struct script s = begin();

    (void)state;
    put(&s, 0,
        (struct ork_record){
            .kind = ORK_KIND_POLL, .arg = ORK_POLL_PROBE, .peer = 1, .comm = 9, .extra = 1});
    assert_int_equal(gap_of_polls(&s), 1);
}

static uint32_t gap_of_many_polls(uint32_t polls)
{
    struct script s = begin();

    for (uint32_t i = 0; i < polls; i++) {
        put_irecv(&s, 0, 1, i);
        put_poll(&s, ORK_POLL_TEST, i);
    }
    return gap_of_polls(&s);
}

static void too_many_different_polls_are_not_known(void **state)
{
    (void)state;
    assert_int_equal(gap_of_many_polls(ORK_POLLS_MAX), 0);
    assert_int_equal(gap_of_many_polls(ORK_POLLS_MAX + 1), 1);
}

/* ---- calls that are not known ---- */

static void after_a_call_without_a_hook_a_rank_is_not_known(void **state)
{
    struct script s = begin();

    (void)state;
    put_send(&s, 0, 1);
    put(&s, 0, (struct ork_record){.kind = ORK_KIND_UNHOOKED, .extra = 1});
    put(&s, 1, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    put_send(&s, 1, 2);
    put_finalize(&s, 0);
    assert_string_equal(ork_causality_lost(s.causality, 0),
                        "it called a function that this version does not look at");
    assert_null(ork_causality_lost(s.causality, 1));
    ork_causality_destroy(s.causality);
}

int test_gaps(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_freed_receive_may_have_taken_a_message),
        cmocka_unit_test(a_freed_receive_without_a_message_took_none),
        cmocka_unit_test(a_message_that_another_receive_took_is_known),
        cmocka_unit_test(a_deadlock_ends_what_could_not_go_on),
        cmocka_unit_test(a_rank_that_computes_could_have_gone_on),
        cmocka_unit_test(a_rank_whose_message_was_there_could_have_gone_on),
        cmocka_unit_test(a_barrier_without_all_members_holds),
        cmocka_unit_test(a_wait_for_any_needs_one),
        cmocka_unit_test(a_cancelled_receive_could_have_taken_a_message),
        cmocka_unit_test(a_cancelled_receive_without_a_message_is_certain),
        cmocka_unit_test(a_receive_could_have_been_cancelled_in_time),
        cmocka_unit_test(the_order_of_a_lock_of_all_targets_is_unknown),
        cmocka_unit_test(shared_locks_have_no_order),
        cmocka_unit_test(the_order_of_locks_that_are_not_counted_is_unknown),
        cmocka_unit_test(the_order_of_counted_locks_is_known),
        cmocka_unit_test(not_all_sets_of_many_requests_are_offered),
        cmocka_unit_test(a_poll_of_a_receive_is_known),
        cmocka_unit_test(a_poll_of_an_unknown_request_is_not_known),
        cmocka_unit_test(a_poll_of_something_else_is_not_known),
        cmocka_unit_test(a_probe_of_an_unknown_communicator_is_not_known),
        cmocka_unit_test(too_many_different_polls_are_not_known),
        cmocka_unit_test(after_a_call_without_a_hook_a_rank_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
