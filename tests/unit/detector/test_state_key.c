/* SPDX-License-Identifier: BSD-3-Clause */
/* Which states have equal futures. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#define WINDOW(n)                                                                                  \
    RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER),               \
        DEFINE_SAME(n, 0, WIN_CREATE)

enum { WORDS = 1 << 16 };

struct states {
    struct ork_detector *d;
    struct ork_detector_state before, after;
};

static void begin(struct states *s, uint32_t ranks)
{
    *s = (struct states){.d = script_create(ranks)};
    for (uint32_t r = 0; r < ranks; r++)
        script_feed(s->d, r, RANK(RECORD(.kind = ORK_KIND_INIT)));
}

static void end(struct states *s)
{
    ork_detector_release_state(&s->before);
    ork_detector_release_state(&s->after);
    ork_detector_destroy(s->d);
}

static void note(struct states *s)
{
    assert_true(ork_detector_state(s->d, WORDS, &s->before));
}

static void expect_equal(struct states *s)
{
    assert_true(ork_detector_state(s->d, WORDS, &s->after));
    assert_true(ork_detector_is_same_state(&s->before, &s->after));
}

static void expect_different(struct states *s)
{
    assert_true(ork_detector_state(s->d, WORDS, &s->after));
    assert_false(ork_detector_is_same_state(&s->before, &s->after));
}

static void expect_incomparable(struct states *s)
{
    assert_false(ork_detector_state(s->d, WORDS, &s->after));
}

static void feed_two(struct states *s, const struct step *first, const struct step *second)
{
    script_feed(s->d, 0, first);
    script_feed(s->d, 1, second);
}

static void a_round_trip_leads_back(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    note(&s);
    feed_two(&s, RANK(S(1, 0), R(1, 0)), RANK(R(0, 0), S(0, 0)));
    expect_equal(&s);
    end(&s);
}

static void so_it_does_in_the_middle_of_calls(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(J(1, 0, 0), S(1, 0), W(0)), RANK(J(0, 0, 0)));
    feed_two(&s, RANK(J(1, 0, 0), S(1, 0), W(0)), RANK(S(0, 0), W(0), J(0, 0, 0)));
    note(&s);
    feed_two(&s, RANK(J(1, 0, 0), S(1, 0), W(0)), RANK(S(0, 0), W(0), J(0, 0, 0)));
    expect_equal(&s);
    end(&s);
}

static void a_message_more_is_another_state(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(I(1, 0, 0)), NOTHING);
    note(&s);
    feed_two(&s, RANK(I(1, 0, 0)), NOTHING);
    expect_different(&s);
    end(&s);
}

static void a_record_more_behind_a_call_is_another_state(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(R(1, 0)), NOTHING);
    note(&s);
    feed_two(&s, RANK(R(1, 0)), NOTHING);
    expect_different(&s);
    end(&s);
}

static void a_collective_call_that_one_rank_is_ahead_is_another_state(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    note(&s);
    feed_two(&s, RANK(IBAR(0, 0)), NOTHING);
    expect_different(&s);
    feed_two(&s, RANK(W(0)), RANK(BAR(0)));
    note(&s);
    feed_two(&s, RANK(BAR(0)), RANK(BAR(0)));
    expect_different(&s); /* the latest calls of rank 0 */
    note(&s);
    feed_two(&s, RANK(BAR(0)), RANK(BAR(0)));
    expect_equal(&s);
    end(&s);
}

static void the_order_of_messages_of_two_ranks_counts(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 3);
    script_feed(s.d, 0, RANK(S(2, 0)));
    script_feed(s.d, 1, RANK(S(2, 0)));
    note(&s);
    script_feed(s.d, 2, RANK(R(0, 0), R(1, 0)));
    script_feed(s.d, 1, RANK(S(2, 0)));
    script_feed(s.d, 0, RANK(S(2, 0)));
    expect_different(&s);
    end(&s);
}

static void an_issue_more_is_another_state(void **state)
{
    struct states s;
    const struct step longer[] = {
        RECORD(.kind = ORK_KIND_SEND, .peer = 1, .tag = 0, .bytes = 16, .site = 3), {.rec = {0}}};
    const struct step shorter[] = {
        RECORD(.kind = ORK_KIND_RECV, .peer = 0, .tag = 0, .bytes = 8, .arg = 1, .site = 4),
        {.rec = {0}}};

    (void)state;
    begin(&s, 2);
    feed_two(&s, longer, shorter);
    assert_int_equal(ork_detector_num_issues(s.d), 1);
    note(&s);
    feed_two(&s, longer, shorter);
    expect_different(&s);
    end(&s);
}

static void undecided_matches_are_not_compared(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(J(ANY, 0, 0)), NOTHING);
    expect_incomparable(&s);
    end(&s);
}

static void what_a_second_thread_does_is_not_compared(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    assert_true(ork_detector_may_repeat(s.d));
    feed_two(&s, RANK(RECORD(.kind = ORK_KIND_SEND, .thread = 1, .peer = 1)), NOTHING);
    expect_incomparable(&s);
    assert_false(ork_detector_may_repeat(s.d));
    end(&s);
}

