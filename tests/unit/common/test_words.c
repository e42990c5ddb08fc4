/* SPDX-License-Identifier: BSD-3-Clause */
/* States as words: of some values only the order counts. */
#include "common/words.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { LIMIT = 100 };

/* Write pairs of an axis and a value. */
static bool write_pairs(struct ork_words *words, size_t limit, const uint64_t *pair, size_t pairs)
{
    struct ork_words_writer w;

    ork_words_begin(&w, words, limit);
    ork_words_put(&w, 7);
    for (size_t i = 0; i < pairs; i++)
        ork_words_put_ordered(&w, (uint32_t)pair[2 * i], pair[2 * i + 1]);
    return ork_words_end(&w);
}

static bool are_equal(const uint64_t *a, const uint64_t *b, size_t pairs)
{
    struct ork_words x = {0}, y = {0};

    assert_true(write_pairs(&x, LIMIT, a, pairs));
    assert_true(write_pairs(&y, LIMIT, b, pairs));
    bool equal = ork_words_are_equal(&x, &y);
    ork_words_release(&x);
    ork_words_release(&y);
    return equal;
}

static void the_order_of_an_axis_counts(void **state)
{
    const uint64_t first[] = {1, 10, 1, 30, 1, 20, 1, 10};
    const uint64_t later[] = {1, 500, 1, 502, 1, 501, 1, 500};
    const uint64_t turned[] = {1, 500, 1, 501, 1, 502, 1, 500};
    const uint64_t apart[] = {1, 500, 1, 502, 1, 501, 1, 499};

    (void)state;
    assert_true(are_equal(first, later, 4));
    assert_false(are_equal(first, turned, 4));
    assert_false(are_equal(first, apart, 4));
}

static void axes_are_not_compared_with_each_other(void **state)
{
    const uint64_t first[] = {1, 10, 2, 30};
    const uint64_t second[] = {1, 30, 2, 10};

    (void)state;
    assert_true(are_equal(first, second, 2));
}

static void zero_is_no_value(void **state)
{
    const uint64_t none[] = {1, 0, 1, 5};
    const uint64_t some[] = {1, 4, 1, 5};

    (void)state;
    assert_false(are_equal(none, some, 2));
}

/* Two values of axis 1 that are compared, and one of which only the place counts. */
static bool are_equal_places(uint64_t first, uint64_t second)
{
    const uint64_t value[] = {first, second};
    struct ork_words words[2] = {{0}, {0}};

    for (unsigned i = 0; i < 2; i++) {
        struct ork_words_writer w;
        ork_words_begin(&w, &words[i], LIMIT);
        ork_words_put_place(&w, 1, value[i]);
        ork_words_put_ordered(&w, 1, 10);
        ork_words_put_ordered(&w, 1, 20);
        ork_words_put_place(&w, 1, 15);
        assert_true(ork_words_end(&w));
    }
    bool equal = ork_words_are_equal(&words[0], &words[1]);
    ork_words_release(&words[0]);
    ork_words_release(&words[1]);
    return equal;
}

static void of_a_place_only_the_order_to_other_values_counts(void **state)
{
    (void)state;
    assert_true(are_equal_places(12, 18));
    assert_true(are_equal_places(10, 19));
    assert_true(are_equal_places(20, 100));
    assert_true(are_equal_places(0, 9));
    assert_false(are_equal_places(9, 10));
    assert_false(are_equal_places(19, 20));
}

static void there_is_a_limit(void **state)
{
    const uint64_t pair[] = {1, 1, 1, 2};
    struct ork_words words = {0};

    (void)state;
    assert_false(write_pairs(&words, 2, pair, 2));
    assert_true(write_pairs(&words, 3, pair, 2));
    assert_int_equal(words.count, 3);
    assert_int_equal(words.word[0], 7);
    ork_words_release(&words);
}

int test_words(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_an_axis_counts),
        cmocka_unit_test(axes_are_not_compared_with_each_other),
        cmocka_unit_test(zero_is_no_value),
        cmocka_unit_test(of_a_place_only_the_order_to_other_values_counts),
        cmocka_unit_test(there_is_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
