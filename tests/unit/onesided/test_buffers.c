/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of pending operations and of calls that block, in the memory of a window: how long they
 * conflict with a put. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

enum { REQUEST = 3, SITE = 5 };

static uint64_t base_of(uint32_t rank)
{
    return 4096 * ((uint64_t)rank + 1);
}

static void message(struct script *s, uint32_t rank, uint8_t kind, int32_t peer, int32_t tag)
{
    script_put(
        s, rank,
        (struct ork_record){
            .kind = kind, .request = ORK_REQUEST_NULL, .peer = peer, .tag = tag, .bytes = 4});
}

/* Rank 0 posts a receive from rank 1, into its first word, or into another place. */
static void receive(struct script *s, uint64_t place, uint64_t bytes)
{
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_RECV,
                                   .flags = ORK_F_NONBLOCKING,
                                   .request = REQUEST,
                                   .peer = 1,
                                   .site = SITE,
                                   .bytes = 4});
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_TOUCH,
                                   .mode = ORK_TOUCH_IS_BUFFER | ORK_TOUCH_IS_STORE,
                                   .site = SITE,
                                   .call = 1,
                                   .comm = WINDOW,
                                   .request = REQUEST,
                                   .peer = ORK_NO_PEER,
                                   .bytes = bytes,
                                   .extra = base_of(0) + place});
}

static void wait(struct script *s)
{
    const uint32_t request = REQUEST;

    script_put_list(s, 0, (struct ork_record){.kind = ORK_KIND_WAIT}, &request, 1);
}

/* It may be complete. */
static void give_up(struct script *s)
{
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_TOUCH,
                                   .mode = ORK_TOUCH_IS_BUFFER,
                                   .comm = WINDOW,
                                   .request = REQUEST,
                                   .peer = ORK_NO_PEER});
}

/* So many that the rank cannot wait until all of them show. */
enum { WORDS = 3 };

static void put_words_under_a_lock(struct script *s, uint32_t rank, uint64_t words)
{
    script_lock(s, rank, 0, false);
    script_access(s, rank, ORK_ACCESS_PUT, 0, 0, words, 7);
    script_unlock(s, rank, 0);
}

static void put_under_a_lock(struct script *s)
{
    put_words_under_a_lock(s, 2, WORDS);
}

