/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong uses of MPI that ranks found in their own calls: one finding for all ranks, its severity by
 * how the calls end, and what is untrusted in the records. */
#include "record/usage.h"
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

static const char negative[] = "count";

static struct ork_record usage(uint32_t number, enum ork_usage_event event)
{
    return (struct ork_record){.kind = ORK_KIND_USAGE,
                               .call = ORK_CALL_MPI_Send,
                               .mode = ORK_USAGE_NEGATIVE_COUNT,
                               .site = 1,
                               .request = number,
                               .peer = (int32_t)event};
}

static void add_found(struct script *s, uint32_t number, int64_t value)
{
    struct ork_record r = usage(number, ORK_USAGE_FOUND);

    r.extra = (uint64_t)value;
    script_text(s, r, negative, sizeof(negative));
}

static void add_returned(struct script *s, uint32_t number, const char *error)
{
    struct ork_record r = usage(number, ORK_USAGE_RETURNED);

    if (error != NULL)
        r.flags = ORK_F_ERROR;
    script_text(s, r, error != NULL ? error : "", error != NULL ? strlen(error) : 0);
}

static void add_count(struct script *s, uint32_t number, uint64_t times, bool varies)
{
    struct ork_record r = usage(number, ORK_USAGE_COUNTED);

    r.extra = times;
    r.arg = varies;
    script_add(s, r);
}

static void play(struct run *run)
{
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
}

static void ranks_at_one_place_are_one_finding(void **state)
{
    struct run *run = *state;

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        add_found(&run->script[r], 0, -1 - (int64_t)r);
        add_returned(&run->script[r], 0, NULL);
    }
    play(run);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    run_assert_reported(run, 0, "invalid-argument", ORK_CLASS_NONE,
                        "count is -3 to -1 in MPI_Send of ranks 0-2");
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
    assert_int_equal(run->reported[0].num_ranks, 3);
}

static void it_is_reported_during_the_run_and_completed_at_its_end(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_found(&run->script[1], 0, -1);
    add_returned(&run->script[1], 0, NULL);
    play(run);
    run_step(run, 1, 1000);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].message, "count is -1 in MPI_Send of rank 1");
    add_count(&run->script[1], 0, 1000, false);
    add_found(&run->script[2], 0, -1);
    add_returned(&run->script[2], 0, NULL);
    play(run);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->changed, 1);
    assert_string_equal(run->reported[0].message,
                        "count is -1 in MPI_Send of ranks 1 and 2, 1 to 1,000 times each");
}

/* The text has the values of the first time only. */
static void values_that_vary_are_those_of_the_first_time(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_found(&run->script[1], 0, -1);
    add_returned(&run->script[1], 0, NULL);
    add_count(&run->script[1], 0, 3, true);
    play(run);
    run_end_all(run);
    run_assert_reported(run, 0, "invalid-argument", ORK_CLASS_NONE,
                        "count is -1 in MPI_Send of rank 1, the first of 3 times");
}

/* The program itself made the access: there is no call. */
static void an_access_is_named_by_its_place(void **state)
{
    struct run *run = *state;
    struct ork_record r = usage(0, ORK_USAGE_FOUND);

    r.call = ORK_CALL_NONE;
    r.mode = ORK_USAGE_LOAD_WHILE_WRITTEN;
    r.tag = ORK_CALL_MPI_Irecv;
    r.extra = 8;
    r.peer2 = 15;
    run_init(run);
    script_text(&run->script[1], r, "", 1);
    play(run);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    run_assert_reported(run, 0, "buffer-access", ORK_CLASS_NONE,
                        "the load of rank 1 reads bytes 8 to 15 of a buffer that the pending "
                        "MPI_Irecv writes");
}

static void an_error_that_is_returned_is_a_warning(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_found(&run->script[0], 0, -1);
    add_returned(&run->script[0], 0, "MPI_ERR_COUNT: invalid count argument");
    play(run);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].severity, ORK_WARNING);
}

/* The library may never return from it, and nobody may end the run. */
static void a_call_that_does_not_return_is_reported_during_the_run(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_found(&run->script[0], 0, -1);
    play(run);
    run_step(run, 1, 1000);
    assert_int_equal(run->findings, 0);
    run_step(run, 1, 3000);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
    add_returned(&run->script[0], 0, "MPI_ERR_COUNT: invalid count argument");
    play(run);
    run_end_all(run);
    assert_int_equal(run->changed, 1);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].severity, ORK_WARNING);
}

/* Rank 0 dies in the call: one cause, one finding. */
static void a_call_that_ends_the_run_explains_the_end(void **state)
{
    struct run *run = *state;
    static const struct ork_record last = {.kind = ORK_KIND_SEND, .call = ORK_CALL_MPI_Send};

    run_init(run);
    add_found(&run->script[0], 0, -1);
    play(run);
    run_end_as(run, 0,
               &(struct ork_ending){.how = ORK_DEATH_INSIDE,
                                    .kind = ORK_NOTE_ERROR,
                                    .last = last,
                                    .call = "MPI_Send",
                                    .text = "MPI_ERR_COUNT"});
    run_end(run, 1, ORK_DEATH_OUTSIDE);
    run_end(run, 2, ORK_DEATH_OUTSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    run_assert_reported(run, 0, "invalid-argument", ORK_CLASS_NONE,
                        "count is -1 in MPI_Send of rank 0");
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
}

static void broadcast(struct script *s, int32_t root)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_COLL,
                                      .call = ORK_CALL_MPI_Bcast,
                                      .mode = ORK_COLL_BCAST,
                                      .site = 3,
                                      .peer = root});
}

