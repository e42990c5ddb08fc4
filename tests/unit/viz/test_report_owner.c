/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/folder.h"
#include "tests/unit/report/sample.h"

#include "viz/report_owner.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void what_the_renderers_write_is_ours(void **state)
{
    const struct folder *folder = *state;
    struct ork_report report;

    sample_run(&report);
    sample_take(&report, sample_pair());
    char *sarif, *junit, *quality;
    assert_int_equal(ork_viz_sarif(&report, &sarif), ORK_OK);
    assert_int_equal(ork_viz_junit(&report, &junit), ORK_OK);
    assert_int_equal(ork_viz_code_quality(&report, &quality), ORK_OK);
    char *text[] = {[ORK_FILE_HTML] = sample_html(&report),
                    [ORK_FILE_JSON] = sample_json(&report),
                    [ORK_FILE_TEXT] = sample_golden("report.txt"),
                    [ORK_FILE_SARIF] = sarif,
                    [ORK_FILE_JUNIT] = junit,
                    [ORK_FILE_CODE_QUALITY] = quality,
                    [ORK_FILE_DOT] = sample_dot(&report.finding[0]),
                    [ORK_FILE_SVG] = sample_svg(&report.finding[0])};
    for (int kind = ORK_FILE_HTML; kind <= ORK_FILE_SVG; kind++) {
        folder_put(folder, "file", text[kind]);
        for (int as = ORK_FILE_HTML; as <= ORK_FILE_SVG; as++)
            assert_int_equal(ork_owner_of_file(folder->fd, "file", (enum ork_file)as),
                             as == kind ? ORK_OWNER_US : ORK_OWNER_OTHER);
        free(text[kind]);
    }
    ork_report_release(&report);
}

static void what_is_not_there_is_nobodys(void **state)
{
    const struct folder *folder = *state;

    assert_int_equal(ork_owner_of_file(folder->fd, "file", ORK_FILE_HTML), ORK_OWNER_NONE);
    assert_int_equal(ork_owner_of_directory(folder->fd, "dir"), ORK_OWNER_NONE);
}

static void files_of_others_are_not_ours(void **state)
{
    static const struct {
        enum ork_file kind;
        const char *text;
    } row[] = {
        {ORK_FILE_HTML, ""},
        {ORK_FILE_HTML, "<!DOCTYPE html>\n<meta name=\"generator\" content=\"other 1\">"},
        {ORK_FILE_HTML, "about <meta name=\"generator\" content=\"orknot 1\">"},
        {ORK_FILE_JSON, "{\"schema\": 1, \"tool\": {\"name\": \"other\"}}"},
        {ORK_FILE_JSON, "{\"schema\": 1, "},
        {ORK_FILE_TEXT, "orknot reports"},
        {ORK_FILE_SARIF,
         "{\"$schema\": \"s\", \"runs\": [{\"tool\": {\"driver\": {\"name\": \"lint\"}}}]}"},
        {ORK_FILE_SARIF, "{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"orknot\"}}}]}"},
        {ORK_FILE_DOT, "digraph { }\n// orknot\n"},
        {ORK_FILE_SVG, "<svg><!-- orknot --></svg>"},
    };
    const struct folder *folder = *state;

    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        folder_put(folder, "file", row[i].text);
        assert_int_equal(ork_owner_of_file(folder->fd, "file", row[i].kind), ORK_OWNER_OTHER);
    }
}

static void links_folders_and_fifos_are_not_ours(void **state)
{
    const struct folder *folder = *state;

    folder_put(folder, "real", "// orknot\n");
    assert_int_equal(symlinkat("real", folder->fd, "link"), 0);
    assert_int_equal(symlinkat("nowhere", folder->fd, "dangling"), 0);
    assert_int_equal(mkdirat(folder->fd, "dir", 0700), 0);
    assert_int_equal(mkfifoat(folder->fd, "fifo", 0600), 0);
    assert_int_equal(ork_owner_of_file(folder->fd, "real", ORK_FILE_DOT), ORK_OWNER_US);
    static const char *const name[] = {"link", "dangling", "dir", "fifo"};
    for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++)
        assert_int_equal(ork_owner_of_file(folder->fd, name[i], ORK_FILE_DOT), ORK_OWNER_OTHER);
}

static void a_directory_is_ours_by_its_mark(void **state)
{
    const struct folder *folder = *state;

    assert_int_equal(mkdirat(folder->fd, "dir", 0700), 0);
    assert_int_equal(ork_owner_of_directory(folder->fd, "dir"), ORK_OWNER_OTHER);
    folder_put(folder, "dir/" ORK_MARK, "something else\n");
    assert_int_equal(ork_owner_of_directory(folder->fd, "dir"), ORK_OWNER_OTHER);
    folder_put(folder, "dir/" ORK_MARK, ORK_MARK_TEXT);
    assert_int_equal(ork_owner_of_directory(folder->fd, "dir"), ORK_OWNER_US);
    assert_int_equal(symlinkat("dir", folder->fd, "link"), 0);
    assert_int_equal(ork_owner_of_directory(folder->fd, "link"), ORK_OWNER_OTHER);
}

static void names_of_graphs_are_known(void **state)
{
    enum ork_file kind;
    static const char *const other[] = {"deadlock.dot",
                                        "-1.dot",
                                        "deadlock-.dot",
                                        "deadlock-x.dot",
                                        "deadlock-1.png",
                                        "deadlock-1",
                                        "deadlock-1.dot.bak",
                                        "deadlock-1.lanes.dot",
                                        ".orknot",
                                        "a.b-1",
                                        ""};

    (void)state;
    assert_true(ork_is_graph_name("deadlock-1.dot", &kind));
    assert_int_equal(kind, ORK_FILE_DOT);
    assert_true(ork_is_graph_name("corrupt-records-12.svg", &kind));
    assert_int_equal(kind, ORK_FILE_SVG);
    assert_true(ork_is_graph_name("deadlock-1.lanes.svg", &kind));
    assert_int_equal(kind, ORK_FILE_SVG);
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
        assert_false(ork_is_graph_name(other[i], &kind));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int test_report_owner(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_the_renderers_write_is_ours),
        IN_FOLDER(what_is_not_there_is_nobodys),
        IN_FOLDER(files_of_others_are_not_ours),
        IN_FOLDER(links_folders_and_fifos_are_not_ours),
        IN_FOLDER(a_directory_is_ours_by_its_mark),
        cmocka_unit_test(names_of_graphs_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
