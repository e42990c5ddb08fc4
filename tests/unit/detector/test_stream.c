/* SPDX-License-Identifier: BSD-3-Clause */
/* Which messages of a stream have no match, for the pictures of the last calls. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

#include <stdlib.h>

static const bool all[] = {true, true, true};

/* The stream from rank 0 to rank 1 with this tag; one without anything if it is not listed. */
static struct ork_stream stream_of(const struct ork_detector *d, const bool *of, int32_t tag)
{
    struct ork_stream *list, found = {.tag = tag};
    uint32_t count;

    assert_int_equal(ork_detector_streams(d, of, &list, &count), ORK_OK);
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].source == 0 && list[i].destination == 1 && list[i].tag == tag)
            found = list[i];
    }
    free(list);
    return found;
}

static void what_has_no_match_is_counted(void **state)
{
    static const bool other[] = {true, false, true};
    struct ork_detector *d = script_create(3);

    (void)state;
    script_feed(d, 0, RANK(I(1, 5, 1), I(1, 5, 2), I(1, 5, 3), I(1, 6, 4)));
    script_feed(d, 1, RANK(R(0, 5), J(0, 7, 1), J(0, 7, 2), R(0, 6)));
    struct ork_stream s = stream_of(d, all, 5);
    assert_int_equal(s.sends, 2);
    assert_int_equal(s.receives, 0);
    assert_false(s.is_in_doubt);
    s = stream_of(d, all, 7);
    assert_int_equal(s.sends, 0);
    assert_int_equal(s.receives, 2);
    s = stream_of(d, all, 6);
    assert_int_equal(s.sends + s.receives, 0);
    assert_int_equal(stream_of(d, other, 5).sends, 0);
    ork_detector_destroy(d);
}

static void messages_that_several_receives_may_have_taken_are_in_doubt(void **state)
{
    struct ork_detector *d = script_create(3);

    (void)state;
    script_feed(d, 0, RANK(I(1, 5, 1)));
    script_feed(d, 2, RANK(I(1, 5, 1)));
    script_feed(d, 1, RANK(J(ANY, 5, 1), J(0, 5, 2)));
    assert_true(stream_of(d, all, 5).is_in_doubt);
    ork_detector_destroy(d);
}

static void a_call_names_its_stream(void **state)
{
    const struct step sendrecv = SR(2, 3, 1, 4), any = R(ANY, 4), tag = R(1, ANY_TAG),
                      nobody = S(NOBODY, 4);
    struct ork_detector *d = script_create(3);
    struct ork_stream s;

    (void)state;
    assert_true(ork_detector_stream_of(d, 0, &sendrecv.rec, true, &s));
    assert_int_equal(s.source, 0);
    assert_int_equal(s.destination, 2);
    assert_int_equal(s.tag, 3);
    assert_true(ork_detector_stream_of(d, 0, &sendrecv.rec, false, &s));
    assert_int_equal(s.source, 1);
    assert_int_equal(s.destination, 0);
    assert_int_equal(s.tag, 4);
    assert_false(ork_detector_stream_of(d, 0, &any.rec, false, &s));
    assert_false(ork_detector_stream_of(d, 0, &tag.rec, false, &s));
    assert_false(ork_detector_stream_of(d, 0, &nobody.rec, true, &s));
    assert_false(ork_detector_stream_of(d, 3, &sendrecv.rec, true, &s));
    ork_detector_destroy(d);
}

int test_stream(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_match_is_counted),
        cmocka_unit_test(messages_that_several_receives_may_have_taken_are_in_doubt),
        cmocka_unit_test(a_call_names_its_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
