/* SPDX-License-Identifier: BSD-3-Clause */
/* What is folded, what is not, and where the detector is afterwards. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#include "detector/fold/fold.h"

struct bench {
    struct ork_detector *d;
    struct ork_fold *f;
    bool may_not;
};

static enum ork_status feed(void *context, uint32_t rank, const struct ork_record *record, size_t n)
{
    struct bench *b = context;

    return ork_detector_feed(b->d, rank, record, n);
}

static bool may_fold(void *context)
{
    struct bench *b = context;

    return !b->may_not;
}

static void begin(struct bench *b, uint32_t ranks)
{
    const struct ork_fold_sink sink = {.context = b, .feed = feed, .may_fold = may_fold};

    *b = (struct bench){.d = script_create(ranks)};
    assert_int_equal(ork_fold_create(b->d, ranks, &sink, &b->f), ORK_OK);
}

static void end(struct bench *b)
{
    ork_fold_destroy(b->f);
    ork_detector_destroy(b->d);
}

static void take(struct bench *b, uint32_t rank, const struct step *step)
{
    struct ork_record record[2];

    for (; step->rec.kind != ORK_KIND_CONT; step++) {
        unsigned n = script_records(step, record);
        assert_int_equal(ork_fold_take(b->f, rank, record, n), ORK_OK);
    }
}

static void loop(struct bench *b, unsigned times, const struct step *first,
                 const struct step *second)
{
    for (unsigned i = 0; i < times; i++) {
        take(b, 0, first);
        take(b, 1, second);
    }
}

static void expect_unfolded(struct bench *b)
{
    assert_int_equal(ork_fold_counts(b->f).records, 0);
}

static void the_iterations_of_a_loop_are_counted(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 1000, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    assert_true(ork_fold_is_on(b.f));
    struct ork_fold_counts counts = ork_fold_counts(b.f);
    assert_in_range(counts.iterations, 980, 1000);
    assert_int_equal(counts.records, 4 * counts.iterations);
    assert_int_equal(counts.blocks, 1);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_counts(b.d).records, 4000);
    assert_int_equal(ork_detector_counts(b.d).calls, 4000);
    assert_int_equal(ork_detector_counts(b.d).messages, 2000);
    end(&b);
}

/* A plane of a sweep needs nothing but that of the neighbour; there are eight. */
static void sweep(struct bench *b, uint32_t ranks, bool up)
{
    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t r = up ? i : ranks - 1 - i;
        int32_t before = (int32_t)(up ? r - 1 : r + 1), after = (int32_t)(up ? r + 1 : r - 1);
        for (unsigned plane = 0; plane < 8; plane++) {
            if (i > 0)
                take(b, r, RANK(R(before, 0)));
            if (i + 1 < ranks)
                take(b, r, RANK(S(after, 0)));
        }
    }
}

static void sweeps_there_and_back_are_one_iteration(void **state)
{
    enum { RANKS = 20, ITERATIONS = 100 };
    struct bench b;

    (void)state;
    begin(&b, RANKS);
    for (unsigned i = 0; i < ITERATIONS; i++) {
        sweep(&b, RANKS, true);
        sweep(&b, RANKS, false);
    }
    assert_in_range(ork_fold_counts(b.f).iterations, ITERATIONS / 2, ITERATIONS);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_counts(b.d).messages, ITERATIONS * 2 * 8 * (RANKS - 1));
    end(&b);
}

