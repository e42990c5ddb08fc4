/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_wrapped(const char *text, unsigned indent, unsigned columns, const char *lines)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);

    assert_non_null(out);
    ork_text_wrap(out, text, indent, columns);
    fclose(out);
    assert_string_equal(written, lines);
    free(written);
}

static void words_fill_lines(void **state)
{
    (void)state;
    assert_wrapped("one two three", 0, 80, "one two three\n");
    assert_wrapped("one two three", 0, 7, "one two\nthree\n");
    assert_wrapped("one two three", 2, 9, "  one two\n  three\n");
    assert_wrapped("one two three", 2, 8, "  one\n  two\n  three\n");
}

static void blanks_are_no_words(void **state)
{
    (void)state;
    assert_wrapped("  one   two ", 0, 80, "one two\n");
    assert_wrapped("", 4, 80, "\n");
}

static void a_long_word_has_a_line_of_its_own(void **state)
{
    (void)state;
    assert_wrapped("a longword b", 1, 4, " a\n longword\n b\n");
}

int test_text(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_fill_lines),
        cmocka_unit_test(blanks_are_no_words),
        cmocka_unit_test(a_long_word_has_a_line_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
