/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs out at every allocation in turn, and memory that may not grow. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/memory.h"
#include "tests/unit/detector/script.h"

/* Some of everything, which ends in a deadlock of all three. */
#define START_OF_ALL DUP(2, 0), GROUP(3, 0, 4, 0, 1, 3), BAR(2), IBAR(3, 0), W(0)
#define END_OF_ALL   I(0, 77, SHARED), J(0, 78, 9), W(SHARED, 9)

static const struct step *const rank[] = {
    RANK(START_OF_ALL, CALL_INTERCOMM(1, 0, 1, 0, 5), DEFINE_INTER(4, 1, 0, 1, 1, 1, 1, 1),
         S_ON(4, 0, 3), R(ANY, 1), FOUND(2, 1), R_INIT(1, 2, 5), START(5), W(5), IBAR(2, 20),
         MP(ANY, 4), TOOK(1, 4, 3), MR(3), S(2, 0), S(1, 9), BAR(0)),
    RANK(START_OF_ALL, CALL_INTERCOMM(1, 0, 0, 0, 5), DEFINE_INTER(4, 1, 1, 1, 1, 0, 1, 1),
         R_ON(4, 0, 3), S_INIT(0, 2, 6), START(6), W(6), ICOLL_(BCAST, 2, 20), I(0, 4, 0), WANY(0),
         COMPLETED(0, NOT_SEEN), J(0, 8, 1), CANCEL(1), W(1), COMPLETED(0, WAS_CANCELLED),
         END_OF_ALL),
    RANK(START_OF_ALL, S(0, 1), P(ANY, 0), FOUND(0, 0), R(0, 0), IBAR(2, 20), END_OF_ALL),
};

enum { RANKS = 3 };

/* Feed it all, whatever the status; once memory ran out it has run out for good. */
static bool feed_all(struct ork_detector *d)
{
    bool failed = false;

    for (uint32_t r = 0; r < RANKS; r++) {
        for (const struct step *s = rank[r]; s->rec.kind != ORK_KIND_CONT; s++) {
            struct ork_record record[2];
            unsigned n = script_records(s, record);
            enum ork_status status = ork_detector_feed(d, r, record, n);
            if (failed)
                assert_int_equal(status, ORK_NOMEM);
            assert_true(status == ORK_OK || status == ORK_NOMEM);
            failed = status != ORK_OK;
        }
    }
    return !failed;
}

static bool search_and_relax(struct ork_detector *d, bool *fed)
{
    struct ork_search *s = NULL;
    enum ork_status status = ork_detector_search(d, ORK_STRICT, &s);
    uint32_t passed = 0;

    if (status != ORK_OK) {
        assert_int_equal(status, ORK_NOMEM);
        assert_null(s);
        return false;
    }
    assert_true(*fed);
    assert_int_equal(ork_wfg_num_deadlocked(s->wfg), RANKS);
    status = ork_detector_relax(d, s, &passed);
    ork_search_destroy(s);
    return status == ORK_OK;
}

/* Returns whether all went well. */
static bool run_with(long succeed)
{
    struct ork_detector *d = NULL;
    bool good = false;

    memory_arm(succeed);
    if (ork_detector_create(RANKS, &d) == ORK_OK) {
        bool fed = feed_all(d);
        good = search_and_relax(d, &fed);
        if (!fed)
            assert_false(good);
    } else {
        assert_null(d);
    }
    assert_int_equal(good, memory_failures() == 0);
    ork_detector_destroy(d);
    memory_disarm();
    assert_int_equal(memory_live(), 0);
    return good;
}

static void memory_that_runs_out_never_gives_a_result_and_never_leaks(void **state)
{
    (void)state;
    long n = 0;

    while (!run_with(n))
        n++;
    assert_true(n > 40); /* so many places to fail at */
}

/* A job of one spawns another one of one, they merge, and both receive. Returns whether all went
 * well. */
