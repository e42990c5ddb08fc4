/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the history for alternative matches begins, and what of it repeats. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

enum { LIMIT = 512, REPEATS = LIMIT / 8 };

static struct ork_detector *create(uint32_t ranks)
{
    struct ork_detector *d = script_create(ranks);

    ork_detector_set_history(d, LIMIT);
    return d;
}

static enum ork_interleave_result search(struct ork_detector *d)
{
    struct ork_interleaving *f;
    enum ork_interleave_result result;

    assert_int_equal(ork_interleaving_create(d, ORK_OTHERWISE_ANYHOW, &f), ORK_OK);
    assert_int_equal(ork_interleaving_search(f, &(struct ork_interleave_options){0}, &result),
                     ORK_OK);
    ork_interleaving_destroy(f);
    return result;
}

/* Rank 0 waits for ever if its first receive takes the message of rank 2. */
static void race(struct ork_detector *d)
{
    script_feed(d, 0, RANK(R(ANY, ANY_TAG), FOUND(1, 1), R(ANY, 2), FOUND(2, 2)));
}

/* A task of each worker. */
static void hand_out(struct ork_detector *d)
{
    script_feed(d, 1, RANK(S(0, 5), R(0, 6)));
    script_feed(d, 2, RANK(S(0, 5), R(0, 6)));
    script_feed(d, 0, RANK(R(ANY, 5), FOUND(2, 5), S(2, 6), R(ANY, 5), FOUND(1, 5), S(1, 6)));
}

/* As the root does; true: it was searched. */
static bool follow(struct ork_detector *d)
{
    bool has_news = ork_detector_has_history_news(d);

    if (!ork_detector_history_repeats(d))
        return false;
    if (has_news)
        assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
    ork_detector_history_is_searched(d);
    ork_detector_cut_history(d);
    return has_news;
}

static void what_repeats_is_searched_once_and_forgotten(void **state)
{
    struct ork_detector *d = create(3);
    unsigned searches = 0;

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        hand_out(d);
        searches += follow(d);
        assert_in_range(ork_detector_history_size(d), 0, 3 * REPEATS);
    }
    assert_int_equal(searches, 1);
    assert_false(ork_detector_lacks_wildcards(d));
    script_feed(d, 1, RANK(S(0, 1), F));
    script_feed(d, 2, RANK(S(0, 2), F));
    race(d);
    assert_true(ork_detector_has_history_news(d));
    script_feed(d, 0, RANK(F));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

/* A task of one worker. Whenever the root looks, rank 0 has received a message that the strict
 * analysis does not know yet. */
static void hand_out_ahead(struct ork_detector *d, int tag)
{
    script_feed(d, 0, RANK(R(ANY, tag), FOUND(1, tag), S(1, 6)));
    follow(d);
    script_feed(d, 1, RANK(S(0, tag), R(0, 6)));
}

static void the_master_may_be_ahead_of_its_worker(void **state)
{
    struct ork_detector *d = create(2);

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        hand_out_ahead(d, 5);
        assert_in_range(ork_detector_history_size(d), 0, 3 * REPEATS);
    }
    assert_false(ork_detector_lacks_wildcards(d));
    ork_detector_destroy(d);
}

/* The same calls in another order. */
static void another_order_of_calls_is_new(void **state)
{
    struct ork_detector *d = create(3);
    unsigned searches = 0;

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        hand_out(d);
        searches += follow(d);
    }
    assert_int_equal(searches, 1);
    assert_false(ork_detector_has_history_news(d));
    script_feed(d, 1, RANK(S(0, 5), R(0, 6)));
    script_feed(d, 2, RANK(S(0, 5), R(0, 6)));
    script_feed(d, 0, RANK(R(ANY, 5), FOUND(1, 5), R(ANY, 5), FOUND(2, 5), S(1, 6), S(2, 6)));
    assert_true(ork_detector_has_history_news(d));
    ork_detector_destroy(d);
}

/* The latest repetitions are kept: one of them decides what comes of the calls after the loop. */
static void a_choice_in_the_latest_repetition_is_kept(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        script_feed(d, 1, RANK(S(0, 5)));
        script_feed(d, 0, RANK(R(ANY, ANY_TAG), FOUND(1, 5)));
        follow(d);
    }
    script_feed(d, 1, RANK(F));
    script_feed(d, 2, RANK(S(0, 7), F));
    script_feed(d, 0, RANK(R(ANY, 7), FOUND(2, 7), F));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

/* ---- begin at any moment ---- */

