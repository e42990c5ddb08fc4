/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const enum ork_status failures[] = {
#define ORK_STATUS(name, value, sentence) ORK_##name,
#include "common/status.def"
#undef ORK_STATUS
};
enum { NUM_FAILURES = sizeof(failures) / sizeof(*failures) };

static void success_is_zero_and_failures_are_negative_and_unique(void **state)
{
    (void)state;
    assert_int_equal(ORK_OK, 0);
    for (int i = 0; i < NUM_FAILURES; i++) {
        assert_true(failures[i] < 0);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(failures[i], failures[k]);
    }
}

static void every_status_has_a_sentence_without_a_full_stop(void **state)
{
    (void)state;
    assert_string_equal(ork_status_text(ORK_OK), "success");
    assert_string_equal(ork_status_text(ORK_NOMEM), "out of memory");
    for (int i = 0; i < NUM_FAILURES; i++) {
        const char *text = ork_status_text(failures[i]);
        assert_true(strlen(text) > 3);
        assert_true(text[strlen(text) - 1] != '.');
        assert_string_not_equal(text, ork_status_text(ORK_OK));
    }
}

static void a_number_that_is_no_status_has_a_sentence_too(void **state)
{
    (void)state;
    assert_string_equal(ork_status_text((enum ork_status)1), "unknown status");
    assert_string_equal(ork_status_text((enum ork_status) - 9999), "unknown status");
}

int test_status(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_is_zero_and_failures_are_negative_and_unique),
        cmocka_unit_test(every_status_has_a_sentence_without_a_full_stop),
        cmocka_unit_test(a_number_that_is_no_status_has_a_sentence_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
