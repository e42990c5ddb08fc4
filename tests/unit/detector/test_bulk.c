/* SPDX-License-Identifier: BSD-3-Clause */
/* The same call of many ranks at once: where it leaves them, and what must come out as if each had
 * been fed by itself. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#include "detector/state/state.h"

enum { RANKS = 4 };

static const struct ork_span all = {0, RANKS};
static const struct ork_span even[] = {{0, 1}, {2, 1}};
static const struct ork_span odd[] = {{1, 1}, {3, 1}};

static struct ork_record record(struct step step)
{
    return step.rec;
}

#define CALL(...) record((struct step)__VA_ARGS__)

static struct ork_record at_site(struct ork_record call, uint32_t site)
{
    call.site = site;
    return call;
}

static struct ork_detector *create(void)
{
    struct ork_detector *d = script_create(RANKS);
    const struct ork_record init = {.kind = ORK_KIND_INIT};

    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_detector_feed(d, r, &init, 1), ORK_OK);
    return d;
}

static enum ork_status feed_spans(struct ork_detector *d, struct ork_record call,
                                  const struct ork_span *span, uint32_t n)
{
    return ork_detector_feed_bulk(
        d, &(struct ork_group_record){.call = call, .span = span, .num_spans = n}, 1);
}

static void feed_all(struct ork_detector *d, struct ork_record call)
{
    assert_int_equal(feed_spans(d, call, &all, 1), ORK_OK);
}

static void feed_two(struct ork_detector *d, struct ork_record first, struct ork_record second)
{
    const struct ork_group_record group_record[] = {{.call = first, .span = even, .num_spans = 2},
                                                    {.call = second, .span = odd, .num_spans = 2}};

    assert_int_equal(ork_detector_feed_bulk(d, group_record, 2), ORK_OK);
}

static void expect_at_once(const struct ork_detector *d, uint64_t calls)
{
    assert_int_equal(ork_detector_counts(d).at_once, calls);
}

/* ---- what is seen of it ---- */

static void passes_when_all_arrive_at_once(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    feed_two(d, at_site(CALL(BCAST(0, 2)), 7), at_site(CALL(BCAST(0, 2)), 8));
    expect_at_once(d, 1);
    for (uint32_t r = 0; r < RANKS; r++) {
        struct ork_rank_view view = ork_detector_rank(d, r);
        assert_int_equal(view.status, ORK_RANK_RUNNING);
        assert_int_equal(view.call.mode, ORK_COLL_BCAST);
        assert_int_equal(view.call.site, r % 2 == 0 ? 7 : 8);
        assert_int_equal(view.comm, 0);
    }
    struct ork_counts counts = ork_detector_counts(d);
    assert_int_equal(counts.records, 2 * RANKS);
    assert_int_equal(counts.calls, 2 * RANKS);
    assert_int_equal(counts.collectives, 1);
    ork_detector_destroy(d);
}

static void shows_the_latest_of_several(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    for (uint32_t site = 1; site < 40; site++)
        feed_all(d, at_site(CALL(BAR(0)), site));
    script_feed(d, 1, RANK(S_AT(50, 0, 0)));
    feed_all(d, at_site(CALL(BAR(0)), 60)); /* rank 1 gets there later */
    expect_at_once(d, 39);
    assert_int_equal(ork_detector_rank(d, 2).call.site, 60);
    assert_int_equal(ork_detector_rank(d, 1).call.site, 50);
    assert_int_equal(ork_detector_rank(d, 2).status, ORK_RANK_BLOCKED);
    ork_detector_destroy(d);
}

/* ---- what is not a wave, or not yet ---- */

static void waits_for_those_that_are_missing(void **state)
{
    struct ork_detector *d = create();
    const struct ork_span three = {0, 3};

    (void)state;
    assert_int_equal(feed_spans(d, CALL(BAR(0)), &three, 1), ORK_OK);
    assert_string_equal(script_statuses(d, RANKS).of, "BBBR");
    script_feed(d, 3, RANK(BAR(0)));
    assert_string_equal(script_statuses(d, RANKS).of, "RRRR");
    expect_at_once(d, 0);
    feed_all(d, CALL(BAR(0)));
    expect_at_once(d, 1);
    ork_detector_destroy(d);
}

