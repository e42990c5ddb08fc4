/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of wrong uses of MPI, and which of them are looked for. */
#include "record/usage.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_row_can_be_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ORK_USAGE_MAX; i++) {
        const struct ork_usage_kind *k = ork_usage_kind(i);
        size_t end = strlen(k->rule);
        assert_true(islower((unsigned char)k->id[0]));
        assert_true(end > 0 && k->rule[end - 1] == '.');
        assert_true(isdigit((unsigned char)k->section[0]));
        assert_non_null(strstr(k->headline, "$r"));
        for (const char *c = k->headline; *c != '\0'; c++) {
            if (*c == '$')
                assert_non_null(strchr("avwntcoprsbx", *++c));
        }
    }
    assert_null(ork_usage_kind(ORK_USAGE_MAX));
}

static bool is_named_as_leak(const char *id)
{
    static const char leak[] = "-leak";
    size_t length = strlen(id);

    return length >= sizeof(leak) && strcmp(id + length + 1 - sizeof(leak), leak) == 0;
}

static void the_rows_that_report_leaks_are_leaks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ORK_USAGE_MAX; i++)
        assert_int_equal(ork_usage_is_leak(i), is_named_as_leak(ork_usage_kind(i)->id));
    assert_false(ork_usage_is_leak(ORK_USAGE_MAX));
}

static void checks_are_chosen_by_id(void **state)
{
    bool is_on[ORK_USAGE_MAX];
    const char *unknown;
    size_t length;

    (void)state;
    assert_true(ork_usage_choose("all", is_on, &unknown, &length));
    for (unsigned i = 0; i < ORK_USAGE_MAX; i++)
        assert_true(is_on[i]);
    assert_true(ork_usage_choose("none", is_on, &unknown, &length));
    for (unsigned i = 0; i < ORK_USAGE_MAX; i++)
        assert_false(is_on[i]);
    assert_true(ork_usage_choose("invalid-argument", is_on, &unknown, &length));
    for (unsigned i = 0; i < ORK_USAGE_MAX; i++)
        assert_int_equal(is_on[i], strcmp(ork_usage_kind(i)->id, "invalid-argument") == 0);
}

static void an_unknown_check_is_named(void **state)
{
    static const struct {
        const char *list, *unknown;
    } cases[] = {
        {"invalid-argument,typo,none", "typo"},
        {"", ""},
        {"invalid-argument,", ""},
        {"invalid", "invalid"},
        {"all,invalid-argument", "all"},
    };
    bool is_on[ORK_USAGE_MAX];
    const char *unknown;
    size_t length;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_false(ork_usage_choose(cases[i].list, is_on, &unknown, &length));
        assert_int_equal(length, strlen(cases[i].unknown));
        assert_memory_equal(unknown, cases[i].unknown, length);
    }
}

int test_usage(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_written),
        cmocka_unit_test(the_rows_that_report_leaks_are_leaks),
        cmocka_unit_test(checks_are_chosen_by_id),
        cmocka_unit_test(an_unknown_check_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
