/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions of a deterministic run: at once if they can be taken, else only if no rank can move. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

enum { TAG = 4, OTHER = 5 };

static int set_up(void **state)
{
    int result = run_set_up(state);
    struct run *run = *state;

    ork_root_destroy(run->root);
    run_create_as(run, &(struct ork_root_options){.deadlocks = true, .is_deterministic = true});
    run_init(run);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    run_step(run, 1, 1);
    return result;
}

static void assert_decided(const struct run *run, unsigned i, uint32_t rank, int32_t source)
{
    assert_in_range(run->decisions, i + 1, FINDINGS);
    assert_int_equal(run->decided[i], rank);
    assert_int_equal(run->decision[i].decided, ORK_DECIDED_RECEIVE);
    assert_int_equal(run->decision[i].number, i + 1);
    assert_int_equal(run->decision[i].source, source);
    assert_int_equal(run->decision[i].tag, TAG);
}

static void an_earlier_message_that_may_come_is_awaited(void **state)
{
    struct run *run = *state;

    script_recv(&run->script[0], ORK_ANY_SOURCE, TAG);
    script_send(&run->script[2], 0, TAG);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    run_step(run, 1, 50);
    assert_int_equal(run->decisions, 0);
    assert_true(run->is_watched);
    assert_true(ork_root_awaited_ns(run->root) > 0);
    script_send(&run->script[1], 0, TAG);
    run_play(run, 1, ORK_STATE_RUNNING);
    run_step(run, 1, 1);
    assert_decided(run, 0, 0, 1);
    assert_false(run->is_watched);
    assert_true(ork_root_awaited_ns(run->root) == 0);
}

static void a_sender_that_waits_itself_is_not_awaited(void **state)
{
    struct run *run = *state;

    script_recv(&run->script[0], ORK_ANY_SOURCE, TAG);
    script_send(&run->script[2], 0, TAG);
    script_recv(&run->script[1], 0, TAG);
    run_play_each(run, ORK_STATE_BLOCKED, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    run_step(run, 1, 1);
    assert_decided(run, 0, 0, 2);
}

/* Rank 0 may take a message of rank 2; rank 1 is in a send that may return, and could then send an
 * earlier one. */
static void hold_up(struct run *run)
{
    script_recv(&run->script[0], ORK_ANY_SOURCE, TAG);
    script_send(&run->script[1], 0, OTHER);
    for (int i = 0; i < 3; i++)
        script_send(&run->script[2], 1, OTHER);
    script_send(&run->script[2], 0, TAG);
    script_recv(&run->script[2], 0, TAG);
    run_play_all(run);
    run->snapshot[0].wait = 1;
    run->snapshot[0].has_decisions = true;
}

/* All have tried in vain for a moment. */
static void try_all(struct run *run)
{
    run->snapshot[0].waiting_looks += 10;
    run->snapshot[1].inside_ns += 5000000;
    run->snapshot[2].inside_ns += 5000000;
}

static void in_a_quiescent_state_the_earliest_message_there_is_taken(void **state)
{
    struct run *run = *state;

    hold_up(run);
    run_step(run, 1, 5);
    assert_int_equal(run->decisions, 0);
    try_all(run);
    run_step(run, 1, 5);
    assert_decided(run, 0, 0, 2);
}

static void each_rank_has_to_try(void **state)
{
    struct run *run = *state;

    hold_up(run);
    for (int missing = 0; missing < 3; missing++) {
        struct ork_snapshot before[RANKS];
        memcpy(before, run->snapshot, sizeof(before));
        try_all(run);
        run->snapshot[missing] = before[missing];
        run->snapshot[1].head++; /* which starts anew: the root has not taken it */
        run_step(run, 1, 3);
        run->snapshot[1].head--;
        run_step(run, 1, 3);
        assert_int_equal(run->decisions, 0);
    }
}

static void who_has_not_taken_a_decision_may_move(void **state)
{
    struct run *run = *state;

    hold_up(run);
    run->snapshot[0].has_decisions = false;
    run_step(run, 1, 5);
    try_all(run);
    run_step(run, 1, 5);
    assert_int_equal(run->decisions, 0);
    run->snapshot[0].has_decisions = true;
    run_step(run, 1, 5);
    try_all(run);
    run_step(run, 1, 5);
    assert_decided(run, 0, 0, 2);
}

static void a_rank_outside_mpi_may_move(void **state)
{
    struct run *run = *state;

    hold_up(run);
    run->snapshot[1].word[0] = run->snapshot[1].head << 8 | ORK_STATE_RUNNING;
    run_step(run, 1, 5);
    try_all(run);
    run_step(run, 1, 5);
    assert_int_equal(run->decisions, 0);
}

static void ranks_are_looked_at_when_nothing_comes(void **state)
{
    struct run *run = *state;

    hold_up(run);
    run_step(run, 1, 5);
    unsigned collects = run->collects;
    assert_true(collects > 0);
    for (int i = 0; i < 200; i++) {
        script_send(&run->script[1], ORK_PROC_NULL, OTHER);
        run_play(run, 1, ORK_STATE_BLOCKED);
        assert_int_equal(ork_root_step(run->root), ORK_OK);
        run->now_ns += 50000;
    }
    assert_int_equal(run->collects, collects);
    assert_true(ork_root_awaited_ns(run->root) > 0);
    run->now_ns += ork_root_awaited_ns(run->root);
    assert_int_equal(ork_root_step(run->root), ORK_OK);
    assert_true(run->collects > collects);
    assert_int_equal(run->decisions, 0);
}

static void another_wait_is_a_move(void **state)
{
    struct run *run = *state;

    hold_up(run);
    run_step(run, 1, 5);
    try_all(run);
    run->snapshot[0].wait = 3;
    run_step(run, 1, 1);
    assert_int_equal(run->decisions, 0);
}

static void a_sleeping_rank_need_not_compute(void **state)
{
    struct run *run = *state;

    hold_up(run);
    run->snapshot[1].sleeps = run->snapshot[2].sleeps = true;
    run_step(run, 1, 5);
    run->snapshot[0].waiting_looks += 10;
    run_step(run, 1, 5);
    assert_decided(run, 0, 0, 2);
}

/* The one note of the report; NULL: there is none. */
static void assert_notes(const struct run *run, const char *note)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.num_notes, note != NULL);
    if (note != NULL)
        assert_string_equal(report.note[0], note);
    ork_report_release(&report);
}

