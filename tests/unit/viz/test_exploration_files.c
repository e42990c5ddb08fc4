/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/exploration_sample.h"
#include "tests/unit/report/folder.h"
#include "tests/unit/report/sample.h"

#include "viz/decision_tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALL ((unsigned)ORK_VIZ_HTML | (unsigned)ORK_VIZ_JSON | (unsigned)ORK_VIZ_TEXT)

static void write_exploration(struct ork_exploration *e, const struct folder *folder)
{
    char *why = NULL;
    unsigned written = 0;

    assert_int_equal(ork_viz_exploration_write(e, folder->path, ALL, &written, &why), ORK_OK);
    assert_null(why);
    assert_int_equal(written, ALL);
}

static void page_data_text_and_graphs_are_written(void **state)
{
    const struct folder *folder = *state;
    struct ork_exploration e;
    char *text = NULL;

    sample_farm(&e);
    write_exploration(&e, folder);
    assert_int_equal(folder_entries(folder, "."), 4);
    assert_int_equal(folder_entries(folder, "MUST_Output-files"), 6);
    assert_string_equal(e.outcome[0].finding[0].svg_file, "MUST_Output-files/deadlock-1.svg");
    assert_string_equal(e.outcome[0].finding[0].dot_file, "MUST_Output-files/deadlock-1.dot");
    text = sample_exploration_json(&e);
    folder_expect(folder, "MUST_Output.json", text);
    free(text);
    text = sample_exploration_text(&e);
    folder_expect(folder, "MUST_Output.txt", text);
    free(text);
    assert_int_equal(ork_viz_exploration_html(&e, &text), ORK_OK);
    folder_expect(folder, "MUST_Output.html", text);
    free(text);
    assert_int_equal(ork_decision_tree_svg(&e, &text), ORK_OK);
    folder_expect(folder, "MUST_Output-files/decisions-1.svg", text);
    free(text);
    assert_int_equal(ork_viz_decided_lanes_svg(&e.outcome[1], &text), ORK_OK);
    folder_expect(folder, "MUST_Output-files/outcome-2.lanes.svg", text);
    free(text);
    ork_exploration_release(&e);
}

static void reports_of_runs_and_explorations_replace_each_other(void **state)
{
    const struct folder *folder = *state;
    struct ork_exploration e;
    struct ork_report report;
    char *why = NULL;
    unsigned written = 0;

    sample_farm(&e);
    write_exploration(&e, folder);
    write_exploration(&e, folder);
    assert_int_equal(folder_entries(folder, "MUST_Output-files"), 6);
    sample_run(&report);
    sample_take(&report, sample_pair());
    assert_int_equal(ork_viz_write(&report, folder->path, ALL, &written, &why), ORK_OK);
    assert_int_equal(folder_entries(folder, "MUST_Output-files"), 3);
    write_exploration(&e, folder);
    assert_true(folder_has(folder, "MUST_Output-files/decisions-1.dot"));
    ork_exploration_release(&e);
    sample_clean(&e);
    e.num_runs = 1;
    write_exploration(&e, folder);
    assert_false(folder_has(folder, "MUST_Output-files"));
    e.num_runs = 10;
    ork_exploration_release(&e);
    ork_report_release(&report);
}

static void files_of_the_user_are_never_touched(void **state)
{
    const struct folder *folder = *state;
    struct ork_exploration e;
    char wanted[200];
    char *why = NULL;
    unsigned written = 0;

    sample_farm(&e);
    folder_put(folder, "MUST_Output.txt", "mine");
    snprintf(wanted, sizeof(wanted),
             "cannot replace %s/MUST_Output.txt: it exists and is not a report of orknot",
             folder->path);
    assert_int_equal(ork_viz_exploration_write(&e, folder->path, ALL, &written, &why), ORK_EXISTS);
    assert_string_equal(why, wanted);
    free(why);
    assert_int_equal(written, 0);
    folder_expect(folder, "MUST_Output.txt", "mine");
    assert_int_equal(folder_entries(folder, "."), 1);
    assert_int_equal(unlinkat(folder->fd, "MUST_Output.txt", 0), 0);
    folder_put(folder, "victim", "orknot report\n");
    assert_int_equal(symlinkat("victim", folder->fd, "MUST_Output.txt"), 0);
    assert_int_equal(ork_viz_exploration_write(&e, folder->path, ALL, &written, &why), ORK_EXISTS);
    free(why);
    folder_expect(folder, "victim", "orknot report\n");
    ork_exploration_release(&e);
}

static void a_folder_that_is_missing_is_told(void **state)
{
    struct ork_exploration e;
    char *why = NULL;
    unsigned written = 0;

    (void)state;
    sample_farm(&e);
    assert_int_equal(ork_viz_exploration_write(&e, "/nonexistent", ALL, &written, &why), ORK_IO);
    assert_string_equal(why, "cannot write /nonexistent: No such file or directory");
    free(why);
    ork_exploration_release(&e);
}

int test_exploration_files(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(page_data_text_and_graphs_are_written, folder_make,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(reports_of_runs_and_explorations_replace_each_other,
                                        folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(files_of_the_user_are_never_touched, folder_make,
                                        folder_remove),
        cmocka_unit_test(a_folder_that_is_missing_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
