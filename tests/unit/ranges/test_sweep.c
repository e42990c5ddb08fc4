/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops become few sets, and random accesses become sets of exactly their bytes. */
#include "bytes/ranges/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORLD = 1 << 16, PROGRAMS = 3000 };

/* What came out. */
struct out {
    uint32_t sets;
    struct ork_swept last;
    bool byte[WORLD];
};

static bool mark(void *context, int64_t low, int64_t length)
{
    struct out *o = context;

    assert_true(low >= 0 && low + length <= WORLD);
    memset(&o->byte[low], true, (size_t)length);
    return true;
}

static void take(void *context, const struct ork_swept *swept)
{
    struct out *o = context;
    struct ork_byteset set;
    struct ork_span span;

    o->sets++;
    o->last = *swept;
    assert_true(ork_swept_bytes(swept, &set));
    assert_true(ork_span_of_layout(&span, &set, 0, 1, 0));
    assert_true(ork_span_visit(&span, mark, o));
    ork_byteset_reset(&set);
}

static void add(struct ork_sweep *s, int64_t low, int64_t size, struct out *o)
{
    if (!ork_sweep_continues(s, low, size))
        ork_sweep_break(s, low, size, take, o);
}

static struct out out; /* large */
static struct ork_sweep sweep;

static void begin(void)
{
    out = (struct out){0};
    sweep = (struct ork_sweep){0};
}

static void a_loop_is_one_block(void **state)
{
    (void)state;
    begin();
    for (int64_t i = 0; i < 100; i++)
        add(&sweep, 80 + 8 * i, 8, &out);
    for (int64_t i = 99; i >= 0; i--)
        add(&sweep, 80 + 8 * i, 8, &out);
    ork_sweep_finish(&sweep, take, &out);
    assert_int_equal(out.sets, 1);
    assert_true(out.last.low == 80 && out.last.length == 800 && out.last.loops == 0);
}

static void a_loop_downwards_is_one_block(void **state)
{
    (void)state;
    begin();
    for (int64_t i = 99; i >= 0; i--)
        add(&sweep, 80 + 8 * i, 8, &out);
    ork_sweep_finish(&sweep, take, &out);
    assert_int_equal(out.sets, 1);
    assert_true(out.last.low == 80 && out.last.length == 800 && out.last.loops == 0);
}

static void a_strided_loop_is_one_set(void **state)
{
    (void)state;
    begin();
    for (int64_t i = 20; i > 0; i--)
        add(&sweep, 24 * i, 8, &out);
    ork_sweep_finish(&sweep, take, &out);
    assert_int_equal(out.sets, 1);
    assert_true(out.last.loops == 1 && out.last.loop[0].count == 20 &&
                out.last.loop[0].stride == -24 && out.last.length == 8);
    assert_true(out.byte[24] && out.byte[480 + 7] && !out.byte[32] && !out.byte[488]);
}

/* The inner part of each plane of a box, and that again. */
static void nested_loops_are_one_set(void **state)
{
    (void)state;
    begin();
    for (int time = 0; time < 3; time++)
        for (int64_t z = 1; z < 7; z++)
            for (int64_t y = 1; y < 9; y++)
                for (int64_t x = 1; x < 9; x++)
                    add(&sweep, 4 * (x + 10 * y + 100 * z), 4, &out);
    ork_sweep_finish(&sweep, take, &out);
    assert_int_equal(out.sets, 1);
    assert_int_equal(out.last.loops, 2);
    assert_true(out.last.length == 32 && out.last.loop[0].count == 8 &&
                out.last.loop[1].count == 6);
}

static void a_cell_that_is_used_again_is_one_block(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 1000; i++)
        add(&sweep, 64, 4, &out);
    for (int i = 0; i < 1000; i++) {
        add(&sweep, 64, 4, &out);
        add(&sweep, 128, 4, &out);
    }
    ork_sweep_finish(&sweep, take, &out);
    assert_true(out.sets <= 2);
    assert_true(out.byte[67] && out.byte[131] && !out.byte[68]);
}

static void nothing_is_left_after_the_end(void **state)
{
    (void)state;
    begin();
    add(&sweep, 64, 4, &out);
    ork_sweep_finish(&sweep, take, &out);
    ork_sweep_finish(&sweep, take, &out);
    assert_int_equal(out.sets, 1);
}

static int64_t pick(int64_t n)
{
    return rand() % n;
}

/* A random loop nest, or accesses without a pattern. */
static void play(bool *expected)
{
    int64_t size = 1 << pick(5), at = pick(WORLD / 4), count[3], stride[3];

    for (int k = 0; k < 3; k++) {
        count[k] = 1 + pick(8);
        stride[k] = (pick(400) - 100) * (k == 0 && pick(2) == 0 ? 0 : 1) + (k == 0 ? size : 0);
    }
    bool is_random = pick(4) == 0;
    for (int64_t c = 0; c < count[2]; c++)
        for (int64_t b = 0; b < count[1]; b++)
            for (int64_t a = 0; a < count[0]; a++) {
                int64_t low = WORLD / 4 + at + a * stride[0] + b * stride[1] + c * stride[2];
                if (is_random)
                    low = pick(1000);
                memset(&expected[low], true, (size_t)size);
                add(&sweep, low, size, &out);
            }
}

static void the_bytes_are_exactly_those_of_the_accesses(void **state)
{
    static bool expected[WORLD];

    (void)state;
    srand(1);
    for (int i = 0; i < PROGRAMS; i++) {
        begin();
        memset(expected, false, sizeof(expected));
        for (int64_t n = 1 + pick(6); n > 0; n--)
            play(expected);
        ork_sweep_finish(&sweep, take, &out);
        assert_memory_equal(out.byte, expected, sizeof(expected));
    }
}

int test_sweep(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_one_block),
        cmocka_unit_test(a_loop_downwards_is_one_block),
        cmocka_unit_test(a_strided_loop_is_one_set),
        cmocka_unit_test(nested_loops_are_one_set),
        cmocka_unit_test(a_cell_that_is_used_again_is_one_block),
        cmocka_unit_test(nothing_is_left_after_the_end),
        cmocka_unit_test(the_bytes_are_exactly_those_of_the_accesses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
