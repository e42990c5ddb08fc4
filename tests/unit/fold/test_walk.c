/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations that differ in a choice: which are only looked up, and where the detector is then. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#include "detector/fold/fold.h"
#include "tests/fuzz/wfg_random.h"

enum { RANKS = 4, AFTER = 200, ITERATIONS = 3000 };

struct bench {
    struct ork_detector *d, *plain;
    struct ork_fold *f;
    struct wfg_random random;
    uint64_t fed; /* batches, and those without records */
    unsigned told;
};

static enum ork_status feed(void *context, uint32_t rank, const struct ork_record *record, size_t n)
{
    struct bench *b = context;

    b->fed += n;
    b->told += n == 0;
    return ork_detector_feed(b->d, rank, record, n);
}

static void begin(struct bench *b, uint64_t after)
{
    const struct ork_fold_sink sink = {.context = b, .feed = feed};

    *b = (struct bench){.d = script_create(RANKS), .plain = script_create(RANKS), .random = {1}};
    assert_int_equal(ork_fold_create(b->d, RANKS, &sink, &b->f), ORK_OK);
    ork_fold_set_walk_after(b->f, after);
}

static void end(struct bench *b)
{
    ork_fold_destroy(b->f);
    ork_detector_destroy(b->d);
    ork_detector_destroy(b->plain);
}

static void take(struct bench *b, uint32_t rank, const struct step *step)
{
    struct ork_record record[2];

    script_feed(b->plain, rank, step);
    for (; step->rec.kind != ORK_KIND_CONT; step++) {
        unsigned n = script_records(step, record);
        assert_int_equal(ork_fold_take(b->f, rank, record, n), ORK_OK);
    }
}

/* A worker asks for a task, and rank 0 answers whoever was first. */
static void hand_out(struct bench *b, unsigned tasks)
{
    for (; tasks > 0; tasks--) {
        const int32_t worker = 1 + (int32_t)wfg_random_below(&b->random, RANKS - 1);
        take(b, 0, RANK(R(ANY, 0), FOUND(worker, 0), S(worker, 1)));
        take(b, (uint32_t)worker, RANK(S(0, 0), R(0, 1)));
    }
}

static void expect_same(struct bench *b)
{
    struct ork_taken x, y;

    assert_int_equal(ork_fold_unfold(b->f), ORK_OK);
    const struct ork_counts mine = ork_detector_counts(b->d), all = ork_detector_counts(b->plain);
    assert_int_equal(mine.records, all.records);
    assert_int_equal(mine.calls, all.calls);
    assert_int_equal(mine.messages, all.messages);
    assert_int_equal(mine.collectives, all.collectives);
    assert_int_equal(mine.queued, all.queued);
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal(script_call(b->d, r), script_call(b->plain, r));
        for (uint32_t i = 0; i <= ORK_TAKEN_MAX; i++) {
            bool is_there = ork_detector_taken(b->d, r, i, &x);
            assert_int_equal(is_there, ork_detector_taken(b->plain, r, i, &y));
            assert_true(!is_there || (x.source == y.source && x.tag == y.tag));
        }
    }
}

static void tasks_for_any_worker_are_looked_up(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, AFTER);
    hand_out(&b, ITERATIONS);
    assert_true(ork_fold_is_on(b.f));
    assert_false(ork_fold_is_counting(b.f));
    assert_in_range(ork_fold_counts(b.f).walked, 5 * ITERATIONS * 9 / 10, 5 * ITERATIONS);
    assert_int_equal(ork_fold_counts(b.f).records, ork_fold_counts(b.f).walked);
    expect_same(&b);
    end(&b);
}

static void after_a_look_it_goes_on_from_known_states(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, AFTER);
    hand_out(&b, ITERATIONS);
    uint64_t fed = b.fed, walked = ork_fold_counts(b.f).walked;
    for (unsigned i = 0; i < 20; i++) {
        expect_same(&b);
        hand_out(&b, 100);
    }
    assert_in_range(ork_fold_counts(b.f).walked - walked, 20 * 450, 20 * 500);
    assert_in_range(b.fed - fed, 0, 20 * 100);
    expect_same(&b);
    end(&b);
}

