/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that the small programs do not have: Waitsome, persistent and matched receives, cancelled
 * ones, synchronous sends. Tests: test_polls.c. */
#include "script.h"
#include "tests/unit/detector/unit.h"

/* The first choice is a test that completed nothing, because its request was null. */
static void a_choice_without_a_record_is_kept(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 1, .extra = 2});
    script_check(&s, "0:2 receive 2 keep 1 0 0\n");
}

/* The error handlers of these end the process in the call. */
static void a_call_that_does_not_return_makes_its_choice(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_put(
        &s, 0,
        (struct ork_record){
            .kind = ORK_KIND_FATAL, .flags = ORK_F_ERROR | ORK_F_MATCHED, .peer = 1, .extra = 1});
    script_check(&s, "0:1 receive 2 keep 0 0 0\n");
}

static void a_test_that_does_not_return_makes_its_choice(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_irecv(&s, 0, 1, 0);
    PUT_LIST(
        &s, 0,
        ((struct ork_record){
            .kind = ORK_KIND_FATAL, .flags = ORK_F_ERROR | ORK_F_MATCHED, .arg2 = 1, .extra = 1}),
        0, (uint32_t)ORK_NO_PEER, 0);
    script_check(&s, "0:1 test one more keep 0 0 0\n");
}

static void waitsome_completes_one_or_all(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_irecv(&s, 0, 1, 0);
    script_irecv(&s, 0, 2, 1);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_SOME}), 0, 1);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}), 1,
             (uint32_t)ORK_NO_PEER, 0);
    script_check(&s, "0:1 wait [0] keep 0 0 0\n"
                     "0:1 wait [0] [1] keep 0 0 0\n");
}

/* Two receives and a send with a shared handle, of which the test completed the first receive. */
static void put_test_of_array(struct script *s, uint16_t mode)
{
    script_send(s, 1, 0);
    script_send(s, 2, 0);
    script_irecv(s, 0, 1, 0);
    script_irecv(s, 0, 2, 1);
    PUT_LIST(s, 0, ((struct ork_record){.kind = ORK_KIND_TESTS, .arg = 1}), 1, ORK_REQUEST_SHARED,
             0, ORK_REQUEST_NULL, 1);
    PUT_LIST(s, 0, ((struct ork_record){.kind = ORK_KIND_TESTED, .mode = mode, .extra = 1}), 0,
             (uint32_t)ORK_NO_PEER, 0);
}

static void testany_could_have_completed_another_request(void **state)
{
    struct script s = script_begin();

    (void)state;
    put_test_of_array(&s, ORK_WAIT_ANY);
    script_check(&s, "0:1 test one more keep 0 0 0\n"
                     "0:1 test [0] keep 0 0 0\n"
                     "0:1 test [3] keep 0 0 0\n");
}

static void testsome_could_have_completed_another_set(void **state)
{
    struct script s = script_begin();

    (void)state;
    put_test_of_array(&s, ORK_WAIT_SOME);
    script_check(&s, "0:1 test one more keep 0 0 0\n"
                     "0:1 test [0] keep 0 0 0\n"
                     "0:1 test [0] [1] keep 0 0 0\n"
                     "0:1 test [3] keep 0 0 0\n"
                     "0:1 test [0] [3] keep 0 0 0\n"
                     "0:1 test [1] [3] keep 0 0 0\n"
                     "0:1 test [0] [1] [3] keep 0 0 0\n");
}

static void a_persistent_receive_is_posted_anew_by_each_start(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_put(&s, 0,
               (struct ork_record){
                   .kind = ORK_KIND_RECV, .flags = ORK_F_PERSISTENT, .peer = ANY, .request = 0});
    for (uint32_t i = 1; i <= 2; i++) {
        PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_START}), 0);
        PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}), 0);
        PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}), 0, i, 0);
    }
    script_check(&s, "0:1 receive 2 keep 0 0 0\n");
}

/* A matched probe takes its message. */
static void a_matched_probe_takes_its_message(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    for (uint32_t i = 1; i <= 2; i++) {
        script_put(
            &s, 0,
            (struct ork_record){.kind = ORK_KIND_PROBE, .flags = ORK_F_MATCHED, .peer = ANY});
        script_put(&s, 0,
                   (struct ork_record){
                       .kind = ORK_KIND_EXIT, .request = i, .peer = (int32_t)i, .extra = i});
        script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_MRECV, .arg = i});
    }
    script_check(&s, "0:1 probe 2 keep 0 0 0\n");
}

/* The cancelled receive took nothing: the message is that of the next one. */
static void a_cancelled_receive_takes_nothing(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_irecv(&s, 0, 1, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_CANCEL, .request = 0});
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE}), 0);
    PUT_LIST(&s, 0, ((struct ork_record){.kind = ORK_KIND_EXIT, .extra = 1}), 0,
             (uint32_t)ORK_CANCELLED, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_send(&s, 1, 0);
    script_send(&s, 2, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 1, .extra = 1});
    script_check(&s, "0:2 receive 2 keep 1 0 0\n");
}

/* Rank 2 sends only when its synchronous send was received, after the receive from any source. */
static void a_synchronous_send_waits_for_its_receive(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_put(&s, 2,
               (struct ork_record){.kind = ORK_KIND_SEND, .mode = ORK_SEND_SYNCHRONOUS, .tag = 1});
    script_send(&s, 2, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY});
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 1, .extra = 1});
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 2, .tag = 1});
    script_check(&s, "");
}

static void ranks_with_several_threads_are_not_followed(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_send(&s, 1, 0);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = ANY, .thread = 1});
    assert_string_equal(ork_causality_lost(s.causality, 0), "several of its threads call MPI");
    assert_null(ork_causality_lost(s.causality, 1));
    ork_causality_destroy(s.causality);
}

int test_calls(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_choice_without_a_record_is_kept),
        cmocka_unit_test(a_call_that_does_not_return_makes_its_choice),
        cmocka_unit_test(a_test_that_does_not_return_makes_its_choice),
        cmocka_unit_test(waitsome_completes_one_or_all),
        cmocka_unit_test(testany_could_have_completed_another_request),
        cmocka_unit_test(testsome_could_have_completed_another_set),
        cmocka_unit_test(a_persistent_receive_is_posted_anew_by_each_start),
        cmocka_unit_test(a_matched_probe_takes_its_message),
        cmocka_unit_test(a_cancelled_receive_takes_nothing),
        cmocka_unit_test(a_synchronous_send_waits_for_its_receive),
        cmocka_unit_test(ranks_with_several_threads_are_not_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