static void what_is_pending_is_posted_again(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    script_feed(d, 1, RANK(I(0, 1, 3)));
    script_feed(d, 2, RANK(S(0, 2)));
    assert_true(ork_detector_renew_history(d));
    assert_int_equal(ork_detector_history_size(d), 0);
    race(d);
    script_feed(d, 0, RANK(F));
    script_feed(d, 1, RANK(W(3), F));
    script_feed(d, 2, RANK(F));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void a_receive_that_is_pending_may_take_another_message(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    script_feed(d, 0, RANK(J(ANY, ANY_TAG, 0), J(1, 7, 1), W(1)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(S(0, 7), S(0, 1), F));
    script_feed(d, 2, RANK(S(0, 2), F));
    script_feed(d, 0, RANK(W(0), COMPLETED(0, 1, 1), R(ANY, 2), FOUND(2, 2), F));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void what_was_matched_before_is_complete(void **state)
{
    struct ork_detector *d = create(2);

    (void)state;
    script_feed(d, 0, RANK(I(1, 0, 0), I(1, 1, 1), W(0, 1), R(ANY, 3)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(R(0, 1), S(0, 3), F));
    script_feed(d, 0, RANK(FOUND(1, 3), F));
    assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
    ork_detector_destroy(d);
}

static void half_an_exchange_is_pending(void **state)
{
    struct ork_detector *d = create(2);

    (void)state;
    script_feed(d, 0, RANK(SR(1, 0, 1, 1)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(S(0, 1), S(0, 2), F));
    script_feed(d, 0, RANK(R(ANY, 2), FOUND(1, 2), F));
    assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
    ork_detector_destroy(d);
}

static void persistent_requests_are_those_that_were_made_before(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    script_feed(d, 0, RANK(R_INIT(ANY, ANY_TAG, 0), R_INIT(ANY, 2, 1), START(0)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(S(0, 1), F));
    script_feed(d, 2, RANK(S(0, 2), F));
    script_feed(d, 0,
                RANK(W(0), COMPLETED(0, 1, 1), START(1), W(1), COMPLETED(0, 2, 2), FREE(0), FREE(1),
                     R_INIT(2, 9, 0), F));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void ranks_that_are_in_a_collective_call_stay_in_it(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    script_feed(d, 1, RANK(BAR(0)));
    script_feed(d, 2, RANK(S(0, 2), BAR(0)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 0, RANK(R(ANY, ANY_TAG), FOUND(2, 2), BAR(0), R(ANY, ANY_TAG), FOUND(1, 1), F));
    script_feed(d, 1, RANK(S(0, 1), F));
    script_feed(d, 2, RANK(F));
    assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
    ork_detector_destroy(d);
}

static void ranks_that_are_in_finalize_stay_in_it(void **state)
{
    (void)state;
    for (unsigned renewed = 0; renewed < 16; renewed++) { /* when: a bit set */
        struct ork_detector *d = create(3);
        for (uint32_t r = 0; r < 3; r++) {
            if (renewed >> r & 1)
                assert_true(ork_detector_renew_history(d));
            script_feed(d, r, RANK(F));
            ork_detector_end(d, r, ORK_END_FINISHED);
        }
        if (renewed >> 3 & 1)
            ork_detector_renew_history(d);
        assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
        ork_detector_destroy(d);
    }
}

static void a_message_that_a_probe_took_cannot_be_told(void **state)
{
    struct ork_detector *d = create(2);

    (void)state;
    script_feed(d, 1, RANK(S(0, 1)));
    script_feed(d, 0, RANK(MP(ANY, ANY_TAG), TOOK(1, 1, 0)));
    assert_false(ork_detector_renew_history(d));
    assert_true(ork_detector_history_size(d) > 0);
    script_feed(d, 0, RANK(MR(0)));
    assert_true(ork_detector_renew_history(d));
    ork_detector_destroy(d);
}

/* Of two messages with tag 1, the first receive of rank 1 takes one, the third one the other. */
static void which_message_is_left_must_be_known(void **state)
{
    struct ork_detector *d = create(2);

    (void)state;
    script_feed(d, 1, RANK(J(ANY, ANY_TAG, 0), J(ANY, 0, 1), J(0, 1, 2)));
    script_feed(d, 0, RANK(I(1, 1, 0), I(1, 0, 1), I(1, 1, 2)));
    assert_false(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(W(0), COMPLETED(0, 0, 1)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(W(1, 2), F));
    script_feed(d, 0, RANK(W(0, 1, 2), F));
    assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
    ork_detector_destroy(d);
}

/* The same for a receive from one rank, when the run has shown that a message of another rank went
 * to the one before it. */
static void which_message_of_one_rank_is_left_must_be_known(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    script_feed(d, 1, RANK(J(ANY, ANY_TAG, 0), J(0, ANY_TAG, 1), J(0, 1, 2)));
    script_feed(d, 0, RANK(I(1, 1, 0), I(1, 0, 1), I(1, 1, 2), I(1, 1, 3)));
    script_feed(d, 2, RANK(I(1, 5, 0)));
    script_feed(d, 1, RANK(W(0), COMPLETED(0, 2, 5)));
    assert_false(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(W(1), COMPLETED(0, 0, 1)));
    assert_true(ork_detector_renew_history(d));
    ork_detector_destroy(d);
}

static void a_full_history_begins_anew(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    for (int tag = 0; !ork_detector_is_history_full(d); tag++) {
        script_feed(d, 1, RANK(S(0, tag)));
        script_feed(d, 0, RANK(R(ANY, tag), FOUND(1, tag)));
    }
    assert_false(ork_detector_history_repeats(d));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 1, RANK(S(0, 1), F));
    script_feed(d, 2, RANK(S(0, 2), F));
    race(d);
    script_feed(d, 0, RANK(F));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

static void a_full_history_begins_anew_while_the_master_is_ahead(void **state)
{
    struct ork_detector *d = create(2);
    int tag = 0;

    (void)state;
    while (!ork_detector_is_history_full(d))
        hand_out_ahead(d, ++tag);
    script_feed(d, 0, RANK(R(ANY, 0), FOUND(1, 0)));
    assert_false(ork_detector_renew_history(d));
    for (unsigned i = 0; i < REPEATS && ork_detector_is_history_full(d); i++) {
        script_feed(d, 1, RANK(S(0, 0)));
        script_feed(d, 0, RANK(R(ANY, 0), FOUND(1, 0)));
    }
    assert_false(ork_detector_is_history_full(d));
    ork_detector_destroy(d);
}

/* Rank 0 has one call more in the history than rank 1. */
static void calls_that_a_full_history_lacks_change_nothing_in_it(void **state)
{
    (void)state;
    for (uint64_t limit = 20; limit < 24; limit++) {
        struct ork_detector *d = script_create(2);
        ork_detector_set_history(d, limit);
        script_feed(d, 1, RANK(S(0, 1)));
        script_feed(d, 0, RANK(R(ANY, 1), FOUND(1, 1)));
        for (unsigned i = 0; i < 20; i++) {
            script_feed(d, 0, RANK(BAR(0)));
            script_feed(d, 1, RANK(BAR(0)));
        }
        assert_true(ork_detector_is_history_full(d));
        assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
        ork_detector_destroy(d);
    }
}

/* MPI returned an error instead of making the call. */
static void a_call_that_failed_is_not_counted(void **state)
{
    static const struct step failing = {.rec = {.kind = ORK_KIND_COLL,
                                                .mode = ORK_COLL_BARRIER,
                                                .peer = ORK_NO_PEER,
                                                .flags = ORK_F_FALLIBLE}};
    struct ork_detector *d = create(2);

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        script_feed(d, 0, RANK(BAR(0)));
        script_feed(d, 1, RANK(BAR(0)));
    }
    script_feed(d, 1, RANK(S(0, 1)));
    assert_true(ork_detector_renew_history(d));
    script_feed(d, 0, RANK(R(ANY, 1), FOUND(1, 1), failing, FAILED(1)));
    for (unsigned i = 0; i < 4; i++) {
        script_feed(d, 0, RANK(BAR(0)));
        script_feed(d, 1, RANK(BAR(0)));
    }
    assert_int_equal(search(d), ORK_INTERLEAVE_SAFE);
    ork_detector_destroy(d);
}

static void after_a_rest_the_history_begins_with_the_next_record(void **state)
{
    struct ork_detector *d = create(3);

    (void)state;
    hand_out(d);
    script_feed(d, 2, RANK(S(0, 2)));
    ork_detector_history_is_searched(d);
    ork_detector_rest_history(d);
    assert_int_equal(ork_detector_history_size(d), 0);
    assert_false(ork_detector_is_history_full(d));
    script_feed(d, 1, RANK(S(0, 1), F));
    race(d);
    script_feed(d, 0, RANK(F));
    script_feed(d, 2, RANK(F));
    assert_false(ork_detector_lacks_wildcards(d));
    assert_int_equal(search(d), ORK_INTERLEAVE_DEADLOCK);
    ork_detector_destroy(d);
}

int test_history(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_repeats_is_searched_once_and_forgotten),
        cmocka_unit_test(the_master_may_be_ahead_of_its_worker),
        cmocka_unit_test(another_order_of_calls_is_new),
        cmocka_unit_test(a_choice_in_the_latest_repetition_is_kept),
        cmocka_unit_test(what_is_pending_is_posted_again),
        cmocka_unit_test(a_receive_that_is_pending_may_take_another_message),
        cmocka_unit_test(what_was_matched_before_is_complete),
        cmocka_unit_test(half_an_exchange_is_pending),
        cmocka_unit_test(persistent_requests_are_those_that_were_made_before),
        cmocka_unit_test(ranks_that_are_in_a_collective_call_stay_in_it),
        cmocka_unit_test(ranks_that_are_in_finalize_stay_in_it),
        cmocka_unit_test(a_message_that_a_probe_took_cannot_be_told),
        cmocka_unit_test(which_message_is_left_must_be_known),
        cmocka_unit_test(which_message_of_one_rank_is_left_must_be_known),
        cmocka_unit_test(a_full_history_begins_anew),
        cmocka_unit_test(a_full_history_begins_anew_while_the_master_is_ahead),
        cmocka_unit_test(calls_that_a_full_history_lacks_change_nothing_in_it),
        cmocka_unit_test(a_call_that_failed_is_not_counted),
        cmocka_unit_test(after_a_rest_the_history_begins_with_the_next_record),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
