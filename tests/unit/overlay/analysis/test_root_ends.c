/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root says of ranks that end. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include "bytes/datatype/basic.h"
#include "record/calls.h"

static const struct ork_ending ended_by_launcher = {.how = ORK_DEATH_INSIDE,
                                                    .kind = ORK_NOTE_SIGNAL,
                                                    .value = 15,
                                                    .sender = 7,
                                                    .text = "mpirun",
                                                    .time_ns = 20};

static void a_rank_that_died_makes_nobody_deadlocked(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[1], 0, 0);
    script_recv(&run->script[2], 1, 0);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED);
    run_end(run, 0, ORK_DEATH_OUTSIDE);
    run_step(run, 1, 6000);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 0 ended without MPI_Finalize, cause unknown, after MPI_Init");
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
    assert_false(run->reported[0].fatal); /* the launcher ends the job */
    assert_int_equal(run->stuck, 0);
    run_step(run, 2, 12000);
    assert_int_equal(run->stuck, 1); /* and if it does not, it is told so */
    assert_int_equal(run->findings, 1);
}

static void a_rank_that_left_finalize_is_the_cause_for_those_who_wait_for_it(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_end(run, 0, ORK_DEATH_FINISHED);
    run_step(run, 1, 3000);
    run_assert_reported(run, 0, "deadlock", ORK_MANIFEST,
                        "rank 1 waits in MPI_Recv for rank 0, which has left MPI_Finalize");
    assert_true(run->reported[0].fatal); /* a launcher does not mind ranks that end in good order */
}

static void the_first_to_die_is_told_and_those_that_were_ended_for_it_are_not(void **state)
{
    struct run *run = *state;
    const struct ork_ending crash = {
        .how = ORK_DEATH_OUTSIDE, .kind = ORK_NOTE_SIGNAL, .value = 11, .time_ns = 10};

    run_init(run);
    run_play_all(run);
    run_end_as(run, 0, &ended_by_launcher);
    run_end_as(run, 2, &crash);
    run_end(run, 1, ORK_DEATH_INSIDE); /* by SIGKILL */
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 2 was killed by SIGSEGV after MPI_Init");
    assert_int_equal(run->reported[0].num_ranks, 1);
}

/* A launcher that does not end the others: it is told after a while. */
static void an_exit_that_leaves_others_behind_is_an_error(void **state)
{
    struct run *run = *state;
    const struct ork_ending left = {.how = ORK_DEATH_OUTSIDE, .kind = ORK_NOTE_EXIT, .time_ns = 10};

    run_init(run);
    run_play_all(run);
    run_end_as(run, 1, &left);
    run_step(run, 1, 10000);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 1 exited with code 0 without MPI_Finalize, after MPI_Init");
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
}

static void all_that_exit_with_0_are_no_error(void **state)
{
    struct run *run = *state;
    const struct ork_ending left = {.how = ORK_DEATH_OUTSIDE, .kind = ORK_NOTE_EXIT, .time_ns = 10};

    run_init(run);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run_end_as(run, r, &left);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].severity, ORK_WARNING);
}

/* The launcher lost a rank by SIGKILL, asked the next to end, and killed the last. */
static void the_first_that_ends_without_a_trace_was_killed(void **state)
{
    struct run *run = *state;
    const struct ork_ending first = {.how = ORK_DEATH_INSIDE, .time_ns = 10};
    const struct ork_ending last = {.how = ORK_DEATH_INSIDE, .time_ns = 30};

    run_init(run);
    run_play_all(run);
    run_end_as(run, 0, &last);
    run_end_as(run, 1, &ended_by_launcher);
    run_end_as(run, 2, &first);
    ork_root_set_launcher(run->root, 128 + 9);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
    assert_int_equal(run->reported[0].num_ranks, 1);
    assert_int_equal(run->reported[0].ranks[0], 2);
}

/* On a busy machine a rank that was asked to end may be killed before it has run again, and the
 * leaf may notice the ends in any order. */
static void no_rank_is_named_as_the_first_if_that_is_unknown(void **state)
{
    struct run *run = *state;
    const struct ork_ending a = {.how = ORK_DEATH_INSIDE, .time_ns = 1000000};
    const struct ork_ending b = {.how = ORK_DEATH_INSIDE, .time_ns = 2000000};

    run_init(run);
    run_play_all(run);
    run_end_as(run, 0, &b);
    run_end_as(run, 1, &ended_by_launcher);
    run_end_as(run, 2, &a);
    ork_root_set_launcher(run->root, 128 + 9);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "at least one of ranks 0 and 2 was killed by SIGKILL; the launcher may "
                        "have killed the others");
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
}