/* Requests that MPI_Testsome completes in any order are started anew. */
static void tests_for_some_are_looked_up(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, AFTER);
    take(&b, 0, RANK(J(1, 0, 1), J(2, 0, 2), J(3, 0, 3)));
    for (unsigned i = 0; i < ITERATIONS; i++) {
        const uint32_t one = 1 + wfg_random_below(&b.random, RANKS - 1);
        const uint32_t other = 1 + one % (RANKS - 1);
        take(&b, one, RANK(S(0, 0)));
        if (wfg_random_percent(&b.random, 50)) {
            take(&b, 0, RANK(TESTED(one, NOT_SEEN), J((int32_t)one, 0, one)));
            continue;
        }
        take(&b, other, RANK(S(0, 0)));
        take(&b, 0, RANK(TESTED(one, NOT_SEEN, other, NOT_SEEN), J((int32_t)one, 0, one)));
        take(&b, 0, RANK(J((int32_t)other, 0, other)));
    }
    assert_in_range(ork_fold_counts(b.f).walked, 4 * ITERATIONS, 7 * ITERATIONS);
    expect_same(&b);
    end(&b);
}

/* RATIONALE: its messages are not queued in the detector one after the other. */
static void a_rank_that_is_ahead_waits(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, AFTER);
    hand_out(&b, ITERATIONS);
    for (unsigned i = 0; i < 1000; i++)
        take(&b, 1, RANK(S(0, 0), S(0, 0)));
    assert_int_equal(ork_detector_counts(b.d).queued, 0);
    expect_same(&b);
    assert_int_equal(ork_detector_counts(b.d).queued, 1999);
    end(&b);
}

static void a_deadlock_after_the_loop_is_seen(void **state)
{
    struct bench b;
    bool is_steady;

    (void)state;
    begin(&b, AFTER);
    hand_out(&b, ITERATIONS);
    assert_int_equal(ork_fold_step(b.f, true, &is_steady), ORK_OK);
    assert_true(is_steady);
    take(&b, 1, RANK(S(0, 0)));
    take(&b, 2, RANK(S(0, 0)));
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(ork_fold_step(b.f, true, &is_steady), ORK_OK);
        assert_false(is_steady);
    }
    unsigned told = b.told;
    assert_int_equal(ork_fold_step(b.f, false, &is_steady), ORK_OK);
    assert_false(is_steady);
    assert_int_equal(b.told, told + 1);
    take(&b, 0, RANK(R(3, 9)));
    take(&b, 3, RANK(R(0, 9)));
    expect_same(&b);
    assert_string_equal(script_verdict(b.d, ORK_STRICT).deadlocked, "0123");
    end(&b);
}

/* A call that cannot be part of it ends it. */
static void a_buffered_send_ends_it(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, AFTER);
    hand_out(&b, ITERATIONS);
    take(&b, 1, RANK(S(0, 0)));
    take(&b, 1, RANK(B(2, 5)));
    assert_false(ork_fold_is_on(b.f));
    take(&b, 2, RANK(R(1, 5)));
    expect_same(&b);
    end(&b);
}

/* RATIONALE: each message has a tag of its own, so nothing is known twice. */
static void what_is_always_new_is_given_up(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, AFTER);
    for (int32_t i = 0; i < ITERATIONS; i++) {
        take(&b, 0, RANK(S(1, i)));
        take(&b, 1, RANK(R(0, i)));
    }
    assert_int_equal(ork_fold_counts(b.f).walked, 0);
    assert_true(ork_fold_counts(b.f).given_up > 0);
    expect_same(&b);
    end(&b);
}

int test_walk(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_for_any_worker_are_looked_up),
        cmocka_unit_test(after_a_look_it_goes_on_from_known_states),
        cmocka_unit_test(tests_for_some_are_looked_up),
        cmocka_unit_test(a_rank_that_is_ahead_waits),
        cmocka_unit_test(a_deadlock_after_the_loop_is_seen),
        cmocka_unit_test(a_buffered_send_ends_it),
        cmocka_unit_test(what_is_always_new_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
