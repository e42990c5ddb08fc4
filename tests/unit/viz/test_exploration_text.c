/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/exploration_sample.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

static void a_summary_says_how_all_orders_end_and_what_leads_to_the_bad_ones(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    char *text = sample_exploration_summary(&e);
    assert_string_equal(
        text,
        "orknot: 24 orders: 21 end with the same output, 2 with another, 1 deadlocks.\n"
        "orknot: error: outcome 1 (1 run, run 7): deadlock of ranks 0-1: all wait in MPI_Recv\n"
        "    deadlock (manifest): ranks 0 and 1 wait for each other\n"
        "    deciding choices (without any one of them, the outcome was different; 2 runs that "
        "forced only these choices had the same outcome):\n"
        "      rank 0, choice 1, MPI_Recv at main (farm.c:40): took the message of rank 2, tag 0 "
        "(first run: of rank 1)\n"
        "      rank 0, choice 3, MPI_Recv at main (farm.c:40): took the message of rank 4, tag 0 "
        "(first run: of rank 3)\n"
        "    its output and its report: MUST_Exploration/outcome-7\n"
        "    to repeat it: mustrun --must:replay MUST_Exploration/outcome-7/order -np 5 ./farm\n"
        "orknot: error: outcome 2 (2 runs, the first one is run 9): result 2: the output differs\n"
        "    where it differs: rank 0, line 3: \"4.5\" instead of \"4.25\"\n"
        "                      rank 2, line 1: no line instead of \"done\"\n"
        "    deciding choices not determined: the exploration was interrupted\n"
        "    its output and its report: MUST_Exploration/outcome-9\n"
        "    to repeat it: mustrun --must:replay MUST_Exploration/outcome-9/order -np 5 ./farm\n"
        "orknot: note: Every order was run.\n");
    free(text);
    ork_exploration_release(&e);
}

static void one_choice_is_told_in_the_singular(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.outcome[0].num_forced = 1;
    e.outcome[0].confirmed = 1;
    char *text = sample_exploration_summary(&e);
    e.outcome[0].num_forced = 2;
    assert_true(sample_contains(text, "    deciding choice (1 run that forced only this choice had "
                                      "the same outcome):\n      rank 0, choice "
                                      "1, MPI_Recv"));
    free(text);
    ork_exploration_release(&e);
}

static void choices_that_suffice_need_not_be_deciding(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.outcome[0].is_minimal = false;
    char *text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "    sufficient choices (2 runs that forced only these "
                                      "choices had the same outcome):\n"));
    free(text);
    e.outcome[0].is_minimal = true;
    e.outcome[0].confirmed = 0;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "    deciding choices (without any one of them, the outcome "
                                      "was different):\n"));
    free(text);
    ork_exploration_release(&e);
}

static void a_number_of_polls_is_assumed_to_change_nothing(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.repeats_polls = true;
    char *text = sample_exploration_summary(&e);
    assert_true(sample_contains(text,
                                "note: Every order was run, assuming that no result depends on how "
                                "often the same test or probe is unsuccessful in a row.\n"));
    free(text);
    ork_exploration_release(&e);
}

static void orders_in_which_polls_wait_are_counted(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.is_complete = false;
    e.left = 90;
    e.left_waiting = 1;
    e.waiting = 6;
    char *text = sample_exploration_summary(&e);
    assert_false(sample_contains(text, "wait until"));
    free(text);
    e.left_waiting = 0;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "note: Every known order was run in which tests and probes "
                                      "wait until they succeed or no rank can continue: "
                                      "6.\n"));
    free(text);
    ork_exploration_release(&e);
}

static void loops_that_may_be_endless_are_named(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.site[0].is_endless = true;
    char *text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "note: Every order was run, assuming that these polling "
                                      "loops time out only where a run showed it: MPI_Recv at main "
                                      "(farm.c:40).\n"));
    free(text);
    e.repeats_polls = true;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(
        text, "note: Every order was run, assuming that no result depends on how often the same "
              "test or probe "
              "is unsuccessful in a row, and that these polling loops time out only where "
              "a run showed it: MPI_Recv at main (farm.c:40).\n"));
    free(text);
    e.is_complete = false;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "note: These polling loops went on when they were to time "
                                      "out; it is assumed that they time out only where a "
                                      "run showed it: MPI_Recv at main (farm.c:40).\n"));
    free(text);
    ork_exploration_release(&e);
}

static void choices_that_were_not_confirmed_are_not_said_to_lead_there(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_farm(&e);
    e.outcome[0].confirmed = 0;
    e.outcome[0].is_minimal = false;
    char *text = sample_exploration_summary(&e);
    assert_true(sample_contains(text,
                                "    choices of run 7 (no run that forced only these choices is "
                                "known to have the same outcome):\n      rank 0, choice 1"));
    free(text);
    uint32_t forced = e.outcome[0].num_forced;
    e.outcome[0].confirmed = 1;
    e.outcome[0].num_forced = 0;
    text = sample_exploration_summary(&e);
    e.outcome[0].num_forced = forced;
    assert_true(sample_contains(text, "    a run that forced no choice had the same outcome\n"));
    free(text);
    ork_exploration_release(&e);
}

