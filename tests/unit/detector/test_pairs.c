/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message a receive took, where it is easily mistaken: several threads, and receives whose
 * outcome is known (MPI-3.1 sections 3.5 and 12.4). */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#include "bytes/datatype/sequence.h"

#define INT   ((uint32_t)ORK_BASIC_MPI_INT << 8 | 4)
#define FLOAT ((uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4)

#define SEND(t, bytes_, type)                                                                      \
    RECORD(.kind = ORK_KIND_SEND, .peer = 1, .tag = (t), .bytes = (bytes_), .arg = (type))
#define READY(t, bytes_, type)                                                                     \
    RECORD(.kind = ORK_KIND_SEND, .peer = 1, .tag = (t), .bytes = (bytes_), .arg = (type),         \
           .mode = ORK_SEND_READY)
#define RECV(s, t, bytes_, type)                                                                   \
    RECORD(.kind = ORK_KIND_RECV, .peer = (s), .tag = (t), .bytes = (bytes_), .arg = (type))
#define IRECV(s, t, bytes_, type, q)                                                               \
    RECORD(.kind = ORK_KIND_RECV, .peer = (s), .tag = (t), .bytes = (bytes_), .arg = (type),       \
           .flags = ORK_F_NONBLOCKING, .request = (q))
#define MRECV(message, room, type)                                                                 \
    RECORD(.kind = ORK_KIND_MRECV, .peer = ORK_NO_PEER, .arg = (message), .bytes = (room),         \
           .arg2 = (type))
#define IMRECV(message, room, type, q)                                                             \
    RECORD(.kind = ORK_KIND_MRECV, .peer = ORK_NO_PEER, .arg = (message), .bytes = (room),         \
           .arg2 = (type), .flags = ORK_F_NONBLOCKING, .request = (q))

/* In one of the threads of a rank. */
struct part {
    uint32_t rank;
    uint16_t thread;
    const struct step *step;
};

static void feed(struct ork_detector *d, const struct part *part)
{
    for (const struct step *s = part->step; s->rec.kind != ORK_KIND_CONT; s++) {
        struct step own[2] = {*s, {.rec = {0}}};
        own[0].rec.thread = part->thread;
        script_feed(d, part->rank, own);
    }
}

/* Issues that remain if the parts of ranks 0 and 1 come in this order, or those of rank 1 first;
 * they must be the same. *last: one of them. */
static unsigned issues(const struct part *part, struct ork_issue *last)
{
    unsigned remain[2] = {0};

    for (unsigned first = 0; first < 2; first++) {
        struct ork_detector *d = script_create(2);
        for (unsigned turn = 0; turn < 2; turn++) {
            for (const struct part *p = part; p->step != NULL; p++) {
                if (p->rank == (first ^ turn))
                    feed(d, p);
            }
        }
        assert_null(ork_detector_fault(d, 0));
        assert_null(ork_detector_fault(d, 1));
        for (uint32_t i = 0; i < ork_detector_num_issues(d); i++) {
            if (ork_detector_issue(d, i)->withdrawn)
                continue;
            remain[first]++;
            *last = *ork_detector_issue(d, i);
        }
        ork_detector_destroy(d);
    }
    assert_int_equal(remain[0], remain[1]);
    return remain[0];
}

#define PARTS(...) ((const struct part[]){__VA_ARGS__, {.step = NULL}})
#define assert_nothing(...)                                                                        \
    do {                                                                                           \
        struct ork_issue last_;                                                                    \
        assert_int_equal(issues(PARTS(__VA_ARGS__), &last_), 0);                                   \
    } while (0)
#define assert_issue(kind_, ...)                                                                   \
    do {                                                                                           \
        struct ork_issue last_ = {.num_sides = 0};                                                 \
        assert_int_equal(issues(PARTS(__VA_ARGS__), &last_), 1);                                   \
        assert_int_equal(last_.kind, kind_);                                                       \
    } while (0)

/* ---- threads ---- */

static void what_two_threads_receive_is_not_compared(void **state)
{
    const struct step *sends = RANK(SEND(0, 12, INT), SEND(0, 4, FLOAT));

    (void)state;
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 4, FLOAT))},
                   {1, 1, RANK(RECV(0, 0, 12, INT))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 4, FLOAT))},
                   {1, 1, RANK(RECV(ANY, 0, 12, INT), FOUND(0, 0))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 4, FLOAT))},
                   {1, 1, RANK(IRECV(0, ANY_TAG, 12, INT, 0))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 4, FLOAT))},
                   {1, 1, RANK(MP(ANY, ANY_TAG))});
}

static void what_two_threads_find_is_not_compared(void **state)
{
    const struct step *sends = RANK(SEND(0, 12, INT), SEND(0, 4, FLOAT));

    (void)state;
    assert_nothing({0, 0, sends}, {1, 0, RANK(MP(0, 0), TOOK(0, 0, 0), MRECV(0, 4, FLOAT))},
                   {1, 1, RANK(MP(0, 0), TOOK(0, 0, 1), MRECV(1, 12, INT))});
}