/* Two threads of rank 0 are in MPI_Bcast, or (`at` another place) in other calls. */
static void broadcast_by_threads(struct run *run, uint32_t at)
{
    struct ork_record found = usage(0, ORK_USAGE_FOUND);

    found.mode = ORK_USAGE_CONCURRENT_COLLECTIVES;
    found.call = ORK_CALL_MPI_Bcast;
    found.site = at;
    run_init(run);
    script_list(&run->script[0], found, NULL, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        broadcast(&run->script[r], r == 0 ? 1 : 0);
    play(run);
    run_end_all(run);
}

static void two_threads_in_a_collective_call_are_no_mismatch_as_well(void **state)
{
    struct run *run = *state;

    broadcast_by_threads(run, 3);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "thread-concurrency");
}

static void a_mismatch_of_other_calls_stays_one(void **state)
{
    struct run *run = *state;

    broadcast_by_threads(run, 4);
    assert_int_equal(run->findings, 2);
}

/* Slot by slot. */
static void play_in_parts(struct run *run, uint32_t rank)
{
    struct script *s = &run->script[rank];
    const struct script whole = *s;

    for (size_t i = 0; i < whole.n; i++) {
        s->record[0] = whole.record[i];
        s->n = 1;
        run_play(run, rank, ORK_STATE_RUNNING);
    }
}

static void a_list_may_come_in_parts(void **state)
{
    struct run *run = *state;
    static const char argument[] = "an argument whose name is so long that it needs two slots";

    run_init(run);
    for (uint32_t number = 0; number < 2; number++) {
        struct ork_record r = usage(number, ORK_USAGE_FOUND);
        r.extra = UINT64_MAX;
        r.site = number + 1;
        script_text(&run->script[1], r, number == 0 ? argument : negative,
                    number == 0 ? sizeof(argument) : sizeof(negative));
        add_returned(&run->script[1], number, NULL);
    }
    play_in_parts(run, 1);
    run_end_all(run);
    assert_int_equal(run->findings, 2);
    run_assert_reported(run, 0, "invalid-argument", ORK_CLASS_NONE,
                        "an argument whose name is so long that it needs two slots is -1 in "
                        "MPI_Send of rank 1");
    run_assert_reported(run, 1, "invalid-argument", ORK_CLASS_NONE,
                        "count is -1 in MPI_Send of rank 1");
}

static void invalid_records_are_ignored(void **state)
{
    struct run *run = *state;
    struct script *s = &run->script[0];
    struct ork_record r = usage(0, ORK_USAGE_FOUND);

    run_init(run);
    add_returned(s, 7, NULL);  /* of none */
    add_count(s, 1, 5, false); /* the same */
    add_found(s, 1, -1);       /* numbers begin with 0 */
    r.mode = ORK_USAGE_MAX;    /* no such check */
    script_text(s, r, negative, sizeof(negative));
    r.mode = ORK_USAGE_NEGATIVE_COUNT;
    r.bytes = 1000; /* without a list that long */
    script_add(s, r);
    play(run);
    run_end_all(run);
    assert_int_equal(run->findings, 0);
}

/* ---- before MPI_Init ---- */

/* A rank that has not called MPI_Init finds this; `size`: of its job, 0: unknown. */
static void find_early(struct run *run, uint32_t rank, uint32_t size)
{
    struct script *s = &run->script[rank];
    struct ork_record r = usage(0, ORK_USAGE_FOUND);

    script_add(s, (struct ork_record){.kind = ORK_KIND_JOB, .peer = (int32_t)rank, .arg2 = size});
    r.call = ORK_CALL_MPI_Barrier;
    r.mode = ORK_USAGE_BEFORE_INIT;
    script_text(s, r, "", 1);
    run_play(run, rank, ORK_STATE_RUNNING);
}

static void a_run_that_never_begins_has_its_finding(void **state)
{
    struct run *run = *state;
    const struct ork_ending ended = {.how = ORK_DEATH_BEFORE,
                                     .kind = ORK_NOTE_ERROR,
                                     .call = "MPI_Barrier",
                                     .text = "",
                                     .time_ns = 10};

    find_early(run, 1, RANKS);
    run_end_as(run, 1, &ended);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1); /* no abnormal-end in addition */
    run_assert_reported(run, 0, "init-finalize", ORK_CLASS_NONE,
                        "MPI_Barrier of rank 1 is called before MPI_Init");
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
}