static void the_file_begins_with_the_mark_and_the_command(void **state)
{
    static const char start[] = "orknot report\n\ncommand: ./farm 4\n\norknot: 10 orders: all end "
                                "with the same output.\norknot: note: Every order was run.\n";
    struct ork_exploration e;

    (void)state;
    sample_clean(&e);
    char *text = sample_exploration_text(&e);
    assert_string_equal(text, start);
    free(text);
    ork_exploration_release(&e);
}

static void what_was_not_run_is_told_in_sentences(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_large(&e, 1000);
    char *text = sample_exploration_summary(&e);
    const char *limits = strstr(text, "orknot: note:");
    assert_non_null(limits);
    assert_string_equal(
        limits,
        "orknot: note: The exploration ended at its limit of runs (--must:explore-bounds "
        "runs=1000): "
        "1,200 known orders were not run.\n"
        "orknot: note: The orders were picked at random (--must:explore-bounds sample).\n"
        "orknot: note: 10 alternatives were left out, because the choice comes more than 2 choices "
        "after the changed one (--must:explore-bounds mixing=2).\n"
        "orknot: note: 11 alternatives were left out, because the choice is not among the first 3 "
        "of its rank at its call site (--must:explore-bounds loop=3).\n"
        "orknot: note: 12 alternatives were left out, because 4 had been tried at its call site "
        "(--must:explore-bounds quota=4).\n"
        "orknot: note: 13 alternatives were left out, because only ranks that do the same work "
        "change places (--must:explore-bounds symmetric=1-4). This is valid only if these ranks "
        "are "
        "alike.\n"
        "orknot: note: 3 runs could not follow their orders: the program "
        "depends on more than the order of messages (time, random numbers, threads), or an "
        "operation completed later than the order says.\n"
        "orknot: note: 1 run has no result: the tool failed, or the run was ended from outside.\n"
        "orknot: note: There are about 4,000,000 orders within these bounds, assuming that those "
        "not run branch like those that were.\n"
        "orknot: to go on: mustrun --must:explore --must:explore-resume -np 5 ./farm\n");
    free(text);
    ork_exploration_release(&e);
}

static void the_end_before_all_is_run_has_its_reason(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_clean(&e);
    e.is_complete = false;
    e.is_interrupted = true;
    char *text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "The exploration was interrupted: there may be more orders"));
    free(text);
    e.is_interrupted = false;
    e.left = 1;
    e.bounds.seconds = 2.5;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "orknot: 10 of 11 known orders were run: each ends with the "
                                      "same output.\n"));
    assert_true(sample_contains(text,
                                "ended at its limit of time (--must:explore-bounds time=2.5): "
                                "1 known order was not run.\n"));
    free(text);
    e.estimate = 4321;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "note: There are about 4,300 orders in all, assuming"));
    free(text);
    e.left = 0;
    e.left_out[ORK_LEFT_OUT_LOOP] = 1;
    text = sample_exploration_summary(&e);
    assert_true(
        sample_contains(text, "orknot: 10 orders were run: each ends with the same output.\n"));
    assert_true(sample_contains(text, "note: Every known order within the bounds was run, but not "
                                      "those outside of them.\n"));
    assert_true(sample_contains(text, "note: 1 alternative was left out, because"));
    free(text);
    e.left_out[ORK_LEFT_OUT_LOOP] = 0;
    e.diverged = 1;
    text = sample_exploration_summary(&e);
    assert_true(sample_contains(text, "note: Every known order was run, but there may be more.\n"));
    assert_true(sample_contains(text, "note: 1 run could not follow its order: "));
    free(text);
    ork_exploration_release(&e);
}

static void one_bad_outcome_among_many_does_not_hide_the_others(void **state)
{
    struct ork_exploration e;
    struct ork_outcome *three;

    (void)state;
    sample_farm(&e);
    three = e.outcome;
    e.outcome = calloc(12, sizeof(*e.outcome));
    assert_non_null(e.outcome);
    for (uint32_t i = 0; i < 9; i++)
        e.outcome[i] = (struct ork_outcome){.kind = ORK_OUTCOME_EXIT,
                                            .is_bad = true,
                                            .message = strdup("exit code 3"),
                                            .runs = 1,
                                            .first = 1};
    memcpy(e.outcome + 9, three, 3 * sizeof(*three));
    free(three);
    e.num_outcomes = 12;
    char *text = sample_exploration_summary(&e);
    assert_int_equal(sample_count(text, ": error: outcome "), 8);
    assert_true(sample_contains(text, "    ... and 3 more outcomes, see the report\n"));
    assert_true(
        sample_contains(text, "    the first run, which forced no choice, had this outcome"));
    free(text);
    text = sample_exploration_text(&e);
    assert_int_equal(sample_count(text, ": error: outcome "), 11);
    assert_true(sample_contains(text, "with another, 1 deadlocks, 9 end with an exit code other "
                                      "than 0."));
    free(text);
    ork_exploration_release(&e);
}

