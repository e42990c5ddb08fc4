/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tool did not look at is a note of a run that went well, and only if the run has it. */
#include "record/access.h"
#include "record/unread.h"
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

#define ORDERS "the tool did not run other orders of the messages that "
#define MEMORY "the tool did not see loads and stores of "
#define BYTES  "the tool compared only some bytes of send buffers"

enum { TAG = 4, NOTES = 3 };

static void begin(struct run *run, const struct ork_root_options *options)
{
    run_create_as(run, options);
    run_init(run);
}

static int set_up(void **state)
{
    static struct run run;

    begin(&run, &(struct ork_root_options){.deadlocks = true});
    *state = &run;
    return 0;
}

/* How the notes of the report begin. */
static void assert_notes(const struct run *run, const char *first, const char *second,
                         const char *third)
{
    const char *const expected[NOTES] = {first, second, third};
    struct ork_report report;
    uint32_t n = 0;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    for (; n < NOTES && expected[n] != NULL && n < report.num_notes; n++)
        assert_memory_equal(report.note[n], expected[n], strlen(expected[n]));
    assert_int_equal(report.num_notes, n);
    assert_true(n == NOTES || expected[n] == NULL);
    ork_report_release(&report);
}

/* A receive from this source or any takes a message. */
static void add_receive(struct script *s, int32_t peer, int32_t source)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_RECV,
                                      .call = ORK_CALL_MPI_Recv,
                                      .site = 1,
                                      .request = ORK_REQUEST_NULL,
                                      .peer = peer,
                                      .tag = TAG});
    script_add(s,
               (struct ork_record){.kind = ORK_KIND_EXIT, .peer = source, .tag = TAG, .extra = 1});
}

static void add_probe(struct script *s, int32_t source)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_PROBED,
                                      .call = ORK_CALL_MPI_Iprobe,
                                      .site = 2,
                                      .peer = ORK_ANY_SOURCE,
                                      .tag = TAG,
                                      .peer2 = source,
                                      .tag2 = TAG});
}

/* Rank 0 takes a message of each other rank, which sends it at once. */
static void add_farm(struct run *run, int32_t peer1, int32_t peer2)
{
    script_send(&run->script[1], 0, TAG);
    script_send(&run->script[2], 0, TAG);
    add_receive(&run->script[0], peer1, 1);
    add_receive(&run->script[0], peer2, 2);
}

static void add_memory(struct script *s, uint64_t bytes, uint32_t info)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                                      .call = ORK_CALL_MPI_Win_allocate,
                                      .site = 3,
                                      .comm = 7,
                                      .request = ORK_REQUEST_NULL,
                                      .peer = ORK_NO_PEER,
                                      .extra = 4096,
                                      .bytes = bytes,
                                      .arg2 = info});
}

static void add_unread(struct script *s, enum ork_unread mode)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_UNREAD,
                                      .call = ORK_CALL_MPI_Isend,
                                      .mode = (uint16_t)mode,
                                      .site = 4,
                                      .request = ORK_REQUEST_NULL,
                                      .peer = ORK_NO_PEER,
                                      .extra = 1});
}

static void play(struct run *run)
{
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
}

static void receives_that_any_rank_may_answer_are_counted(void **state)
{
    struct run *run = *state;

    add_farm(run, ORK_ANY_SOURCE, ORK_ANY_SOURCE);
    add_probe(&run->script[0], 2);
    play(run);
    run_end_all(run);
    assert_notes(run, ORDERS "3 receives and probes from MPI_ANY_SOURCE took (--must:explore does)",
                 NULL, NULL);
}

static void receives_that_name_their_sources_are_not(void **state)
{
    struct run *run = *state;

    add_farm(run, 1, 2);
    play(run);
    run_end_all(run);
    assert_notes(run, NULL, NULL, NULL);
}

static void races_that_were_searched_are_counted_instead(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    begin(run, &(struct ork_root_options){.deadlocks = true, .races = true});
    add_farm(run, ORK_ANY_SOURCE, ORK_ANY_SOURCE);
    play(run);
    run_end_all(run);
    assert_notes(run, ORDERS "1 receive or probe could have taken (--must:explore does)", NULL,
                 NULL);
}

static void searched_receives_without_a_race_are_none(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    begin(run, &(struct ork_root_options){.deadlocks = true, .races = true});
    script_send(&run->script[1], 0, TAG);
    add_receive(&run->script[0], ORK_ANY_SOURCE, 1);
    play(run);
    run_end_all(run);
    assert_notes(run, NULL, NULL, NULL);
}

