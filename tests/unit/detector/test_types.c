/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of messages: MPI-3.1 sections 3.2.4 and 3.3.1. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#include "bytes/datatype/sequence.h"

#define INT     ((uint32_t)ORK_BASIC_MPI_INT << 8 | 4)
#define FLOAT   ((uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4)
#define LONG    ((uint32_t)ORK_BASIC_MPI_LONG << 8 | 8)
#define INT64   ((uint32_t)ORK_BASIC_MPI_INT64_T << 8 | 8)
#define UNKNOWN ORK_TYPE_UNKNOWN

#define SEND(d, t, bytes_, type)                                                                   \
    RECORD(.kind = ORK_KIND_SEND, .peer = (d), .tag = (t), .bytes = (bytes_), .arg = (type))
#define RECV(s, t, bytes_, type)                                                                   \
    RECORD(.kind = ORK_KIND_RECV, .peer = (s), .tag = (t), .bytes = (bytes_), .arg = (type))
#define IRECV(s, t, bytes_, type, q)                                                               \
    RECORD(.kind = ORK_KIND_RECV, .peer = (s), .tag = (t), .bytes = (bytes_), .arg = (type),       \
           .flags = ORK_F_NONBLOCKING, .request = (q))
#define SENDRECV(d, sent, type, s, room, type2)                                                    \
    RECORD(.kind = ORK_KIND_SENDRECV, .peer = (d), .peer2 = (s), .bytes = (sent), .arg = (type),   \
           .extra = (room), .arg2 = (type2))
#define MRECV(message, room, type)                                                                 \
    RECORD(.kind = ORK_KIND_MRECV, .peer = ORK_NO_PEER, .arg = (message), .bytes = (room),         \
           .arg2 = (type))

/* What is found if rank 0 has one stream and rank 1 the other, whichever comes first. */
static struct ork_issue found(const struct step *zero, const struct step *one)
{
    struct ork_issue issue = {.num_sides = 0};

    for (unsigned first = 0; first < 2; first++) {
        struct ork_detector *d = script_create(2);
        script_feed(d, first, first == 0 ? zero : one);
        script_feed(d, 1 - first, first == 0 ? one : zero);
        uint32_t n = ork_detector_num_issues(d);
        assert_true(n <= 1);
        assert_true(first == 0 || (n == 0) == (issue.num_sides == 0));
        if (n == 1) {
            issue = *ork_detector_issue(d, 0);
            assert_int_equal(issue.num_sides, 2);
            assert_int_equal(issue.side[0].rank, 0);
            assert_int_equal(issue.side[1].rank, 1);
            issue.num_sides = issue.withdrawn ? 0 : 2;
        }
        ork_detector_destroy(d);
    }
    return issue;
}

#define assert_nothing(zero, one) assert_int_equal(found(zero, one).num_sides, 0)
#define assert_issue(kind_, zero, one)                                                             \
    do {                                                                                           \
        struct ork_issue issue_ = found(zero, one);                                                \
        assert_int_equal(issue_.num_sides, 2);                                                     \
        assert_int_equal(issue_.kind, kind_);                                                      \
    } while (0)

static void types_of_a_message_must_match(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 12, FLOAT)));
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, RANK(SEND(1, 0, 12, INT)),
                 RANK(IRECV(0, 0, 40, FLOAT, 0), W(0)));
    assert_nothing(RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 12, INT)));
    assert_nothing(RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 40, INT)));
    assert_nothing(RANK(SEND(1, 0, 0, INT)), RANK(RECV(0, 0, 12, FLOAT)));
    assert_nothing(RANK(SEND(1, 0, 12, UNKNOWN)), RANK(RECV(0, 0, 12, FLOAT)));
    assert_nothing(RANK(SEND(1, 0, 12, FLOAT)), RANK(RECV(0, 0, 12, UNKNOWN)));
}

static void names_of_one_representation_are_told_apart(void **state)
{
    struct ork_issue issue = found(RANK(SEND(1, 0, 16, LONG)), RANK(RECV(0, 0, 16, INT64)));

    (void)state;
    assert_int_equal(issue.kind, ORK_ISSUE_TYPE_MISMATCH);
    assert_true(issue.alike);
    assert_false(found(RANK(SEND(1, 0, 16, LONG)), RANK(RECV(0, 0, 16, FLOAT))).alike);
}

static void a_message_may_be_too_long(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TRUNCATION, RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 8, INT)));
    assert_issue(ORK_ISSUE_TRUNCATION, RANK(SEND(1, 0, 12, UNKNOWN)), RANK(RECV(0, 0, 8, INT)));
    assert_issue(ORK_ISSUE_TRUNCATION, RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 0, INT)));
    assert_nothing(RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 0, UNKNOWN)));
    /* one mistake, not two */
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, RANK(SEND(1, 0, 16, LONG)), RANK(RECV(0, 0, 12, FLOAT)));
}