static void an_exit_code_without_a_signal_of_that_number_is_none(void **state)
{
    struct run *run = *state;
    const struct ork_ending lost = {.how = ORK_DEATH_INSIDE, .time_ns = 1};

    run_init(run);
    run_play_all(run);
    run_end_as(run, 0, &lost);
    run_end_as(run, 1, &ended_by_launcher);
    run_end_as(run, 2, &ended_by_launcher);
    ork_root_set_launcher(run->root, 128 + 77);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 0 ended without MPI_Finalize, cause unknown, in MPI_Init");
}

static void the_rank_that_got_the_first_signal_is_named(void **state)
{
    struct run *run = *state;
    struct ork_ending first = ended_by_launcher;

    first.sender = 9;
    first.text = "bash";
    first.time_ns = 1;
    run_init(run);
    run_play_all(run);
    run_end_as(run, 0, &ended_by_launcher);
    run_end_as(run, 1, &first);
    run_end_as(run, 2, &ended_by_launcher);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "the run was ended from outside: rank 1 got SIGTERM from process 9 (bash)");
}

/* The launcher lost rank 1, and killed rank 2 before that had noted that it was asked to end. */
static void a_rank_that_was_killed_for_another_is_not_named(void **state)
{
    struct run *run = *state;
    const struct ork_ending silent = {.how = ORK_DEATH_INSIDE, .time_ns = 1000000};
    struct ork_ending first = ended_by_launcher;

    first.sender = 9;
    first.text = "bash";
    first.time_ns = 1;
    run_init(run);
    run_play_all(run);
    run_end_as(run, 0, &ended_by_launcher);
    run_end_as(run, 1, &first);
    run_end_as(run, 2, &silent);
    ork_root_set_launcher(run->root, 128 + 15);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "the run was ended from outside: rank 1 got SIGTERM from process 9 (bash)");
    assert_int_equal(run->reported[0].severity, ORK_NOTE);
}

/* Rank 1 returned 3 from main(), and the launcher ended the others in MPI_Finalize for it. */
static void an_exit_code_after_finalize_is_no_finding(void **state)
{
    struct run *run = *state;
    const struct ork_record finalize = {.kind = ORK_KIND_FINALIZE, .call = ORK_CALL_MPI_Finalize};
    const struct ork_ending failed = {.how = ORK_DEATH_FINISHED,
                                      .kind = ORK_NOTE_EXIT,
                                      .value = 3,
                                      .time_ns = 10,
                                      .last = finalize};
    const struct ork_ending ended = {.how = ORK_DEATH_INSIDE,
                                     .kind = ORK_NOTE_SIGNAL,
                                     .value = 15,
                                     .sender = 7,
                                     .text = "mpirun",
                                     .time_ns = 20,
                                     .last = finalize};

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_finalize(&run->script[r]);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run_end_as(run, r, r == 1 ? &failed : &ended);
    ork_root_set_launcher(run->root, 3);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

/* MPICH's launcher has the same code for exit(9) as for SIGKILL, with which it ended the others. */
static void an_exit_code_of_a_rank_is_not_taken_for_a_signal(void **state)
{
    struct run *run = *state;
    const struct ork_record finalize = {.kind = ORK_KIND_FINALIZE, .call = ORK_CALL_MPI_Finalize};
    const struct ork_ending failed = {.how = ORK_DEATH_FINISHED,
                                      .kind = ORK_NOTE_EXIT,
                                      .value = 9,
                                      .time_ns = 10,
                                      .last = finalize};
    const struct ork_ending killed = {
        .how = ORK_DEATH_INSIDE, .kind = ORK_NOTE_NONE, .time_ns = 20, .last = finalize};

    run_init(run);
    for (uint32_t r = 0; r < RANKS; r++)
        script_finalize(&run->script[r]);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run_end_as(run, r, r == 1 ? &failed : &killed);
    ork_root_set_launcher(run->root, 128 + 9);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 0);
}

