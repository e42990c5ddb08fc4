/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/html.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TWO_MEGABYTES (2u << 20)

static void the_cause_comes_before_the_ranks_and_the_graph(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_add_detail(&report.finding[0], "rank 1 came first");
    char *html = sample_html(&report);
    const char *verdict = strstr(html, "<h1 class=\"error\">Deadlock</h1>");
    const char *sentence =
        strstr(html, "<p class=\"sentence\">Ranks 0 and 1 wait for each other.</p>");
    const char *detail = strstr(html, "<li>rank 1 came first</li>");
    const char *advice = strstr(html, "<h3>What to do</h3>");
    const char *graph = strstr(html, "class=\"graph-box\"");
    const char *table = strstr(html, "<table>");
    assert_non_null(verdict);
    assert_non_null(graph);
    assert_true(verdict < sentence && sentence < detail && detail < advice && advice < table &&
                table < graph);
    assert_int_equal(sample_count(html, "Ranks 0 and 1 wait for each other.</p>"), 2); /* basis */
    assert_true(sample_contains(html, "class=\"root\"><th scope=\"row\">0</th>"));
    assert_true(sample_contains(html, "<code>main</code>, <code title=\"a.c\">a.c:12</code>"));
    assert_true(sample_contains(html, "<code title=\"/usr/bin/app\">app+0x1234</code>"));
    assert_true(sample_contains(html, "<li>2 calls were not analysed</li>"));
    assert_true(sample_contains(html, "The launcher was killed by signal 9, SIGKILL."));
    free(html);
    ork_report_release(&report);
}

static void one_more_pair_is_no_pairs(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    report.finding[0].near_miss[0].others = 1;
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "The same holds for 1 more pair of ranks."));
    free(html);
    ork_report_release(&report);
}

/* The first sentence of a finding, once, and its other words if it has some. */
static void assert_words(const char *message, const char *summary, bool is_added)
{
    struct ork_report report;
    struct ork_finding f = sample_finding("rma-conflict", ORK_CLASS_NONE, ORK_ERROR, message);

    sample_run(&report);
    f.summary = strdup(summary);
    sample_take(&report, f);
    char *html = sample_html(&report);
    assert_true(sample_contains(html, summary));
    assert_int_equal(sample_contains(html, "<p class=\"meaning\">"), is_added);
    free(html);
    ork_report_release(&report);
}

static void the_sentence_does_not_come_twice(void **state)
{
    (void)state;
    assert_words("rank 0 put bytes", "Rank 0 put bytes", false);
    assert_words("Rank 0 put bytes", "Rank 0 put bytes", false);
    assert_words("rank 0 put bytes (a.c:4)", "Rank 0 put bytes", true);
}

static void what_stands_around_is_told(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    char *html = sample_html(&report);
    assert_true(sample_contains(
        html, "<h3>Almost a match</h3>\n<ul>\n<li>Ranks 0 and 1 wait for each "
              "other. <span class=\"soft\">The same holds for 2 more pairs of ranks."));
    assert_true(sample_contains(html, "<h3>What would resolve it</h3>"));
    assert_true(sample_contains(html, "<h3>The last calls</h3>"));
    assert_true(sample_contains(html, "<h4>Rank 1, thread 1</h4>"));
    assert_true(
        sample_contains(html, "<b>1,204 times</b> <em>failed with MPI error class 15</em>"));
    assert_true(sample_contains(html, "<td data-label=\"members\">0, 1</td>") ||
                sample_contains(html, "<td data-label=\"members\">0,1</td>"));
    assert_true(sample_contains(html, "MPI_Send of MPI_COMM_WORLD"));
    assert_true(sample_contains(html, "<p class=\"basis\">Ranks 0 and 1 wait for each other.</p>"));
    assert_true(sample_contains(html, "<summary>call stack (1)</summary>"));
    assert_true(sample_contains(html, "called from</span><ol class=\"stack\"><li>"));
    assert_true(sample_contains(html, "<span class=\"soft\">inlined</span>"));
    free(html);
    ork_report_release(&report);
}