static bool run_jobs_with(long succeed)
{
    const struct step *const job[] = {
        RANK(COLL_(COMM_SPAWN, 0, 0, .bytes = 0), MEET(2, COMM_SPAWN, 1, 0, 1, 1, OF(8), 0, 1, 1),
             COLL_(INTERCOMM_MERGE, 2, ORK_NO_PEER, .bytes = 0),
             DEFINE_(3, 2, INTERCOMM_MERGE, 0, 1, 1, OF(8), 0, 1, 1), R_ON(3, 1, 0)),
        RANK(MEET(2, COMM_SPAWN, 1, 0, 1, 1, OF(7), 0, 1, 1),
             COLL_(INTERCOMM_MERGE, 2, ORK_NO_PEER, .bytes = 0),
             DEFINE_(3, 2, INTERCOMM_MERGE, OF(7), 0, 1, 1, OF(8), 0, 1, 1), R_ON(3, 0, 0))};
    struct ork_detector *d = NULL;
    struct ork_search *s = NULL;
    bool good = true;

    memory_arm(succeed);
    good = ork_detector_create(1, &d) == ORK_OK && ork_detector_add_job(d, 0, 1, 7) == ORK_OK &&
           ork_detector_add_job(d, 1, 1, 8) == ORK_OK;
    for (uint32_t r = 0; r < 2 && good; r++) {
        for (const struct step *step = job[r]; step->rec.kind != ORK_KIND_CONT; step++) {
            struct ork_record record[2];
            unsigned n = script_records(step, record);
            good &= ork_detector_feed(d, r, record, n) == ORK_OK;
        }
    }
    good = good && ork_detector_search(d, ORK_STRICT, &s) == ORK_OK;
    if (good)
        assert_int_equal(ork_wfg_num_deadlocked(s->wfg), 2);
    assert_int_equal(good, memory_failures() == 0);
    ork_search_destroy(s);
    ork_detector_destroy(d);
    memory_disarm();
    assert_int_equal(memory_live(), 0);
    return good;
}

static void a_job_that_comes_later_is_there_or_memory_ran_out(void **state)
{
    (void)state;
    long n = 0;

    while (!run_jobs_with(n))
        n++;
    assert_true(n > 20);
}

/* ---- memory that does not grow ---- */

static void exchange(struct ork_detector *d, int32_t tag)
{
    script_feed(d, 0, RANK(I(1, tag, 0), J(1, tag, 1), W(0, 1), S(1, tag)));
    script_feed(d, 1, RANK(R(0, tag), S(0, tag), R(ANY, tag), FOUND(0, tag)));
}

static void rounds_of_everything(struct ork_detector *d, int32_t from, int32_t to)
{
    for (int32_t i = from; i < to; i++) {
        exchange(d, i);
        if (i % 16 != 0)
            continue;
        for (uint32_t r = 0; r < 2; r++) {
            script_feed(d, r, RANK(DUP(2, 0), IBAR(2, 0), ALLREDUCE(0), W(0), COMM_FREE(2)));
            script_feed(d, r, RANK(I(NOBODY, 0, SHARED), W(SHARED)));
        }
    }
}

static void memory_is_flat_however_many_tags_and_communicators_there_were(void **state)
{
    (void)state;
    memory_arm(INT32_MAX);
    struct ork_detector *d = script_create(2);

    rounds_of_everything(d, 0, 20000);
    long before = memory_bytes();
    rounds_of_everything(d, 20000, 120000);
    long growth = memory_bytes() - before;
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_counts(d).messages, 3 * 120000);
    ork_detector_destroy(d);
    memory_disarm();
    assert_int_equal(memory_live(), 0);
    assert_true(growth < 200000);
}

/* Each thread makes a call and ends. */
static void let_threads_come_and_go(struct ork_detector *d, int count)
{
    struct ork_record call = {.kind = ORK_KIND_SENDRECV, .thread = 1, .tag = 9, .tag2 = 9};
    const struct ork_record end = {.kind = ORK_KIND_THREAD_END, .thread = 1};

    for (int i = 0; i < count; i++) {
        assert_int_equal(ork_detector_feed(d, 0, &call, 1), ORK_OK);
        assert_int_equal(ork_detector_feed(d, 0, &end, 1), ORK_OK);
    }
}

static void memory_is_flat_however_many_threads_came_and_went(void **state)
{
    struct ork_detector *d = script_create(1);

    (void)state;
    let_threads_come_and_go(d, 100);
    memory_arm(1000000);
    let_threads_come_and_go(d, 10000);
    assert_int_equal(memory_bytes(), 0);
    memory_disarm();
    ork_detector_destroy(d);
}

int test_nomem(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_runs_out_never_gives_a_result_and_never_leaks),
        cmocka_unit_test(a_job_that_comes_later_is_there_or_memory_ran_out),
        cmocka_unit_test(memory_is_flat_however_many_threads_came_and_went),
        cmocka_unit_test(memory_is_flat_however_many_tags_and_communicators_there_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