/* RATIONALE: one by one, as many records would take days. */
static void repetitions_that_are_told_are_not_looked_at_one_by_one(void **state)
{
    const uint64_t many = UINT64_C(1000000000000);
    struct bench b;
    struct ork_record first[3], second[3]; /* two of each, and room */

    (void)state;
    begin(&b, 2);
    loop(&b, 1000, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    uint64_t before = ork_fold_counts(b.f).iterations;
    script_records(&RANK(S(1, 0))[0], &first[0]);
    script_records(&RANK(R(1, 0))[0], &first[1]);
    script_records(&RANK(R(0, 0))[0], &second[0]);
    script_records(&RANK(S(0, 0))[0], &second[1]);
    assert_int_equal(ork_fold_take_repeated(b.f, 0, first, 2, many), ORK_OK);
    assert_int_equal(ork_fold_take_repeated(b.f, 1, second, 2, many), ORK_OK);
    assert_true(ork_fold_counts(b.f).iterations == before + many);
    take(&b, 0, RANK(R(1, 7)));
    assert_true(ork_detector_counts(b.d).records == 4000 + 4 * many + 1);
    end(&b);
}

/* RATIONALE: as above. */
static void a_rank_repeats_alone_what_needs_no_other(void **state)
{
    const uint64_t many = UINT64_C(1000000000000);
    const struct step call = RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER,
                                    .comm = ORK_COMM_SELF, .peer = ORK_NO_PEER);
    struct bench b;

    (void)state;
    begin(&b, 2);
    take(&b, 1, RANK(R(0, 0)));
    assert_int_equal(ork_fold_take_repeated(b.f, 0, &call.rec, 1, many), ORK_OK);
    assert_true(ork_fold_counts(b.f).records > many - 100);
    assert_true(ork_detector_counts(b.d).records == many + 1);
    take(&b, 0, RANK(S(1, 0)));
    assert_int_equal(ork_detector_rank(b.d, 1).status, ORK_RANK_RUNNING);
    end(&b);
}

static void what_comes_after_the_loop_is_analysed(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    take(&b, 0, RANK(R(1, 7)));
    take(&b, 1, RANK(R(0, 7)));
    assert_false(ork_fold_is_on(b.f));
    assert_true(ork_fold_counts(b.f).iterations > 0);
    assert_int_equal(ork_detector_counts(b.d).records, 402);
    assert_string_equal(script_verdict(b.d, ORK_STRICT).deadlocked, "01");
    end(&b);
}

static void a_rank_that_is_ahead_is_there_after_unfolding(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    take(&b, 0, RANK(S(1, 0)));
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    struct ork_rank_view v = ork_detector_rank(b.d, 0);
    assert_int_equal(v.status, ORK_RANK_BLOCKED);
    assert_int_equal(v.call.kind, ORK_KIND_SEND);
    assert_int_equal(ork_detector_rank(b.d, 1).status, ORK_RANK_RUNNING);
    uint64_t before = ork_fold_counts(b.f).iterations;
    take(&b, 1, RANK(R(0, 0), S(0, 0)));
    take(&b, 0, RANK(R(1, 0)));
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0))); /* and it goes on */
    assert_true(ork_fold_counts(b.f).iterations > before + 90);
    end(&b);
}

/* The detector may have been changed after unfolding: here, a rank has ended. */
static void nothing_is_kept_back_after_an_end(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    assert_true(ork_fold_is_on(b.f));
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_end(b.d, 0, ORK_END_EXITED), ORK_OK);
    take(&b, 1, RANK(R(0, 0)));
    assert_false(ork_fold_is_on(b.f));
    assert_int_equal(ork_detector_counts(b.d).records, 401);
    end(&b);
}

static void a_step_without_an_iteration_unfolds(void **state)
{
    struct bench b;
    bool is_steady;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    assert_int_equal(ork_fold_step(b.f, false, &is_steady), ORK_OK);
    assert_true(is_steady);
    take(&b, 0, RANK(S(1, 0)));
    assert_int_equal(ork_fold_step(b.f, true, &is_steady), ORK_OK);
    assert_false(is_steady);
    assert_int_equal(ork_detector_rank(b.d, 0).status, ORK_RANK_RUNNING);
    assert_int_equal(ork_fold_step(b.f, false, &is_steady), ORK_OK);
    assert_false(is_steady);
    assert_int_equal(ork_detector_rank(b.d, 0).status, ORK_RANK_BLOCKED);
    end(&b);
}

/* Rank 0 is far ahead when the period of rank 1 is found. What rank 1 repeats is fed until it has
 * caught up, and that is progress: what is kept back of rank 0 can wait. */