static void memory_of_windows_is_named_by_ranks(void **state)
{
    struct run *run = *state;

    add_memory(&run->script[0], 64, 0);
    add_memory(&run->script[1], 0, 0);
    add_memory(&run->script[2], 64, 0);
    play(run);
    run_end_all(run);
    assert_notes(run, MEMORY "ranks 0 and 2 to their windows", NULL, NULL);
}

static void memory_whose_loads_and_stores_are_seen_is_not(void **state)
{
    struct run *run = *state;

    add_memory(&run->script[0], 64, ORK_WINDOW_TOUCHED);
    add_memory(&run->script[1], 0, 0);
    play(run);
    run_end_all(run);
    assert_notes(run, NULL, NULL, NULL);
}

static void nothing_is_said_of_windows_that_are_not_followed(void **state)
{
    struct run *run = *state;

    ork_root_destroy(run->root);
    begin(run, &(struct ork_root_options){.deadlocks = true, .rma = ORK_RMA_OFF});
    add_memory(&run->script[0], 64, 0);
    play(run);
    run_end_all(run);
    assert_notes(run, NULL, NULL, NULL);
}

static void samples_of_large_buffers_are_named_once(void **state)
{
    struct run *run = *state;

    add_unread(&run->script[0], ORK_UNREAD_SOME);
    add_unread(&run->script[1], ORK_UNREAD_SOME);
    play(run);
    run_end_all(run);
    assert_notes(run, BYTES, NULL, NULL);
}

/* Rank 0 alone spawned one process. */
static void add_spawn(struct script *s)
{
    const uint32_t groups[] = {0, 0, 1, UINT32_MAX, 8, 0, 0, 1, 1};

    script_list(s,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .mode = ORK_COLL_COMM_SPAWN,
                                    .call = ORK_CALL_MPI_Comm_spawn,
                                    .flags = ORK_F_INTER,
                                    .comm = 2,
                                    .arg2 = 1},
                groups, 9);
}

static void spawned_processes_that_never_come_are_missed(void **state)
{
    struct run *run = *state;
    struct ork_report report;

    add_spawn(&run->script[0]);
    play(run);
    run_end_all(run);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_false(report.complete);
    assert_int_equal(report.num_notes, 1);
    assert_string_equal(report.note[0], "the processes that the program spawned were not observed");
    ork_report_release(&report);
}

/* A communicator with a process of another job that has no name. */
static void add_foreign(struct script *s)
{
    const uint32_t groups[] = {0, 0, 1, UINT32_MAX, 0, 1};

    script_list(s,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .mode = ORK_COLL_COMM_ACCEPT,
                                    .call = ORK_CALL_MPI_Comm_accept,
                                    .flags = ORK_F_INTER,
                                    .comm = 2,
                                    .arg2 = 1},
                groups, 6);
}

static void calls_with_processes_that_are_not_known_are_missed(void **state)
{
    struct run *run = *state;
    struct ork_report report;

    add_foreign(&run->script[0]);
    play(run);
    run_end_all(run);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_false(report.complete);
    assert_int_equal(report.num_notes, 1);
    assert_string_equal(report.note[0],
                        "calls on communicators with processes of other jobs were not looked at: "
                        "it is not known which processes these are");
    ork_report_release(&report);
}

static void there_are_at_most_three(void **state)
{
    struct run *run = *state;

    add_unread(&run->script[0], ORK_UNREAD_SOME);
    add_memory(&run->script[1], 64, 0);
    add_farm(run, 1, ORK_ANY_SOURCE);
    play(run);
    run_end_all(run);
    assert_notes(run, ORDERS "1 receive or probe from MPI_ANY_SOURCE took", MEMORY "rank 1", BYTES);
}

static void a_run_that_ended_badly_has_none(void **state)
{
    struct run *run = *state;

    add_farm(run, ORK_ANY_SOURCE, ORK_ANY_SOURCE);
    script_recv(&run->script[1], 2, TAG);
    script_recv(&run->script[2], 1, TAG);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_true(run->findings > 0);
    assert_notes(run, NULL, NULL, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, run_tear_down)

int test_unlooked(void)
{
    const struct CMUnitTest tests[] = {
        TEST(receives_that_any_rank_may_answer_are_counted),
        TEST(receives_that_name_their_sources_are_not),
        TEST(races_that_were_searched_are_counted_instead),
        TEST(searched_receives_without_a_race_are_none),
        TEST(memory_of_windows_is_named_by_ranks),
        TEST(memory_whose_loads_and_stores_are_seen_is_not),
        TEST(nothing_is_said_of_windows_that_are_not_followed),
        TEST(samples_of_large_buffers_are_named_once),
        TEST(spawned_processes_that_never_come_are_missed),
        TEST(calls_with_processes_that_are_not_known_are_missed),
        TEST(there_are_at_most_three),
        TEST(a_run_that_ended_badly_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