static void a_program_without_mpi_may_end(void **state)
{
    struct run *run = *state;
    const struct ork_ending left = {.how = ORK_DEATH_BEFORE, .kind = ORK_NOTE_EXIT, .time_ns = 10};
    const struct ork_ending crash = {
        .how = ORK_DEATH_BEFORE, .kind = ORK_NOTE_SIGNAL, .value = 11, .time_ns = 20};

    find_early(run, 0, RANKS);
    add_returned(&run->script[0], 0, NULL);
    run_play(run, 0, ORK_STATE_RUNNING);
    run_end_as(run, 0, &left);
    find_early(run, 1, RANKS);
    add_returned(&run->script[1], 0, NULL);
    run_play(run, 1, ORK_STATE_RUNNING);
    run_end_as(run, 1, &crash);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 2);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 1 was killed by SIGSEGV before MPI_Init");
    run_assert_reported(run, 1, "init-finalize", ORK_CLASS_NONE,
                        "MPI_Barrier of ranks 0 and 1 is called before MPI_Init");
}

/* RATIONALE: the size decides how many ranks there are, so a wrong one must not be believed. */
static void the_size_of_the_job_is_not_trusted(void **state)
{
    struct run *run = *state;

    find_early(run, 1, 1);             /* rank 1 of one rank */
    find_early(run, 2, ORK_RANKS_MAX); /* too large */
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

/* So many datatypes of one place. */
static void add_leak(struct script *s, uint64_t datatypes, uint64_t freed)
{
    static const char datatype[] = "datatype";
    struct ork_record r = usage(0, ORK_USAGE_FOUND);

    r.call = ORK_CALL_MPI_Type_contiguous;
    r.mode = ORK_USAGE_HANDLE_LEAK;
    r.extra = datatypes;
    script_text(s, r, datatype, sizeof(datatype));
    r.peer = ORK_USAGE_RETURNED;
    r.extra = 0;
    script_text(s, r, "", 0);
    for (uint64_t i = 0; i < freed; i++) {
        r.peer = ORK_USAGE_TAKEN_BACK;
        script_add(s, r);
    }
}

/* RATIONALE: it may be freed as long as the process lives. */
static void leaks_are_reported_when_the_run_is_over(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_leak(&run->script[1], 2, 0);
    play(run);
    run_step(run, 1, 10000);
    assert_int_equal(run->findings, 0);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    run_assert_reported(
        run, 0, "resource-leak", ORK_CLASS_NONE,
        "2 datatypes of MPI_Type_contiguous were not freed before MPI_Finalize by rank 1");
}

static void what_is_freed_too_late_is_no_leak_as_well(void **state)
{
    struct run *run = *state;

    run_init(run);
    add_leak(&run->script[0], 1, 1);
    add_leak(&run->script[1], 2, 1);
    add_leak(&run->script[2], 1, 2); /* the record is invalid: it says more than there are */
    play(run);
    run_end_all(run);
    assert_int_equal(run->findings, 1);
    run_assert_reported(
        run, 0, "resource-leak", ORK_CLASS_NONE,
        "1 datatype of MPI_Type_contiguous was not freed before MPI_Finalize by rank 1");
}

static void add_dropped(struct script *s, uint64_t count)
{
    struct ork_record r = usage(0, ORK_USAGE_DROPPED);

    r.extra = count;
    script_add(s, r);
}

static void assert_note(struct run *run, const char *note)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.num_notes, note != NULL ? 1 : 0);
    if (note != NULL)
        assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

static void what_a_rank_had_no_room_for_is_counted(void **state)
{
    struct run *run = *state;

    run_init(run);
    play(run);
    assert_note(run, NULL);
    add_dropped(&run->script[1], 1);
    play(run);
    assert_note(run,
                "at most 4,096 different mistakes are reported of one rank: 1 further wrong call "
                "or leak of rank 1 is not reported");
    add_dropped(&run->script[1], 5904);
    add_dropped(&run->script[2], 16);
    play(run);
    assert_note(run,
                "at most 4,096 different mistakes are reported of one rank: 5,920 further wrong "
                "calls and leaks of ranks 1 and 2 are not reported");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, run_set_up, run_tear_down)

int test_usages(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ranks_at_one_place_are_one_finding),
        TEST(it_is_reported_during_the_run_and_completed_at_its_end),
        TEST(values_that_vary_are_those_of_the_first_time),
        TEST(an_access_is_named_by_its_place),
        TEST(an_error_that_is_returned_is_a_warning),
        TEST(a_call_that_does_not_return_is_reported_during_the_run),
        TEST(a_call_that_ends_the_run_explains_the_end),
        TEST(two_threads_in_a_collective_call_are_no_mismatch_as_well),
        TEST(a_mismatch_of_other_calls_stays_one),
        TEST(a_list_may_come_in_parts),
        TEST(invalid_records_are_ignored),
        TEST(leaks_are_reported_when_the_run_is_over),
        TEST(what_is_freed_too_late_is_no_leak_as_well),
        TEST(what_a_rank_had_no_room_for_is_counted),
        TEST(a_run_that_never_begins_has_its_finding),
        TEST(a_program_without_mpi_may_end),
        TEST(the_size_of_the_job_is_not_trusted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
