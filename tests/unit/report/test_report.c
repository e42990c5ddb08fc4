/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include <stdlib.h>
#include <string.h>

static void an_empty_report_is_complete_and_has_no_verdict_time(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    assert_true(report.complete);
    assert_false(report.ended);
    assert_int_equal(report.num_findings, 0);
    assert_true(report.statistics.seconds_to_verdict < 0);
    ork_report_release(&report);
}

static void a_finding_moves_into_the_report(void **state)
{
    struct ork_report report;
    struct ork_finding finding = sample_pair();
    char *message = finding.message;

    (void)state;
    ork_report_init(&report);
    assert_int_equal(ork_report_add_finding(&report, &finding), ORK_OK);
    assert_null(finding.message);
    assert_int_equal(finding.num_waits, 0);
    sample_take(&report, sample_fig4());
    assert_int_equal(report.num_findings, 2);
    assert_ptr_equal(report.finding[0].message, message);
    ork_report_release(&report);
}

static void notes_are_copied_in_order(void **state)
{
    struct ork_report report;
    char note[] = "first";

    (void)state;
    ork_report_init(&report);
    assert_int_equal(ork_report_add_note(&report, note), ORK_OK);
    note[0] = 'X';
    assert_int_equal(ork_report_add_note(&report, "second"), ORK_OK);
    assert_int_equal(report.num_notes, 2);
    assert_string_equal(report.note[0], "first");
    assert_string_equal(report.note[1], "second");
    ork_report_release(&report);
}

static void a_released_report_is_an_empty_one(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_hostile());
    ork_report_release(&report);
    assert_int_equal(report.num_findings, 0);
    assert_null(report.finding);
    assert_null(report.command);
    ork_report_release(&report);
}

int test_report(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_report_is_complete_and_has_no_verdict_time),
        cmocka_unit_test(a_finding_moves_into_the_report),
        cmocka_unit_test(notes_are_copied_in_order),
        cmocka_unit_test(a_released_report_is_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