static void what_two_threads_send_is_not_compared(void **state)
{
    (void)state;
    assert_nothing({0, 0, RANK(SEND(0, 12, INT))}, {0, 1, RANK(SEND(0, 4, FLOAT))},
                   {1, 0, RANK(RECV(0, 0, 4, FLOAT), RECV(0, 0, 12, INT))});
}

/* The strict analysis holds thread 0 in its first call, so thread 1 overtakes it. */
static void a_thread_that_is_held_is_not_forgotten(void **state)
{
    (void)state;
    assert_nothing({0, 0, RANK(SEND(0, 12, INT), SEND(0, 4, FLOAT))},
                   {1, 0, RANK(S(0, 9), RECV(0, 0, 12, INT))}, {1, 1, RANK(RECV(0, 0, 4, FLOAT))});
}

static void each_thread_with_a_tag_of_its_own_is_compared(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, {0, 0, RANK(SEND(3, 4, INT))},
                 {0, 1, RANK(SEND(4, 4, INT))}, {1, 0, RANK(RECV(0, 3, 4, FLOAT))},
                 {1, 1, RANK(RECV(0, 4, 4, INT))});
    /* more than one message at a time */
    assert_issue(ORK_ISSUE_TYPE_MISMATCH,
                 {0, 0, RANK(I(1, 4, 0), SEND(3, 4, INT), SEND(3, 4, INT), SEND(4, 4, INT))},
                 {1, 0, RANK(RECV(0, 3, 4, INT), RECV(0, 3, 4, FLOAT))}, {1, 1, RANK(P(0, 4))});
}

static void a_thread_that_comes_later_withdraws_what_was_compared(void **state)
{
    const struct part zero = {0, 0, RANK(SEND(0, 12, INT))};
    const struct part one = {1, 0, RANK(RECV(0, 0, 4, FLOAT))};
    const struct part later = {1, 1, RANK(RECV(0, 0, 12, INT))};
    struct ork_detector *d = script_create(2);

    (void)state;
    feed(d, &zero);
    feed(d, &one);
    assert_int_equal(ork_detector_num_issues(d), 1);
    assert_false(ork_detector_issue(d, 0)->withdrawn);
    feed(d, &later);
    assert_true(ork_detector_issue(d, 0)->withdrawn);
    assert_false(ork_detector_compared_all(d));
    ork_detector_destroy(d);
}

static void another_tag_of_a_later_thread_withdraws_nothing(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, {0, 0, RANK(SEND(0, 12, INT))},
                 {1, 0, RANK(RECV(0, 0, 12, FLOAT))}, {1, 1, RANK(RECV(0, 1, 12, INT))});
}

/* Thread 1 starts what thread 0 has made. */
static void who_starts_a_request_uses_its_pattern(void **state)
{
    const struct step *made = RANK(RECORD(.kind = ORK_KIND_RECV, .peer = 0, .bytes = 12, .arg = INT,
                                          .flags = ORK_F_PERSISTENT, .request = 0));

    (void)state;
    assert_nothing({0, 0, RANK(SEND(0, 12, INT), SEND(0, 4, FLOAT))}, {1, 0, made},
                   {1, 1, RANK(START(0))}, {1, 0, RANK(RECV(0, 0, 4, FLOAT))});
}

/* The strict analysis holds thread 0 before it makes its request. */
static void who_starts_the_own_request_leaves_nothing_unknown(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, {0, 0, RANK(SEND(3, 4, INT))}, {1, 1, RANK(I(0, 7, 9))},
                 {1, 0, RANK(S(0, 9), R_INIT(0, 5, 0), START(0))},
                 {1, 1, RANK(RECV(0, 3, 4, FLOAT))});
}

static void a_ready_send_to_two_threads_is_not_judged(void **state)
{
    (void)state;
    assert_nothing({0, 0, RANK(BAR(0), READY(0, 4, INT))},
                   {1, 0, RANK(S(0, 9), IRECV(0, 0, 4, INT, 0))},
                   {1, 1, RANK(BAR(0), IRECV(0, 0, 4, INT, 1))});
}

/* ---- numbers of messages ---- */

/* Both threads have a message of number 0, one after the other; the strict analysis holds thread 0
 * before its probe, and thread 1 behind it. */
static void a_number_of_a_message_is_used_again(void **state)
{
    const struct part part[] = {
        {1, 0, RANK(S(0, 9), MP(0, 0), TOOK(0, 0, 0), MR(0))},
        {1, 1, RANK(MP(0, 1), TOOK(0, 1, 0), S(0, 8), MR(0))},
        {0, 0, RANK(IY(1, 0, 0), IY(1, 1, 1), R(1, 9), R(1, 8), W(0, 1))},
    };

    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        struct ork_detector *d = script_create(2);
        for (unsigned i = 0; i < 3; i++)
            feed(d, &part[first == 0 ? i : (i + 2) % 3]);
        assert_string_equal(script_statuses(d, 2).of, "RR");
        assert_int_equal(ork_detector_counts(d).messages, 4);
        ork_detector_destroy(d);
    }
}