static void finds_a_mismatch_as_if_fed_one_by_one(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    feed_two(d, CALL(BAR(0)), CALL(BCAST(0, 1)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    const struct ork_issue *issue = ork_detector_issue(d, 0);
    assert_int_equal(issue->kind, ORK_ISSUE_MISMATCH);
    assert_int_equal(issue->side[0].num_ranks, 2);
    assert_int_equal(issue->side[0].ranks[1], 2);
    assert_int_equal(issue->side[1].num_ranks, 2);
    assert_int_equal(issue->side[1].ranks[0], 1);
    ork_detector_destroy(d);
}

static void feeds_other_records_to_each(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    feed_all(d, CALL(SR(NOBODY, 0, NOBODY, 0)));
    feed_all(d, CALL(IBAR(0, 3)));
    feed_all(d, CALL(BAR(1)));
    assert_string_equal(script_statuses(d, RANKS).of, "RRRR");
    feed_all(d, CALL(BAR(77)));
    assert_string_equal(script_statuses(d, RANKS).of, "UUUU");
    feed_all(d, CALL({.rec = {.kind = ORK_KIND_MAX}}));
    assert_non_null(ork_detector_fault(d, 3));
    expect_at_once(d, 0);
    ork_detector_destroy(d);
}

static void takes_a_root_that_is_none_as_a_call_that_fails(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    feed_all(d, CALL(BCAST(0, RANKS)));
    assert_string_equal(script_statuses(d, RANKS).of, "UUUU");
    expect_at_once(d, 0);
    ork_detector_destroy(d);
}

static void refuses_what_are_no_ranks(void **state)
{
    static const struct {
        struct ork_span span[2];
    } bad[] = {{{{0, 0}, {1, 1}}},         {{{0, 2}, {1, 1}}},     {{{2, 1}, {0, 1}}},
               {{{0, 1}, {RANKS, 1}}},     {{{0, 1}, {1, RANKS}}}, {{{0, 1}, {UINT32_MAX, 2}}},
               {{{0, 1}, {1, UINT32_MAX}}}};
    struct ork_detector *d = create();

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_int_equal(feed_spans(d, CALL(BAR(0)), bad[i].span, 2), ORK_INVALID);
    const struct ork_group_record twice[] = {{.call = CALL(BAR(0)), .span = &all, .num_spans = 1},
                                             {.call = CALL(BAR(0)), .span = odd, .num_spans = 2}};
    assert_int_equal(ork_detector_feed_bulk(d, twice, 2), ORK_INVALID);
    assert_int_equal(ork_detector_feed_bulk(d, twice, 0), ORK_OK);
    assert_int_equal(ork_detector_counts(d).records, RANKS);
    assert_string_equal(script_statuses(d, RANKS).of, "RRRR");
    ork_detector_destroy(d);
}

/* ---- what comes after it ---- */

static void matches_messages_around_it(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    script_feed(d, 0, RANK(J(1, 5, 0)));
    feed_all(d, CALL(BAR(0)));
    expect_at_once(d, 1);
    script_feed(d, 1, RANK(S(0, 5)));
    script_feed(d, 0, RANK(W(0), R(2, 6)));
    assert_string_equal(script_statuses(d, RANKS).of, "BRRR");
    script_feed(d, 2, RANK(S(0, 6)));
    feed_all(d, CALL(BAR(0)));
    expect_at_once(d, 2);
    ork_detector_destroy(d);
}

/* A constructor after waves that passed at once is known by its place in the parent's order. */
static void makes_communicators_after_it(void **state)
{
    struct ork_detector *d = create();
    const struct step *dup = RANK(DUP(2, 0));

    (void)state;
    feed_all(d, CALL(BAR(0)));
    feed_all(d, CALL(BAR(0)));
    for (uint32_t r = 0; r < RANKS; r++)
        script_feed(d, r, dup);
    feed_all(d, CALL(BAR(2)));
    expect_at_once(d, 3);
    assert_int_equal(ork_detector_rank(d, 1).comm, ork_detector_rank(d, 3).comm);
    assert_int_equal(ork_detector_comm(d, ork_detector_rank(d, 1).comm).size, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        script_feed(d, r, RANK(COMM_FREE(2)));
    feed_all(d, CALL(BAR(0)));
    feed_all(d, CALL(BAR(2))); /* is no communicator any more */
    expect_at_once(d, 4);
    assert_string_equal(script_statuses(d, RANKS).of, "UUUU");
    ork_detector_destroy(d);
}

/* A loop in which the same call is made on the same number, which is another communicator. */
static void takes_the_same_call_once_more(void **state)
{
    struct ork_detector *d = create();
    uint32_t before = UINT32_MAX;

    (void)state;
    for (uint32_t lap = 1; lap <= 3; lap++) {
        for (uint32_t r = 0; r < RANKS; r++)
            script_feed(d, r, RANK(DUP(2, 0)));
        feed_all(d, CALL(BAR(2)));
        feed_all(d, CALL(BAR(2)));
        expect_at_once(d, 2 * (uint64_t)lap);
        for (uint32_t r = 0; r < RANKS; r++)
            assert_int_equal(ork_detector_rank(d, r).comm, ork_detector_rank(d, 0).comm);
        assert_int_not_equal(ork_detector_rank(d, 0).comm, before);
        before = ork_detector_rank(d, 0).comm;
        for (uint32_t r = 0; r < RANKS; r++)
            script_feed(d, r, RANK(COMM_FREE(2)));
    }
    assert_string_equal(script_statuses(d, RANKS).of, "RRRR");
    assert_int_equal(ork_detector_counts(d).collectives, 12);
    ork_detector_destroy(d);
}

static void takes_one_number_for_several_communicators(void **state)
{
    struct ork_detector *d = create();
    const struct ork_span low = {0, 2};
    const struct ork_span mixed = {1, 2};

    (void)state;
    for (uint32_t r = 0; r < RANKS; r++)
        script_feed(d, r, r < 2 ? RANK(SPLIT(2, 0, 0, 1, 2)) : RANK(SPLIT(2, 0, 2, 1, 2)));
    feed_all(d, CALL(BAR(2)));
    expect_at_once(d, 2);
    assert_int_not_equal(ork_detector_rank(d, 0).comm, ork_detector_rank(d, 2).comm);
    assert_int_equal(feed_spans(d, CALL(ALLREDUCE(2)), &low, 1), ORK_OK);
    expect_at_once(d, 3);
    script_feed(d, 0, RANK(R(3, 0))); /* does not hold up the others */
    assert_int_equal(feed_spans(d, CALL(BAR(2)), &(struct ork_span){2, 2}, 1), ORK_OK);
    expect_at_once(d, 4);
    assert_int_equal(feed_spans(d, CALL(BAR(2)), &mixed, 1), ORK_OK);
    expect_at_once(d, 4);
    assert_string_equal(script_statuses(d, RANKS).of, "BBBR");
    ork_detector_destroy(d);
}

static void fails_after_it_as_after_the_call(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    feed_all(d, CALL(BAR(0)));
    script_feed(d, 0, RANK(FAILED(5)));
    feed_all(d, CALL(BAR(0)));
    expect_at_once(d, 2);
    assert_string_equal(script_statuses(d, RANKS).of, "RRRR");
    ork_detector_destroy(d);
}

/* A ready send is right if its sender learnt of the receive: here by the barrier. */
static void carries_knowledge_from_rank_to_rank(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        script_feed(d, 0, RANK(J(1, 0, 0)));
        feed_all(d, CALL(BAR(0)));
        script_feed(d, 1, RANK(RSEND(0, 0)));
        script_feed(d, 0, RANK(W(0)));
    }
    assert_int_equal(ork_detector_num_issues(d), 0);
    script_feed(d, 0, RANK(J(2, 0, 0)));
    script_feed(d, 2, RANK(RSEND(0, 0)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    expect_at_once(d, 2);
    ork_detector_destroy(d);
}

static void leaves_threads_to_the_ordinary_way(void **state)
{
    struct ork_detector *d = create();
    struct ork_record other = CALL(BAR(1));

    (void)state;
    other.thread = 1;
    assert_int_equal(ork_detector_feed(d, 2, &other, 1), ORK_OK);
    feed_all(d, CALL(BAR(0)));
    expect_at_once(d, 0);
    assert_string_equal(script_statuses(d, RANKS).of, "RRRR");
    ork_detector_destroy(d);
}

/* ---- history and probing ---- */

/* Rank 0 waits for ever if its first receive takes the message of rank 2. */
static void race(struct ork_detector *d)
{
    script_feed(d, 1, RANK(S(0, 1)));
    script_feed(d, 2, RANK(S(0, 2)));
    script_feed(d, 0, RANK(R(ANY, ANY_TAG), FOUND(1, 1), R(ANY, 2), FOUND(2, 2)));
}

/* At the end of the run. */
static enum ork_interleave_result probe(struct ork_detector *d)
{
    struct ork_interleaving *f;
    enum ork_interleave_result result;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_feed(d, r, RANK(F));
        ork_detector_end(d, r, ORK_END_FINISHED);
    }
    assert_int_equal(ork_interleaving_create(d, ORK_OTHERWISE_ANYHOW, &f), ORK_OK);
    assert_int_equal(ork_interleaving_search(f, &(struct ork_interleave_options){0}, &result),
                     ORK_OK);
    ork_interleaving_destroy(f);
    return result;
}

static void probes_before_and_after_it(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    ork_detector_set_history(d, UINT64_MAX);
    feed_all(d, CALL(BAR(0)));
    race(d);
    feed_all(d, CALL(BAR(0)));
    expect_at_once(d, 2);
    feed_all(d, CALL(ALLREDUCE(0)));
    /* rank 3 has done nothing by itself */
    assert_int_equal(ork_detector_history_size(d), 3 * RANKS + 6);
    assert_true(ork_detector_has_wildcards(d));
    assert_int_equal(probe(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void keeps_wildcards_of_a_full_history(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    ork_detector_set_history(d, 11);
    race(d);
    for (unsigned i = 0; i < 5; i++)
        feed_all(d, CALL(BAR(0)));
    assert_true(ork_detector_is_history_full(d));
    assert_true(ork_detector_has_wildcards(d));
    assert_true(ork_detector_history_size(d) <= 11);
    expect_at_once(d, 4); /* the one that was too much filled it, rank by rank */
    ork_detector_destroy(d);
}

static void begins_a_full_history_anew(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    ork_detector_set_history(d, 10);
    for (unsigned i = 0; i < 3; i++)
        feed_all(d, CALL(BAR(0)));
    assert_false(ork_detector_is_history_full(d)); /* by the third, rank by rank */
    assert_int_equal(ork_detector_history_size(d), 0);
    race(d);
    assert_int_equal(probe(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void begins_anew_when_nothing_is_pending(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    ork_detector_set_history(d, 1 << 20);
    script_feed(d, 0, RANK(J(1, 5, 0)));
    for (unsigned i = 0; i < 2000; i++)
        feed_all(d, CALL(BAR(0)));
    assert_int_equal(ork_detector_history_size(d), 2000 * RANKS + 1); /* a receive is */
    script_feed(d, 1, RANK(S(0, 5)));
    feed_all(d, CALL(BAR(0)));
    assert_int_equal(ork_detector_history_size(d), 0);
    expect_at_once(d, 2001);
    script_feed(d, 0, RANK(W(0)));
    race(d);
    assert_int_equal(probe(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void leaves_nothing_behind(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        feed_all(d, CALL(BAR(0)));
        for (uint32_t r = 0; r < RANKS; r++)
            script_feed(d, r, RANK(S(NOBODY, 0)));
    }
    assert_int_equal(d->history.num_logged, 0);
    assert_ptr_equal(d->comms.oldest->bulk_wave, d->bulk.latest);
    assert_int_equal(d->bulk.latest->refs, 2);
    assert_int_equal(d->bulk.num_bulk_blocked, 0);
    ork_detector_destroy(d);
}

int test_bulk(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_when_all_arrive_at_once),
        cmocka_unit_test(shows_the_latest_of_several),
        cmocka_unit_test(waits_for_those_that_are_missing),
        cmocka_unit_test(finds_a_mismatch_as_if_fed_one_by_one),
        cmocka_unit_test(feeds_other_records_to_each),
        cmocka_unit_test(takes_a_root_that_is_none_as_a_call_that_fails),
        cmocka_unit_test(refuses_what_are_no_ranks),
        cmocka_unit_test(matches_messages_around_it),
        cmocka_unit_test(makes_communicators_after_it),
        cmocka_unit_test(takes_the_same_call_once_more),
        cmocka_unit_test(takes_one_number_for_several_communicators),
        cmocka_unit_test(fails_after_it_as_after_the_call),
        cmocka_unit_test(carries_knowledge_from_rank_to_rank),
        cmocka_unit_test(leaves_threads_to_the_ordinary_way),
        cmocka_unit_test(probes_before_and_after_it),
        cmocka_unit_test(keeps_wildcards_of_a_full_history),
        cmocka_unit_test(begins_a_full_history_anew),
        cmocka_unit_test(begins_anew_when_nothing_is_pending),
        cmocka_unit_test(leaves_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
