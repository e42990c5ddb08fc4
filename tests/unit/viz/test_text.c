/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/enum_names.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

static char *summary(const struct ork_report *report, bool color)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    assert_int_equal(ork_viz_summary_text(report, color, out), ORK_OK);
    fclose(out);
    return buffer;
}

static void expect_summary(const struct ork_report *report, const char *wanted)
{
    char *text = summary(report, false);

    assert_string_equal(text, wanted);
    free(text);
}

static void a_report_reads_as_it_always_did(void **state)
{
    struct ork_report report;
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    (void)state;
    sample_run(&report);
    sample_take(&report, sample_pair());
    sample_add_detail(&report.finding[0], "rank 1 came first");
    sample_take(&report, sample_fig4());
    sample_take(&report, sample_finding("leak", ORK_CLASS_NONE, ORK_NOTE, "a request is left"));
    assert_int_equal(ork_viz_report_text(&report, false, out), ORK_OK);
    fclose(out);
    char *golden = sample_golden("report.txt");
    assert_string_equal(buffer, golden);
    free(golden);
    free(buffer);
    ork_report_release(&report);
}

static void equal_ranks_are_one_line_and_roots_are_marked(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 7; i++) {
        struct ork_rank_row *wait = sample_add_wait(&f, i, "MPI_Barrier", NULL, NULL, 7);
        sample_set_where(&wait->where, "main", "a.c", 40);
    }
    sample_add_wait(&f, 7, "MPI_Recv", "7", "0", 7)->own_name = strdup("comm.recv");
    sample_add_root(&f, 7, 7);
    char *text = sample_finding_text(&f);
    assert_string_equal(
        text, "orknot: error: deadlock (manifest): m\n"
              "    ranks 0-6: MPI_Barrier(MPI_COMM_WORLD) at a.c:40 in main, "
              "wait for 7\n"
              "  * rank 7: comm.recv: MPI_Recv(peer 7, tag 0, MPI_COMM_WORLD), waits for 7\n"
              "    (* the root of the deadlock: the others only wait for these)\n");
    free(text);
    ork_finding_release(&f);
}

static void long_tables_end_with_a_count(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 100; i++)
        sample_add_wait(&f, i, "MPI_Recv", NULL, NULL, (i + 1) % 100);
    char *text = sample_finding_text(&f);
    assert_true(sample_contains(text, "\n    ... and 60 more ranks, see the report\n"));
    assert_int_equal(sample_count(text, "\n"), 42);
    free(text);
    ork_finding_release(&f);
}

static void nothing_of_the_application_steers_the_terminal(void **state)
{
    struct ork_finding f = sample_hostile();
    char *text = sample_finding_text(&f);

    (void)state;
    for (const char *c = text; *c != '\0'; c++)
        assert_true(*c == '\n' || ((unsigned char)*c >= 0x20 && *c != 0x7f));
    assert_false(sample_contains(text, "\xff"));
    assert_true(sample_contains(text, "\\x1B[2J\\x0A\\x0D\\x09\\x7F\\xFF\\xC3("));
    /* headline, two details, one row, its caller, one near miss */
    assert_int_equal(sample_count(text, "\n"), 6);
    free(text);
    ork_finding_release(&f);
}

static void states_other_than_blocked_are_said(void **state)
{
    struct ork_finding f = sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "m");

    (void)state;
    struct ork_rank_row *wait = sample_add_wait(&f, 0, "", NULL, NULL, 0);
    wait->waits_for.count = 0;
    free(wait->state);
    wait->state = strdup("finalized");
    wait = sample_add_wait(&f, 1, "MPI_Test", NULL, NULL, 0);
    free(wait->state);
    wait->state = strdup("stalled");
    wait = sample_add_wait(&f, 2, "MPI_Comm_accept", NULL, NULL, 0);
    wait->waits_for.count = 0;
    free(wait->state);
    wait->state = strdup("unknown");
    char *text = sample_finding_text(&f);
    assert_string_equal(text, "orknot: warning: hang: m\n"
                              "    rank 0: finalized\n"
                              "    rank 1: MPI_Test(MPI_COMM_WORLD), waits for 0, stalled\n"
                              "    rank 2: MPI_Comm_accept(MPI_COMM_WORLD), the tool cannot see "
                              "what it waits for\n");
    free(text);
    ork_finding_release(&f);
}

