/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include <stdlib.h>
#include <string.h>

static void the_sentence_comes_before_the_graph_and_the_table(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_add_detail(&report.finding[0], "rank 1 came first");
    char *html = sample_html(&report);
    const char *sentence = strstr(html, "<h2>ranks 0 and 1 wait for each other</h2>");
    const char *detail = strstr(html, "<li>rank 1 came first</li>");
    const char *graph = strstr(html, "<svg ");
    const char *table = strstr(html, "<table>");
    assert_non_null(sentence);
    assert_non_null(graph);
    assert_true(sentence < detail && detail < graph && graph < table);
    assert_true(sample_contains(html, "<tr class=\"root\"><td>0</td>"));
    assert_true(sample_contains(html, "<code>main</code>, <code>a.c:12</code>"));
    assert_true(sample_contains(html, "<code>/usr/bin/app+0x1234</code>"));
    assert_true(sample_contains(html, "<li>2 calls were not analysed</li>"));
    assert_true(sample_contains(html, "ended by signal 9, SIGKILL"));
    free(html);
    ork_report_release(&report);
}

static void the_page_needs_nothing_from_outside(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_take(&report, sample_fig4());
    char *html = sample_html(&report);
    assert_false(sample_contains(html, "<script"));
    assert_false(sample_contains(html, "<link"));
    assert_false(sample_contains(html, "@import"));
    assert_false(sample_contains(html, "url("));
    assert_false(sample_contains(html, "src="));
    assert_int_equal(sample_count(html, "<?xml"), 0);
    assert_int_equal(sample_count(html, "<!DOCTYPE"), 1);
    assert_int_equal(sample_count(html, "<svg "), 2);
    assert_int_equal(sample_count(html, " id="), 0);
    assert_true(sample_contains(html, "prefers-color-scheme: dark"));
    assert_true(sample_contains(html, "@media print"));
    free(html);
    ork_report_release(&report);
}

static void no_hostile_string_gets_through(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_hostile());
    assert_int_equal(ork_report_add_note(&report, "<img onerror=x>"), ORK_OK);
    free(report.command[0]);
    report.command[0] = strdup("</title><b>");
    char *html = sample_html(&report);
    assert_false(sample_contains(html, "<script"));
    assert_false(sample_contains(html, "alert(1)</script"));
    assert_false(sample_contains(html, "<img"));
    assert_false(sample_contains(html, "</title><b>"));
    assert_false(sample_contains(html, "\x1b"));
    assert_false(sample_contains(html, "\xff"));
    assert_true(sample_contains(html, "&quot;q&#39;&amp;&lt;script&gt;alert(1)"));
    free(html);
    ork_report_release(&report);
}

static void equal_ranks_share_a_row(void **state)
{
    struct ork_report report;
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 100; i++)
        sample_add_wait(&f, i, "MPI_Barrier", NULL, NULL, 100);
    ork_report_init(&report);
    sample_take(&report, f);
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<tr><td>0-99</td>"));
    assert_int_equal(sample_count(html, "<tr>"), 2);
    free(html);
    ork_report_release(&report);
}

static void a_clean_run_says_so(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    report.ended = true;
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<h1 class=\"good\">No findings</h1>"));
    assert_true(sample_contains(html, "ended with exit code 0"));
    assert_false(sample_contains(html, "Records were lost"));
    free(html);
    report.complete = false;
    html = sample_html(&report);
    assert_true(sample_contains(html, "Records were lost"));
    free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sentence_comes_before_the_graph_and_the_table),
        cmocka_unit_test(the_page_needs_nothing_from_outside),
        cmocka_unit_test(no_hostile_string_gets_through),
        cmocka_unit_test(equal_ranks_share_a_row),
        cmocka_unit_test(a_clean_run_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