static void calls_that_are_gone_are_not_drawn(void **state)
{
    static const char sentence[] = "The last calls are not drawn: ";
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    char *html = sample_html(&report);
    assert_false(sample_contains(html, sentence));
    free(html);
    ork_last_calls_release(report.finding[0].last_calls, report.finding[0].num_last_calls);
    report.finding[0].last_calls = NULL;
    report.finding[0].num_last_calls = report.finding[0].num_arrows = 0;
    report.finding[0].are_calls_gone = true;
    html = sample_html(&report);
    assert_int_equal(sample_count(html, sentence), 1);
    free(html);
    ork_report_release(&report);
}

static void a_node_leads_to_its_row(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    char *html = sample_html(&report);
    assert_int_equal(sample_count(html, "<a href=\"#f1-r0\"><g "), 1);
    assert_int_equal(sample_count(html, "<a href=\"#f1-r1\"><g "), 1);
    assert_int_equal(sample_count(html, "id=\"f1-r0\""), 1);
    assert_int_equal(sample_count(html, "id=\"f1-r1\""), 1);
    assert_int_equal(sample_count(html, "</g>\n</a>"), 2);
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
    assert_int_equal(sample_count(html, "<script"), 1);
    assert_int_equal(sample_count(html, "<style"), 1);
    assert_false(sample_contains(html, "<link"));
    assert_false(sample_contains(html, "@import"));
    assert_false(sample_contains(html, "url("));
    assert_false(sample_contains(html, "src="));
    assert_false(sample_contains(html, "style=\""));
    assert_false(sample_contains(html, " onclick"));
    assert_true(sample_contains(html, "content=\"default-src 'none'; style-src 'sha256-"));
    assert_true(sample_contains(html, "; script-src 'sha256-"));
    assert_int_equal(sample_count(html, "<?xml"), 0);
    assert_int_equal(sample_count(html, "<!DOCTYPE"), 1);
    assert_int_equal(sample_count(html, "viewBox="), 2);
    assert_true(sample_contains(html, "prefers-color-scheme: dark"));
    assert_true(sample_contains(html, "@media print"));
    free(html);
    ork_report_release(&report);
}

static void findings_of_a_kind_are_together_and_the_worst_come_first(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report,
                sample_finding("lost-message", ORK_CLASS_NONE, ORK_WARNING, "one is lost"));
    sample_take(&report, sample_finding("deadlock", ORK_POTENTIAL, ORK_ERROR, "they could wait"));
    sample_take(&report, sample_pair());
    sample_take(&report,
                sample_finding("lost-message", ORK_CLASS_NONE, ORK_WARNING, "two are lost"));
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<h1 class=\"error\">Deadlock, and 3 more findings</h1>"));
    assert_true(sample_contains(html, "2 errors, 2 warnings</p>"));
    assert_true(
        sample_contains(html, "<input type=\"checkbox\" value=\"error\" checked> 2 errors"));
    const char *pair = strstr(html, "<details id=\"f3\" class=\"finding error\" open>");
    const char *potential = strstr(html, "<h2>Potential deadlock</h2>");
    const char *second = strstr(html, "<details id=\"f2\" class=\"finding error\">");
    const char *lost = strstr(html, "<h2>Lost message</h2>");
    const char *one = strstr(html, "<details id=\"f1\" class=\"finding warning\">");
    const char *two = strstr(html, "<details id=\"f4\" class=\"finding warning\">");
    assert_non_null(pair);
    assert_true(pair < potential && potential < second && second < lost && lost < one && one < two);
    assert_int_equal(sample_count(html, "<h2>Lost message</h2>"), 1);
    assert_int_equal(sample_count(html, "<b>What to do:</b>"), 3);
    assert_int_equal(sample_count(html, "<span class=\"sentence\">One is lost</span>"), 1);
    free(html);
    ork_report_release(&report);
}