static void a_state_may_be_too_long(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    assert_false(ork_detector_state(s.d, 10, &s.before));
    end(&s);
}

static void what_repeats_is_counted(void **state)
{
    struct states s;
    uint32_t calls;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(S(1, 0), BAR(0)), RANK(R(0, 0), BAR(0)));
    note(&s);
    feed_two(&s, RANK(S(1, 0), BAR(0)), RANK(R(0, 0), BAR(0)));
    expect_equal(&s);
    ork_detector_repeat(s.d, &s.before, &s.after, 10);
    struct ork_counts counts = ork_detector_counts(s.d);
    assert_int_equal(counts.calls, 2 + 12 * 4);
    assert_int_equal(counts.records, 2 + 12 * 4);
    assert_int_equal(counts.messages, 12);
    assert_int_equal(counts.collectives, 12);
    assert_true(ork_detector_collectives(s.d, ORK_COMM_WORLD, 1, &calls));
    assert_int_equal(calls, 12);
    feed_two(&s, RANK(BAR(0)), RANK(BAR(0))); /* and the waves go on */
    assert_int_equal(ork_detector_rank(s.d, 0).status, ORK_RANK_RUNNING);
    end(&s);
}

/* Rank 0 locks memory of rank 1 after so many conflicting sections since its latest lock. */
static void lock_after(struct states *s, int32_t sections)
{
    script_feed(
        s->d, 0,
        RANK(RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = 2, .peer = 1),
             RECORD(.kind = ORK_KIND_EXIT, .peer = ORK_NO_PEER, .tag = sections, .extra = 1)));
}

static void unlock(struct states *s)
{
    script_feed(s->d, 0, RANK(RECORD(.kind = ORK_KIND_WIN_UNLOCK, .comm = 2, .peer = 1)));
}

static uint32_t number_of_lock(struct states *s)
{
    struct ork_lock_holder holder;

    script_feed(s->d, 1, RANK(RECORD(.kind = ORK_KIND_WIN_LOCK, .mode = 1, .comm = 2, .peer = 1)));
    assert_true(ork_detector_lock_holder(s->d, 1, 0, &holder));
    assert_true(holder.is_counted);
    return holder.before;
}

/* A lock that is held at the end of the repetition has its number, too. */
static void the_numbers_of_locks_grow_with_each_repetition(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(WINDOW(2)), RANK(WINDOW(2)));
    lock_after(&s, 7);
    unlock(&s);
    lock_after(&s, 2);
    note(&s);
    unlock(&s);
    lock_after(&s, 3);
    expect_equal(&s);
    ork_detector_repeat(s.d, &s.before, &s.after, 10);
    assert_int_equal(number_of_lock(&s), 7 + 2 + 11 * 3);
    end(&s);
}

/* A rank that answers others, whom it takes from any source. */
static void serve(struct states *s, int32_t source)
{
    script_feed(s->d, 0, RANK(R(ANY, 0), FOUND(source, 0), S(source, 1)));
    script_feed(s->d, (uint32_t)source, RANK(S(0, 0), R(0, 1)));
}

static void a_wildcard_that_takes_the_same_message_leads_back(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 3);
    for (unsigned i = 0; i < 8; i++)
        serve(&s, 1); /* reports name the latest messages */
    note(&s);
    serve(&s, 1);
    expect_equal(&s);
    serve(&s, 2);
    note(&s);
    serve(&s, 1);
    expect_different(&s);
    end(&s);
}

static void so_does_one_that_is_ahead_of_its_message(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(R(ANY, 0), FOUND(1, 0), S(1, 1)), NOTHING);
    for (unsigned i = 0; i < 9; i++) {
        note(&s);
        feed_two(&s, RANK(R(ANY, 0), FOUND(1, 0), S(1, 1)), RANK(S(0, 0), R(0, 1)));
    }
    expect_equal(&s);
    end(&s);
}

/* A message that waits for its receive, behind the latest call of each rank. */
static void send_ahead(struct states *s)
{
    feed_two(s, RANK(S(1, 3)), RANK(R(0, 3), S(0, 0)));
}

/* Only a wildcard receive that is not decided could tell, and it makes the state incomparable. */
static void whether_another_receive_was_posted_before_a_wildcard_does_not_count(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(J(1, 7, 0)), NOTHING);
    for (unsigned i = 0; i < 8; i++)
        serve(&s, 1);
    send_ahead(&s);
    note(&s);
    feed_two(&s, RANK(R(1, 0), W(0), J(1, 7, 0)), RANK(S(0, 7)));
    send_ahead(&s);
    expect_equal(&s);
    end(&s);
}

