/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of ranks to their own memory: which conflict with accesses by calls. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

#include <string.h>

static const enum ork_touch_use LOAD = ORK_TOUCH_IS_LOAD, STORE = ORK_TOUCH_IS_STORE;

static uint64_t base_of(uint32_t rank)
{
    return 4096 * ((uint64_t)rank + 1);
}

/* `words` words of 4 bytes at a displacement in the own memory. */
static void touch(struct script *s, uint32_t rank, enum ork_touch_use use, uint64_t place,
                  uint64_t words, uint32_t site)
{
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_TOUCH,
                                   .mode = (uint16_t)use,
                                   .site = site,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER,
                                   .bytes = 4 * words,
                                   .extra = base_of(rank) + 4 * place});
}

/* One word, `count` times, `stride` words apart. */
static void touch_loop(struct script *s, uint32_t rank, uint64_t place, int64_t stride,
                       uint64_t count)
{
    struct ork_touch_list list = {.loops = 1, .loop = {{.stride = 4 * stride, .count = count}}};

    script_put_list(s, rank,
                    (struct ork_record){.kind = ORK_KIND_TOUCH,
                                        .mode = STORE,
                                        .site = 5,
                                        .comm = WINDOW,
                                        .request = ORK_REQUEST_NULL,
                                        .peer = ORK_NO_PEER,
                                        .bytes = 4,
                                        .extra = base_of(rank) + 4 * place},
                    &list, ORK_TOUCH_WORDS);
}

static void a_store_in_the_epoch_of_a_put_conflicts(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    touch(&s, 0, STORE, 2, 2, 5);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 3, 1, 7);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.first.touch, ORK_TOUCH_STORE);
    assert_true(f.conflict.first.low == 8 && f.conflict.first.high == 16);
    assert_int_equal(f.conflict.first.site, 5);
    assert_int_equal(f.conflict.first.epoch, ORK_IN_NONE);
    assert_false(f.conflict.first.is_address || f.conflict.first.is_read);
    assert_int_equal(f.conflict.second.touch, ORK_TOUCH_PUT);
    assert_null(f.lost);
}

static uint32_t in_a_fence_epoch(enum ork_touch_use use, enum ork_access mode)
{
    struct script s = script_begin();

    script_fence(&s);
    script_access(&s, 1, mode, 0, 0, 1, 7);
    touch(&s, 0, use, 0, 1, 5);
    script_fence(&s);
    return script_end(&s).conflicts;
}

static void loads_conflict_with_updates_only(void **state)
{
    (void)state;
    assert_int_equal(in_a_fence_epoch(LOAD, ORK_ACCESS_GET), 0);
    assert_int_equal(in_a_fence_epoch(LOAD, ORK_ACCESS_PUT), 1);
    assert_int_equal(in_a_fence_epoch(STORE, ORK_ACCESS_GET), 1);
    assert_int_equal(in_a_fence_epoch(STORE, ORK_ACCESS_ACCUMULATE), 1);
}

static void fences_order_them(void **state)
{
    struct script s = script_begin();

    (void)state;
    touch(&s, 0, STORE, 0, 16, 5);
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    touch(&s, 0, STORE, 1, 15, 5);
    script_fence(&s);
    touch(&s, 0, STORE, 0, 16, 5);
    assert_int_equal(script_end(&s).conflicts, 0);
}

static void the_gaps_of_a_loop_are_free(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    touch_loop(&s, 0, 0, 2, 8);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 5, 1, 7);
    script_fence(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
    s = script_begin();
    script_fence(&s);
    touch_loop(&s, 0, 14, -2, 8);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 4, 1, 7);
    script_fence(&s);
    assert_int_equal(script_end(&s).conflicts, 1);
}

/* Rank 1 puts or gets under a lock; nothing orders it and the touch. */
static uint32_t in_a_passive_epoch(enum ork_touch_use use, enum ork_access mode, bool has_own_lock)
{
    struct script s = script_begin();

    script_barrier(&s);
    script_lock(&s, 1, 0, true);
    script_access(&s, 1, mode, 0, 0, 1, 7);
    script_unlock(&s, 1, 0);
    if (has_own_lock)
        script_lock(&s, 0, 0, false);
    touch(&s, 0, use, 0, 1, 5);
    if (has_own_lock)
        script_unlock(&s, 0, 0);
    script_barrier(&s);
    return script_end(&s).conflicts;
}

/* MPI-3.1 section 11.7: a rank may wait until a value shows. */
static void a_value_may_be_polled_in_passive_epochs(void **state)
{
    (void)state;
    assert_int_equal(in_a_passive_epoch(LOAD, ORK_ACCESS_PUT, false), 0);
    assert_int_equal(in_a_passive_epoch(STORE, ORK_ACCESS_GET, false), 0);
    assert_int_equal(in_a_passive_epoch(STORE, ORK_ACCESS_PUT, false), 1);
    assert_int_equal(in_a_passive_epoch(STORE, ORK_ACCESS_ACCUMULATE, false), 1);
    assert_int_equal(in_a_passive_epoch(STORE, ORK_ACCESS_PUT, true), 0);
}

