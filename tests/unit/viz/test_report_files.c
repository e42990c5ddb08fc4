/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/folder.h"
#include "tests/unit/report/sample.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL ((unsigned)ORK_VIZ_HTML | (unsigned)ORK_VIZ_JSON | (unsigned)ORK_VIZ_TEXT)

static void write_report(struct ork_report *report, const struct folder *folder, unsigned formats)
{
    char *why = NULL;
    unsigned written = 0;

    assert_int_equal(ork_viz_write(report, folder->path, formats, &written, &why), ORK_OK);
    assert_null(why);
    assert_int_equal(written, formats);
}

/* Both must refuse, and say so of the file. */
static void expect_refused(struct ork_report *report, const struct folder *folder, unsigned formats,
                           const char *name)
{
    char wanted[200];
    char *why = NULL;
    unsigned written = 0;

    snprintf(wanted, sizeof(wanted),
             "cannot replace %s/%s: it exists and is not a report of orknot", folder->path, name);
    assert_int_equal(ork_viz_check(folder->path, formats, &why), ORK_EXISTS);
    assert_string_equal(why, wanted);
    free(why);
    assert_int_equal(ork_viz_write(report, folder->path, formats, &written, &why), ORK_EXISTS);
    assert_string_equal(why, wanted);
    assert_int_equal(written, 0);
    free(why);
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
    unsigned written = 0;

    sample_run(&report);
    sample_take(&report, sample_pair());
    write_report(&report, folder, ORK_VIZ_JSON);
    folder_put(folder, "MUST_Output-files/deadlock-1.svg", "mine");
    assert_int_equal(ork_viz_write(&report, folder->path, ORK_VIZ_JSON, &written, &path),
                     ORK_EXISTS);
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

static void a_missing_folder_is_an_error_that_says_why(void **state)
{
    const struct folder *folder = *state;
    char missing[128], wanted[200];
    char *why = NULL;
    unsigned written = 0;
    struct ork_report report;

    sample_run(&report);
    snprintf(missing, sizeof(missing), "%s/missing", folder->path);
    snprintf(wanted, sizeof(wanted), "cannot write %s: No such file or directory", missing);
    assert_int_equal(ork_viz_check(missing, ALL, &why), ORK_IO);
    assert_string_equal(why, wanted);
    free(why);
    assert_int_equal(ork_viz_write(&report, missing, ALL, &written, &why), ORK_IO);
    assert_string_equal(why, wanted);
    free(why);
    ork_report_release(&report);
}

/* The disk is full for files of this process. */
static void limit_files(rlim_t size)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_failed_write_leaves_no_earlier_report(void **state)
{
    const struct folder *folder = *state;
    char *why = NULL;
    unsigned written = 0;
    struct ork_report report;

    sample_run(&report);
    sample_take(&report, sample_pair());
    write_report(&report, folder, ALL); /* an earlier run */
    folder_put(folder, "mine", "mine");
    limit_files(100);
    enum ork_status status = ork_viz_write(&report, folder->path, ALL, &written, &why);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, ORK_IO);
    assert_non_null(strstr(why, ": File too large"));
    free(why);
    assert_int_equal(written, 0);
    assert_int_equal(folder_entries(folder, "."), 1);
    folder_expect(folder, "mine", "mine");
    ork_report_release(&report);
}

static void a_failed_write_keeps_what_the_same_run_wrote_before(void **state)
{
    const struct folder *folder = *state;
    char *why = NULL;
    unsigned written = 0;
    struct ork_report report;

    sample_run(&report);
    write_report(&report, folder, ORK_VIZ_TEXT); /* an earlier run */
    assert_int_equal(ork_viz_write(&report, folder->path, ORK_VIZ_JSON, &written, &why), ORK_OK);
    char *json = folder_get(folder, "MUST_Output.json");
    limit_files(10);
    enum ork_status status = ork_viz_write(&report, folder->path, ALL, &written, &why);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, ORK_IO);
    free(why);
    assert_int_equal(written, ORK_VIZ_JSON);
    folder_expect(folder, "MUST_Output.json", json);
    assert_int_equal(folder_entries(folder, "."), 1);
    free(json);
    ork_report_release(&report);
}

/* Another user's report in a folder such as /tmp cannot be replaced, though it is a report. */
static void a_report_of_another_user_in_a_sticky_folder_is_refused(void **state)
{
    const struct folder *folder = *state;
    char *why = NULL;
    char *again = NULL;
    struct ork_report report;

    if (geteuid() != 0)
        skip(); /* only root can be two users */
    sample_run(&report);
    write_report(&report, folder, ORK_VIZ_JSON);
    assert_int_equal(fchmod(folder->fd, 01777), 0);
    assert_int_equal(ork_viz_check(folder->path, ALL, &why), ORK_OK); /* root may */
    assert_int_equal(seteuid(65534), 0);
    enum ork_status other = ork_viz_check(folder->path, ALL, &why);
    unsigned written = 0;
    enum ork_status elsewhere = ork_viz_check(folder->path, ORK_VIZ_HTML, &(char *){NULL});
    enum ork_status replaced = ork_viz_write(&report, folder->path, ORK_VIZ_JSON, &written, &again);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(other, ORK_EXISTS);
    assert_non_null(strstr(why, "/MUST_Output.json: it belongs to another user"));
    assert_int_equal(elsewhere, ORK_OK);
    assert_int_equal(replaced, ORK_EXISTS);
    free(again);
    free(why);
    ork_report_release(&report);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int test_report_files(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_report_with_two_graphs_is_written_whole),
        IN_FOLDER(only_what_is_asked_for_is_written),
        IN_FOLDER(an_earlier_report_is_replaced),
        IN_FOLDER(files_of_the_user_are_never_touched),
        IN_FOLDER(links_are_refused),
        IN_FOLDER(a_graph_of_the_user_in_our_directory_is_not_replaced),
        IN_FOLDER(an_id_cannot_name_a_file_elsewhere),
        IN_FOLDER(a_missing_folder_is_an_error_that_says_why),
        IN_FOLDER(a_failed_write_leaves_no_earlier_report),
        IN_FOLDER(a_failed_write_keeps_what_the_same_run_wrote_before),
        IN_FOLDER(a_report_of_another_user_in_a_sticky_folder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
