/* SPDX-License-Identifier: BSD-3-Clause */
/* Other matches of a long run: what is searched while it goes on, and at its end. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

enum { TASKS = 10000, NOTHING_HAPPENS = 6 };

static const struct ork_root_options searches_at_the_end = {
    .deadlocks = true, .fold = true, .probing = ORK_PROBING_END, .rma = ORK_RMA_OFF};

static void add(struct run *run, uint32_t rank, enum ork_kind kind, int32_t peer, int32_t tag)
{
    script_add(&run->script[rank], (struct ork_record){.kind = (uint8_t)kind,
                                                       .site = 16 * (uint32_t)kind + (uint32_t)tag,
                                                       .request = ORK_REQUEST_NULL,
                                                       .peer = peer,
                                                       .tag = tag});
}

static void take(struct run *run, int32_t from, int32_t tag)
{
    add(run, 0, ORK_KIND_RECV, ORK_ANY_SOURCE, ORK_ANY_TAG);
    add(run, 0, ORK_KIND_EXIT, from, tag);
}

/* A task of one of the workers, in no order that repeats. */
static void hand_out(struct run *run, uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    int32_t worker = 1 + (int32_t)(*random >> 31);

    add(run, (uint32_t)worker, ORK_KIND_SEND, 0, 5);
    add(run, (uint32_t)worker, ORK_KIND_RECV, 0, 6);
    take(run, worker, 5);
    add(run, 0, ORK_KIND_SEND, worker, 6);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
}

/* If the first receive takes the message of rank 2, the second one waits for ever. */
static void race(struct run *run)
{
    add(run, 1, ORK_KIND_SEND, 0, 1);
    add(run, 2, ORK_KIND_SEND, 0, 2);
    script_add(&run->script[0], (struct ork_record){.kind = ORK_KIND_RECV,
                                                    .flags = ORK_F_BLIND,
                                                    .site = 1,
                                                    .request = ORK_REQUEST_NULL,
                                                    .peer = ORK_ANY_SOURCE,
                                                    .tag = ORK_ANY_TAG});
    add(run, 0, ORK_KIND_EXIT, 1, 1);
    add(run, 0, ORK_KIND_RECV, ORK_ANY_SOURCE, 2);
    add(run, 0, ORK_KIND_EXIT, 2, 2);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
}

static void hand_out_many(struct run *run, uint32_t *random)
{
    for (unsigned i = 0; i < TASKS; i++) {
        hand_out(run, random);
        if (i % 100 == 0)
            run_step(run, NOTHING_HAPPENS, 1);
    }
}

/* Could all other matches be searched? */
static bool end_all(struct run *run)
{
    struct ork_report report;
    bool could = true;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_finalize(&run->script[r]);
        run_play(run, r, ORK_STATE_DONE);
        run_end(run, r, ORK_DEATH_FINISHED);
    }
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    for (size_t i = 0; i < report.num_notes; i++)
        could &= strstr(report.note[i], "could not search all alternative matches") == NULL;
    ork_report_release(&report);
    return could;
}

static int set_up_as(void **state, const struct ork_root_options *options)
{
    static struct run run;

    run_create_as(&run, options);
    run_init(&run);
    *state = &run;
    return 0;
}

static int set_up(void **state)
{
    return set_up_as(state, &searches_at_the_end);
}

static int set_up_without_folding(void **state)
{
    struct ork_root_options options = searches_at_the_end;

    options.fold = false;
    return set_up_as(state, &options);
}

static void tasks_that_are_alike_are_one_question(void **state)
{
    struct run *run = *state;
    uint32_t random = 1;

    hand_out_many(run, &random);
    assert_true(end_all(run));
    assert_int_equal(run->findings, 0);
}

/* More records than the history has room for. */
static void tasks_that_come_in_one_step_are_one_question_too(void **state)
{
    struct run *run = *state;
    uint32_t random = 1;

    for (unsigned i = 0; i < 6 * TASKS; i++)
        hand_out(run, &random);
    assert_true(end_all(run));
    assert_int_equal(run->findings, 0);
}

static void a_race_before_many_tasks_is_found_during_the_run(void **state)
{
    struct run *run = *state;
    uint32_t random = 1;

    race(run);
    hand_out_many(run, &random);
    run_step(run, NOTHING_HAPPENS, 100); /* the tool has time for a search */
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "deadlock");
    assert_int_equal(run->reported[0].class_, ORK_INTERLEAVING);
    end_all(run);
    assert_int_equal(run->findings, 1);
}

/* What the machine's processors do. */
static bool is_one_idle;

static bool has_idle_processor(void)
{
    return is_one_idle;
}

static int set_up_busy(void **state)
{
    struct ork_root_options options = searches_at_the_end;

    options.has_idle_processor = has_idle_processor;
    is_one_idle = false;
    return set_up_as(state, &options);
}

/* The root does not search while the ranks use all processors. */
static void race_while_busy(struct run *run)
{
    uint32_t random = 1;

    race(run);
    hand_out_many(run, &random);
    run_step(run, NOTHING_HAPPENS, 100);
    assert_int_equal(run->findings, 0);
}

static void ranks_that_use_all_processors_are_not_delayed(void **state)
{
    struct run *run = *state;

    race_while_busy(run);
    assert_true(end_all(run)); /* the same is found, later */
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_INTERLEAVING);
}

static void a_search_goes_on_when_a_processor_is_idle(void **state)
{
    struct run *run = *state;

    race_while_busy(run);
    is_one_idle = true;
    run_step(run, NOTHING_HAPPENS, 100);
    assert_int_equal(run->findings, 1);
    end_all(run);
    assert_int_equal(run->findings, 1);
}

static void a_race_after_many_tasks_is_found_at_the_end(void **state)
{
    struct run *run = *state;
    uint32_t random = 1;

    hand_out_many(run, &random);
    race(run);
    assert_int_equal(run->findings, 0);
    assert_true(end_all(run));
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_INTERLEAVING);
}

/* Each task has a tag of its own, so each receive is a question of its own. */
static void choices_that_all_differ_are_not_all_searched(void **state)
{
    struct run *run = *state;

    for (int32_t i = 0; i < 9 * TASKS; i++) {
        add(run, 1, ORK_KIND_SEND, 0, i);
        take(run, 1, i);
        run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
        if (i % 100 == 0)
            run_step(run, NOTHING_HAPPENS, 1);
    }
    assert_false(end_all(run));
    assert_int_equal(run->findings, 0);
}

int test_history(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tasks_that_are_alike_are_one_question, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(tasks_that_come_in_one_step_are_one_question_too,
                                        set_up_without_folding, run_tear_down),
        cmocka_unit_test_setup_teardown(a_race_before_many_tasks_is_found_during_the_run, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(ranks_that_use_all_processors_are_not_delayed, set_up_busy,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(a_search_goes_on_when_a_processor_is_idle, set_up_busy,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(a_race_after_many_tasks_is_found_at_the_end, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(choices_that_all_differ_are_not_all_searched, set_up,
                                        run_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
