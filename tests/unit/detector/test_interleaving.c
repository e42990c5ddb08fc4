/* SPDX-License-Identifier: BSD-3-Clause */
/* From records to a program for interleave/, and its result. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

static struct ork_detector *create(uint32_t ranks)
{
    struct ork_detector *d = script_create(ranks);

    ork_detector_set_history(d, 1000);
    return d;
}

/* The kind of the call in which a rank is deadlocked after all matches are explored; ORK_KIND_CONT:
 * it is not deadlocked. */
static unsigned deadlocked_in(struct ork_detector *d, uint32_t rank)
{
    struct ork_interleaving *f;
    enum ork_interleave_result result;
    unsigned kind = ORK_KIND_CONT;

    assert_int_equal(ork_interleaving_create(d, ORK_OTHERWISE_ANYHOW, &f), ORK_OK);
    assert_int_equal(ork_interleaving_search(f, &(struct ork_interleave_options){0}, &result),
                     ORK_OK);
    if (result == ORK_INTERLEAVE_DEADLOCK) {
        struct ork_search *s = ork_interleaving_take_search(f);
        assert_non_null(s);
        if (s->rank[rank].status == ORK_RANK_BLOCKED)
            kind = s->rank[rank].call.kind;
        ork_search_destroy(s);
    }
    ork_interleaving_destroy(f);
    return kind;
}

static void a_rank_waits_for_one_of_two_shared_handles(void **state)
{
    (void)state;
    struct ork_detector *d = create(3);

    script_feed(d, 0, RANK(I(1, 0, SHARED), I(2, 0, SHARED), W(SHARED), F));
    ork_detector_end(d, 1, ORK_END_EXITED);
    assert_int_equal(deadlocked_in(d, 0), ORK_KIND_CONT); /* rank 2 may yet receive */
    ork_detector_destroy(d);
}

static void what_follows_is_known_when_both_are_complete(void **state)
{
    (void)state;
    struct ork_detector *d = create(2);

    script_feed(d, 0, RANK(I(1, 0, SHARED), I(1, 1, SHARED), W(SHARED), W(SHARED), R(1, 5)));
    script_feed(d, 1, RANK(R(0, 1), R(0, 0), R(0, 5)));
    assert_int_equal(deadlocked_in(d, 0), ORK_KIND_RECV);
    ork_detector_destroy(d);
}

static void a_freed_handle_is_not_waited_for(void **state)
{
    (void)state;
    struct ork_detector *d = create(2);

    script_feed(d, 0, RANK(I(1, 0, SHARED), I(1, 1, SHARED), FREE(SHARED), W(SHARED), F));
    script_feed(d, 1, RANK(R(0, 1), F));
    assert_int_equal(deadlocked_in(d, 0), ORK_KIND_CONT);
    ork_detector_destroy(d);
}

/* RATIONALE: the library sent the message at once, so the run says that the send was complete. */
static void waits_for_one_of(struct ork_detector *d)
{
    script_feed(
        d, 0, RANK(I(1, 0, 1), WANY(0, 1), COMPLETED(1, NOT_SEEN), BAR(0), W(0, NULL_REQUEST), F));
    script_feed(d, 1, RANK(BAR(0), R(ANY, 0), FOUND(0, 0), F));
}

static void nobody_waits_for_one_of_several_if_one_was_complete_at_once(void **state)
{
    (void)state;
    struct ork_detector *d = create(2);

    script_feed(d, 0, RANK(J(NOBODY, 0, 0)));
    waits_for_one_of(d);
    assert_int_equal(deadlocked_in(d, 0), ORK_KIND_CONT);
    ork_detector_destroy(d);
}

static void nobody_waits_for_one_of_several_if_one_is_older_than_the_history(void **state)
{
    (void)state;
    struct ork_detector *d = create(2);

    script_feed(d, 0, RANK(J(1, 1, 0)));
    script_feed(d, 1, RANK(S(0, 1)));
    assert_true(ork_detector_renew_history(d));
    waits_for_one_of(d);
    assert_int_equal(deadlocked_in(d, 0), ORK_KIND_CONT);
    ork_detector_destroy(d);
}

static void a_rank_waits_for_one_of_several_that_are_pending(void **state)
{
    (void)state;
    struct ork_detector *d = create(2);

    script_feed(d, 0, RANK(J(1, 1, 0)));
    waits_for_one_of(d);
    assert_int_equal(deadlocked_in(d, 0), ORK_KIND_WAIT);
    ork_detector_destroy(d);
}

int test_interleaving(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_waits_for_one_of_two_shared_handles),
        cmocka_unit_test(what_follows_is_known_when_both_are_complete),
        cmocka_unit_test(a_freed_handle_is_not_waited_for),
        cmocka_unit_test(nobody_waits_for_one_of_several_if_one_was_complete_at_once),
        cmocka_unit_test(nobody_waits_for_one_of_several_if_one_is_older_than_the_history),
        cmocka_unit_test(a_rank_waits_for_one_of_several_that_are_pending),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