/* Thread 1 receives what thread 0 has found, which is behind it. */
static void a_message_is_received_by_another_thread(void **state)
{
    const struct part part[] = {
        {1, 0, RANK(S(0, 9), MP(0, 0), TOOK(0, 0, 0))},
        {1, 1, RANK(MR(0))},
        {0, 0, RANK(IY(1, 0, 0), R(1, 9), W(0))},
    };
    struct ork_detector *d = script_create(2);

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        feed(d, &part[i]);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

/* ---- outcomes ---- */

static void a_receive_that_returned_was_not_truncated(void **state)
{
    const struct step *sends = RANK(SEND(0, 12, INT));

    (void)state;
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends}, {1, 0, RANK(RECV(0, 0, 8, INT))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 8, INT), BAR(1))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 8, INT), RETURNED)});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(0, 0, 8, FLOAT), BAR(1))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(RECV(ANY, 0, 8, INT), FOUND(0, 0))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(MP(0, 0), TOOK(0, 0, 0), MRECV(0, 8, INT), BAR(1))});
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends},
                 {1, 0, RANK(MP(0, 0), TOOK(0, 0, 0), MRECV(0, 8, INT))});
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends},
                 {1, 0, RANK(RECV(0, 0, 8, INT), ABORT)}); /* by its error handler */
    /* its types do not fit, whatever the outcome */
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, {0, 0, sends},
                 {1, 0, RANK(RECV(0, 0, 12, FLOAT), BAR(1))});
}

static void a_request_that_was_completed_was_not_truncated(void **state)
{
    const struct step *sends = RANK(SEND(0, 12, INT));
    struct step failed = FAILED(15);

    (void)state;
    failed.rec.flags |= ORK_F_MATCHED;
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends}, {1, 0, RANK(IRECV(0, 0, 8, INT, 0), BAR(1))});
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends}, {1, 0, RANK(IRECV(0, 0, 8, INT, 0), W(0))});
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends},
                 {1, 0, RANK(IRECV(0, 0, 8, INT, 0), FREE(0), BAR(1))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(IRECV(0, 0, 8, INT, 0), W(0), BAR(1))});
    assert_nothing({0, 0, sends},
                   {1, 0, RANK(IRECV(0, 0, 8, INT, 0), WANY(0), COMPLETED(0, 0, 0))});
    assert_nothing({0, 0, sends}, {1, 0, RANK(IRECV(0, 0, 8, INT, 0), TESTED(0, NOT_SEEN))});
    assert_nothing({0, 0, sends},
                   {1, 0, RANK(MP(0, 0), TOOK(0, 0, 0), IMRECV(0, 8, INT, 0), W(0), BAR(1))});
    const struct step error[] = {IRECV(0, 0, 8, INT, 0), W(0), failed, BAR(1), {.rec = {0}}};
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends}, {1, 0, error});
    const struct step late[] = {IRECV(0, 0, 8, INT, 0), WANY(0), failed, BAR(1), {.rec = {0}}};
    assert_issue(ORK_ISSUE_TRUNCATION, {0, 0, sends}, {1, 0, late});
}

static void repeats_that_returned_do_not_count(void **state)
{
    struct step failed = FAILED(15);
    struct ork_detector *d = script_create(2);

    (void)state;
    failed.rec.flags |= ORK_F_MATCHED;
    const struct step one[] = {RECV(0, 0, 8, INT), failed, RECV(0, 0, 8, INT),
                               RECV(0, 0, 8, INT), BAR(1), {.rec = {0}}};
    script_feed(d, 0, RANK(SEND(0, 12, INT), SEND(0, 12, INT), SEND(0, 12, INT)));
    script_feed(d, 1, one);
    assert_int_equal(ork_detector_num_issues(d), 1);
    assert_false(ork_detector_issue(d, 0)->withdrawn);
    assert_int_equal(ork_detector_issue(d, 0)->repeats, 0);
    assert_true(ork_detector_issue(d, 0)->returned);
    ork_detector_destroy(d);
}

int test_pairs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_two_threads_receive_is_not_compared),
        cmocka_unit_test(what_two_threads_find_is_not_compared),
        cmocka_unit_test(what_two_threads_send_is_not_compared),
        cmocka_unit_test(a_thread_that_is_held_is_not_forgotten),
        cmocka_unit_test(each_thread_with_a_tag_of_its_own_is_compared),
        cmocka_unit_test(a_thread_that_comes_later_withdraws_what_was_compared),
        cmocka_unit_test(another_tag_of_a_later_thread_withdraws_nothing),
        cmocka_unit_test(who_starts_a_request_uses_its_pattern),
        cmocka_unit_test(who_starts_the_own_request_leaves_nothing_unknown),
        cmocka_unit_test(a_ready_send_to_two_threads_is_not_judged),
        cmocka_unit_test(a_number_of_a_message_is_used_again),
        cmocka_unit_test(a_message_is_received_by_another_thread),
        cmocka_unit_test(a_receive_that_returned_was_not_truncated),
        cmocka_unit_test(a_request_that_was_completed_was_not_truncated),
        cmocka_unit_test(repeats_that_returned_do_not_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
