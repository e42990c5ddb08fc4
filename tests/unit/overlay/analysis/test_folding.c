/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:fold: iterations are counted, and findings are as without it. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"

enum { ITERATIONS = 100 };

static const struct ork_root_options folds = {.deadlocks = true, .fold = true, .rma = ORK_RMA_OFF};

static void begin(struct run *run, const struct ork_root_options *options)
{
    run_create_as(run, options);
    run_init(run);
}

static int set_up(void **state)
{
    static struct run run;

    begin(&run, &folds);
    *state = &run;
    return 0;
}

static void add(struct script *s, enum ork_kind kind, uint32_t peer)
{
    script_add(s, (struct ork_record){.kind = (uint8_t)kind,
                                      .site = (uint32_t)kind,
                                      .request = ORK_REQUEST_NULL,
                                      .peer = (int32_t)peer});
}

/* A message goes round. */
static void add_iteration(struct run *run)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        if (r == 0)
            add(&run->script[r], ORK_KIND_SEND, 1);
        add(&run->script[r], ORK_KIND_RECV, (r + RANKS - 1) % RANKS);
        if (r != 0)
            add(&run->script[r], ORK_KIND_SEND, (r + 1) % RANKS);
    }
}

static void iterate(struct run *run, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        add_iteration(run);
        run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    }
}

/* After a run with so many iterations and no finding. */
static struct ork_statistics statistics_of(struct run *run, uint64_t iterations)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    struct ork_statistics s = report.statistics;
    ork_report_release(&report);
    assert_int_equal(run->findings, 0);
    assert_int_equal(s.messages, RANKS * iterations);
    assert_int_equal(s.calls, 2 * RANKS * (iterations + 1));
    return s;
}

static void a_loop_is_folded_and_all_of_it_is_counted(void **state)
{
    struct run *run = *state;

    iterate(run, ITERATIONS);
    run_end_all(run);
    struct ork_statistics s = statistics_of(run, ITERATIONS);
    assert_true(s.folded_iterations > ITERATIONS - 20);
    assert_int_equal(s.folded_records, 2 * RANKS * s.folded_iterations);
}

static void leaves_are_told_while_iterations_are_counted(void **state)
{
    struct run *run = *state;

    iterate(run, 3);
    run_step(run, 1, 1);
    assert_false(run->is_folding);
    iterate(run, ITERATIONS);
    run_step(run, 1, 1);
    assert_true(run->is_folding);
    for (uint32_t r = 0; r < RANKS; r++)
        script_coll(&run->script[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    iterate(run, 1);
    run_step(run, 1, 1);
    assert_true(run->is_folding); /* another loop may follow */
    run_step(run, 1, 1000);
    assert_false(run->is_folding);
}

static void races_are_followed_from_the_first_choice_on(void **state)
{
    static struct run run;
    struct ork_root_options options = folds;
    struct ork_report report;

    (void)state;
    options.races = true;
    options.probing = ORK_PROBING_OFF; /* its history would need all, too */
    begin(&run, &options);
    iterate(&run, ITERATIONS);
    for (uint32_t r = 0; r < RANKS; r++)
        script_add(&run.script[r], (struct ork_record){.kind = ORK_KIND_PROBED,
                                                       .request = ORK_REQUEST_NULL,
                                                       .peer = ORK_ANY_SOURCE,
                                                       .peer2 = (int32_t)(r + RANKS - 1) % RANKS});
    iterate(&run, ITERATIONS);
    run_end_all(&run);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run.root, &report), ORK_OK);
    assert_int_equal(report.statistics.messages, 2 * RANKS * ITERATIONS);
    assert_in_range(report.statistics.folded_iterations, ITERATIONS - 20, ITERATIONS);
    ork_report_release(&report);
    ork_root_destroy(run.root);
}

static void what_needs_every_record_gets_it(void **state)
{
    static struct run run;
    struct ork_root_options options = folds;

    (void)state;
    options.stop.choice = 1;
    begin(&run, &options);
    iterate(&run, ITERATIONS);
    run_end_all(&run);
    assert_int_equal(statistics_of(&run, ITERATIONS).folded_records, 0);
    ork_root_destroy(run.root);
}