static void a_peer_that_its_communicator_counts_otherwise_has_both_numbers(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    sample_add_wait(&f, 2, "MPI_Recv", "1", "0", 3);
    sample_add_wait(&f, 3, "MPI_Recv", "MPI_ANY_SOURCE", "0", 2);
    char *text = sample_finding_text(&f);
    assert_string_equal(
        text, "orknot: error: deadlock (manifest): m\n"
              "    rank 2: MPI_Recv(peer 1 (rank 3), tag 0, MPI_COMM_WORLD), waits for 3\n"
              "    rank 3: MPI_Recv(peer MPI_ANY_SOURCE, tag 0, MPI_COMM_WORLD), waits for 2\n");
    free(text);
    ork_finding_release(&f);
}

static void where_a_rank_is_comes_before_where_mpi_may_hold_it(void **state)
{
    struct ork_finding f = sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "m");

    (void)state;
    for (uint32_t r = 0; r < 3; r++) {
        struct ork_rank_row *wait = sample_add_wait(&f, r, "MPI_Send", "3", "5", 3);
        wait->now.ahead = r == 0 ? ORK_AHEAD_GOES : r == 1 ? ORK_AHEAD_INSIDE : ORK_AHEAD_AFTER;
        wait->now.call = r == 0 ? NULL : strdup("MPI_Barrier");
        if (r > 0)
            sample_set_where(&wait->now.where, "main", "a.c", 9);
    }
    char *text = sample_finding_text(&f);
    assert_string_equal(
        text,
        "orknot: warning: hang: m\n"
        "    rank 0: has continued; MPI allows it to block in MPI_Send(peer 3, tag 5, "
        "MPI_COMM_WORLD), waiting for 3\n"
        "    rank 1: in MPI_Barrier at a.c:9 in main; MPI allows it to block in MPI_Send(peer 3, "
        "tag 5, MPI_COMM_WORLD), waiting for 3\n"
        "    rank 2: outside MPI, last in MPI_Barrier at a.c:9 in main; MPI allows it to block in "
        "MPI_Send(peer 3, tag 5, MPI_COMM_WORLD), waiting for 3\n");
    free(text);
    ork_finding_release(&f);
}

static void add_frame(struct ork_rank_row *wait, const char *function, const char *file,
                      uint32_t line)
{
    wait->stack = realloc(wait->stack, (wait->num_stack + 1) * sizeof(*wait->stack));
    assert_non_null(wait->stack);
    wait->stack[wait->num_stack] = (struct ork_where){.function = NULL};
    sample_set_where(&wait->stack[wait->num_stack++], function, file, line);
}

static char *stacks(const struct ork_finding *f)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    assert_int_equal(ork_viz_stacks_text(f, false, out), ORK_OK);
    fclose(out);
    return buffer;
}

static void the_stacks_of_the_causes_are_two_frames_of_the_program(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t r = 0; r < 4; r++) {
        struct ork_rank_row *wait = sample_add_wait(&f, r, "MPI_Recv", "0", "1", 0);
        add_frame(wait, "mpi4py", "/usr/lib/python3/mpi4py.c", 1);
        add_frame(wait, "exchange", "/home/u/halo.c", r < 3 ? 12 : 14);
        add_frame(wait, "step", "/home/u/halo.c", 30);
        add_frame(wait, "main", "/home/u/main.c", 7);
    }
    char *text = stacks(&f);
    assert_string_equal(text, "orknot: note: call stacks, the innermost function first\n"
                              "    ranks 0-2: exchange (halo.c:12), step (halo.c:30), ...\n"
                              "    rank 3: exchange (halo.c:14), step (halo.c:30), ...\n"
                              "    (the report has more frames; --must:callers N shows them with "
                              "every finding)\n");
    free(text);
    sample_add_root(&f, 3, 3);
    text = stacks(&f);
    assert_false(sample_contains(text, "0-2"));
    assert_true(sample_contains(text, "    rank 3: exchange (halo.c:14)"));
    free(text);
    ork_finding_release(&f);
}

static void a_stack_that_says_no_more_than_the_row_is_not_shown(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    struct ork_rank_row *first = sample_add_wait(&f, 0, "MPI_Recv", "1", "1", 1);
    add_frame(first, "heat", "a.f90", 12);
    add_frame(first, "main", "a.f90", 3); /* of every Fortran program */
    sample_add_wait(&f, 1, "MPI_Recv", "0", "1", 0);
    char *text = stacks(&f);
    assert_string_equal(text, "");
    free(text);
    ork_finding_release(&f);
}