static void expect_summary(struct ork_exploration *e, enum ork_outcome_kind kind, uint64_t runs,
                           const char *wanted)
{
    e->outcome[0].kind = kind;
    e->outcome[0].runs = e->runs = e->orders = runs;
    char *text = sample_exploration_summary(e);
    assert_memory_equal(text, wanted, strlen(wanted));
    free(text);
}

static void one_outcome_of_all_orders_is_told_in_one_phrase(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_clean(&e);
    expect_summary(&e, ORK_OUTCOME_ENDED, 1, "orknot: 1 order: 1 ends without an error.\n");
    expect_summary(&e, ORK_OUTCOME_HANG, 1, "orknot: 1 order: 1 hangs.\n");
    expect_summary(&e, ORK_OUTCOME_SIGNAL, 2, "orknot: 2 orders: all crash.\n");
    e.outcome[0].runs = 0;
    ork_exploration_release(&e);
    char *text = sample_exploration_summary(&e);
    assert_memory_equal(text, "orknot: No order was run to its end.\n", 37);
    free(text);
}

static void runs_that_repeat_an_order_are_counted_apart(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_clean(&e);
    e.orders = 9;
    char *text = sample_exploration_summary(&e);
    assert_memory_equal(text, "orknot: 10 runs of 9 orders: all end", 36);
    free(text);
    ork_exploration_release(&e);
}

static void hostile_strings_stay_on_their_line(void **state)
{
    struct ork_exploration e;

    (void)state;
    sample_hostile_exploration(&e);
    char *text = sample_exploration_text(&e);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_true(strchr(" o\nc", *line) != NULL);
    for (const char *c = text; *c != '\0'; c++)
        assert_true(*c == '\n' || ((unsigned char)*c >= 0x20 && *c != 0x7f));
    free(text);
    ork_exploration_release(&e);
}

static void expect_progress(struct ork_exploration_progress progress, const char *wanted)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    ork_viz_progress_text(&progress, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(buffer, wanted);
    free(buffer);
}

static void progress_is_one_line(void **state)
{
    (void)state;
    expect_progress((struct ork_exploration_progress){.runs = 1, .outcomes = 1},
                    "1 run, 0 orders left, 0.0 runs a second, 1 outcome");
    expect_progress((struct ork_exploration_progress){.runs = 1250,
                                                      .left = 1,
                                                      .outcomes = 3,
                                                      .bad = 2,
                                                      .seconds = 100,
                                                      .earlier = 1000,
                                                      .max_runs = 1300},
                    "1,250 runs, 1 order left, 2.5 runs a second, 3 outcomes (2 bad), at most 20 s "
                    "left");
    expect_progress(
        (struct ork_exploration_progress){
            .runs = 4000, .outcomes = 1, .seconds = 100, .max_runs = 1000000, .max_seconds = 700},
        "4,000 runs, 0 orders left, 40 runs a second, 1 outcome, at most 10 min left");
    expect_progress(
        (struct ork_exploration_progress){
            .runs = 400, .left = 7, .more = 160, .outcomes = 1, .seconds = 100, .max_runs = 1000},
        "400 runs, 7 orders left, 4.0 runs a second, 1 outcome, about 40 s left");
    expect_progress(
        (struct ork_exploration_progress){
            .runs = 400, .left = 7, .more = 1e30, .outcomes = 1, .seconds = 100, .max_runs = 1000},
        "400 runs, 7 orders left, 4.0 runs a second, 1 outcome, at most 2 min left");
    expect_progress(
        (struct ork_exploration_progress){.outcomes = 0, .seconds = 9, .max_seconds = 8},
        "0 runs, 0 orders left, 0.0 runs a second, 0 outcomes, at most 0 s left");
    expect_progress(
        (struct ork_exploration_progress){
            .runs = 24, .outcomes = 3, .bad = 2, .minimized = 2, .attempts = 7, .max_attempts = 24},
        "24 runs, 3 outcomes (2 bad); further runs, 7 of at most 24, show which choices lead to "
        "outcome 2");
}

int test_exploration_text(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_says_how_all_orders_end_and_what_leads_to_the_bad_ones),
        cmocka_unit_test(one_choice_is_told_in_the_singular),
        cmocka_unit_test(loops_that_may_be_endless_are_named),
        cmocka_unit_test(choices_that_suffice_need_not_be_deciding),
        cmocka_unit_test(a_number_of_polls_is_assumed_to_change_nothing),
        cmocka_unit_test(orders_in_which_polls_wait_are_counted),
        cmocka_unit_test(choices_that_were_not_confirmed_are_not_said_to_lead_there),
        cmocka_unit_test(the_file_begins_with_the_mark_and_the_command),
        cmocka_unit_test(what_was_not_run_is_told_in_sentences),
        cmocka_unit_test(the_end_before_all_is_run_has_its_reason),
        cmocka_unit_test(one_bad_outcome_among_many_does_not_hide_the_others),
        cmocka_unit_test(one_outcome_of_all_orders_is_told_in_one_phrase),
        cmocka_unit_test(runs_that_repeat_an_order_are_counted_apart),
        cmocka_unit_test(hostile_strings_stay_on_their_line),
        cmocka_unit_test(progress_is_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