/* Rank 0 loads and stores words that rank 1 puts under a lock. */
static uint32_t put_and_store(uint64_t words, const char *acts, bool is_told)
{
    struct script s = script_begin();

    for (const char *act = acts; *act != '\0'; act++) {
        if (*act == 'b') /* a call */
            script_put(&s, 0,
                       (struct ork_record){.kind = ORK_KIND_SEND,
                                           .call = 3,
                                           .request = ORK_REQUEST_NULL,
                                           .peer = 2,
                                           .bytes = 4});
        else
            touch(&s, 0, *act == 'l' ? LOAD : STORE, 0, words, *act == 'l' ? 5 : 6);
    }
    if (is_told)
        script_barrier(&s);
    script_lock(&s, 1, 0, false);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, words, 7);
    script_unlock(&s, 1, 0);
    if (is_told)
        touch(&s, 0, STORE, 0, words, 6);
    return script_end(&s).conflicts;
}

/* It may wait until the value shows, and then store there. Between two calls, the records of loads
 * and stores come in any order. */
static void who_may_have_waited_for_an_element_may_store_it(void **state)
{
    (void)state;
    assert_int_equal(put_and_store(1, "s", false), 1);
    assert_int_equal(put_and_store(1, "ls", false), 0);
    assert_int_equal(put_and_store(1, "sl", false), 0);
    assert_int_equal(put_and_store(1, "lbs", false), 0);
    assert_int_equal(put_and_store(1, "sbl", false), 1);
    assert_int_equal(put_and_store(3, "ls", false), 1);
    assert_int_equal(put_and_store(1, "l", true), 1); /* the put came after the load */
}

/* The windows tell that stores have records. */
static void know_stores(struct script *s)
{
    for (uint32_t r = 0; r < RANKS; r++)
        script_put(s, r,
                   (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                                       .comm = WINDOW,
                                       .mode = ORK_COLL_WIN_CREATE,
                                       .arg = UNIT,
                                       .arg2 = ORK_WINDOW_TOUCHED,
                                       .bytes = BYTES,
                                       .extra = base_of(r)});
}

/* Rank 0 stores a word and a flag; rank 1 gets the flag until it has it, and puts the word. */
static uint32_t put_after_get(bool is_got)
{
    struct script s = script_begin();

    know_stores(&s);
    for (uint32_t r = 0; r < RANKS; r++)
        script_lock(&s, r, ORK_NO_PEER, false);
    touch(&s, 0, STORE, 0, 1, 5);
    touch(&s, 0, STORE, 1, 1, 6);
    for (int i = 0; i < 3; i++) {
        script_access(&s, 1, ORK_ACCESS_GET, is_got ? 0 : 2, 1, 1, 8);
        script_flush(&s, 1, ORK_NO_PEER);
    }
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    for (uint32_t r = 0; r < RANKS; r++)
        script_unlock(&s, r, ORK_NO_PEER);
    return script_end(&s).conflicts;
}

static void a_stored_flag_may_order_accesses(void **state)
{
    (void)state;
    assert_int_equal(put_after_get(true), 0);
    assert_int_equal(put_after_get(false), 1);
}

static void an_own_put_is_not_complete_before_the_flush(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_lock(&s, 0, 0, true);
    script_access(&s, 0, ORK_ACCESS_PUT, 0, 0, 2, 7);
    touch(&s, 0, LOAD, 0, 1, 5);
    script_flush(&s, 0, 0);
    touch(&s, 0, STORE, 1, 1, 6);
    script_unlock(&s, 0, 0);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.second.site, 5);
    assert_true(f.conflict.second.is_read);
}

