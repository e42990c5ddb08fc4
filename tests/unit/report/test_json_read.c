/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include <stdlib.h>
#include <string.h>

static void expect_error(const char *json, const char *sentence)
{
    struct ork_report report;
    char *error = NULL;

    assert_int_equal(ork_report_from_json(json, strlen(json), &report, &error), ORK_INVALID);
    assert_non_null(error);
    assert_string_equal(error, sentence);
    free(error);
    assert_int_equal(report.num_findings, 0);
    assert_null(report.finding);
}

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    expect_error("[]", "this is not a report: a report is a JSON object");
    expect_error("{}", "this is not a report of mustrun: it has no \"findings\"");
    expect_error("{\"schema\": 1, \"findings\": null}",
                 "this is not a report of mustrun: it has no \"findings\"");
    expect_error("{\"schema\": 2}", "the report does not have schema 1");
    expect_error("{\"ranks\": \"four\"}", "\"ranks\" must be a whole number from 0 to 4294967295");
    expect_error("{\"ranks\": -1}", "\"ranks\" must be a whole number from 0 to 4294967295");
    expect_error("{\"command\": [1]}", "\"command\" must hold strings");
    expect_error("{\"complete\": 1}", "\"complete\" must be true or false");
    expect_error("{\"seconds\": \"x\"}", "\"seconds\" must be a number");
    expect_error("{\"application\": []}", "\"application\" needs an object here");
    expect_error("{\"findings\": {}}", "\"findings\" must be a list");
    expect_error("{\"findings\": [{}, 5]}", "finding 2: \"findings\" needs an object here");
    expect_error("{\"findings\": [{\"class\": \"odd\"}]}",
                 "finding 1: \"class\" has an unknown value");
    expect_error("{\"findings\": [{}, {\"waits\": [{\"rank\": 0}, {\"tag\": 1.5}]}]}",
                 "finding 2: wait 2: \"tag\" must be a string or a whole number");
    expect_error("{\"findings\": [{\"roots\": [0]}]}",
                 "finding 1: \"roots\" must hold lists of ranks");
    expect_error("{\"findings\": [{\"ranks\": [\"0\"]}]}", "finding 1: \"ranks\" must hold ranks");
    expect_error("{\"findings\": [{\"near_misses\": [{\"waits\": 1}]}]}",
                 "finding 1: near miss 1: \"waits\" needs an object here");
    expect_error("{\"findings\": [{\"communicators\": [{}, {\"members\": \"0..3\"}]}]}",
                 "finding 1: communicator 2: \"members\" must be like \"0-9998/2, 9999\"");
    expect_error("{\"findings\": [{\"resolve\": [{\"frees\": 1}]}]}",
                 "finding 1: resolve 1: \"frees\" must be a list");
    expect_error("{\"findings\": [{\"basis\": {\"kind\": \"guess\"}}]}",
                 "finding 1: \"kind\" has an unknown value");
    expect_error("{\"findings\": [{\"graph\": 7}]}", "finding 1: \"graph\" must be an object");
    expect_error("{\"findings\": [{\"graph\": {\"nodes\": [{\"id\": 4294967296}]}}]}",
                 "finding 1: \"id\" must be a whole number from 0 to 4294967295");
}

static void what_is_no_json_is_refused_with_its_line(void **state)
{
    struct ork_report report;
    char *error = NULL;
    static const char broken[] = "{\n\"ranks\": }";

    (void)state;
    assert_int_equal(ork_report_from_json(broken, strlen(broken), &report, &error), ORK_INVALID);
    assert_true(sample_contains(error, "line 2 is not JSON: "));
    free(error);
    error = NULL;
    assert_int_equal(ork_report_from_json("", 0, &report, &error), ORK_INVALID);
    assert_non_null(error);
    free(error);
}