static void a_run_that_was_ended_from_outside_has_no_error(void **state)
{
    struct run *run = *state;

    run_init(run);
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++)
        run_end_as(run, r, &ended_by_launcher);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "the run was ended from outside: ranks 0-2 got SIGTERM from process 7 "
                        "(mpirun)");
    assert_int_equal(run->reported[0].severity, ORK_NOTE);
}

/* Rank 1 may have exited by itself: its records and its note are damaged. */
static void nothing_is_said_of_an_end_that_an_unknown_rank_may_have_caused(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_add(&run->script[1], (struct ork_record){.kind = UINT8_MAX});
    run_play_all(run);
    for (uint32_t r = 0; r < RANKS; r++) {
        if (r == 1)
            run_end(run, r, ORK_DEATH_OUTSIDE);
        else
            run_end_as(run, r, &ended_by_launcher);
    }
    ork_root_set_launcher(run->root, 5);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "corrupt-records");
}

static void a_deadlock_stays_one_though_another_rank_dies(void **state)
{
    struct run *run = *state;
    const struct ork_ending crash = {
        .how = ORK_DEATH_OUTSIDE, .kind = ORK_NOTE_SIGNAL, .value = 11, .time_ns = 10};

    run_init(run);
    script_recv(&run->script[1], 2, 0);
    script_recv(&run->script[2], 1, 0);
    run_play_all(run);
    run_end_as(run, 0, &crash);
    run_end(run, 1, ORK_DEATH_INSIDE);
    run_end(run, 2, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 2);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 0 was killed by SIGSEGV after MPI_Init");
    assert_string_equal(run->reported[1].id, "deadlock");
    assert_int_equal(run->reported[1].class_, ORK_MANIFEST);
    assert_int_equal(run->reported[1].num_ranks, 2);
}

static void a_call_that_failed_waits_for_nobody(void **state)
{
    struct run *run = *state;
    const struct ork_ending failed = {.how = ORK_DEATH_INSIDE,
                                      .kind = ORK_NOTE_ERROR,
                                      .value = 4,
                                      .call = "MPI_Recv",
                                      .text = "MPI_ERR_TAG: invalid tag",
                                      .time_ns = 10};

    run_init(run);
    script_recv(&run->script[0], 1, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_all(run);
    run_end_as(run, 0, &failed);
    run_end(run, 1, ORK_DEATH_INSIDE);
    run_end(run, 2, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "MPI_Recv of rank 0 failed with MPI_ERR_TAG: invalid tag, and its error "
                        "handler is MPI_ERRORS_ARE_FATAL");
}

static void exchange(struct run *run, uint32_t type)
{
    script_add(&run->script[0], (struct ork_record){.kind = ORK_KIND_SEND,
                                                    .call = ORK_CALL_MPI_Send,
                                                    .site = 1,
                                                    .request = ORK_REQUEST_NULL,
                                                    .peer = 1,
                                                    .arg = (uint32_t)ORK_BASIC_MPI_INT << 8 | 4,
                                                    .bytes = 8});
    script_add(&run->script[1], (struct ork_record){.kind = ORK_KIND_RECV,
                                                    .call = ORK_CALL_MPI_Recv,
                                                    .site = 2,
                                                    .request = ORK_REQUEST_NULL,
                                                    .arg = type,
                                                    .bytes = 4});
}

static void end_in_recv(struct run *run, enum ork_error_class class, const char *error)
{
    const struct ork_ending failed = {.how = ORK_DEATH_INSIDE,
                                      .kind = ORK_NOTE_ERROR,
                                      .value = (int32_t) class,
                                      .call = "MPI_Recv",
                                      .text = error,
                                      .time_ns = 10};

    run_play_all(run);
    run_end_as(run, 1, &failed);
    run_end(run, 0, ORK_DEATH_OUTSIDE);
    run_end(run, 2, ORK_DEATH_OUTSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
}

static void a_message_of_another_type_that_is_too_long_is_one_finding(void **state)
{
    struct run *run = *state;

    run_init(run);
    exchange(run, (uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4);
    end_in_recv(run, ORK_ERR_TRUNCATE, "Message truncated, error stack:");
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "type-mismatch");
}

/* The length is not the cause of another error. */
static void a_receive_that_failed_for_another_reason_is_a_finding_of_its_own(void **state)
{
    struct run *run = *state;

    run_init(run);
    exchange(run, (uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4);
    end_in_recv(run, ORK_ERR_OTHER, "MPI_ERR_OTHER: known error not in list");
    assert_int_equal(run->findings, 2);
}

static void a_rank_killed_inside_a_call_makes_nobody_deadlocked(void **state)
{
    struct run *run = *state;

    run_init(run);
    script_recv(&run->script[0], 2, 0);
    script_recv(&run->script[1], 0, 0);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_end(run, 0, ORK_DEATH_INSIDE);
    run_end(run, 1, ORK_DEATH_INSIDE);
    run_end(run, 2, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "abnormal-end");
}

/* ---- ranks that never call MPI_Init ---- */

static void set_job_size(struct run *run, uint32_t size)
{
    const struct ork_job_name job = {.name = "1", .size = size};

    assert_int_equal(
        ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_JOB, .job = &job}), ORK_OK);
}

static void tell_living(struct run *run, uint32_t living, unsigned findings)
{
    assert_int_equal(ork_root_take_living(run->root, living), ORK_OK);
    assert_int_equal(run->findings, findings);
}

static void ranks_that_wait_in_init_for_others_that_are_gone_wait_for_ever(void **state)
{
    struct run *run = *state;

    set_job_size(run, RANKS + 2);
    tell_living(run, RANKS, 0); /* they may just have connected */
    tell_living(run, RANKS, 1);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "ranks 0-2 wait in MPI_Init for ranks 3 and 4, which ended without calling "
                        "it");
    assert_true(run->reported[0].fatal);
    assert_int_equal(run->reported[0].severity, ORK_ERROR);
    tell_living(run, RANKS, 1); /* once */
}