static void an_error_that_returned_is_noted(void **state)
{
    struct step failed = FAILED(15);

    (void)state;
    failed.rec.flags |= ORK_F_MATCHED;
    struct step one[] = {RECV(0, 0, 8, INT), failed, {.rec = {0}}};
    assert_true(found(RANK(SEND(1, 0, 12, INT)), one).returned);
    assert_false(found(RANK(SEND(1, 0, 12, INT)), RANK(RECV(0, 0, 8, INT))).returned);
}

#define FALLIBLE(mode_, sent, ...)                                                                 \
    RECORD(.kind = ORK_KIND_COLL, .mode = (mode_), .bytes = (sent), .arg2 = INT,                   \
           .flags = ORK_F_FALLIBLE | __VA_ARGS__)
#define ALLTOALLV(...)                                                                             \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COLL,                                                             \
                .mode = ORK_COLL_ALLTOALLV,                                                        \
                .peer = ORK_NO_PEER,                                                               \
                .tag = 4,                                                                          \
                .tag2 = 4,                                                                         \
                .arg2 = INT,                                                                       \
                .peer2 = INT,                                                                      \
                .flags = ORK_F_FALLIBLE | ORK_F_SENDS | ORK_F_RECEIVES,                            \
                .count = 4},                                                                       \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* The rank that fails no longer waits when the other one arrives. */
static void the_call_of_a_collective_that_failed_is_compared(void **state)
{
    struct step failed = FAILED(15);

    (void)state;
    failed.rec.flags |= ORK_F_MATCHED;
    const struct step bcast[] = {FALLIBLE(ORK_COLL_BCAST, 64, ORK_F_SENDS), failed, {.rec = {0}}};
    struct ork_issue issue = found(RANK(FALLIBLE(ORK_COLL_BCAST, 256, ORK_F_SENDS)), bcast);
    assert_int_equal(issue.kind, ORK_ISSUE_COUNT_MISMATCH);
    assert_int_equal(issue.num_sides, 2);
    assert_true(issue.returned);

    const struct step lists[] = {ALLTOALLV(1, 1, 1, 1), failed, {.rec = {0}}};
    issue = found(RANK(ALLTOALLV(1, 2, 1, 1)), lists);
    assert_int_equal(issue.kind, ORK_ISSUE_COUNT_MISMATCH);
    assert_int_equal(issue.num_sides, 2);
    assert_true(issue.returned);

    const struct step nonblocking[] = {
        FALLIBLE(ORK_COLL_BCAST, 64, ORK_F_SENDS | ORK_F_NONBLOCKING), W(0), failed, {.rec = {0}}};
    issue =
        found(RANK(FALLIBLE(ORK_COLL_BCAST, 256, ORK_F_SENDS | ORK_F_NONBLOCKING)), nonblocking);
    assert_int_equal(issue.kind, ORK_ISSUE_COUNT_MISMATCH);
    assert_int_equal(issue.num_sides, 2);
    assert_true(issue.returned);
}

static void both_halves_of_a_sendrecv_are_compared(void **state)
{
    (void)state;
    assert_nothing(RANK(SENDRECV(1, 12, INT, 1, 8, FLOAT)),
                   RANK(SENDRECV(0, 8, FLOAT, 0, 12, INT)));
    struct ork_detector *d = script_create(2);
    script_feed(d, 0, RANK(SENDRECV(1, 12, INT, 1, 8, FLOAT)));
    script_feed(d, 1, RANK(SENDRECV(0, 8, INT, 0, 12, FLOAT)));
    assert_int_equal(ork_detector_num_issues(d), 2);
    ork_detector_destroy(d);
}

static void the_receive_of_a_probed_message_is_compared(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, RANK(SEND(1, 0, 12, INT)),
                 RANK(MP(0, 0), TOOK(0, 0, 0), MRECV(0, 12, FLOAT)));
    assert_nothing(RANK(SEND(1, 0, 12, INT)), RANK(MP(0, 0), TOOK(0, 0, 0), MRECV(0, 12, INT)));
}

static void wildcards_are_compared_with_what_they_took(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, RANK(SEND(1, 3, 12, INT)),
                 RANK(RECV(ANY, ANY_TAG, 12, FLOAT), FOUND(0, 3)));
    assert_nothing(RANK(SEND(1, 3, 12, INT)), RANK(RECV(ANY, ANY_TAG, 12, INT), FOUND(0, 3)));
}

