/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of pending operations in the memory of a window: how long they conflict with a put. */
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

static void put_under_a_lock(struct script *s)
{
    script_lock(s, 2, 0, false);
    script_access(s, 2, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_unlock(s, 2, 0);
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
    receive(&s, 4, 4);
    put_under_a_lock(&s);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_put_into_the_buffer_of_a_pending_receive_conflicts),
        cmocka_unit_test(other_bytes_do_not),
        cmocka_unit_test(only_the_call_that_completes_the_request_ends_it),
        cmocka_unit_test(a_fence_does_not_complete_it),
        cmocka_unit_test(a_get_in_a_passive_epoch_may_have_shown_it),
        cmocka_unit_test(invalid_records_are_no_conflicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
