/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores in the separate memory model: which calls of the owner of a window make a store
 * visible to others, and updates of others visible to it. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

/* Rank 0 loads or stores its word at this place. */
static void touch(struct script *s, bool is_store, uint64_t place)
{
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_TOUCH,
                                   .mode = is_store ? ORK_TOUCH_IS_STORE : ORK_TOUCH_IS_LOAD,
                                   .site = 9,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER,
                                   .bytes = 4,
                                   .extra = 4096 + 4 * place});
}

static void sync(struct script *s)
{
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_WIN_FLUSH,
                                   .mode = ORK_FLUSH_SYNC,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER});
}

/* Rank 0 has the window as before, and the model. */
static struct script begin(uint32_t model)
{
    struct script s = script_begin();

    script_put(&s, 0,
               (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER,
                                   .arg = UNIT,
                                   .arg2 = ORK_WINDOW_TOUCHED | model,
                                   .bytes = BYTES,
                                   .extra = 4096});
    return s;
}

static void access_under_a_lock(struct script *s, enum ork_access mode, int64_t place)
{
    script_lock(s, 1, 0, false);
    script_access(s, 1, mode, 0, place, 1, 7);
    script_unlock(s, 1, 0);
}

/* Rank 0 stores, then rank 1 gets. */
static struct found stored(uint32_t model, bool syncs, bool locks)
{
    struct script s = begin(model);

    if (locks)
        script_lock(&s, 0, 0, false);
    touch(&s, true, 0);
    if (syncs)
        sync(&s);
    if (locks)
        script_unlock(&s, 0, 0);
    script_barrier(&s);
    access_under_a_lock(&s, ORK_ACCESS_GET, 0);
    return script_end(&s);
}

static void a_store_is_visible_after_a_call_that_publishes_it(void **state)
{
    (void)state;
    assert_int_equal(stored(0, false, false).conflicts, 0);
    assert_int_equal(stored(ORK_WINDOW_PORTABLE, true, false).conflicts, 0);
    assert_int_equal(stored(ORK_WINDOW_PORTABLE, false, true).conflicts, 0);
    struct found f = stored(ORK_WINDOW_PORTABLE, false, false);
    assert_int_equal(f.conflicts, 1);
    assert_true(f.conflict.kind == ORK_CONFLICT_UNSYNCED && f.conflict.is_portable);
    f = stored(ORK_WINDOW_SEPARATE, false, false);
    assert_int_equal(f.conflicts, 1);
    assert_true(f.conflict.kind == ORK_CONFLICT_UNSYNCED && !f.conflict.is_portable);
}

/* Rank 1 puts, then rank 0 loads. */
static uint32_t put_and_load(bool syncs_before, bool syncs, bool locks)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    access_under_a_lock(&s, ORK_ACCESS_PUT, 0);
    if (syncs_before)
        sync(&s);
    script_barrier(&s);
    if (syncs)
        sync(&s);
    if (locks)
        script_lock(&s, 0, 0, false);
    touch(&s, false, 0);
    return script_end(&s).conflicts;
}

static void a_load_sees_what_was_complete_at_the_last_call_that_acquires(void **state)
{
    (void)state;
    assert_int_equal(put_and_load(false, false, false), 1);
    assert_int_equal(put_and_load(true, false, false), 1);
    assert_int_equal(put_and_load(false, true, false), 0);
    assert_int_equal(put_and_load(false, false, true), 0);
}

static void a_fence_publishes_and_acquires_when_it_returns(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    touch(&s, true, 0);
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_fence(&s);
    touch(&s, false, 0);
    touch(&s, true, 1);
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_ACCUMULATE, 0, 1, 1, 8);
    script_fence(&s);
    assert_int_equal(script_end(&s).conflicts, 0);
}

/* The fence returns before the barrier: what the barrier tells is not seen. */
static void what_a_rank_learns_after_the_fence_does_not_count(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    script_fence(&s);
    access_under_a_lock(&s, ORK_ACCESS_PUT, 0);
    script_barrier(&s);
    touch(&s, false, 0);
    assert_int_equal(script_end(&s).conflicts, 1);
}

static uint32_t in_one_epoch(uint32_t model, bool is_store, enum ork_access mode, int64_t place)
{
    struct script s = begin(model);

    script_fence(&s);
    touch(&s, is_store, 0);
    script_access(&s, 1, mode, 0, place, 1, 7);
    script_fence(&s);
    return script_end(&s).conflicts;
}