static void what_a_slow_rank_catches_up_is_progress(void **state)
{
    enum { AHEAD = 10000 };
    struct bench b;
    bool is_steady;

    (void)state;
    begin(&b, 2);
    for (unsigned i = 0; i < AHEAD; i++)
        take(&b, 0, RANK(S(1, 0), R(1, 0)));
    for (unsigned i = 0; i < AHEAD / 2; i++)
        take(&b, 1, RANK(R(0, 0), S(0, 0)));
    assert_true(ork_fold_is_on(b.f));
    assert_int_equal(ork_fold_step(b.f, true, &is_steady), ORK_OK);
    assert_false(ork_fold_has_moved(b.f));
    for (unsigned i = 0; i < 4; i++)
        take(&b, 0, RANK(S(1, 0), R(1, 0)));
    assert_true(ork_fold_has_moved(b.f));
    assert_int_equal(ork_fold_step(b.f, true, &is_steady), ORK_OK);
    assert_false(is_steady);
    expect_unfolded(&b);
    end(&b);
}

static void messages_that_pile_up_are_not_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 1000, RANK(I(1, 3, 0), S(1, 0)), RANK(R(0, 0)));
    expect_unfolded(&b);
    assert_true(ork_fold_counts(b.f).given_up > 0);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_counts(b.d).records, 3000);
    end(&b);
}

static void a_potential_deadlock_is_not_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(S(0, 0), R(0, 0)));
    expect_unfolded(&b);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_string_equal(script_verdict(b.d, ORK_STRICT).deadlocked, "01");
    end(&b);
}

static void wildcards_that_take_the_same_are_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 1000, RANK(S(1, 0), P(ANY, 1), FOUND(1, 1), R(1, 1)),
         RANK(R(ANY, 0), FOUND(0, 0), S(0, 1)));
    assert_in_range(ork_fold_counts(b.f).iterations, 900, 1000);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_counts(b.d).messages, 2000);
    end(&b);
}

static void wildcards_in_the_history_are_not_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    ork_detector_set_history(b.d, UINT64_MAX);
    loop(&b, 100, RANK(S(1, 0)), RANK(R(ANY, 0), FOUND(0, 0)));
    expect_unfolded(&b);
    end(&b);
}

static void open_wildcards_that_take_the_same_are_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0)), RANK(J(ANY, 0, 0), W(0), COMPLETED(0, 0, 0)));
    assert_true(ork_fold_counts(b.f).iterations > 0);
    assert_int_equal(ork_detector_counts(b.d).messages, 100);
    end(&b);
}

static void matched_probes_that_take_the_same_are_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0)), RANK(MP(ANY, 0), TOOK(0, 0, 0), MR(0)));
    assert_true(ork_fold_counts(b.f).iterations > 0);
    assert_int_equal(ork_detector_counts(b.d).messages, 100);
    end(&b);
}

/* A receive that is posted later takes a message first. */
static void open_wildcards_that_are_overtaken_are_not_folded(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), S(1, 0)), RANK(J(ANY, 0, 0), R(0, 0), W(0), COMPLETED(0, 0, 0)));
    assert_int_equal(ork_fold_counts(b.f).iterations, 0);
    end(&b);
}

static void collective_calls_of_all_may_be_fed_before(void **state)
{
    const struct ork_record call = RANK(BAR(0))->rec;
    const struct ork_span all = {0, 2};
    const struct ork_group_record wave = {.call = call, .span = &all, .num_spans = 1};
    struct bench b;

    (void)state;
    begin(&b, 2);
    for (unsigned i = 0; i < 100; i++) {
        take(&b, 0, RANK(S(1, 0)));
        take(&b, 1, RANK(R(0, 0)));
        if (ork_fold_is_on(b.f)) {
            take(&b, 0, RANK(BAR(0)));
            take(&b, 1, RANK(BAR(0)));
            continue;
        }
        assert_int_equal(ork_detector_feed_bulk(b.d, &wave, 1), ORK_OK);
        ork_fold_note_wave(b.f, &wave, 1);
    }
    assert_true(ork_fold_counts(b.f).iterations > 80);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_counts(b.d).collectives, 100);
    end(&b);
}

