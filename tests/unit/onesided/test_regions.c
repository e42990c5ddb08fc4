/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to memory that is attached to a dynamic window, and to memory that is not. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

enum { AT = 4096, SITE = 7 };

/* Rank 0 puts `words` words to this address of rank 1. */
static void put(struct script *s, int64_t address, uint64_t words)
{
    script_lock(s, 0, 1, true);
    script_access(s, 0, ORK_ACCESS_PUT, 1, address, words, SITE);
    script_unlock(s, 0, 1);
}

static uint32_t outside(struct script *s)
{
    struct found f = script_end(s);

    assert_int_equal(s->status, ORK_OK);
    assert_null(f.lost);
    if (f.outside > 0) {
        assert_true(f.outside_access.is_dynamic);
        assert_int_equal(f.outside_access.target, 1);
        assert_int_equal(f.outside_access.access.site, SITE);
    }
    return f.outside;
}

static void attached_memory(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    script_attach(&s, 1, AT, 16);
    script_attach(&s, 1, AT + 16, 16);
    script_barrier(&s);
    put(&s, AT, 4);
    put(&s, AT + 8, 4);
    put(&s, AT + 28, 1);
    assert_int_equal(outside(&s), 0);
}

static void memory_that_was_never_attached(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    script_attach(&s, 2, AT, 16);
    script_barrier(&s);
    put(&s, AT, 1);
    assert_int_equal(outside(&s), 1);
}

static void the_last_byte_is_beyond(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    script_attach(&s, 1, AT, 15);
    script_barrier(&s);
    put(&s, AT, 4);
    assert_int_equal(outside(&s), 1);
}

static void a_hole_between_two_regions(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    script_attach(&s, 1, AT, 8);
    script_attach(&s, 1, AT + 9, 8);
    script_barrier(&s);
    put(&s, AT, 4);
    assert_int_equal(outside(&s), 1);
}

static void detached_before(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    script_attach(&s, 1, AT, 16);
    script_attach(&s, 1, AT, 0);
    script_barrier(&s);
    put(&s, AT, 1);
    assert_int_equal(outside(&s), 1);
}

/* Nothing orders the two. */
static void detached_at_any_time(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    script_attach(&s, 1, AT, 16);
    script_barrier(&s);
    script_attach(&s, 1, AT, 0);
    put(&s, AT, 1);
    assert_int_equal(outside(&s), 0);
}

static void detached_and_attached_again(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    for (int i = 0; i < 3; i++) {
        script_attach(&s, 1, AT, 16);
        script_barrier(&s);
        put(&s, AT, 1);
        script_barrier(&s);
        script_attach(&s, 1, AT, 0);
    }
    assert_int_equal(outside(&s), 0);
}

/* RATIONALE: the origin may have learnt of it by data. */
static void attached_later_in_the_records(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    put(&s, AT, 1);
    script_attach(&s, 1, AT, 16);
    assert_int_equal(outside(&s), 0);
}

static void judged_when_the_window_is_freed(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    put(&s, AT, 1);
    script_free(&s);
    assert_int_equal(outside(&s), 1);
}

static void one_finding_for_each_call(void **state)
{
    struct script s = script_begin_dynamic();

    (void)state;
    for (int i = 0; i < 3000; i++)
        put(&s, AT + 4 * i, 1);
    assert_int_equal(outside(&s), 1);
}

int test_regions(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attached_memory),
        cmocka_unit_test(memory_that_was_never_attached),
        cmocka_unit_test(the_last_byte_is_beyond),
        cmocka_unit_test(a_hole_between_two_regions),
        cmocka_unit_test(detached_before),
        cmocka_unit_test(detached_at_any_time),
        cmocka_unit_test(detached_and_attached_again),
        cmocka_unit_test(attached_later_in_the_records),
        cmocka_unit_test(judged_when_the_window_is_freed),
        cmocka_unit_test(one_finding_for_each_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