static void places_are_links_to_the_lines(void **state)
{
    struct ork_report report;
    struct ork_finding f = sample_finding("request-leak", ORK_CLASS_NONE, ORK_WARNING, "m");
    char path[] = "/tmp/orknot-test-XXXXXX.c";
    int fd = mkstemps(path, 2);

    (void)state;
    assert_true(fd >= 0 && dprintf(fd, "1\n2\n3\n4\n") > 0);
    close(fd);
    struct ork_rank_row *wait = sample_add_wait(&f, 3, "MPI_Isend", NULL, NULL, 0);
    sample_set_where(&wait->where, "main", path, 3);
    wait = sample_add_wait(&f, 1, "MPI_Irecv", NULL, NULL, 0);
    sample_set_where(&wait->where, "main", "/none.c", 9);
    sample_run(&report);
    sample_take(&report, f);
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<a class=\"chip\" href=\"#f1-p"));
    assert_true(sample_contains(html, "<span class=\"chip\"><b>MPI_Irecv</b> <code "
                                      "title=\"/none.c\">none.c:9</code> rank 1</span>"));
    assert_true(sample_contains(html, "<li value=\"3\" class=\"here\" id=\"f1-p"));
    assert_true(sample_contains(html, "<h3 id=\"f1-table\">The calls</h3>"));
    unlink(path);
    assert_false(sample_contains(html, "Where the ranks are"));
    free(html);
    ork_report_release(&report);
}

static void a_method_of_python_is_named_as_the_program_does(void **state)
{
    struct ork_report report;
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct ork_rank_row *wait = sample_add_wait(&f, i, "MPI_Mprobe", "1", NULL, 2);
        sample_set_where(&wait->where, "exchange", "a.py", 4);
        wait->own_name = strdup("comm.recv");
    }
    sample_run(&report);
    sample_take(&report, f);
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<span class=\"chip\"><b>comm.recv</b> <code "
                                      "title=\"a.py\">a.py:4</code> ranks 0, 1</span>"));
    assert_true(sample_contains(html, "<b class=\"call\">comm.recv</b><br>MPI_Mprobe<"));
    free(html);
    ork_report_release(&report);
}

static void a_remedy_adds_no_rank_to_a_call(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    struct ork_finding *f = &report.finding[0];
    sample_set_where(&f->remedy[0].where, "main", "a.c", 12); /* the call of rank 0 */
    free(f->remedy[0].call);
    f->remedy[0].call = strdup(f->waits[0].call);
    f->remedy[0].ranks.item[0] = 1;
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "a.c:12</code> rank 0</span>"));
    free(html);
    ork_report_release(&report);
}

static void a_table_of_predefined_communicators_is_left_out(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<h3>Communicators</h3>"));
    free(html);
    free(report.finding[0].communicator[0].origin);
    report.finding[0].communicator[0].origin = NULL;
    html = sample_html(&report);
    assert_false(sample_contains(html, "<h3>Communicators</h3>"));
    free(html);
    ork_report_release(&report);
}

static void what_is_the_same_in_all_rows_is_no_column(void **state)
{
    struct ork_report report;
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    sample_add_wait(&f, 0, "MPI_Recv", "1", "7", 1);
    sample_add_wait(&f, 1, "MPI_Ssend", "0", "8", 0);
    sample_run(&report);
    sample_take(&report, f);
    char *html = sample_html(&report);
    assert_false(sample_contains(html, "<th scope=\"col\">communicator</th>"));
    assert_true(sample_contains(html, "On <code>MPI_COMM_WORLD</code>."));
    free(html);
    free(report.finding[0].waits[1].comm);
    report.finding[0].waits[1].comm = strdup("grid");
    html = sample_html(&report);
    assert_true(sample_contains(html, "<th scope=\"col\">communicator</th>"));
    assert_false(sample_contains(html, "On <code>"));
    free(html);
    ork_report_release(&report);
}