/* RATIONALE: ranks look at them when another record comes. */
static void loops_of_collective_calls_of_all_are_folded_when_they_come_rank_by_rank(void **state)
{
    const struct ork_span all = {0, 2};
    const struct ork_group_record wave = {.call = RANK(BAR(0))->rec, .span = &all, .num_spans = 1};
    struct bench b;

    (void)state;
    begin(&b, 2);
    for (unsigned i = 0; i < 1000; i++) {
        assert_false(ork_fold_is_on(b.f));
        assert_int_equal(ork_detector_feed_bulk(b.d, &wave, 1), ORK_OK);
        ork_fold_note_wave(b.f, &wave, 1);
    }
    loop(&b, 100, RANK(BAR(0)), RANK(BAR(0)));
    assert_true(ork_fold_counts(b.f).iterations > 0);
    assert_int_equal(ork_detector_counts(b.d).collectives, 1100);
    end(&b);
}

static void calls_of_all_that_differ_are_watched_rank_by_rank(void **state)
{
    const struct ork_span span[] = {{0, 1}, {1, 1}};
    const struct ork_group_record wave[] = {
        {.call = {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .site = 1},
         .span = &span[0],
         .num_spans = 1},
        {.call = {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .site = 2},
         .span = &span[1],
         .num_spans = 1}};
    struct bench b;

    (void)state;
    begin(&b, 2);
    for (unsigned i = 0; i < 200; i++) {
        take(&b, 0, RANK(S(1, 0), S(1, 0)));
        take(&b, 1, RANK(R(0, 0), R(0, 0)));
        bool is_on = ork_fold_is_on(b.f);
        for (uint32_t r = 0; r < 2 && is_on; r++)
            assert_int_equal(ork_fold_take(b.f, r, &wave[r].call, 1), ORK_OK);
        if (is_on)
            continue;
        assert_int_equal(ork_detector_feed_bulk(b.d, wave, 2), ORK_OK);
        ork_fold_note_wave(b.f, wave, 2);
    }
    assert_true(ork_fold_counts(b.f).iterations > 150);
    assert_int_equal(ork_fold_unfold(b.f), ORK_OK);
    assert_int_equal(ork_detector_counts(b.d).collectives, 200);
    end(&b);
}

static void nothing_is_folded_when_it_may_not_be(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    b.may_not = true;
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    expect_unfolded(&b);
    assert_int_equal(ork_detector_counts(b.d).records, 400);
    end(&b);
}

static void after_the_stop_every_record_is_fed(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 2);
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    uint64_t before = ork_fold_counts(b.f).iterations;
    assert_int_equal(ork_fold_stop(b.f), ORK_OK);
    assert_false(ork_fold_is_on(b.f));
    loop(&b, 100, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    assert_int_equal(ork_fold_counts(b.f).iterations, before);
    assert_int_equal(ork_detector_counts(b.d).records, 800);
    end(&b);
}

int test_fold(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_iterations_of_a_loop_are_counted),
        cmocka_unit_test(sweeps_there_and_back_are_one_iteration),
        cmocka_unit_test(repetitions_that_are_told_are_not_looked_at_one_by_one),
        cmocka_unit_test(a_rank_repeats_alone_what_needs_no_other),
        cmocka_unit_test(what_comes_after_the_loop_is_analysed),
        cmocka_unit_test(a_rank_that_is_ahead_is_there_after_unfolding),
        cmocka_unit_test(nothing_is_kept_back_after_an_end),
        cmocka_unit_test(a_step_without_an_iteration_unfolds),
        cmocka_unit_test(what_a_slow_rank_catches_up_is_progress),
        cmocka_unit_test(messages_that_pile_up_are_not_folded),
        cmocka_unit_test(a_potential_deadlock_is_not_folded),
        cmocka_unit_test(wildcards_that_take_the_same_are_folded),
        cmocka_unit_test(wildcards_in_the_history_are_not_folded),
        cmocka_unit_test(open_wildcards_that_take_the_same_are_folded),
        cmocka_unit_test(matched_probes_that_take_the_same_are_folded),
        cmocka_unit_test(open_wildcards_that_are_overtaken_are_not_folded),
        cmocka_unit_test(collective_calls_of_all_may_be_fed_before),
        cmocka_unit_test(loops_of_collective_calls_of_all_are_folded_when_they_come_rank_by_rank),
        cmocka_unit_test(calls_of_all_that_differ_are_watched_rank_by_rank),
        cmocka_unit_test(nothing_is_folded_when_it_may_not_be),
        cmocka_unit_test(after_the_stop_every_record_is_fed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
