/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of conflicts, accesses outside of windows, order by data, and records that do not
 * show the order. Which accesses conflict is tested with random programs (tests/fuzz/onesided). */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

static void a_conflict_names_calls_bytes_and_epochs(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 2, 4, 7);
    script_access(&s, 1, ORK_ACCESS_GET, 0, 5, 2, 8);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.target, 0);
    assert_int_equal(f.conflict.window, WINDOW);
    assert_int_equal(f.conflict.first.rank, 1);
    assert_int_equal(f.conflict.first.site, 8);
    assert_int_equal(f.conflict.first.touch, ORK_TOUCH_GET);
    assert_int_equal(f.conflict.first.low, 20);
    assert_int_equal(f.conflict.first.high, 28);
    assert_int_equal(f.conflict.second.rank, 2);
    assert_int_equal(f.conflict.second.touch, ORK_TOUCH_PUT);
    assert_int_equal(f.conflict.second.low, 8);
    assert_int_equal(f.conflict.second.high, 24);
    assert_int_equal(f.conflict.second.epoch, ORK_IN_FENCE);
    assert_true(f.conflict.second.is_over);
    assert_null(f.lost);
}

static void calls_in_a_loop_are_one_conflict(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    for (int i = 0; i < 10; i++) {
        script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
        script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 8);
        script_fence(&s);
    }
    assert_int_equal(script_end(&s).conflicts, 1);
}

static void an_access_outside_of_the_window_is_found(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 15, 1, 7);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 15, 2, 8);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 15, 2, 8);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 4000, 0, 9);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.outside, 1);
    assert_int_equal(f.outside_access.access.site, 8);
    assert_int_equal(f.outside_access.access.low, 60);
    assert_int_equal(f.outside_access.access.high, 68);
    assert_int_equal(f.outside_access.size, BYTES);
    assert_int_equal(f.outside_access.times, 2);
    assert_false(f.outside_access.is_failed);
}

static void displacements_that_overflow_are_outside(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, INT64_MAX / 2, 1, 7);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, -1, 1, 8);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, UINT64_MAX / 8, 9);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.outside, 3);
    assert_int_equal(f.conflicts, 0);
}

static void an_access_that_failed_does_not_conflict(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR});
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 8);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 40, 1, 9);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_EXIT, .flags = ORK_F_ERROR});
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 0);
    assert_int_equal(f.outside, 1);
    assert_true(f.outside_access.is_failed);
}

/* Rank 1 puts, then updates a flag in the memory of rank 2, which may wait for it. */
static void put_flag_put(struct script *s, bool has_flag)
{
    script_lock(s, 1, ORK_NO_PEER, false);
    script_lock(s, 2, ORK_NO_PEER, false);
    script_access(s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_flush(s, 1, 0);
    if (has_flag)
        script_access(s, 1, ORK_ACCESS_ACCUMULATE, 2, 8, 1, 8);
    script_access(s, 2, ORK_ACCESS_PUT, 0, 0, 1, 9);
    script_unlock(s, 1, ORK_NO_PEER);
    script_unlock(s, 2, ORK_NO_PEER);
}

static void a_flag_may_order_accesses(void **state)
{
    struct script s = script_begin();

    (void)state;
    put_flag_put(&s, true);
    assert_int_equal(script_end(&s).conflicts, 0);
    s = script_begin();
    put_flag_put(&s, false);
    assert_int_equal(script_end(&s).conflicts, 1);
}

/* The flag is set before the first access is complete, or after the second one certainly was. */
static void a_flag_at_another_time_orders_nothing(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_lock(&s, 1, ORK_NO_PEER, false);
    script_lock(&s, 2, ORK_NO_PEER, false);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_access(&s, 1, ORK_ACCESS_ACCUMULATE, 2, 8, 1, 8);
    script_flush(&s, 1, ORK_NO_PEER);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 9);
    script_flush(&s, 2, ORK_NO_PEER);
    script_barrier(&s);
    script_access(&s, 1, ORK_ACCESS_ACCUMULATE, 2, 8, 1, 10);
    script_unlock(&s, 1, ORK_NO_PEER);
    script_unlock(&s, 2, ORK_NO_PEER);
    assert_int_equal(script_end(&s).conflicts, 1);
}

static void several_threads_have_no_known_order(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_SEND, .thread = 1, .peer = 1});
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 8);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 0);
    assert_non_null(f.lost);
}

/* Rank 0 returned from a receive whose message no rank sent. */
static void a_call_that_was_not_followed_is_told(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER});
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1, .tag = 3});
    script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0, .tag = 3});
    assert_non_null(script_end(&s).lost);
}

/* A group that is not known orders ranks in a way that is not followed. */
static void some_collective_calls_have_no_known_order(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_put(&s, 0,
               (struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_COMM_CREATE_GROUP});
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 8);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 0);
    assert_non_null(f.lost);
}

static void put_once(struct script *s, uint32_t rank, uint32_t site)
{
    script_lock(s, rank, ORK_NO_PEER, false);
    script_access(s, rank, ORK_ACCESS_PUT, 0, 0, 1, site);
    script_unlock(s, rank, ORK_NO_PEER);
}