static void make_window(struct script *s)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_COLL,
                                      .mode = ORK_COLL_WIN_CREATE,
                                      .request = ORK_REQUEST_NULL,
                                      .peer = ORK_NO_PEER});
    script_add(s, (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                      .flags = ORK_F_SAME_GROUP,
                                      .mode = ORK_COLL_WIN_CREATE,
                                      .comm = 2});
    script_add(s, (struct ork_record){.kind = ORK_KIND_WIN_MEMORY, .comm = 2, .bytes = 8});
}

static void accesses_to_windows_are_followed_from_the_first_window_on(void **state)
{
    static struct run run;
    struct ork_root_options options = folds;
    struct ork_report report;

    (void)state;
    options.rma = ORK_RMA_AUTO;
    begin(&run, &options);
    iterate(&run, ITERATIONS);
    for (uint32_t r = 0; r < RANKS; r++)
        make_window(&run.script[r]);
    iterate(&run, ITERATIONS);
    run_end_all(&run);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run.root, &report), ORK_OK);
    assert_int_equal(run.findings, 0);
    assert_int_equal(report.statistics.messages, 2 * RANKS * ITERATIONS);
    assert_in_range(report.statistics.folded_iterations, ITERATIONS - 20, ITERATIONS);
    ork_report_release(&report);
    ork_root_destroy(run.root);
}

static void a_deadlock_after_the_loop_is_found(void **state)
{
    struct run *run = *state;

    iterate(run, ITERATIONS);
    for (uint32_t r = 0; r < RANKS; r++)
        script_recv(&run->script[r], (int32_t)((r + 1) % RANKS), 9);
    run_play_all(run);
    run_step(run, 1, 5000);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "deadlock");
    assert_int_equal(run->reported[0].class_, ORK_MANIFEST);
    assert_int_equal(run->reported[0].num_ranks, RANKS);
}

static void a_potential_deadlock_in_an_iteration_is_found(void **state)
{
    struct run *run = *state;

    iterate(run, ITERATIONS);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_send(&run->script[r], (int32_t)((r + 1) % RANKS), 9);
        script_recv(&run->script[r], (int32_t)((r + RANKS - 1) % RANKS), 9);
    }
    iterate(run, ITERATIONS / 2);
    run_step(run, 1, 5000);
    assert_int_equal(run->findings, 1);
    assert_string_equal(run->reported[0].id, "deadlock");
    assert_int_equal(run->reported[0].class_, ORK_POTENTIAL);
    assert_int_equal(run->reported[0].num_ranks, RANKS);
}

/* The others wait for it, and it is in a call that is no part of the loop. */
static void a_rank_that_leaves_the_loop_is_seen_at_the_next_step(void **state)
{
    struct run *run = *state;

    iterate(run, ITERATIONS);
    add(&run->script[1], ORK_KIND_RECV, 0);
    add(&run->script[2], ORK_KIND_RECV, 1);
    script_recv(&run->script[0], 1, 9);
    run_play_all(run);
    run_step(run, 1, 5000);
    assert_int_equal(run->findings, 1);
    assert_int_equal(run->reported[0].class_, ORK_MANIFEST);
    assert_int_equal(run->reported[0].num_ranks, RANKS);
}

int test_folding(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_loop_is_folded_and_all_of_it_is_counted, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(leaves_are_told_while_iterations_are_counted, set_up,
                                        run_tear_down),
        cmocka_unit_test(races_are_followed_from_the_first_choice_on),
        cmocka_unit_test(what_needs_every_record_gets_it),
        cmocka_unit_test(accesses_to_windows_are_followed_from_the_first_window_on),
        cmocka_unit_test_setup_teardown(a_deadlock_after_the_loop_is_found, set_up, run_tear_down),
        cmocka_unit_test_setup_teardown(a_potential_deadlock_in_an_iteration_is_found, set_up,
                                        run_tear_down),
        cmocka_unit_test_setup_teardown(a_rank_that_leaves_the_loop_is_seen_at_the_next_step,
                                        set_up, run_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