static void loads_and_stores_of_a_rank_do_not_conflict(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    touch(&s, 0, STORE, 0, 4, 5);
    touch(&s, 0, LOAD, 0, 4, 6);
    script_access(&s, 0, ORK_ACCESS_PUT, 1, 0, 4, 7);
    touch(&s, 0, STORE, 0, 4, 5);
    script_fence(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

static void what_was_left_out_is_told(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_put(&s, 0,
               (struct ork_record){
                   .kind = ORK_KIND_TOUCH, .comm = WINDOW, .bytes = 4, .extra = 4096, .arg = 1});
    assert_string_equal(script_end(&s).lost,
                        "a rank made too many loads and stores without a pattern");
}

static void invalid_records_are_not_followed(void **state)
{
    const struct ork_record wrong[] = {
        {.kind = ORK_KIND_TOUCH, .comm = WINDOW, .bytes = 0, .extra = 4096},
        {.kind = ORK_KIND_TOUCH, .comm = WINDOW, .bytes = UINT64_MAX, .extra = 4096},
        {.kind = ORK_KIND_TOUCH, .comm = WINDOW, .bytes = 4, .extra = UINT64_MAX},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct script s = script_begin();
        script_put(&s, 0, wrong[i]);
        assert_string_equal(script_end(&s).lost, "the record of a load or store is invalid");
    }
    struct script s = script_begin();
    touch_loop(&s, 0, 0, INT64_C(1) << 40, UINT64_C(1) << 40);
    assert_string_equal(script_end(&s).lost, "the record of a load or store is invalid");
}

/* Only the loads of call sites from 20 on may wait; those of 30 and more if they are of an element.
 */
static bool may_wait(void *context, uint32_t rank, uint32_t site, bool is_element)
{
    (void)context;
    (void)rank;
    return site >= 30 ? is_element : site >= 20;
}

/* Rank 1 puts or gets under a lock; rank 0 loads that many words by this call site, and stores one
 * by another one. */
static uint32_t in_passive_epoch(enum ork_access mode, uint32_t site, uint64_t words, bool stores)
{
    struct script s = script_begin();

    ork_onesided_ask(s.onesided, may_wait, NULL);
    script_barrier(&s);
    script_lock(&s, 1, 0, false);
    script_access(&s, 1, mode, 0, 3, 1, 7);
    script_unlock(&s, 1, 0);
    touch(&s, 0, LOAD, 3, words, site);
    if (stores)
        touch(&s, 0, STORE, 3, 1, 5);
    return script_end(&s).conflicts;
}

static void a_load_that_does_not_wait_conflicts_in_a_passive_epoch(void **state)
{
    (void)state;
    assert_int_equal(in_passive_epoch(ORK_ACCESS_PUT, 10, 1, false), 1);
    assert_int_equal(in_passive_epoch(ORK_ACCESS_ACCUMULATE, 10, 1, false), 1);
    assert_int_equal(in_passive_epoch(ORK_ACCESS_PUT, 20, 1, false), 0);
    assert_int_equal(in_passive_epoch(ORK_ACCESS_GET, 10, 1, false), 0);
    assert_int_equal(in_passive_epoch(ORK_ACCESS_PUT, 30, 2, false), 0);
    assert_int_equal(in_passive_epoch(ORK_ACCESS_PUT, 30, 3, false), 1);
}

static void a_store_after_a_load_that_does_not_wait_conflicts(void **state)
{
    (void)state;
    assert_int_equal(in_passive_epoch(ORK_ACCESS_ACCUMULATE, 10, 1, true), 2);
    assert_int_equal(in_passive_epoch(ORK_ACCESS_ACCUMULATE, 20, 1, true), 0);
}

/* Rank 1 puts data and a flag; rank 0 waits for the flag. */
static uint32_t flag_and_data(bool flushes)
{
    struct script s = script_begin();

    ork_onesided_ask(s.onesided, may_wait, NULL);
    script_barrier(&s);
    script_lock(&s, 1, 0, false);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 3, 1, 7);
    if (flushes)
        script_flush(&s, 1, 0);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 8, 1, 8);
    script_unlock(&s, 1, 0);
    touch(&s, 0, LOAD, 8, 1, 20);
    touch(&s, 0, LOAD, 3, 1, 10);
    return script_end(&s).conflicts;
}

static void a_flag_orders_only_what_was_flushed_before_it(void **state)
{
    (void)state;
    assert_int_equal(flag_and_data(true), 0);
    assert_int_equal(flag_and_data(false), 1);
}

/* What rank 1 fetches may show the store only to what it does then. */
static void a_fetch_is_not_ordered_by_its_own_result(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_barrier(&s);
    script_lock(&s, 1, 0, false);
    script_access(&s, 1, ORK_ACCESS_FETCH, 0, 3, 1, 7);
    script_unlock(&s, 1, 0);
    touch(&s, 0, STORE, 3, 1, 5);
    assert_int_equal(script_end(&s).conflicts, 1);
}

int test_touches(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_in_the_epoch_of_a_put_conflicts),
        cmocka_unit_test(loads_conflict_with_updates_only),
        cmocka_unit_test(fences_order_them),
        cmocka_unit_test(the_gaps_of_a_loop_are_free),
        cmocka_unit_test(a_value_may_be_polled_in_passive_epochs),
        cmocka_unit_test(who_may_have_waited_for_an_element_may_store_it),
        cmocka_unit_test(a_stored_flag_may_order_accesses),
        cmocka_unit_test(an_own_put_is_not_complete_before_the_flush),
        cmocka_unit_test(loads_and_stores_of_a_rank_do_not_conflict),
        cmocka_unit_test(what_was_left_out_is_told),
        cmocka_unit_test(invalid_records_are_not_followed),
        cmocka_unit_test(a_load_that_does_not_wait_conflicts_in_a_passive_epoch),
        cmocka_unit_test(a_store_after_a_load_that_does_not_wait_conflicts),
        cmocka_unit_test(a_flag_orders_only_what_was_flushed_before_it),
        cmocka_unit_test(a_fetch_is_not_ordered_by_its_own_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
