/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that come too early, and records that nobody should believe. */
#include "tests/unit/overlay/stage/root_run.h"
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/record/random.h"

/* ---- before the size of the job is known ---- */

static void what_comes_before_the_size_is_known_counts_too(void **state)
{
    struct run *run = *state;

    for (int i = 0; i < 20; i++)
        script_text(&run->script[1], (struct ork_record){.kind = ORK_KIND_MODULE, .arg = 1},
                    "/some/module", 12);
    run_play(run, 1, ORK_STATE_RUNNING);
    run_play(run, 2, ORK_STATE_RUNNING);
    run_end(run, 2, ORK_DEATH_OUTSIDE);
    run_step(run, 1, 5);
    run_init(run);
    run->script[2].n = 0;
    script_recv(&run->script[0], 2, 0);
    script_recv(&run->script[1], 2, 0);
    run_play(run, 0, ORK_STATE_BLOCKED);
    run_play(run, 1, ORK_STATE_BLOCKED);
    run_step(run, 1, 6000);
    run_assert_reported(run, 0, "abnormal-end", ORK_CLASS_NONE,
                        "rank 2 ended without MPI_Finalize, cause unknown, after MPI_Init");
}

static uint32_t ranks_in_summary(struct run *run)
{
    struct ork_report report;

    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    uint32_t ranks = report.ranks;
    ork_report_release(&report);
    return ranks;
}

static void an_init_of_an_impossible_size_is_passed_over(void **state)
{
    const uint32_t size[] = {0, 1, UINT32_MAX, UINT32_C(1) << 24};
    struct run *run = *state;

    for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++) {
        script_init(&run->script[1], 1, size[i]); /* rank 1 of 0 or 1 ranks, or of too many */
        run_play(run, 1, ORK_STATE_RUNNING);
        assert_int_equal(ranks_in_summary(run), 0);
    }
    script_init(&run->script[0], 2, 3); /* says that it is another rank */
    run_play(run, 0, ORK_STATE_RUNNING);
    assert_int_equal(ranks_in_summary(run), 0);
    script_init(&run->script[0], 0, RANKS);
    run_play(run, 0, ORK_STATE_RUNNING);
    assert_int_equal(ranks_in_summary(run), RANKS);
}

static void ranks_beyond_the_size_are_passed_over(void **state)
{
    struct run *run = *state;
    struct script s = {.n = 0};

    script_init(&s, 0, 2);
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = 0,
                                                                  .records = {s.record, s.n}}),
                     ORK_OK);
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = 2,
                                                                  .records = {s.record, s.n}}),
                     ORK_OK);
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                  .rank = UINT32_MAX,
                                                                  .records = {s.record, s.n}}),
                     ORK_OK);
    const struct ork_ending end = {.how = ORK_DEATH_FINISHED};
    assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_END,
                                                                  .rank = UINT32_MAX,
                                                                  .ending = &end}),
                     ORK_OK);
    assert_int_equal(ranks_in_summary(run), 2);
}

/* ---- corrupt records ---- */

static void a_rank_whose_records_make_no_sense_is_told_and_blamed_for_nothing(void **state)
{
    struct run *run = *state;
    struct ork_report report;

    run_init(run);
    script_add(&run->script[0], (struct ork_record){.kind = UINT8_MAX});
    script_recv(&run->script[1], 0, 0);
    script_recv(&run->script[2], 0, 0);
    run_play_all(run);
    run_step(run, 1, 100);
    run_end(run, 0, ORK_DEATH_INSIDE);
    run_end(run, 1, ORK_DEATH_INSIDE);
    run_end(run, 2, ORK_DEATH_INSIDE);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 2);
    assert_string_equal(run->reported[0].id, "corrupt-records");
    assert_int_equal(run->reported[0].severity, ORK_WARNING);
    assert_int_equal(run->reported[0].num_ranks, 1);
    assert_int_equal(run->reported[0].ranks[0], 0);
    assert_string_equal(run->reported[1].id, "abnormal-end"); /* of those that are known */
    assert_int_equal(run->reported[1].num_ranks, 2);
    assert_int_equal(run->reported[1].ranks[0], 1);
    ork_report_init(&report);
    assert_int_equal(ork_root_summary(run->root, &report), ORK_OK);
    assert_false(report.complete);
    assert_int_equal(report.statistics.full_waits, 6);
    ork_report_release(&report);
}

static void records_that_make_no_sense_are_told_when_they_are_seen(void **state)
{
    struct run *run = *state;

    run_init(run);
    run_play_each(run, ORK_STATE_RUNNING, ORK_STATE_RUNNING, ORK_STATE_RUNNING);
    script_add(&run->script[2], (struct ork_record){.kind = UINT8_MAX});
    run_play(run, 2, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_step(run->root), ORK_OK);
    assert_int_equal(run->findings, 1);
    script_add(&run->script[0], (struct ork_record){.kind = UINT8_MAX});
    script_add(&run->script[0], (struct ork_record){.kind = UINT8_MAX});
    run_play(run, 0, ORK_STATE_RUNNING);
    assert_int_equal(ork_root_step(run->root), ORK_OK);
    assert_int_equal(ork_root_step(run->root), ORK_OK);
    assert_int_equal(run->findings, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_string_equal(run->reported[i].id, "corrupt-records");
        assert_int_equal(run->reported[i].ranks[0], i == 0 ? 2 : 0);
    }
    run_end(run, 0, ORK_DEATH_FINISHED);
    run_end(run, 1, ORK_DEATH_FINISHED);
    run_end(run, 2, ORK_DEATH_FINISHED);
    assert_int_equal(ork_root_finish(run->root), ORK_OK);
    assert_int_equal(run->findings, 2); /* none is told again */
}

static void random_records_of_all_ranks_do_no_harm(void **state)
{
    struct run *run = *state;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t random = seed;
        struct ork_record record = {0};
        run_init(run);
        for (uint32_t r = 0; r < RANKS; r++)
            run_play(run, r, ORK_STATE_RUNNING);
        for (int i = 0; i < 100; i++) {
            uint32_t rank = (uint32_t)(random_next(&random) % RANKS);
            random_record(&random, &record);
            record.kind = (uint8_t)(random_next(&random) % (ORK_KIND_MAX + 1));
            record.count %= 20;
            record.kind = record.kind == ORK_KIND_ABORT ? ORK_KIND_RECV : record.kind;
            assert_int_equal(ork_up_deliver(&run->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                                                          .rank = rank,
                                                                          .records = {&record, 1}}),
                             ORK_OK);
        }
        assert_int_equal(ork_root_step(run->root), ORK_OK);
        assert_int_equal(ork_root_finish(run->root), ORK_OK);
        run_tear_down(state);
        run_set_up(state);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, run_set_up, run_tear_down)

int test_root_trust(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_comes_before_the_size_is_known_counts_too),
        CASE(an_init_of_an_impossible_size_is_passed_over),
        CASE(ranks_beyond_the_size_are_passed_over),
        CASE(a_rank_whose_records_make_no_sense_is_told_and_blamed_for_nothing),
        CASE(records_that_make_no_sense_are_told_when_they_are_seen),
        CASE(random_records_of_all_ranks_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