static void a_put_into_the_buffer_of_a_pending_receive_conflicts(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive(&s, 0, 4);
    put_under_a_lock(&s);
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    wait(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_null(f.lost);
    assert_int_equal(f.conflict.first.touch, ORK_TOUCH_STORE);
    assert_int_equal(f.conflict.first.call, 1);
    assert_int_equal(f.conflict.first.site, SITE);
    assert_true(f.conflict.first.low == 0 && f.conflict.first.high == 4);
    assert_int_equal(f.conflict.second.touch, ORK_TOUCH_PUT);
}

static void other_bytes_do_not(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive(&s, 4 * WORDS, 4);
    put_under_a_lock(&s);
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    wait(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

/* Rank 0 may have waited until it showed, and then posted the receive. */
static void a_put_of_one_element_under_a_lock_does_not(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive(&s, 0, 4);
    put_words_under_a_lock(&s, 2, 1);
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    wait(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

/* Rank 0 tells rank 2 when its receive is complete, or before. */
static uint32_t told(bool waits_first, bool gives_up)
{
    struct script s = script_begin();

    receive(&s, 0, 4);
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    if (gives_up)
        give_up(&s);
    if (waits_first)
        wait(&s);
    message(&s, 0, ORK_KIND_SEND, 2, 1);
    message(&s, 2, ORK_KIND_RECV, 0, 1);
    put_under_a_lock(&s);
    if (!waits_first)
        wait(&s);
    return script_end(&s).conflicts;
}

static void only_the_call_that_completes_the_request_ends_it(void **state)
{
    (void)state;
    assert_int_equal(told(true, false), 0);
    assert_int_equal(told(false, false), 1);
    assert_int_equal(told(false, true), 0);
}

static void a_fence_does_not_complete_it(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive(&s, 0, 4);
    script_fence(&s);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_fence(&s);
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    wait(&s);
    assert_int_equal(script_end(&s).conflicts, 1);
}

/* What rank 1 gets may have shown the message. */
static void a_get_in_a_passive_epoch_may_have_shown_it(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive(&s, 0, 4);
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    wait(&s);
    script_lock(&s, 2, 0, false);
    script_access(&s, 2, ORK_ACCESS_GET, 0, 0, 1, 8);
    script_unlock(&s, 2, 0);
    put_under_a_lock(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

/* ---- calls that block ---- */

/* Rank 0 accesses its first words now. */
static void touch(struct script *s, bool is_store)
{
    script_put(
        s, 0,
        (struct ork_record){.kind = ORK_KIND_TOUCH,
                            .mode = (uint16_t)(ORK_TOUCH_IS_BUFFER |
                                               (is_store ? ORK_TOUCH_IS_STORE : ORK_TOUCH_IS_LOAD)),
                            .site = SITE,
                            .call = 1,
                            .comm = WINDOW,
                            .request = ORK_REQUEST_NULL,
                            .peer = ORK_NO_PEER,
                            .bytes = 4 * WORDS,
                            .extra = base_of(0)});
}

static void send_to(struct script *s, uint32_t rank)
{
    touch(s, false);
    message(s, 0, ORK_KIND_SEND, (int32_t)rank, 0);
    message(s, rank, ORK_KIND_RECV, 0, 0);
}

static void receive_from(struct script *s, uint32_t rank)
{
    message(s, rank, ORK_KIND_SEND, 0, 0);
    message(s, 0, ORK_KIND_RECV, (int32_t)rank, 0);
    touch(s, true);
}

static void a_put_during_a_receive_that_blocks_conflicts(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive_from(&s, 1);
    put_words_under_a_lock(&s, 1, WORDS);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_null(f.lost);
    assert_int_equal(f.conflict.first.touch, ORK_TOUCH_STORE);
    assert_true(f.conflict.first.is_over);
    assert_int_equal(f.conflict.second.touch, ORK_TOUCH_PUT);
}

static void one_that_the_sender_completed_before_does_not(void **state)
{
    struct script s = script_begin();

    (void)state;
    put_words_under_a_lock(&s, 1, WORDS);
    receive_from(&s, 1);
    assert_int_equal(script_end(&s).conflicts, 0);
}

static void one_after_the_receive_that_a_message_tells_of_does_not(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive_from(&s, 1);
    message(&s, 0, ORK_KIND_SEND, 2, 1);
    message(&s, 2, ORK_KIND_RECV, 0, 1);
    put_under_a_lock(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

/* In a fence epoch. */
static uint32_t put_and_send(bool puts_first, bool is_receiver)
{
    struct script s = script_begin();
    uint32_t rank = is_receiver ? 2 : 1;

    script_fence(&s);
    if (puts_first)
        script_access(&s, rank, ORK_ACCESS_PUT, 0, 0, 1, 7);
    send_to(&s, 2);
    if (!puts_first)
        script_access(&s, rank, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_fence(&s);
    return script_end(&s).conflicts;
}

static void a_put_while_the_rank_sends_conflicts_unless_it_follows_the_message(void **state)
{
    (void)state;
    assert_int_equal(put_and_send(false, false), 1);
    assert_int_equal(put_and_send(true, false), 1);
    assert_int_equal(put_and_send(true, true), 1);
    assert_int_equal(put_and_send(false, true), 0);
}

static void an_exclusive_lock_of_the_own_memory_excludes_it(void **state)
{
    struct script s = script_begin();

    (void)state;
    message(&s, 1, ORK_KIND_SEND, 0, 0);
    script_lock(&s, 0, 0, true);
    message(&s, 0, ORK_KIND_RECV, 1, 0);
    touch(&s, true);
    script_unlock(&s, 0, 0);
    put_under_a_lock(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

static void invalid_records_are_no_conflicts(void **state)
{
    struct script s = script_begin();

    (void)state;
    receive(&s, 0, UINT64_MAX);
    put_under_a_lock(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 0);
    assert_non_null(f.lost);
    s = script_begin();
    give_up(&s); /* of a request that is not known */
    assert_null(script_end(&s).lost);
}

int test_buffers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_put_into_the_buffer_of_a_pending_receive_conflicts),
        cmocka_unit_test(other_bytes_do_not),
        cmocka_unit_test(a_put_of_one_element_under_a_lock_does_not),
        cmocka_unit_test(only_the_call_that_completes_the_request_ends_it),
        cmocka_unit_test(a_fence_does_not_complete_it),
        cmocka_unit_test(a_get_in_a_passive_epoch_may_have_shown_it),
        cmocka_unit_test(a_put_during_a_receive_that_blocks_conflicts),
        cmocka_unit_test(one_that_the_sender_completed_before_does_not),
        cmocka_unit_test(one_after_the_receive_that_a_message_tells_of_does_not),
        cmocka_unit_test(a_put_while_the_rank_sends_conflicts_unless_it_follows_the_message),
        cmocka_unit_test(an_exclusive_lock_of_the_own_memory_excludes_it),
        cmocka_unit_test(invalid_records_are_no_conflicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