static void if_no_rank_can_go_on_all_run_freely(void **state)
{
    struct run *run = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_recv(&run->script[r], ORK_ANY_SOURCE, TAG);
        run->snapshot[r].wait = 1;
        run->snapshot[r].has_decisions = true;
    }
    run_play_all(run);
    run_step(run, 1, 5);
    assert_true(ork_root_awaited_ns(run->root) > 0);
    for (uint32_t r = 0; r < RANKS; r++)
        run->snapshot[r].waiting_looks += 10;
    run_step(run, 1, 5);
    assert_int_equal(run->decisions, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(run->decision[r].decided, ORK_DECIDED_FREE);
    assert_true(ork_root_awaited_ns(run->root) == 0);
    assert_notes(run, NULL);
    script_send(&run->script[1], 0, TAG);
    run_play(run, 1, ORK_STATE_RUNNING);
    assert_notes(run, "no rank could go on with a decided order of messages: from then on, it was "
                      "not decided (--must:deterministic)");
}

static void with_a_rank_of_several_threads_all_run_freely(void **state)
{
    struct run *run = *state;

    script_add(&run->script[1], (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_MAX});
    run_play(run, 1, ORK_STATE_RUNNING);
    assert_int_equal(run->decisions, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(run->decision[r].decided, ORK_DECIDED_FREE);
    assert_notes(run,
                 "several threads of rank 1 called MPI: from then on, the order of messages was "
                 "not decided (--must:deterministic)");
}

static void after_a_call_without_a_hook_all_run_freely(void **state)
{
    struct run *run = *state;
    struct ork_report report;

    script_add(
        &run->script[1],
        (struct ork_record){.kind = ORK_KIND_UNHOOKED, .call = ORK_CALL_MPI_Bcast, .extra = 1});
    run_play(run, 1, ORK_STATE_RUNNING);
    assert_int_equal(run->decisions, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(run->decision[r].decided, ORK_DECIDED_FREE);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_int_equal(report.num_notes, 2);
    assert_string_equal(report.note[0],
                        "rank 1 called a function that this version does not look at: from then "
                        "on, the order of messages was not decided (--must:deterministic)");
    ork_report_release(&report);
}

static void if_a_tool_process_is_lost_all_run_freely(void **state)
{
    struct run *run = *state;
    const uint32_t lost = 2;

    hold_up(run);
    run_step(run, 1, 5);
    assert_int_equal(run->decisions, 0);
    assert_int_equal(ork_root_lose(run->root, "tool process 1 on n1", 0, &lost, 1), ORK_OK);
    run_step(run, 1, 1);
    assert_int_equal(run->decisions, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(run->decision[r].decided, ORK_DECIDED_FREE);
}

/* ---- locks ---- */

enum { WIN = 5 };

static void steps(struct run *run, uint32_t rank, uint64_t number)
{
    script_add(&run->script[rank],
               (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_STEPS, .bytes = number});
    run_play(run, rank, ORK_STATE_RUNNING);
}

/* Rank 1 waits for a lock, which rank 0 could ask for earlier. */
static void wait_for_lock(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++)
        script_add(&run->script[r], (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                                        .flags = ORK_F_SAME_GROUP,
                                                        .mode = ORK_COLL_WIN_CREATE,
                                                        .comm = WIN,
                                                        .extra = 4711});
    script_add(&run->script[1],
               (struct ork_record){.kind = ORK_KIND_WIN_LOCK, .comm = WIN, .mode = 1});
    script_add(
        &run->script[1],
        (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_LOCK, .bytes = 8, .extra = 1});
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_BLOCKED, ORK_STATE_RUNNING);
    steps(run, 2, 20);
    run->snapshot[1].wait = 1;
    run->snapshot[1].has_decisions = true;
    run_step(run, FINDINGS, 1000);
    assert_int_equal(run->decisions, 0);
}

static void a_lock_is_granted_when_no_earlier_one_can_come(void **state)
{
    struct run *run = *state;

    wait_for_lock(run);
    steps(run, 0, 8);
    run_step(run, FINDINGS, 10);
    assert_int_equal(run->decisions, 1);
    assert_int_equal(run->decided[0], 1);
    assert_int_equal(run->decision[0].decided, ORK_DECIDED_LOCK);
    assert_notes(run, NULL);
}

static void a_rank_that_only_computes_does_not_hold_up_a_lock_for_ever(void **state)
{
    struct run *run = *state;

    wait_for_lock(run);
    run_step(run, FINDINGS, 25000);
    run->snapshot[0].cpu_ns += 25000000000;
    assert_int_equal(run->decisions, 0);
    run_step(run, FINDINGS, 10000);
    assert_int_equal(run->decisions, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(run->decision[r].decided, ORK_DECIDED_FREE);
    assert_notes(
        run,
        "rank 1 waited 30 s for a window lock or an atomic, because rank 0 could still ask for an "
        "earlier one (it may read the memory of a window in a loop): from then on, "
        "the order of locks, atomics and messages was not decided (--must:deterministic)");
}

static void a_rank_that_makes_calls_holds_up_a_lock(void **state)
{
    struct run *run = *state;

    wait_for_lock(run);
    for (uint64_t n = 1; n < 5; n++) {
        steps(run, 0, n);
        run->snapshot[0].cpu_ns += 20000000000;
        run_step(run, FINDINGS, 20000);
    }
    assert_int_equal(run->decisions, 0);
}

static void a_rank_that_is_stopped_holds_up_a_lock(void **state)
{
    struct run *run = *state;

    wait_for_lock(run);
    run_step(run, FINDINGS, 100000);
    assert_int_equal(run->decisions, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, run_tear_down)

int test_deterministic(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_earlier_message_that_may_come_is_awaited),
        TEST(a_sender_that_waits_itself_is_not_awaited),
        TEST(in_a_quiescent_state_the_earliest_message_there_is_taken),
        TEST(each_rank_has_to_try),
        TEST(who_has_not_taken_a_decision_may_move),
        TEST(a_rank_outside_mpi_may_move),
        TEST(another_wait_is_a_move),
        TEST(ranks_are_looked_at_when_nothing_comes),
        TEST(a_sleeping_rank_need_not_compute),
        TEST(if_no_rank_can_go_on_all_run_freely),
        TEST(with_a_rank_of_several_threads_all_run_freely),
        TEST(after_a_call_without_a_hook_all_run_freely),
        TEST(if_a_tool_process_is_lost_all_run_freely),
        TEST(a_lock_is_granted_when_no_earlier_one_can_come),
        TEST(a_rank_that_only_computes_does_not_hold_up_a_lock_for_ever),
        TEST(a_rank_that_makes_calls_holds_up_a_lock),
        TEST(a_rank_that_is_stopped_holds_up_a_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