static void while_a_rank_stores_nothing_in_the_window_may_be_updated(void **state)
{
    (void)state;
    assert_int_equal(in_one_epoch(0, true, ORK_ACCESS_PUT, 5), 0);
    assert_int_equal(in_one_epoch(ORK_WINDOW_PORTABLE, true, ORK_ACCESS_PUT, 5), 1);
    assert_int_equal(in_one_epoch(ORK_WINDOW_PORTABLE, true, ORK_ACCESS_ACCUMULATE, 5), 1);
    assert_int_equal(in_one_epoch(ORK_WINDOW_PORTABLE, true, ORK_ACCESS_GET, 5), 0);
    assert_int_equal(in_one_epoch(ORK_WINDOW_PORTABLE, false, ORK_ACCESS_PUT, 5), 0);
}

/* As in the unified model, and once. */
static void a_conflict_of_both_models_is_one_of_the_unified_model(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    script_fence(&s);
    touch(&s, true, 0);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.kind, ORK_CONFLICT_UNORDERED);
}

static void exclusive_locks_exclude(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    script_lock(&s, 0, 0, true);
    touch(&s, false, 0);
    touch(&s, true, 0);
    script_unlock(&s, 0, 0);
    script_lock(&s, 1, 0, true);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_unlock(&s, 1, 0);
    assert_int_equal(script_end(&s).conflicts, 0);
}

/* In the unified model it may wait until the value shows. */
static void a_load_at_the_time_of_a_put_is_not_allowed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct script s = begin(i == 0 ? 0 : ORK_WINDOW_PORTABLE);
        script_lock(&s, 1, 0, false);
        script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
        touch(&s, false, 0);
        script_unlock(&s, 1, 0);
        assert_int_equal(script_end(&s).conflicts, i);
    }
}

static void what_is_in_order_and_not_synchronised_is_a_kind_of_its_own(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    access_under_a_lock(&s, ORK_ACCESS_PUT, 0);
    script_barrier(&s);
    touch(&s, false, 0);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.kind, ORK_CONFLICT_UNSYNCED);
    assert_true(f.conflict.is_second_earlier);
    f = stored(ORK_WINDOW_PORTABLE, false, false);
    assert_int_equal(f.conflict.kind, ORK_CONFLICT_UNSYNCED);
    assert_false(f.conflict.is_second_earlier);
    s = begin(ORK_WINDOW_PORTABLE);
    access_under_a_lock(&s, ORK_ACCESS_PUT, 0);
    touch(&s, false, 0);
    f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.kind, ORK_CONFLICT_SEPARATE);
    assert_false(f.conflict.has_flags);
}

/* Rank 1 puts a flag after the data; rank 0 may wait for it in its memory, but makes no call that
 * acquires after the barrier. */
static void what_data_may_order_is_told(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    script_barrier(&s);
    script_lock(&s, 1, 0, false);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_flush(&s, 1, 0);
    script_access(&s, 1, ORK_ACCESS_ACCUMULATE, 0, 8, 1, 8);
    script_unlock(&s, 1, 0);
    touch(&s, false, 0);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_int_equal(f.conflict.kind, ORK_CONFLICT_SEPARATE);
    assert_true(f.conflict.has_flags);
}

/* Many stores of one place without a call that publishes them. */
static void many_stores_take_limited_memory(void **state)
{
    struct script s = begin(ORK_WINDOW_PORTABLE);

    (void)state;
    for (unsigned i = 0; i < 20000; i++)
        touch(&s, true, 0);
    script_barrier(&s);
    access_under_a_lock(&s, ORK_ACCESS_GET, 0);
    assert_int_equal(script_end(&s).conflicts, 1);
}

int test_separate(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_is_visible_after_a_call_that_publishes_it),
        cmocka_unit_test(a_load_sees_what_was_complete_at_the_last_call_that_acquires),
        cmocka_unit_test(a_fence_publishes_and_acquires_when_it_returns),
        cmocka_unit_test(what_a_rank_learns_after_the_fence_does_not_count),
        cmocka_unit_test(while_a_rank_stores_nothing_in_the_window_may_be_updated),
        cmocka_unit_test(a_conflict_of_both_models_is_one_of_the_unified_model),
        cmocka_unit_test(exclusive_locks_exclude),
        cmocka_unit_test(a_load_at_the_time_of_a_put_is_not_allowed),
        cmocka_unit_test(what_is_in_order_and_not_synchronised_is_a_kind_of_its_own),
        cmocka_unit_test(what_data_may_order_is_told),
        cmocka_unit_test(many_stores_take_limited_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