/* The first wildcard receive, of MPI_INT, took the first message, but this is seen last. */
static void pairs_that_are_not_certain_are_not_compared(void **state)
{
    struct ork_detector *d = script_create(3);

    (void)state;
    script_feed(d, 0, RANK(SEND(1, 0, 4, INT), SEND(1, 0, 4, FLOAT)));
    script_feed(d, 1,
                RANK(IRECV(ANY, 0, 4, INT, 0), IRECV(ANY, 0, 4, FLOAT, 1), W(1), COMPLETED(0, 0, 0),
                     W(0), COMPLETED(0, 0, 0)));
    assert_int_equal(ork_detector_num_issues(d), 0);
    assert_false(ork_detector_compared_all(d));
    assert_int_equal(ork_detector_counts(d).messages, 2);
    ork_detector_destroy(d);
}

static void repetitions_are_counted(void **state)
{
    struct ork_detector *d = script_create(2);

    (void)state;
    script_feed(d, 0, RANK(SEND(1, 0, 4, INT), SEND(1, 0, 4, INT), SEND(1, 0, 4, INT)));
    script_feed(d, 1, RANK(RECV(0, 0, 4, FLOAT), RECV(0, 0, 4, FLOAT), RECV(0, 0, 4, FLOAT)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    assert_int_equal(ork_detector_issue(d, 0)->repeats, 2);
    assert_true(ork_detector_compared_all(d));
    ork_detector_destroy(d);
}

/* ---- definitions ---- */

static struct step definition(const struct ork_sequence *s)
{
    struct step step = {
        .rec = {
            .kind = ORK_KIND_TYPE_DEF, .arg = s->id, .bytes = s->bytes, .count = 3 * s->num_parts}};

    for (uint32_t i = 0; i < s->num_parts; i++) {
        step.list[3 * i] = (uint32_t)s->part[i].count;
        step.list[3 * i + 2] = s->part[i].sequence->id;
    }
    return step;
}

static struct ork_sequence *of_two(uint32_t first, uint32_t second)
{
    struct ork_part part[2] = {{1, ork_sequence_of_basic(first)},
                               {2, ork_sequence_of_basic(second)}};
    struct ork_sequence *s = ork_sequence_of_parts(part, 2);

    ork_sequence_unref(part[0].sequence);
    ork_sequence_unref(part[1].sequence);
    return s;
}

static void derived_types_are_compared_by_their_elements(void **state)
{
    struct ork_sequence *a = of_two(INT, LONG), *b = of_two(INT, FLOAT);

    (void)state;
    struct step zero[] = {definition(a), SEND(1, 0, 40, a->id), {.rec = {0}}};
    struct step one[] = {definition(b), RECV(0, 0, 60, b->id), {.rec = {0}}};
    struct step same[] = {definition(a), RECV(0, 0, 60, a->id), {.rec = {0}}};
    struct ork_issue issue = found(zero, one);
    assert_int_equal(issue.kind, ORK_ISSUE_TYPE_MISMATCH);
    assert_int_equal(issue.element, 1);
    assert_nothing(zero, same);
    ork_sequence_unref(a);
    ork_sequence_unref(b);
}

static void invalid_definitions_are_ignored(void **state)
{
    struct ork_sequence *a = of_two(INT, LONG);
    struct step wrong[4] = {definition(a), definition(a), definition(a), definition(a)};

    (void)state;
    wrong[0].list[2] = FLOAT;
    wrong[1].rec.count = 5;
    wrong[2].rec.bytes = 21;
    wrong[3].list[5] = ORK_TYPE_DERIVED | 77; /* not defined */
    for (unsigned i = 0; i < 4; i++) {
        struct step zero[] = {wrong[i], SEND(1, 0, 20, a->id), {.rec = {0}}};
        assert_nothing(zero, RANK(RECV(0, 0, 20, FLOAT)));
    }
    struct step zero[] = {definition(a), SEND(1, 0, 20, a->id), {.rec = {0}}};
    assert_issue(ORK_ISSUE_TYPE_MISMATCH, zero, RANK(RECV(0, 0, 20, FLOAT)));
    ork_sequence_unref(a);
}

int test_types(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_a_message_must_match),
        cmocka_unit_test(names_of_one_representation_are_told_apart),
        cmocka_unit_test(a_message_may_be_too_long),
        cmocka_unit_test(an_error_that_returned_is_noted),
        cmocka_unit_test(the_call_of_a_collective_that_failed_is_compared),
        cmocka_unit_test(both_halves_of_a_sendrecv_are_compared),
        cmocka_unit_test(the_receive_of_a_probed_message_is_compared),
        cmocka_unit_test(wildcards_are_compared_with_what_they_took),
        cmocka_unit_test(pairs_that_are_not_certain_are_not_compared),
        cmocka_unit_test(repetitions_are_counted),
        cmocka_unit_test(derived_types_are_compared_by_their_elements),
        cmocka_unit_test(invalid_definitions_are_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
