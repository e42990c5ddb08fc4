/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory does not grow with the number of accesses, and may run out at any time. */
#include "tests/unit/detector/memory.h"
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

#include <limits.h>

enum { ROUNDS = 4000 };

static void put_fence_round(struct script *s)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        for (int64_t i = 0; i < 4; i++)
            script_access(s, r, ORK_ACCESS_PUT, (int32_t)((r + 1) % RANKS), i, 1, 7);
    }
    script_fence(s);
}

/* Nothing ever orders the ranks. */
static void put_counter_round(struct script *s)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        script_access(s, r, ORK_ACCESS_FETCH, 0, 0, 1, 7);
        script_flush(s, r, 0);
    }
}

static void grow(void (*round)(struct script *s))
{
    struct script s;

    memory_arm(LONG_MAX);
    s = script_begin();
    for (uint32_t r = 0; r < RANKS; r++)
        script_lock(&s, r, ORK_NO_PEER, false);
    for (int i = 0; i < ROUNDS; i++)
        round(&s);
    long bytes = memory_bytes();
    for (int i = 0; i < 5 * ROUNDS; i++)
        round(&s);
    assert_true(memory_bytes() <= bytes + bytes / 8);
    struct found f = script_end(&s);
    assert_int_equal(s.status, ORK_OK);
    assert_int_equal(f.conflicts, 0);
    assert_null(f.lost);
    assert_int_equal(memory_live(), 0);
    memory_disarm();
}

static void memory_does_not_grow_with_fences(void **state)
{
    (void)state;
    grow(put_fence_round);
}

static void memory_does_not_grow_without_order(void **state)
{
    (void)state;
    grow(put_counter_round);
}

static void run(struct script *s)
{
    *s = script_begin();
    script_fence(s);
    script_access(s, 0, ORK_ACCESS_PUT, 2, 0, 1, 7);
    script_access(s, 1, ORK_ACCESS_PUT, 2, 0, 1, 8);
    script_access(s, 1, ORK_ACCESS_PUT, 2, 90, 1, 9);
    script_fence(s);
    script_lock(s, 0, 1, true);
    script_access(s, 0, ORK_ACCESS_FETCH, 1, 0, 1, 7);
    script_unlock(s, 0, 1);
    script_barrier(s);
}

static void run_dynamic(struct script *s)
{
    *s = script_begin_dynamic();
    for (uint64_t i = 0; i < 20; i++)
        script_attach(s, 1, 4096 + 32 * i, 16);
    script_attach(s, 1, 4096, 0);
    script_barrier(s);
    for (int64_t i = 0; i < 20; i++)
        script_access(s, 0, ORK_ACCESS_GET, 1, 4096 + 32 * i, 5, (uint32_t)i + 1);
    script_free(s);
}

static void fail_at_each_allocation(void (*run_once)(struct script *s), uint32_t conflicts,
                                    uint32_t outside)
{
    long failures = 1;

    for (long n = 0; failures > 0; n++) {
        struct script s;
        memory_arm(n);
        run_once(&s);
        struct found f = script_end(&s);
        failures = memory_failures();
        assert_int_equal(s.status, failures > 0 ? ORK_NOMEM : ORK_OK);
        assert_int_equal(f.conflicts, failures > 0 ? f.conflicts : conflicts);
        assert_int_equal(f.outside, failures > 0 ? f.outside : outside);
        assert_int_equal(memory_live(), 0);
        memory_disarm();
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    fail_at_each_allocation(run, 1, 1);
    fail_at_each_allocation(run_dynamic, 0, 20);
}

int test_memory(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow_with_fences),
        cmocka_unit_test(memory_does_not_grow_without_order),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
