/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are freed while operations on them are pending (MPI-3.1 section 6.4.3): the
 * operations keep their communicator, although its number means another one afterwards. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#include "bytes/datatype/sequence.h"

#define INT   ((uint32_t)ORK_BASIC_MPI_INT << 8 | 4)
#define FLOAT ((uint32_t)ORK_BASIC_MPI_FLOAT << 8 | 4)

#define SEND(t, bytes_, type)                                                                      \
    RECORD(.kind = ORK_KIND_SEND, .peer = 1, .tag = (t), .bytes = (bytes_), .arg = (type))
#define RECV(s, t, bytes_, type)                                                                   \
    RECORD(.kind = ORK_KIND_RECV, .peer = (s), .tag = (t), .bytes = (bytes_), .arg = (type))
#define IRECV_ON(c, s, t, bytes_, type, q)                                                         \
    RECORD(.kind = ORK_KIND_RECV, .comm = (c), .peer = (s), .tag = (t), .bytes = (bytes_),         \
           .arg = (type), .flags = ORK_F_NONBLOCKING, .request = (q))
#define SEND_ON(c, t, bytes_, type)                                                                \
    RECORD(.kind = ORK_KIND_SEND, .comm = (c), .peer = 1, .tag = (t), .bytes = (bytes_),           \
           .arg = (type))

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

#define GATHERV(c, sent, ...)                                                                      \
    {                                                                                              \
        .rec = {.kind = ORK_KIND_COLL,                                                             \
                .mode = ORK_COLL_GATHERV,                                                          \
                .comm = (c),                                                                       \
                .peer = 0,                                                                         \
                .tag2 = 4,                                                                         \
                .bytes = (sent),                                                                   \
                .arg2 = INT,                                                                       \
                .peer2 = INT,                                                                      \
                .count = LENGTH(__VA_ARGS__),                                                      \
                .flags = ORK_F_SENDS | ORK_F_RECEIVES},                                            \
        .list = {                                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define SENDV(c, sent)                                                                             \
    RECORD(.kind = ORK_KIND_COLL, .mode = ORK_COLL_GATHERV, .comm = (c), .peer = 0,                \
           .bytes = (sent), .arg2 = INT, .flags = ORK_F_SENDS)

static struct step pending(struct step step)
{
    step.rec.flags |= ORK_F_NONBLOCKING;
    return step;
}

static void a_pending_gather_keeps_its_places(void **state)
{
    const struct step root = GATHERV(2, 4, 1, 2), other = SENDV(2, 8), wrong = SENDV(2, 4);

    (void)state;
    const struct step zero[] = {DUP(2, 0), pending(root), COMM_FREE(2),
                                DUP(2, 1), W(0),          {.rec = {0}}};
    const struct step one[] = {DUP(2, 0), pending(other), COMM_FREE(2),
                               DUP(2, 1), W(0),           {.rec = {0}}};
    const struct step bad[] = {DUP(2, 0), pending(wrong), COMM_FREE(2),
                               DUP(2, 1), W(0),           {.rec = {0}}};
    assert_nothing({0, 0, zero}, {1, 0, one});
    assert_issue(ORK_ISSUE_COUNT_MISMATCH, {0, 0, zero}, {1, 0, bad});
}

/* Thread 1 frees the communicator in which thread 0 waits, and thread 1 makes a new one. */
static void a_call_keeps_the_communicator_that_another_thread_frees(void **state)
{
    const struct part part[] = {
        {1, 0, RANK(DUP(2, 0), SENDV(2, 8))},
        {1, 1, RANK(COMM_FREE(2), DUP(2, 1), BAR(2))},
        {0, 0, RANK(DUP(2, 0), GATHERV(2, 4, 1, 2), COMM_FREE(2))},
        {1, 0, RANK(RECV(0, 0, 4, INT))},
        {0, 0, RANK(SEND(0, 4, INT))},
    };
    struct ork_detector *d = script_create(2);

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        feed(d, &part[0 + i]);
    feed(d, &part[2]);
    feed(d, &part[3]);
    feed(d, &part[4]);
    assert_int_equal(ork_detector_num_issues(d), 0);
    assert_null(ork_detector_fault(d, 1));
    assert_string_equal(script_statuses(d, 2).of, "RR");
    ork_detector_destroy(d);
}

static void a_pending_receive_knows_its_source(void **state)
{
    (void)state;
    assert_issue(ORK_ISSUE_TYPE_MISMATCH,
                 {0, 0, RANK(DUP(2, 0), SEND_ON(2, 0, 4, INT), COMM_FREE(2))},
                 {1, 0,
                  RANK(DUP(2, 0), IRECV_ON(2, ANY, ANY_TAG, 4, FLOAT, 0), COMM_FREE(2), DUP(2, 1),
                       WANY(0), COMPLETED(0, 0, 0))});
}

/* Both ranks start the requests after they have freed the communicator. */
static void a_persistent_request_keeps_its_communicator(void **state)
{
    struct ork_detector *d = script_create(2);
    struct step send = S_INIT(1, 0, 0), receive = R_INIT(0, 0, 0);

    (void)state;
    send.rec.comm = receive.rec.comm = 2;
    const struct step zero[] = {DUP(2, 0), send, COMM_FREE(2), START(0), W(0), {.rec = {0}}};
    const struct step one[] = {DUP(2, 0), receive, COMM_FREE(2), START(0), W(0), {.rec = {0}}};
    script_feed(d, 0, zero);
    assert_string_equal(script_statuses(d, 2).of, "BR");
    script_feed(d, 1, one);
    assert_string_equal(script_statuses(d, 2).of, "RR");
    assert_int_equal(ork_detector_counts(d).messages, 1);
    ork_detector_destroy(d);
}

int test_freed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pending_gather_keeps_its_places),
        cmocka_unit_test(a_call_keeps_the_communicator_that_another_thread_frees),
        cmocka_unit_test(a_pending_receive_knows_its_source),
        cmocka_unit_test(a_persistent_request_keeps_its_communicator),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
