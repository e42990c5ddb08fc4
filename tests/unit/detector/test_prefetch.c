/* SPDX-License-Identifier: BSD-3-Clause */
/* With many ranks memory is asked for ahead of the records: whatever they name, nothing changes. */
#include "tests/unit/detector/unit.h"

#include "detector/detector.h"

enum { RANKS = 1000, MESSAGES = 8000, ODD = 8 };

static struct ork_record record[MESSAGES + ODD];

static struct ork_record message(enum ork_kind kind, int32_t peer, int32_t tag, uint32_t request)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .flags = ORK_F_NONBLOCKING,
                               .peer = peer,
                               .tag = tag,
                               .request = request};
}

static struct ork_detector *create(void)
{
    struct ork_detector *d = NULL;

    assert_int_equal(ork_detector_create(RANKS, &d), ORK_OK);
    return d;
}

/* So many queues that their table grows several times within one batch. */
static void a_batch_may_make_many_queues(void **state)
{
    struct ork_detector *d = create();

    (void)state;
    for (uint32_t i = 0; i < MESSAGES; i++)
        record[i] = message(ORK_KIND_SEND, 1 + (int32_t)i % (RANKS - 1), (int32_t)i, i);
    assert_int_equal(ork_detector_feed(d, 0, record, MESSAGES), ORK_OK);
    assert_int_equal(ork_detector_counts(d).messages, 0);
    for (uint32_t r = 1; r < RANKS; r++) {
        uint32_t n = 0;
        for (uint32_t i = r - 1; i < MESSAGES; i += RANKS - 1, n++)
            record[n] = message(ORK_KIND_RECV, 0, (int32_t)i, n);
        assert_int_equal(ork_detector_feed(d, r, record, n), ORK_OK);
    }
    assert_int_equal(ork_detector_counts(d).messages, MESSAGES);
    ork_detector_destroy(d);
}

/* What a record names need not exist. */
static void a_record_may_name_what_is_not_there(void **state)
{
    struct ork_detector *d = create();
    struct ork_record unknown = message(ORK_KIND_SEND, 1, 0, 5);
    struct ork_record far = message(ORK_KIND_RECV, 1, 0, 6);

    (void)state;
    unknown.comm = ORK_COMM_UNKNOWN;
    far.comm = 77;
    const struct ork_record odd[ODD] = {message(ORK_KIND_RECV, 1, 3, 7),
                                        message(ORK_KIND_RECV, ORK_ANY_SOURCE, ORK_ANY_TAG, 0),
                                        message(ORK_KIND_SEND, ORK_NO_PEER, 0, 1),
                                        message(ORK_KIND_SEND, RANKS, 0, 2),
                                        message(ORK_KIND_RECV, INT32_MAX, 0, 3),
                                        message(ORK_KIND_RECV, INT32_MIN, 0, 4),
                                        unknown,
                                        far};
    memcpy(record, odd, sizeof(odd));
    assert_int_equal(ork_detector_feed(d, 0, record, ODD), ORK_OK);
    record[0] = message(ORK_KIND_SEND, 0, 3, 0);
    assert_int_equal(ork_detector_feed(d, 1, record, 1), ORK_OK);
    assert_int_equal(ork_detector_counts(d).messages, 1);
    assert_int_equal(ork_detector_rank(d, 0).status, ORK_RANK_RUNNING);
    ork_detector_destroy(d);
}

int test_prefetch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_may_make_many_queues),
        cmocka_unit_test(a_record_may_name_what_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