static void missing_and_null_keys_have_defaults(void **state)
{
    static const char json[] = "{\"findings\": [{\"message\": null, \"waits\": [{}], "
                               "\"graph\": {\"nodes\": [{}]}}], \"new\": [1]}";
    struct ork_report report;
    char *error = NULL;

    (void)state;
    assert_int_equal(ork_report_from_json(json, strlen(json), &report, &error), ORK_OK);
    assert_true(report.complete);
    assert_true(report.statistics.seconds_to_verdict < 0);
    assert_string_equal(report.finding[0].id, "finding");
    assert_string_equal(report.finding[0].message, "");
    assert_string_equal(report.finding[0].waits[0].call, "");
    assert_string_equal(report.finding[0].waits[0].state, "blocked");
    assert_string_equal(report.finding[0].graph.node[0].label, "");
    ork_report_release(&report);
}

static void a_finding_must_be_an_object(void **state)
{
    struct ork_finding finding;
    char *error = NULL;

    (void)state;
    assert_int_equal(ork_finding_from_json("[]", 2, &finding, &error), ORK_INVALID);
    assert_string_equal(error, "\"finding\" needs an object here");
    assert_null(finding.id);
    free(error);
}

/* Of the bytes that are changed. Under a sanitizer it has no factor in common with the number of
 * their replacements. */
#ifndef ORK_TEST_STEP
#define ORK_TEST_STEP 1
#endif

/* Everything that can be made of a report, the slow HTML on request; only that it ends is asked. */
static void render_all(const struct ork_report *report, bool html)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(ork_viz_report_text(report, true, out), ORK_OK);
    fclose(out);
    free(text);
    for (uint32_t i = 0; i < report->num_findings; i++) {
        char *dot = NULL;
        enum ork_status status = ork_viz_dot(&report->finding[i], &dot);
        assert_true(status == ORK_OK || status == ORK_NOTFOUND);
        free(dot);
    }
    if (html)
        free(sample_html(report));
}

static void any_single_change_gives_a_report_or_a_sentence(void **state)
{
    static const char byte[] = {'0', '9', '"', '}', '-', '\xff'};
    struct ork_report report;
    struct ork_report again;
    unsigned accepted = 0;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_fig4());
    char *json = sample_json(&report);
    ork_report_release(&report);
    size_t size = strlen(json);
    for (size_t i = 0; i < size; i += ORK_TEST_STEP) {
        char was = json[i];
        char *error = NULL;
        json[i] = byte[i % sizeof(byte)];
        if (ork_report_from_json(json, size, &again, &error) == ORK_OK) {
            render_all(&again, accepted++ % 50 == 0);
            ork_report_release(&again);
        } else {
            assert_non_null(error);
        }
        free(error);
        json[i] = was;
    }
    assert_true(accepted > 0);
    free(json);
}

static void numbers_out_of_range_crash_no_renderer(void **state)
{
    static const char json[] =
        "{\"ranks\": 4294967295, \"findings\": [{\"id\": \"../../etc\", \"ranks\": [4294967295, 0, "
        "0],"
        "\"roots\": [[], [9, 1]], \"waits\": [{\"rank\": 4294967295, \"for\": [3, 3, 1]},"
        "{\"rank\": 4294967295, \"semantics\": \"OR\"}], \"graph\": {\"nodes\": ["
        "{\"id\": 4294967295}, {\"id\": 4294967295}, {\"id\": 1, \"kind\": \"hub\", \"rank\": 77}],"
        "\"arcs\": [{\"from\": 0, \"to\": 1}, {\"from\": 4294967295, \"to\": 1}, {\"from\": 1, "
        "\"to\": 5},"
        "{\"from\": 1, \"to\": 1}]}}]}";
    struct ork_report report;
    char *error = NULL;

    (void)state;
    assert_int_equal(ork_report_from_json(json, strlen(json), &report, &error), ORK_OK);
    render_all(&report, true);
    char *dot = sample_dot(&report.finding[0]);
    assert_true(sample_contains(dot, "n0 -> n2 "));
    assert_true(sample_contains(dot, "n2 -> n2 "));
    assert_int_equal(sample_count(dot, " -> "), 2);
    free(dot);
    ork_report_release(&report);
}

int test_json_read(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
        cmocka_unit_test(missing_and_null_keys_have_defaults),
        cmocka_unit_test(a_finding_must_be_an_object),
        cmocka_unit_test(any_single_change_gives_a_report_or_a_sentence),
        cmocka_unit_test(numbers_out_of_range_crash_no_renderer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