static void a_rank_that_lives_may_still_call_init(void **state)
{
    struct run *run = *state;

    set_job_size(run, RANKS + 2);
    for (int i = 0; i < 3; i++)
        tell_living(run, RANKS + 1, 0);
    tell_living(run, RANKS, 0);
    tell_living(run, RANKS - 1, 0);
    tell_living(run, RANKS, 0);
}

static void a_job_whose_ranks_are_all_there_lacks_none(void **state)
{
    struct run *run = *state;

    set_job_size(run, RANKS);
    for (int i = 0; i < 3; i++)
        tell_living(run, RANKS, 0);
}

static void ranks_that_passed_init_do_not_wait_there(void **state)
{
    struct run *run = *state;

    set_job_size(run, RANKS + 2);
    script_init(&run->script[0], 0, RANKS + 2);
    run_play(run, 0, ORK_STATE_RUNNING);
    for (int i = 0; i < 3; i++)
        tell_living(run, RANKS, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, run_set_up, run_tear_down)

int test_root_ends(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_rank_that_died_makes_nobody_deadlocked),
        CASE(a_rank_that_left_finalize_is_the_cause_for_those_who_wait_for_it),
        CASE(the_first_to_die_is_told_and_those_that_were_ended_for_it_are_not),
        CASE(an_exit_that_leaves_others_behind_is_an_error),
        CASE(all_that_exit_with_0_are_no_error),
        CASE(the_first_that_ends_without_a_trace_was_killed),
        CASE(no_rank_is_named_as_the_first_if_that_is_unknown),
        CASE(an_exit_code_without_a_signal_of_that_number_is_none),
        CASE(the_rank_that_got_the_first_signal_is_named),
        CASE(a_rank_that_was_killed_for_another_is_not_named),
        CASE(an_exit_code_after_finalize_is_no_finding),
        CASE(an_exit_code_of_a_rank_is_not_taken_for_a_signal),
        CASE(a_run_that_was_ended_from_outside_has_no_error),
        CASE(nothing_is_said_of_an_end_that_an_unknown_rank_may_have_caused),
        CASE(a_deadlock_stays_one_though_another_rank_dies),
        CASE(a_call_that_failed_waits_for_nobody),
        CASE(a_message_of_another_type_that_is_too_long_is_one_finding),
        CASE(a_receive_that_failed_for_another_reason_is_a_finding_of_its_own),
        CASE(a_rank_killed_inside_a_call_makes_nobody_deadlocked),
        CASE(ranks_that_wait_in_init_for_others_that_are_gone_wait_for_ever),
        CASE(a_rank_that_lives_may_still_call_init),
        CASE(a_job_whose_ranks_are_all_there_lacks_none),
        CASE(ranks_that_passed_init_do_not_wait_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