static void probes_lead_back_too(void **state)
{
    struct states s;
    const struct step probed[] = {
        RECORD(.kind = ORK_KIND_PROBED, .peer = ANY, .tag = 0, .peer2 = 0, .tag2 = 0),
        R(0, 0),
        P(0, 0),
        R(0, 0),
        {.rec = {0}}};

    (void)state;
    begin(&s, 2);
    feed_two(&s, NOTHING, probed); /* it is ahead */
    feed_two(&s, RANK(S(1, 0), S(1, 0)), probed);
    note(&s);
    feed_two(&s, RANK(S(1, 0), S(1, 0)), probed);
    expect_equal(&s);
    feed_two(&s, RANK(S(1, 0)), NOTHING);
    expect_different(&s);
    end(&s);
}

/* The message is taken, but not received. */
static void messages_of_matched_probes_lead_back(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, RANK(S(1, 0)), RANK(MP(0, 0), TOOK(0, 0, 0), MR(0)));
    feed_two(&s, RANK(S(1, 0)), RANK(MP(0, 0), TOOK(0, 0, 0)));
    note(&s);
    feed_two(&s, NOTHING, RANK(MR(0)));
    expect_different(&s);
    feed_two(&s, RANK(S(1, 0)), RANK(MP(0, 0), TOOK(0, 0, 0)));
    expect_equal(&s);
    feed_two(&s, RANK(S(1, 0)), RANK(MP(0, 0), TOOK(0, 0, 1)));
    expect_different(&s);
    feed_two(&s, NOTHING, RANK(MR(0), MR(1)));
    feed_two(&s, RANK(S(1, 0)), RANK(MP(0, 0), TOOK(0, 0, 1)));
    expect_different(&s); /* it has another number */
    end(&s);
}

/* The run is ahead of the sender's record. */
static void matched_probes_ahead_of_their_messages_lead_back(void **state)
{
    struct states s;

    (void)state;
    begin(&s, 2);
    feed_two(&s, NOTHING, RANK(MP(0, 0), TOOK(0, 0, 0)));
    note(&s);
    feed_two(&s, RANK(S(1, 0)), RANK(MR(0), MP(0, 0), TOOK(0, 0, 0)));
    expect_different(&s); /* its latest calls */
    note(&s);
    feed_two(&s, RANK(S(1, 0)), RANK(MR(0), MP(0, 0), TOOK(0, 0, 0)));
    expect_equal(&s);
    end(&s);
}

static void definitions_persistent_wildcards_and_errors_do_not_repeat(void **state)
{
    (void)state;
    assert_true(ork_record_may_repeat(&RANK(S(1, 0))->rec));
    assert_true(ork_record_may_repeat(&RANK(W(0))->rec));
    assert_true(ork_record_may_repeat(&RANK(R(ANY, 0))->rec));
    assert_true(ork_record_may_repeat(&RANK(P(ANY, 0))->rec));
    assert_true(ork_record_may_repeat(&RANK(J(0, 0, 0))->rec));
    assert_true(ork_record_may_repeat(&RANK(J(ANY, 0, 0))->rec));
    assert_false(ork_record_may_repeat(&RANK(R_INIT(0, ANY_TAG, 0))->rec));
    assert_true(ork_record_may_repeat(&RANK(MP(0, 0))->rec));
    assert_true(ork_record_may_repeat(&RANK(MR(0))->rec));
    assert_false(ork_record_may_repeat(&RANK(RSEND(1, 0))->rec));
    assert_false(ork_record_may_repeat(&RANK(COMM_FREE(2))->rec));
    assert_false(ork_record_may_repeat(&RANK(FAILED(15))->rec));
    assert_false(ork_record_may_repeat(&RANK(RECORD(.kind = ORK_KIND_COMM_DEF))->rec));
    assert_false(ork_record_may_repeat(&RANK(RECORD(.kind = UINT8_MAX))->rec));
}

int test_state_key(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_trip_leads_back),
        cmocka_unit_test(so_it_does_in_the_middle_of_calls),
        cmocka_unit_test(a_message_more_is_another_state),
        cmocka_unit_test(a_record_more_behind_a_call_is_another_state),
        cmocka_unit_test(a_collective_call_that_one_rank_is_ahead_is_another_state),
        cmocka_unit_test(the_order_of_messages_of_two_ranks_counts),
        cmocka_unit_test(an_issue_more_is_another_state),
        cmocka_unit_test(undecided_matches_are_not_compared),
        cmocka_unit_test(what_a_second_thread_does_is_not_compared),
        cmocka_unit_test(a_state_may_be_too_long),
        cmocka_unit_test(what_repeats_is_counted),
        cmocka_unit_test(the_numbers_of_locks_grow_with_each_repetition),
        cmocka_unit_test(a_wildcard_that_takes_the_same_message_leads_back),
        cmocka_unit_test(so_does_one_that_is_ahead_of_its_message),
        cmocka_unit_test(whether_another_receive_was_posted_before_a_wildcard_does_not_count),
        cmocka_unit_test(probes_lead_back_too),
        cmocka_unit_test(messages_of_matched_probes_lead_back),
        cmocka_unit_test(matched_probes_ahead_of_their_messages_lead_back),
        cmocka_unit_test(definitions_persistent_wildcards_and_errors_do_not_repeat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