static void a_rank_outside_mpi_is_shown_where_it_is(void **state)
{
    struct ork_finding f = sample_finding("hang", ORK_CLASS_NONE, ORK_WARNING, "m");

    (void)state;
    struct ork_rank_row *wait = sample_add_wait(&f, 5, "", NULL, NULL, 0);
    add_frame(wait, "clock_nanosleep", NULL, 0);
    add_frame(wait, "work", "a.c", 31);
    char *text = stacks(&f);
    assert_string_equal(text, "orknot: note: call stacks, the innermost function first\n"
                              "    rank 5: clock_nanosleep, work (a.c:31)\n");
    free(text);
    ork_finding_release(&f);
}

static void the_summary_counts(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    report.ranks = 4;
    report.statistics.calls = 1204;
    report.seconds = 0.94;
    report.ended = true;
    expect_summary(&report, "orknot: no findings: 4 ranks, 1,204 calls, 0.9 s\n");
    report.exit_code = 3;
    expect_summary(&report, "orknot: no findings: 4 ranks, 1,204 calls, 0.9 s, "
                            "the application's exit code is 3\n");
    report.exit_code = 0;
    assert_int_equal(ork_report_add_job(&report, 2, 2, "spawned"), ORK_OK);
    expect_summary(&report, "orknot: no findings: 4 ranks in 2 jobs, 1,204 calls, 0.9 s\n");
    sample_take(&report, sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "y"));
    expect_summary(&report, "orknot: 1 finding (a note): 4 ranks in 2 jobs, 1,204 calls, 0.9 s\n");
    sample_take(&report, sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "z"));
    expect_summary(&report,
                   "orknot: 2 findings (only notes): 4 ranks in 2 jobs, 1,204 calls, 0.9 s\n");
    ork_report_release(&report);
    report.ended = true;
    report.seconds = 0.94;
    report.ranks = 1;
    report.statistics.calls = 1;
    sample_take(&report, sample_pair());
    sample_take(&report, sample_finding("x", ORK_CLASS_NONE, ORK_WARNING, "y"));
    expect_summary(&report, "orknot: 2 findings (1 error): 1 rank, 1 call, 0.9 s\n");
    report.signal = 11;
    report.complete = false;
    expect_summary(&report,
                   "orknot: warning: not all calls were looked at: the findings are valid, but "
                   "there may be more\n"
                   "orknot: 2 findings (1 error): 1 rank, 1 call, 0.9 s, the launcher was "
                   "killed by SIGSEGV\n");
    ork_report_release(&report);
}

static void who_saw_a_part_says_so(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    report.complete = false;
    char *text = summary(&report, false);
    assert_true(sample_contains(text, "orknot: no findings in what was observed: "));
    assert_true(sample_contains(text, "orknot: warning: not all calls were looked at: "));
    free(text);
    ork_report_release(&report);
}

static void a_report_that_was_written_before_the_end_says_so(void **state)
{
    struct ork_report report;

    (void)state;
    ork_report_init(&report);
    report.complete = false;
    assert_string_equal(ork_verdict_word(&report), "unknown");
    char *text = summary(&report, false);
    assert_true(sample_contains(text, "orknot: warning: the application was still running when "
                                      "this was written: the findings are valid, but there may be "
                                      "more\n"));
    assert_false(sample_contains(text, "not checked"));
    free(text);
    ork_report_release(&report);
}

static void colour_is_only_there_when_asked_for(void **state)
{
    struct ork_report report;

    (void)state;
    sample_run(&report);
    char *plain = summary(&report, false);
    char *colored = summary(&report, true);
    assert_false(sample_contains(plain, "\033"));
    assert_true(sample_contains(colored, "\033[1mno findings\033[0m"));
    free(plain);
    free(colored);
    ork_report_release(&report);
}

int test_text(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_reads_as_it_always_did),
        cmocka_unit_test(who_saw_a_part_says_so),
        cmocka_unit_test(a_report_that_was_written_before_the_end_says_so),
        cmocka_unit_test(equal_ranks_are_one_line_and_roots_are_marked),
        cmocka_unit_test(long_tables_end_with_a_count),
        cmocka_unit_test(nothing_of_the_application_steers_the_terminal),
        cmocka_unit_test(states_other_than_blocked_are_said),
        cmocka_unit_test(a_peer_that_its_communicator_counts_otherwise_has_both_numbers),
        cmocka_unit_test(where_a_rank_is_comes_before_where_mpi_may_hold_it),
        cmocka_unit_test(the_stacks_of_the_causes_are_two_frames_of_the_program),
        cmocka_unit_test(a_stack_that_says_no_more_than_the_row_is_not_shown),
        cmocka_unit_test(a_rank_outside_mpi_is_shown_where_it_is),
        cmocka_unit_test(the_summary_counts),
        cmocka_unit_test(colour_is_only_there_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
