/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/noise_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { DRAWS = 1000000, MAX_NS = 1000000 };

static void a_value_is_a_seed_and_microseconds(void **state)
{
    static const char *const bad[] = {"",
                                      "1",
                                      ":1",
                                      "1:",
                                      "1:x",
                                      "1:2 ",
                                      "x:2",
                                      "1:2:3",
                                      "99999999999999999999:1",
                                      "1:4294967296"};
    uint64_t seed = 7, max_ns = 8;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(ork_noise_read(bad[i], &seed, &max_ns));
    assert_true(seed == 7 && max_ns == 8);
    assert_true(ork_noise_read("18446744073709551615:1000", &seed, &max_ns));
    assert_true(seed == UINT64_MAX && max_ns == 1000000);
}

/* How many of the first draws of both are equal and not 0? */
static unsigned count_equal(struct ork_noise_stream a, struct ork_noise_stream b, unsigned draws)
{
    unsigned equal = 0;

    for (unsigned i = 0; i < draws; i++) {
        uint64_t x = ork_noise_draw(&a, MAX_NS);
        equal += x == ork_noise_draw(&b, MAX_NS) && x != 0;
    }
    return equal;
}

static unsigned count_delays(struct ork_noise_stream s, unsigned draws)
{
    unsigned delays = 0;

    for (unsigned i = 0; i < draws; i++)
        delays += ork_noise_draw(&s, MAX_NS) != 0;
    return delays;
}

static void equal_seeds_give_equal_delays_and_others_do_not(void **state)
{
    struct ork_noise_stream s = ork_noise_stream_of(1, 2, 3);

    (void)state;
    assert_int_equal(count_equal(s, ork_noise_stream_of(1, 2, 3), 10000), count_delays(s, 10000));
    assert_true(count_delays(s, 10000) > 100);
    assert_true(count_equal(s, ork_noise_stream_of(2, 2, 3), 10000) <= 1);
    assert_true(count_equal(s, ork_noise_stream_of(1, 3, 3), 10000) <= 1);
    assert_true(count_equal(s, ork_noise_stream_of(1, 2, 4), 10000) <= 1);
    assert_true(count_equal(s, ork_noise_stream_of(1, 3, 2), 10000) <= 1);
}

/* 1/4 * 1/4 + 3/4 * 1/64 = 0.0742 of the calls; 1/5 of the delays are longer than half. */
static void few_calls_are_delayed_and_few_of_them_long(void **state)
{
    struct ork_noise_stream s = ork_noise_stream_of(1, 0, 0);
    unsigned delays = 0, is_long = 0;

    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t ns = ork_noise_draw(&s, MAX_NS);
        assert_true(ns <= MAX_NS);
        delays += ns > 0;
        is_long += ns > MAX_NS / 2;
    }
    assert_in_range(delays, DRAWS * 60 / 1000, DRAWS * 90 / 1000);
    assert_in_range(is_long, delays * 18 / 100, delays * 22 / 100);
}

/* Of several ranks some begin slow and others fast: without that a short program would see only
 * short delays or none. */
static void ranks_begin_at_different_speeds(void **state)
{
    unsigned slow = 0;

    (void)state;
    for (uint32_t rank = 0; rank < 1000; rank++) {
        struct ork_noise_stream s = ork_noise_stream_of(5, rank, 0);
        ork_noise_draw(&s, MAX_NS);
        slow += s.is_slow;
        assert_in_range(s.phase_left, 3, 510);
    }
    assert_in_range(slow, 200, 300);
}

static void the_shortest_maximum_is_kept(void **state)
{
    struct ork_noise_stream s = ork_noise_stream_of(1, 0, 0);

    (void)state;
    for (unsigned i = 0; i < 10000; i++) {
        assert_true(ork_noise_draw(&s, 0) == 0);
        assert_true(ork_noise_draw(&s, 1) <= 1);
    }
}

static void few_of_many_unsuccessful_polls_may_be_delayed(void **state)
{
    unsigned chances = 0;

    (void)state;
    assert_true(ork_noise_is_chance(0) && ork_noise_is_chance(1) && ork_noise_is_chance(3));
    assert_false(ork_noise_is_chance(2) || ork_noise_is_chance(4));
    for (uint64_t polls = 0; polls < 1000000; polls++)
        chances += ork_noise_is_chance(polls);
    assert_int_equal(chances, 20);
}

int test_noise_stream(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_a_seed_and_microseconds),
        cmocka_unit_test(equal_seeds_give_equal_delays_and_others_do_not),
        cmocka_unit_test(few_calls_are_delayed_and_few_of_them_long),
        cmocka_unit_test(ranks_begin_at_different_speeds),
        cmocka_unit_test(the_shortest_maximum_is_kept),
        cmocka_unit_test(few_of_many_unsuccessful_polls_may_be_delayed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
