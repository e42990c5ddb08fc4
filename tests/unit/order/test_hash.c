/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/order.h"
#include "tests/unit/order/random_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHOICES = 500, THREADS = 3 };

static const uint32_t index_of[] = {2, 0, 5};
static const struct ork_choice sample = {.kind = ORK_CHOICE_TEST,
                                         .call = 1,
                                         .thread = 1,
                                         .site = 2,
                                         .place = 3,
                                         .polls = 4,
                                         .post_thread = 5,
                                         .post = 6,
                                         .source = 7,
                                         .tag = 8,
                                         .count = 2,
                                         .index = index_of};

static uint64_t hash_of(const struct ork_choice *choice, uint32_t count)
{
    struct ork_order_hash hash = {0};

    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(ork_order_hash_add(&hash, &choice[i]), ORK_OK);
    uint64_t value = ork_order_hash_value(&hash);
    ork_order_hash_release(&hash);
    return value;
}

static void without_choices_it_is_zero(void **state)
{
    const struct ork_choice end = {.kind = ORK_CHOICE_END, .thread = 2, .place = 9};

    (void)state;
    assert_int_equal(hash_of(NULL, 0), 0);
    assert_int_equal(hash_of(&end, 1), 0);
}

static void each_field_of_the_outcome_counts(void **state)
{
    const uint32_t other[] = {2, 1};
    struct ork_choice c[10];

    (void)state;
    for (int i = 0; i < 10; i++)
        c[i] = sample;
    c[0].kind++;
    c[1].call++;
    c[2].thread++;
    c[3].place++;
    c[4].polls++;
    c[5].post_thread++;
    c[6].post++;
    c[7].source = -7;
    c[8].tag = -8;
    c[9].index = other;
    for (int i = 0; i < 10; i++) {
        assert_int_not_equal(hash_of(&c[i], 1), hash_of(&sample, 1));
        for (int k = 0; k < i; k++)
            assert_int_not_equal(hash_of(&c[i], 1), hash_of(&c[k], 1));
    }
    struct ork_choice longer = sample;
    longer.count = 3;
    assert_int_not_equal(hash_of(&longer, 1), hash_of(&sample, 1));
}

static void site_and_number_do_not_count(void **state)
{
    struct ork_choice other = sample;

    (void)state;
    other.site = 77;
    other.number = 5;
    assert_int_equal(hash_of(&other, 1), hash_of(&sample, 1));
}

static void the_order_of_one_thread_counts(void **state)
{
    struct ork_choice c[2] = {sample, sample}, swapped[2];

    (void)state;
    c[1].source = 1;
    swapped[0] = c[1];
    swapped[1] = c[0];
    assert_int_not_equal(hash_of(c, 2), hash_of(swapped, 2));
    assert_int_not_equal(hash_of(c, 2), hash_of(c, 1));
}

static void the_interleaving_of_threads_does_not_count(void **state)
{
    uint64_t seed = 1;
    static uint32_t index[CHOICES][RANDOM_INDICES];
    static struct ork_choice c[CHOICES], sorted[CHOICES];
    uint32_t n = 0;

    (void)state;
    for (uint32_t i = 0; i < CHOICES; i++) {
        if (i > 0) {
            c[i] = c[i - 1];
            memcpy(index[i], index[i - 1], sizeof(index[i]));
        }
        random_choice(&seed, &c[i], index[i]);
        c[i].thread = random_below(&seed, THREADS);
    }
    for (uint32_t thread = THREADS; thread-- > 0;) {
        for (uint32_t i = 0; i < CHOICES; i++) {
            if (c[i].thread == thread)
                sorted[n++] = c[i];
        }
    }
    assert_int_equal(n, CHOICES);
    assert_int_equal(hash_of(c, CHOICES), hash_of(sorted, CHOICES));
    sorted[CHOICES / 2].polls++;
    assert_int_not_equal(hash_of(c, CHOICES), hash_of(sorted, CHOICES));
}

static void of_the_end_only_polls_count(void **state)
{
    struct ork_choice end = {.kind = ORK_CHOICE_END, .polls = 3, .place = 1, .source = 4};
    uint64_t hash = hash_of(&end, 1);

    (void)state;
    assert_int_not_equal(hash, 0);
    end.place = end.call = 7;
    end.source = -1;
    assert_int_equal(hash_of(&end, 1), hash);
    end.polls = 4;
    assert_int_not_equal(hash_of(&end, 1), hash);
}

static void choices_are_counted(void **state)
{
    struct ork_order_hash hash = {0};
    struct ork_choice end = {.kind = ORK_CHOICE_END, .polls = 1};
    struct ork_choice far = sample;

    (void)state;
    far.thread = ORK_CHOICE_THREADS;
    assert_int_equal(ork_order_hash_add(&hash, &sample), ORK_OK);
    assert_int_equal(ork_order_hash_add(&hash, &sample), ORK_OK);
    assert_int_equal(ork_order_hash_add(&hash, &end), ORK_OK);
    assert_int_equal(ork_order_hash_add(&hash, &far), ORK_INVALID);
    assert_int_equal(hash.choices, 2);
    ork_order_hash_release(&hash);
    assert_int_equal(ork_order_hash_value(&hash), 0);
}

int test_hash(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_choices_it_is_zero),
        cmocka_unit_test(each_field_of_the_outcome_counts),
        cmocka_unit_test(site_and_number_do_not_count),
        cmocka_unit_test(the_order_of_one_thread_counts),
        cmocka_unit_test(the_interleaving_of_threads_does_not_count),
        cmocka_unit_test(of_the_end_only_polls_count),
        cmocka_unit_test(choices_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
