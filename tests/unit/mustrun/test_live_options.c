/* SPDX-License-Identifier: BSD-3-Clause */
/* The options about runs that go on and hangs. */
#include "mustrun/options/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char error[ORK_OPTIONS_ERROR];

static enum ork_status parse(char *const *words, char *const *environment,
                             struct ork_options *options)
{
    struct ork_argv rest = {0};
    enum ork_status status = ork_options_parse(words, environment, NULL, options, &rest, error);

    ork_argv_release(&rest);
    return status;
}

static char *const nothing[] = {NULL};

static void by_default_nothing_watches(void **state)
{
    struct ork_options o;

    (void)state;
    assert_int_equal(parse(nothing, nothing, &o), ORK_OK);
    assert_true(o.hang_after == 0 && !o.hang_abort && !o.status);
    assert_null(o.suppress);
}

static void words_and_environment_are_taken(void **state)
{
    char *words[] = {"--must:hang-after", "2.5", "--must:on=hang=abort", "--must:status", NULL};
    char *environment[] = {"MUST_HANG_AFTER=300", "MUST_SUPPRESS=known.txt", "MUST_ON=hang=report",
                           NULL};
    struct ork_options o;

    (void)state;
    assert_int_equal(parse(nothing, environment, &o), ORK_OK);
    assert_true(o.hang_after == 300 && !o.hang_abort);
    assert_string_equal(o.suppress, "known.txt");
    assert_int_equal(parse(words, environment, &o), ORK_OK);
    assert_true(o.hang_after == 2.5 && o.hang_abort && o.status);
}

static void wrong_values_are_a_sentence(void **state)
{
    static char *const wrong[][2] = {
        {"--must:hang-after=-1", "--must:hang-after: \"-1\" is not a number of seconds from 0 to "
                                 "1000000, or one with a unit like 5m"},
        {"--must:hang-after=1e3", "--must:hang-after: \"1e3\" is not a number of seconds from 0 to "
                                  "1000000, or one with a unit like 5m"},
        {"--must:hang-after=",
         "--must:hang-after: \"\" is not a number of seconds from 0 to 1000000, or one "
         "with a unit like 5m"},
        {"--must:hang-after=.", "--must:hang-after: \".\" is not a number of seconds from 0 to "
                                "1000000, or one with a unit like 5m"},
        {"--must:hang-after=1000001",
         "--must:hang-after: \"1000001\" is not a number of seconds from "
         "0 to 1000000, or one with a unit like 5m"},
        {"--must:on=hang=continue", "--must:on hang: \"continue\" is neither report nor abort"},
        {"--must:suppress=", "--must:suppress: the value is empty"},
    };
    struct ork_options o;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char *words[] = {wrong[i][0], NULL};
        assert_int_equal(parse(words, nothing, &o), ORK_INVALID);
        assert_string_equal(error, wrong[i][1]);
    }
}

int test_live_options(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_default_nothing_watches),
        cmocka_unit_test(words_and_environment_are_taken),
        cmocka_unit_test(wrong_values_are_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
