/* SPDX-License-Identifier: BSD-3-Clause */
/* What a service finds in SARIF: a rule for each result, places, and names that stay. */
#include "tests/unit/report/sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The only run of the document; the caller releases *root. */
static json_t *run_of(const struct ork_report *report, json_t **root)
{
    json_error_t error;
    char *text;

    assert_int_equal(ork_viz_sarif(report, &text), ORK_OK);
    *root = json_loads(text, 0, &error);
    free(text);
    assert_non_null(*root);
    assert_string_equal(json_string_value(json_object_get(*root, "version")), "2.1.0");
    json_t *runs = json_object_get(*root, "runs");
    assert_int_equal(json_array_size(runs), 1);
    return json_array_get(runs, 0);
}

static json_t *result_of(const json_t *run, size_t i)
{
    return json_array_get(json_object_get(run, "results"), i);
}

static const char *text_at(const json_t *value, const char *first, const char *second)
{
    return json_string_value(json_object_get(json_object_get(value, first), second));
}

static const char *uri_of(const json_t *location, const char **base)
{
    const json_t *physical = json_object_get(location, "physicalLocation");

    *base = text_at(physical, "artifactLocation", "uriBaseId");
    return text_at(physical, "artifactLocation", "uri");
}

static void set_file(struct ork_where *where, const char *file)
{
    free(where->file);
    where->file = strdup(file);
}

static void each_result_has_a_rule_with_its_help(void **state)
{
    struct ork_report report;
    json_t *root;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_take(&report, sample_pair());
    json_t *run = run_of(&report, &root);
    json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    json_t *rules = json_object_get(driver, "rules");
    assert_string_equal(json_string_value(json_object_get(driver, "name")), "orknot");
    assert_non_null(strstr(json_string_value(json_object_get(driver, "fullName")), "Orknot "));
    assert_string_equal(text_at(run, "automationDetails", "id"), "orknot/app/");
    assert_int_equal(json_array_size(rules), 1);
    json_t *rule = json_array_get(rules, 0);
    assert_string_equal(json_string_value(json_object_get(rule, "id")), "deadlock/manifest");
    assert_string_equal(json_string_value(json_object_get(rule, "name")), "DeadlockManifest");
    assert_non_null(strstr(text_at(rule, "help", "text"), "MPI_Sendrecv"));
    assert_int_equal(json_array_size(json_object_get(run, "results")), 2);
    assert_string_equal(json_string_value(json_object_get(result_of(run, 1), "ruleId")),
                        "deadlock/manifest");
    assert_string_equal(json_string_value(json_object_get(result_of(run, 1), "level")), "error");
    assert_string_equal(text_at(result_of(run, 0), "partialFingerprints", "orknot/v1") + 16, ":1");
    assert_string_equal(text_at(result_of(run, 1), "partialFingerprints", "orknot/v1") + 16, ":2");
    json_decref(root);
    ork_report_release(&report);
}

/* The first place of the cause, then the others, each once. */
static void all_ranks_have_a_place(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_POTENTIAL, ORK_ERROR, "a sentence");
    struct ork_report report;
    const char *base;
    json_t *root;

    (void)state;
    for (uint32_t rank = 0; rank < 4; rank++) {
        struct ork_rank_row *row = sample_add_wait(&f, rank, "MPI_Recv", "1", NULL, 1);
        sample_set_where(&row->where, "main", "/home/ada/src/a b.c", rank == 2 ? 12 : 40);
    }
    sample_add_root(&f, 2, 2);
    sample_run(&report);
    sample_take(&report, f);
    report.source_root = strdup("/home/ada");
    json_t *run = run_of(&report, &root);
    json_t *result = result_of(run, 0);
    json_t *locations = json_object_get(result, "locations");
    json_t *related = json_object_get(result, "relatedLocations");
    assert_int_equal(json_array_size(locations), 1);
    assert_int_equal(json_array_size(related), 1);
    json_t *first = json_array_get(locations, 0);
    assert_string_equal(uri_of(first, &base), "src/a%20b.c");
    assert_string_equal(base, "%SRCROOT%");
    json_t *region = json_object_get(json_object_get(first, "physicalLocation"), "region");
    assert_int_equal(json_integer_value(json_object_get(region, "startLine")), 12);
    assert_string_equal(text_at(first, "message", "text"), "rank 2 in MPI_Recv");
    assert_string_equal(text_at(json_array_get(related, 0), "message", "text"),
                        "ranks 0, 1, 3 in MPI_Recv");
    json_t *bases = json_object_get(run, "originalUriBaseIds");
    assert_string_equal(text_at(bases, "%SRCROOT%", "uri"), "file:///home/ada/");
    json_decref(root);
    ork_report_release(&report);
}

static void a_place_outside_of_the_root_is_absolute(void **state)
{
    struct ork_report report;
    const char *base;
    json_t *root;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    report.source_root = strdup("/home/ada");
    set_file(&report.finding[0].waits[0].where, "/home/adamant/x.c");
    json_t *result = result_of(run_of(&report, &root), 0);
    assert_string_equal(uri_of(json_array_get(json_object_get(result, "locations"), 0), &base),
                        "file:///home/adamant/x.c");
    assert_null(base);
    json_decref(root);
    ork_report_release(&report);
}

static void without_a_place_the_program_is_it(void **state)
{
    struct ork_report report;
    const char *base;
    json_t *root;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "no progress"));
    free(report.command[0]);
    report.command[0] = strdup("./halo");
    json_t *result = result_of(run_of(&report, &root), 0);
    assert_string_equal(uri_of(json_array_get(json_object_get(result, "locations"), 0), &base),
                        "halo");
    json_decref(root);
    ork_report_release(&report);
}

static void notes_and_completeness_are_told(void **state)
{
    struct ork_report report;
    json_t *root;

    (void)state;
    sample_run(&report);
    report.complete = false;
    json_t *run = run_of(&report, &root);
    json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);
    assert_true(json_is_false(json_object_get(invocation, "executionSuccessful")));
    json_t *notes = json_object_get(invocation, "toolExecutionNotifications");
    assert_string_equal(text_at(json_array_get(notes, 0), "message", "text"), report.note[0]);
    assert_int_equal(json_array_size(json_object_get(run, "results")), 0);
    json_decref(root);
    ork_report_release(&report);
}

static void any_bytes_make_a_document(void **state)
{
    struct ork_report report;
    json_t *root;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_hostile());
    run_of(&report, &root);
    json_decref(root);
    ork_report_release(&report);
}

int test_sarif(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_result_has_a_rule_with_its_help),
        cmocka_unit_test(all_ranks_have_a_place),
        cmocka_unit_test(a_place_outside_of_the_root_is_absolute),
        cmocka_unit_test(without_a_place_the_program_is_it),
        cmocka_unit_test(notes_and_completeness_are_told),
        cmocka_unit_test(any_bytes_make_a_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
