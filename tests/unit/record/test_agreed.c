/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/agreed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct ork_record record_of(unsigned coll, const uint64_t value[ORK_AGREED_MAX])
{
    struct ork_record r = {.kind = ORK_KIND_COLL, .mode = (uint16_t)coll};

    ork_agreed_put(&r, value);
    return r;
}

static void each_value_has_a_field_of_its_own(void **state)
{
    const uint64_t value[ORK_AGREED_MAX] = {ork_agreed_number(INT64_C(1) << 40),
                                            ork_agreed_number(2), ork_agreed_number(-1),
                                            ork_agreed_number(0)};
    struct ork_record r = record_of(ORK_COLL_CART_CREATE, value);

    (void)state;
    for (unsigned i = 0; i < ORK_AGREED_MAX; i++)
        assert_int_equal(ork_agreed_value(&r, i), i == 0 ? value[0] : (uint32_t)value[i]);
}

static void a_value_that_is_not_known_leaves_its_field(void **state)
{
    struct ork_record r = {.mode = ORK_COLL_INTERCOMM_CREATE, .tag = 7, .arg2 = 3};
    const uint64_t value[ORK_AGREED_MAX] = {ork_agreed_number(1)};

    (void)state;
    ork_agreed_put(&r, value);
    assert_int_equal(r.tag, 7);
    assert_int_equal(r.arg2, 3);
    assert_int_equal(ork_agreed_value(&r, 3), 0);
}

static void only_values_that_are_known_differ(void **state)
{
    const uint64_t a[ORK_AGREED_MAX] = {1, 0, 5, 7}, b[ORK_AGREED_MAX] = {1, 3, 0, 7},
                   c[ORK_AGREED_MAX] = {1, 3, 9, 9};
    struct ork_record x = record_of(ORK_COLL_GRAPH_CREATE, a);
    struct ork_record y = record_of(ORK_COLL_GRAPH_CREATE, b);
    struct ork_record z = record_of(ORK_COLL_GRAPH_CREATE, c);

    (void)state;
    assert_int_equal(ork_agreed_difference(&x, &x), ORK_AGREED_MAX);
    assert_int_equal(ork_agreed_difference(&x, &y), ORK_AGREED_MAX);
    assert_int_equal(ork_agreed_difference(&x, &z), 2);
    assert_int_equal(ork_agreed_difference(&y, &z), 3);
    assert_true(ork_agreed_is_same(&x, &x));
    assert_false(ork_agreed_is_same(&x, &y));
}

static void calls_without_such_arguments_never_differ(void **state)
{
    const uint64_t a[ORK_AGREED_MAX] = {1, 1, 1, 1}, b[ORK_AGREED_MAX] = {3, 3, 3, 3};
    struct ork_record x = record_of(ORK_COLL_BARRIER, a), y = record_of(ORK_COLL_BARRIER, b);

    (void)state;
    assert_int_equal(ork_agreed_difference(&x, &y), ORK_AGREED_MAX);
    assert_true(ork_agreed_is_same(&x, &y));
    assert_null(ork_agreed_argument(ORK_COLL_MAX, 0)->name);
    assert_null(ork_agreed_argument(ORK_COLL_FILE_OPEN, 1)->name);
}

static void arguments_have_the_names_of_the_standard(void **state)
{
    (void)state;
    assert_string_equal(ork_agreed_argument(ORK_COLL_FILE_OPEN, 0)->name, "amode");
    assert_string_equal(ork_agreed_argument(ORK_COLL_FILE_SEEK_SHARED, 1)->name, "whence");
    assert_string_equal(ork_agreed_argument(ORK_COLL_WIN_FENCE, 0)->section, "11.5.5");
}

int test_agreed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_value_has_a_field_of_its_own),
        cmocka_unit_test(a_value_that_is_not_known_leaves_its_field),
        cmocka_unit_test(only_values_that_are_known_differ),
        cmocka_unit_test(calls_without_such_arguments_never_differ),
        cmocka_unit_test(arguments_have_the_names_of_the_standard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