static void the_run_is_told_as_it_was_typed(void **state)
{
    static char *const word[] = {"mustrun", "-np", "2", "./a b", "it's"};
    struct ork_report report;

    (void)state;
    sample_run(&report);
    report.ended = true;
    report.signal = 0;
    report.ended_by = ORK_ENDED_BY_TOOL;
    report.run.exit_code = 66;
    report.run.started = strdup("2026-11-30 07:46:12 +0000");
    report.run.host = strdup("n1");
    report.run.word = calloc(5, sizeof(*report.run.word));
    for (uint32_t i = 0; i < 5; i++)
        report.run.word[report.run.num_words++] = strdup(word[i]);
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "The tool ended the job; the exit code of mustrun is 66."));
    assert_true(sample_contains(html, "<code>mustrun -np 2 &#39;./a b&#39; "
                                      "&#39;it&#39;\\&#39;&#39;s&#39;</code>"));
    assert_true(sample_contains(html, "<dt>started</dt><dd>2026-11-30 07:46:12 +0000</dd>"));
    assert_true(sample_contains(html, "<dt>on</dt><dd>n1</dd>"));
    assert_false(sample_contains(html, "ring"));
    free(html);
    ork_report_release(&report);
}

static void no_hostile_string_gets_through(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_hostile());
    sample_take(&report, sample_hostile());
    assert_int_equal(ork_report_add_note(&report, "<img onerror=x>"), ORK_OK);
    free(report.command[0]);
    report.command[0] = strdup("</title><b>");
    char *html = sample_html(&report);
    assert_int_equal(sample_count(html, "<script"), 1);
    assert_int_equal(sample_count(html, "</script"), 1);
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
    assert_true(sample_contains(html, "<th scope=\"row\">0-99</th>"));
    assert_int_equal(sample_count(html, "<tr id="), 1);
    free(html);
    ork_report_release(&report);
}

/* Nothing in it can be folded. */
static struct ork_finding large_finding(uint32_t ranks)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t to = (uint32_t)((uint64_t)i * 7919 % ranks);
        char peer[16], tag[16];
        snprintf(peer, sizeof(peer), "%u", to);
        snprintf(tag, sizeof(tag), "%u", i % 97);
        struct ork_rank_row *wait = sample_add_wait(&f, i, "MPI_Recv", peer, tag, to);
        sample_set_where(&wait->where, "exchange", "/home/user/solver/halo.c", i % 500);
        sample_add_node(&f, i, ORK_NODE_RANK, i, "MPI_Recv", SAMPLE_ALL);
        sample_add_arc(&f, i, to, NULL);
    }
    return f;
}

static void ten_thousand_ranks_stay_below_two_megabytes(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    for (unsigned i = 0; i < 3; i++)
        sample_take(&report, large_finding(10000));
    char *html = sample_html(&report);
    assert_in_range(strlen(html), 1000000, TWO_MEGABYTES - 1);
    assert_true(sample_contains(html, " more ranks: see MUST_Output.json."));
    assert_int_equal(sample_count(html, "class=\"brief error\""), 2);
    assert_true(sample_contains(html, "</html>"));
    free(html);
    ork_report_release(&report);
}

static struct ork_finding long_finding(const char *id, enum ork_severity severity)
{
    char message[601];

    memset(message, 'a', sizeof(message) - 1);
    message[sizeof(message) - 1] = '\0';
    return sample_finding(id, ORK_CLASS_NONE, severity, message);
}

/* Also of the kind in which the page ends. */
static void findings_without_room_are_counted(void **state)
{
    enum { ERRORS = 200, WARNINGS = 4000, NOTES = 300 };
    struct ork_report report;
    char rest[80];

    (void)state;
    sample_run(&report);
    for (unsigned i = 0; i < ERRORS; i++)
        sample_take(&report, long_finding("invalid-argument", ORK_ERROR));
    for (unsigned i = 0; i < WARNINGS; i++)
        sample_take(&report, long_finding("resource-leak", ORK_WARNING));
    for (unsigned i = 0; i < NOTES; i++)
        sample_take(&report, long_finding("buffer-overlap", ORK_NOTE));
    char *html = sample_html(&report);
    unsigned shown = sample_count(html, "<details id=\"f") + sample_count(html, "class=\"brief ");
    assert_in_range(shown, ERRORS, ERRORS + WARNINGS);
    snprintf(rest, sizeof(rest), "... and %u more findings: see MUST_Output.json.",
             ERRORS + WARNINGS + NOTES - shown);
    assert_true(sample_contains(html, rest));
    assert_in_range(strlen(html), 1000000, TWO_MEGABYTES - 1);
    free(html);
    ork_report_release(&report);
}

