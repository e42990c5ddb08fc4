/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include "report/escape.h"

#include <stdlib.h>
#include <string.h>

enum way { TEXT, HTML, DOT };

static void expect(enum way way, const char *in, size_t max, const char *wanted)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    if (way == TEXT)
        ork_escape_text(out, in, max);
    else if (way == HTML)
        ork_escape_html(out, in);
    else
        ork_escape_dot(out, in, max);
    fclose(out);
    assert_string_equal(buffer, wanted);
    free(buffer);
}

static void valid_utf8_is_measured_and_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(ork_utf8_length("a"), 1);
    assert_int_equal(ork_utf8_length("\xc3\xa9"), 2);
    assert_int_equal(ork_utf8_length("\xe2\x82\xac"), 3);
    assert_int_equal(ork_utf8_length("\xf0\x9f\x90\x8b"), 4);
    assert_int_equal(ork_utf8_length("\xf4\x8f\xbf\xbf"), 4);
    static const char *const bad[] = {"",
                                      "\x80",
                                      "\xc0\xaf",
                                      "\xc3",
                                      "\xc3(",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xe2\x82",
                                      "\xf0\x80\x80\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "\xf0\x9f\x90"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(ork_utf8_length(bad[i]), 0);
}

static void invalid_bytes_become_replacement_characters(void **state)
{
    (void)state;
    char *clean = ork_utf8_clean("a\xff\xc3\xa9\xc3");
    assert_string_equal(clean, "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
    free(clean);
    clean = ork_utf8_clean(NULL);
    assert_string_equal(clean, "");
    free(clean);
}

static void a_terminal_gets_no_control_characters(void **state)
{
    (void)state;
    expect(TEXT, "a\x1b[2J\r\n\t\x7f", 99, "a\\x1B[2J\\x0D\\x0A\\x09\\x7F");
    expect(TEXT,
           "\xc2\x9b"
           "1m",
           99, "\\xC2\\x9B1m");
    expect(TEXT,
           "\xe2\x80\xae"
           "gpj",
           99, "\\xE2\\x80\\xAEgpj");
    expect(TEXT, "\xe2\x81\xa6", 99, "\\xE2\\x81\\xA6");
    expect(TEXT, "\xef\xbf\xbf", 99, "\\xEF\\xBF\\xBF");
    expect(TEXT, "\xff", 99, "\\xFF");
    expect(TEXT, "\xc3\xa9\xe2\x82\xac", 99, "\xc3\xa9\xe2\x82\xac");
    expect(TEXT, NULL, 99, "");
}

static void a_terminal_gets_long_strings_cut_between_characters(void **state)
{
    (void)state;
    expect(TEXT, "abcd", 4, "abcd");
    expect(TEXT, "abcde", 4, "abcd...");
    expect(TEXT, "\xc3\xa9\xc3\xa9\xc3\xa9", 2, "\xc3\xa9\xc3\xa9...");
}

static void html_gets_entities_for_all_that_means_something(void **state)
{
    (void)state;
    expect(HTML, "<a b=\"c\" d='e'>&amp;", 0, "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;");
    expect(HTML, "\x01\n\xff\xe2\x80\xae", 0, "\\x01\\x0A\\xFF\\xE2\\x80\\xAE");
    expect(HTML, NULL, 0, "");
}

static void dot_labels_do_not_expand(void **state)
{
    (void)state;
    expect(DOT, "\\N \\G \"x\" &lt;", 99, "\\\\N \\\\G \\\"x\\\" &amp;lt;");
    expect(DOT, "a\nb", 99, "a\\nb");
    expect(DOT, "\x01\xff", 99, "\\\\x01\\\\xFF");
}

static void dot_labels_are_cut_by_line(void **state)
{
    (void)state;
    expect(DOT, "abcde\nfghij", 3, "abc...\\nfgh...");
    expect(DOT, "1\n2\n3\n4\n5\n6", 9, "1\\n2\\n3\\n4...");
}

static void counts_have_commas(void **state)
{
    static const struct {
        uint64_t n;
        const char *wanted;
    } row[] = {{0, "0"},
               {999, "999"},
               {1000, "1,000"},
               {1234567, "1,234,567"},
               {UINT64_MAX, "18,446,744,073,709,551,615"}};

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        char *buffer = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&buffer, &size);
        ork_put_count(out, row[i].n);
        fclose(out);
        assert_string_equal(buffer, row[i].wanted);
        free(buffer);
    }
}

int test_escape(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_utf8_is_measured_and_nothing_else),
        cmocka_unit_test(invalid_bytes_become_replacement_characters),
        cmocka_unit_test(a_terminal_gets_no_control_characters),
        cmocka_unit_test(a_terminal_gets_long_strings_cut_between_characters),
        cmocka_unit_test(html_gets_entities_for_all_that_means_something),
        cmocka_unit_test(dot_labels_do_not_expand),
        cmocka_unit_test(dot_labels_are_cut_by_line),
        cmocka_unit_test(counts_have_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
