/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:races: receives that could have taken another message are notes at the end of the run. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

enum { TAG = 4 };

static void begin(struct run *run, bool races)
{
    run_create_as(run, &(struct ork_root_options){.deadlocks = true, .races = races});
    run_init(run);
}

static int set_up(void **state)
{
    static struct run run;

    begin(&run, true);
    *state = &run;
    return 0;
}

/* A call from any source takes a message of this one. All with the same function are at one call
 * site. */
static void add_call(struct script *s, struct ork_record call, int32_t source)
{
    call.site = call.call;
    call.request = ORK_REQUEST_NULL;
    call.peer = ORK_ANY_SOURCE;
    call.tag = TAG;
    script_add(s, call);
    script_add(s,
               (struct ork_record){.kind = ORK_KIND_EXIT, .peer = source, .tag = TAG, .extra = 1});
}

static void add_receive(struct script *s, int32_t source)
{
    add_call(s, (struct ork_record){.kind = ORK_KIND_RECV, .call = ORK_CALL_MPI_Recv}, source);
}

/* The one note of the report before that of test_unlooked.c; NULL: there is none. */
static void assert_note(const struct run *run, const char *note)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.num_notes, 1 + (note != NULL));
    if (note != NULL)
        assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

/* Rank 0 takes a message of each other rank, which sends it at once. */
static void add_farm(struct run *run)
{
    script_send(&run->script[1], 0, TAG);
    script_send(&run->script[2], 0, TAG);
    add_receive(&run->script[0], 1);
    add_receive(&run->script[0], 2);
}

static void a_receive_that_could_have_taken_another_message_is_a_note(void **state)
{
    struct run *run = *state;

    add_farm(run);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    run_step(run, 1, 10);
    assert_int_equal(run->findings, 0); /* at the end only */
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    run_assert_reported(
        run, 0, "message-race", ORK_CLASS_NONE,
        "the MPI_Recv of rank 0 could have taken another message 1 of 2 times, from rank 2");
    assert_int_equal(run->reported[0].severity, ORK_NOTE);
    assert_false(run->reported[0].fatal);
    assert_int_equal(run->reported[0].num_ranks, 1);
    assert_int_equal(run->reported[0].ranks[0], 0);
    assert_note(run, NULL);
}

static void without_the_option_there_is_none(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    begin(run, false);
    add_farm(run);
    run_end_all(run);
    assert_int_equal(run->findings, 0);
}

static void a_message_that_depends_on_the_receive_is_no_race(void **state)
{
    struct run *run = *state;

    script_send(&run->script[1], 0, TAG);
    add_receive(&run->script[0], 1);
    script_send(&run->script[0], 2, TAG);
    script_recv(&run->script[2], 0, TAG);
    script_send(&run->script[2], 0, TAG);
    add_receive(&run->script[0], 2);
    run_end_all(run);
    assert_int_equal(run->findings, 0);
}

static void ranks_at_one_place_are_one_finding(void **state)
{
    struct run *run = *state;

    add_farm(run);
    script_send(&run->script[0], 1, TAG);
    script_send(&run->script[2], 1, TAG);
    add_receive(&run->script[1], 0);
    add_receive(&run->script[1], 2);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    run_assert_reported(
        run, 0, "message-race", ORK_CLASS_NONE,
        "the MPI_Recv of ranks 0 and 1 could have taken another message 2 of 4 times, from rank 2");
    assert_int_equal(run->reported[0].num_ranks, 2);
}

/* As many places as that: no two have the same call. */
static void add_places(struct run *run, uint16_t places)
{
    for (uint16_t i = 0; i < places; i++) {
        script_send(&run->script[1], 0, TAG);
        script_send(&run->script[2], 0, TAG);
        add_call(&run->script[0], (struct ork_record){.kind = ORK_KIND_RECV, .call = i + 1u}, 1);
        add_call(&run->script[0], (struct ork_record){.kind = ORK_KIND_RECV, .call = i + 1u}, 2);
    }
}

static void the_most_raced_place_is_the_first(void **state)
{
    struct run *run = *state;

    add_farm(run);
    for (uint64_t i = 3; i < 7; i++) {
        script_send(&run->script[i % 2 + 1], 0, TAG);
        add_call(&run->script[0],
                 (struct ork_record){.kind = ORK_KIND_RECV, .call = ORK_CALL_MPI_Sendrecv},
                 (int32_t)(i % 2 + 1));
    }
    run_end_all(run);
    assert_int_equal(run->findings, 2);
    assert_non_null(strstr(run->reported[0].message, "MPI_Sendrecv"));
    assert_non_null(strstr(run->reported[1].message, "MPI_Recv"));
}

static void of_many_places_some_are_only_counted(void **state)
{
    struct run *run = *state;

    add_places(run, 21);
    run_end_all(run);
    assert_int_equal(run->findings, 20);
    assert_note(run, "1 more call could have taken other messages (--must:races)");
}

static void further_places_are_counted(void **state)
{
    struct run *run = *state;

    add_places(run, 25);
    run_end_all(run);
    assert_int_equal(run->findings, 20);
    assert_note(run, "5 more calls could have taken other messages (--must:races)");
}

static void ranks_that_switched_reports_off_have_none(void **state)
{
    struct run *run = *state;

    add_farm(run);
    script_add(&run->script[0], (struct ork_record){.kind = ORK_KIND_CONTROL, .arg = 0});
    run_end_all(run);
    assert_int_equal(run->findings, 0);
}

static void ranks_that_are_not_followed_are_named(void **state)
{
    struct run *run = *state;

    add_farm(run);
    script_send(&run->script[1], ORK_PROC_NULL, TAG);
    run->script[1].record[run->script[1].n - 1].thread = 1;
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    assert_note(run, "the search for races of messages did not follow rank 1 to the end (several "
                     "of its threads call MPI)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, run_tear_down)

int test_races(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_receive_that_could_have_taken_another_message_is_a_note),
        TEST(without_the_option_there_is_none),
        TEST(a_message_that_depends_on_the_receive_is_no_race),
        TEST(ranks_at_one_place_are_one_finding),
        TEST(the_most_raced_place_is_the_first),
        TEST(of_many_places_some_are_only_counted),
        TEST(further_places_are_counted),
        TEST(ranks_that_switched_reports_off_have_none),
        TEST(ranks_that_are_not_followed_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