static void persistent_collective_calls_order_accesses(void **state)
{
    const uint32_t request = 5;

    (void)state;
    for (int starts = 0; starts < 2; starts++) {
        struct script s = script_begin();
        for (uint32_t r = 0; r < RANKS; r++)
            script_put(&s, r,
                       (struct ork_record){.kind = ORK_KIND_COLL,
                                           .flags = ORK_F_PERSISTENT,
                                           .mode = ORK_COLL_BARRIER,
                                           .request = request});
        put_once(&s, 1, 7);
        for (uint32_t r = 0; r < RANKS && starts; r++) {
            script_put_list(&s, r, (struct ork_record){.kind = ORK_KIND_START}, &request, 1);
            script_put_list(&s, r, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE},
                            &request, 1);
        }
        put_once(&s, 2, 8);
        struct found f = script_end(&s);
        assert_int_equal(f.conflicts, starts ? 0 : 1);
        assert_null(f.lost);
    }
}

/* Rank 1 has put before it sent; rank 2 knows that its receive is complete, and has not completed
 * the request. */
static void a_status_orders_accesses(void **state)
{
    const uint32_t request = 5;

    (void)state;
    for (int asks = 0; asks < 2; asks++) {
        struct script s = script_begin();
        put_once(&s, 1, 7);
        script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_SEND, .peer = 2, .tag = 3});
        script_put(&s, 2,
                   (struct ork_record){.kind = ORK_KIND_RECV,
                                       .flags = ORK_F_NONBLOCKING,
                                       .peer = 1,
                                       .tag = 3,
                                       .request = request});
        if (asks)
            script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_STATUS, .request = request});
        put_once(&s, 2, 8);
        script_put_list(&s, 2, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE},
                        &request, 1);
        struct found f = script_end(&s);
        assert_int_equal(f.conflicts, asks ? 0 : 1);
        assert_null(f.lost);
    }
}

static void put_get(struct script *s, uint32_t rank, uint32_t request, uint32_t site)
{
    struct ork_access_list list = {.target_size = 4, .origin = 16, .origin_size = 4};

    script_put_list(s, rank,
                    (struct ork_record){.kind = ORK_KIND_ACCESS,
                                        .flags = ORK_F_NONBLOCKING,
                                        .mode = ORK_ACCESS_GET,
                                        .site = site,
                                        .comm = WINDOW,
                                        .request = request,
                                        .peer = 0},
                    &list, ORK_ACCESS_WORDS);
}

/* Rank 1 tells rank 2 after it has waited for the request of its get: a number of its own, or the
 * handle that the library has for all that it completes at once. */
static void a_get_with_a_shared_request_is_complete(void **state)
{
    static const uint32_t requests[] = {5, ORK_REQUEST_SHARED};

    (void)state;
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        struct script s = script_begin();
        script_lock(&s, 1, ORK_NO_PEER, false);
        put_get(&s, 1, requests[i], 7);
        script_put_list(&s, 1, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ONE},
                        &requests[i], 1);
        script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_SEND, .peer = 2, .tag = 3});
        script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1, .tag = 3});
        put_once(&s, 2, 8);
        script_unlock(&s, 1, ORK_NO_PEER);
        struct found f = script_end(&s);
        assert_int_equal(f.conflicts, 0);
        assert_null(f.lost);
    }
}

static void make_shared_window(struct script *s)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        script_put(
            s, r, (struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_ALLOCATE_SHARED});
        script_put(s, r,
                   (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                       .flags = ORK_F_SAME_GROUP,
                                       .comm = WINDOW + 1,
                                       .extra = 101});
        script_put(s, r,
                   (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                                       .comm = WINDOW + 1,
                                       .mode = ORK_COLL_WIN_ALLOCATE_SHARED,
                                       .arg = UNIT,
                                       .bytes = BYTES,
                                       .extra = UINT64_C(1) << 20});
    }
}

static void stores_to_shared_memory_may_order_passive_accesses(void **state)
{
    struct script s = script_begin();

    (void)state;
    make_shared_window(&s);
    put_flag_put(&s, false);
    assert_int_equal(script_end(&s).conflicts, 0);
    s = script_begin();
    make_shared_window(&s);
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_access(&s, 2, ORK_ACCESS_PUT, 0, 0, 1, 8);
    script_fence(&s);
    assert_int_equal(script_end(&s).conflicts, 1);
}

int test_calls(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conflict_names_calls_bytes_and_epochs),
        cmocka_unit_test(calls_in_a_loop_are_one_conflict),
        cmocka_unit_test(an_access_outside_of_the_window_is_found),
        cmocka_unit_test(displacements_that_overflow_are_outside),
        cmocka_unit_test(an_access_that_failed_does_not_conflict),
        cmocka_unit_test(a_flag_may_order_accesses),
        cmocka_unit_test(a_flag_at_another_time_orders_nothing),
        cmocka_unit_test(several_threads_have_no_known_order),
        cmocka_unit_test(a_call_that_was_not_followed_is_told),
        cmocka_unit_test(some_collective_calls_have_no_known_order),
        cmocka_unit_test(persistent_collective_calls_order_accesses),
        cmocka_unit_test(a_status_orders_accesses),
        cmocka_unit_test(a_get_with_a_shared_request_is_complete),
        cmocka_unit_test(stores_to_shared_memory_may_order_passive_accesses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