static void a_ring_of_ten_thousand_is_a_few_rows(void **state)
{
    struct ork_report report;
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 10000; i++) {
        char peer[16];
        snprintf(peer, sizeof(peer), "%u", (i + 1) % 10000);
        sample_add_wait(&f, i, "MPI_Recv", peer, "3", (i + 1) % 10000);
    }
    sample_run(&report);
    sample_take(&report, f);
    char *html = sample_html(&report);
    assert_int_equal(sample_count(html, "<tr id="), 2);
    assert_true(sample_contains(html, "<td data-label=\"waits for\">rank+1</td>"));
    assert_in_range(strlen(html), 1, 100000);
    free(html);
    ork_report_release(&report);
}

static void a_clean_run_says_what_was_checked(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    report.ended = true;
    report.statistics.calls = 1204;
    report.statistics.messages = 1;
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<h1 class=\"good\">No findings</h1>"));
    assert_true(sample_contains(html, "<b>1,204</b> MPI calls were checked"));
    assert_true(sample_contains(html, "<b>1</b> message was matched"));
    assert_false(sample_contains(html, "collective operation"));
    assert_true(sample_contains(html, "no leaked request"));
    assert_true(sample_contains(html, "ended by itself, with exit code 0."));
    assert_false(sample_contains(html, "Not all calls were looked at"));
    free(html);
    report.complete = false;
    report.ranks = 4;
    html = sample_html(&report);
    assert_true(sample_contains(html, "Not all calls were looked at"));
    assert_true(
        sample_contains(html, "<h1 class=\"warning\">No findings in what was observed</h1>"));
    assert_false(sample_contains(html, "no leaked request"));
    free(html);
}

static void a_run_that_was_not_observed_has_no_verdict(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    report.ended = true;
    report.complete = false;
    assert_int_equal(ork_report_add_note(&report, "nothing was observed: why"), ORK_OK);
    char *html = sample_html(&report);
    assert_true(sample_contains(html, "<title>Not checked</title>"));
    assert_true(sample_contains(html, "<h1 class=\"warning\">Not checked</h1>"));
    assert_true(sample_contains(html, "nothing was observed: why"));
    assert_false(sample_contains(html, "Not all calls were looked at"));
    assert_false(sample_contains(html, "No findings"));
    free(html);
    char *json = sample_json(&report);
    assert_true(sample_contains(json, "\"verdict\": \"not-checked\""));
    free(json);
    ork_report_release(&report);
}

int test_html(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cause_comes_before_the_ranks_and_the_graph),
        cmocka_unit_test(one_more_pair_is_no_pairs),
        cmocka_unit_test(the_sentence_does_not_come_twice),
        cmocka_unit_test(what_stands_around_is_told),
        cmocka_unit_test(calls_that_are_gone_are_not_drawn),
        cmocka_unit_test(a_node_leads_to_its_row),
        cmocka_unit_test(the_page_needs_nothing_from_outside),
        cmocka_unit_test(findings_of_a_kind_are_together_and_the_worst_come_first),
        cmocka_unit_test(places_are_links_to_the_lines),
        cmocka_unit_test(a_method_of_python_is_named_as_the_program_does),
        cmocka_unit_test(a_remedy_adds_no_rank_to_a_call),
        cmocka_unit_test(a_table_of_predefined_communicators_is_left_out),
        cmocka_unit_test(what_is_the_same_in_all_rows_is_no_column),
        cmocka_unit_test(the_run_is_told_as_it_was_typed),
        cmocka_unit_test(no_hostile_string_gets_through),
        cmocka_unit_test(equal_ranks_share_a_row),
        cmocka_unit_test(ten_thousand_ranks_stay_below_two_megabytes),
        cmocka_unit_test(findings_without_room_are_counted),
        cmocka_unit_test(a_ring_of_ten_thousand_is_a_few_rows),
        cmocka_unit_test(a_clean_run_says_what_was_checked),
        cmocka_unit_test(a_run_that_was_not_observed_has_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
