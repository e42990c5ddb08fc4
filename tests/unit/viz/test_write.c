/* SPDX-License-Identifier: BSD-3-Clause */
#include "folder.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL ((unsigned)ORK_VIZ_HTML | (unsigned)ORK_VIZ_JSON | (unsigned)ORK_VIZ_TEXT)

static void write_report(struct ork_report *report, const struct folder *folder, unsigned formats)
{
    char *path = NULL;

    assert_int_equal(ork_viz_write(report, folder->path, formats, &path), ORK_OK);
    assert_null(path);
}

/* Both must refuse, and name the file. */
static void expect_refused(struct ork_report *report, const struct folder *folder, unsigned formats,
                           const char *name)
{
    char wanted[128];
    char *path = NULL;

    snprintf(wanted, sizeof(wanted), "%s/%s", folder->path, name);
    assert_int_equal(ork_viz_check(folder->path, formats, &path), ORK_EXISTS);
    assert_string_equal(path, wanted);
    free(path);
    assert_int_equal(ork_viz_write(report, folder->path, formats, &path), ORK_EXISTS);
    assert_string_equal(path, wanted);
    free(path);
}

static void a_report_with_two_graphs_is_written_whole(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;

    sample_run(&report);
    sample_take(&report, sample_finding("leak", ORK_CLASS_NONE, ORK_NOTE, "y"));
    sample_take(&report, sample_pair());
    sample_take(&report, sample_fig4());
    write_report(&report, folder, ALL);
    assert_int_equal(folder_entries(folder, "."), 4);
    assert_int_equal(folder_entries(folder, "MUST_Output-files"), 5);
    assert_null(report.finding[0].dot_file);
    assert_string_equal(report.finding[1].dot_file, "MUST_Output-files/deadlock-1.dot");
    assert_string_equal(report.finding[2].svg_file, "MUST_Output-files/deadlock-2.svg");
    char *json = sample_json(&report);
    folder_expect(folder, "MUST_Output.json", json);
    assert_true(sample_contains(json, "\"svg\": \"MUST_Output-files/deadlock-2.svg\""));
    char *html = sample_html(&report);
    folder_expect(folder, "MUST_Output.html", html);
    char *svg = sample_svg(&report.finding[2]);
    folder_expect(folder, "MUST_Output-files/deadlock-2.svg", svg);
    char *text = folder_get(folder, "MUST_Output.txt");
    assert_memory_equal(text, "orknot report\n", 14);
    free(text);
    free(svg);
    free(html);
    free(json);
    ork_report_release(&report);
}

static void only_what_is_asked_for_is_written(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;

    sample_run(&report);
    write_report(&report, folder, ORK_VIZ_JSON);
    assert_int_equal(folder_entries(folder, "."), 1);
    assert_true(folder_has(folder, "MUST_Output.json"));
    ork_report_release(&report);
}

static void an_earlier_report_is_replaced(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;
    char *path = NULL;

    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_take(&report, sample_fig4());
    write_report(&report, folder, ALL);
    ork_finding_release(&report.finding[1]);
    report.num_findings = 1;
    assert_int_equal(ork_viz_check(folder->path, ALL, &path), ORK_OK);
    write_report(&report, folder, ALL);
    assert_int_equal(folder_entries(folder, "MUST_Output-files"), 3);
    assert_false(folder_has(folder, "MUST_Output-files/deadlock-2.dot"));
    ork_finding_release(&report.finding[0]);
    report.num_findings = 0;
    write_report(&report, folder, ALL);
    assert_false(folder_has(folder, "MUST_Output-files"));
    assert_int_equal(folder_entries(folder, "."), 3);
    ork_report_release(&report);
}

static void files_of_the_user_are_never_touched(void **state)
{
    static const char *const name[] = {"MUST_Output.html", "MUST_Output.json", "MUST_Output.txt",
                                       "MUST_Output-files"};
    const struct folder *folder = *state;
    struct ork_report report;

    sample_run(&report);
    sample_take(&report, sample_pair());
    for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
        folder_put(folder, name[i], "mine");
        expect_refused(&report, folder, ALL, name[i]);
        folder_expect(folder, name[i], "mine");
        assert_int_equal(folder_entries(folder, "."), 1);
        assert_int_equal(unlinkat(folder->fd, name[i], 0), 0);
    }
    folder_put(folder, "MUST_Output.html", "mine");
    write_report(&report, folder, ORK_VIZ_JSON);
    folder_expect(folder, "MUST_Output.html", "mine");
    ork_report_release(&report);
}

static void links_are_refused(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;

    sample_run(&report);
    sample_take(&report, sample_pair());
    folder_put(folder, "victim", "orknot report\n");
    assert_int_equal(symlinkat("victim", folder->fd, "MUST_Output.txt"), 0);
    expect_refused(&report, folder, ORK_VIZ_TEXT, "MUST_Output.txt");
    folder_expect(folder, "victim", "orknot report\n");
    assert_int_equal(unlinkat(folder->fd, "MUST_Output.txt", 0), 0);
    assert_int_equal(mkdirat(folder->fd, "elsewhere", 0700), 0);
    assert_int_equal(symlinkat("elsewhere", folder->fd, "MUST_Output-files"), 0);
    expect_refused(&report, folder, ORK_VIZ_TEXT, "MUST_Output-files");
    assert_int_equal(folder_entries(folder, "elsewhere"), 0);
    ork_report_release(&report);
}

static void a_graph_of_the_user_in_our_directory_is_not_replaced(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;
    char *path = NULL;

    sample_run(&report);
    sample_take(&report, sample_pair());
    write_report(&report, folder, ORK_VIZ_JSON);
    folder_put(folder, "MUST_Output-files/deadlock-1.svg", "mine");
    assert_int_equal(ork_viz_write(&report, folder->path, ORK_VIZ_JSON, &path), ORK_EXISTS);
    assert_non_null(strstr(path, "/MUST_Output-files/deadlock-1.svg"));
    free(path);
    folder_expect(folder, "MUST_Output-files/deadlock-1.svg", "mine");
    ork_report_release(&report);
}

static void an_id_cannot_name_a_file_elsewhere(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;

    sample_run(&report);
    sample_take(&report, sample_pair());
    free(report.finding[0].id);
    report.finding[0].id = strdup("../../x");
    write_report(&report, folder, ORK_VIZ_JSON);
    assert_true(folder_has(folder, "MUST_Output-files/finding-1.dot"));
    ork_report_release(&report);
}

static void a_missing_folder_is_an_error_that_names_it(void **state)
{
    const struct folder *folder = *state;
    char missing[128];
    char *path = NULL;
    struct ork_report report;

    sample_run(&report);
    snprintf(missing, sizeof(missing), "%s/missing", folder->path);
    assert_int_equal(ork_viz_check(missing, ALL, &path), ORK_IO);
    assert_string_equal(path, missing);
    free(path);
    assert_int_equal(ork_viz_write(&report, missing, ALL, &path), ORK_IO);
    assert_string_equal(path, missing);
    free(path);
    ork_report_release(&report);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_report_with_two_graphs_is_written_whole),
        IN_FOLDER(only_what_is_asked_for_is_written),
        IN_FOLDER(an_earlier_report_is_replaced),
        IN_FOLDER(files_of_the_user_are_never_touched),
        IN_FOLDER(links_are_refused),
        IN_FOLDER(a_graph_of_the_user_in_our_directory_is_not_replaced),
        IN_FOLDER(an_id_cannot_name_a_file_elsewhere),
        IN_FOLDER(a_missing_folder_is_an_error_that_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
