/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of atomics of one location. */
#include "tests/unit/arbiter/script.h"

enum { WIN = 5 };

/* With a window. */
static struct ork_arbiter *create_window(uint32_t nprocs)
{
    struct ork_arbiter *a = create(nprocs);

    for (uint32_t r = 0; r < nprocs; r++)
        feed(a, r,
             (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                 .flags = ORK_F_SAME_GROUP,
                                 .mode = ORK_COLL_WIN_CREATE,
                                 .comm = WIN,
                                 .extra = 105});
    return a;
}

struct location {
    int32_t target;
    uint64_t displacement;
};
static const struct location here = {0, 3}, beside = {0, 4}, far = {0, UINT64_C(3) << 32},
                             at_other = {1, 3};

/* The question has number 1; `number`: one-sided calls so far, with this one. */
static void ask(struct ork_arbiter *a, uint32_t rank, struct location at, bool is_update,
                uint64_t number)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_ASK,
                             .mode = ORK_ASK_ATOMIC,
                             .comm = WIN,
                             .peer = at.target,
                             .tag = is_update,
                             .arg = (uint32_t)at.displacement,
                             .arg2 = (uint32_t)(at.displacement >> 32),
                             .bytes = number,
                             .extra = 1});
}

static void made(struct ork_arbiter *a, uint32_t rank)
{
    feed(a, rank, (struct ork_record){.kind = ORK_KIND_ACCESS, .comm = WIN});
    returned(a, rank, ORK_NO_PEER, 0);
}

static void steps(struct ork_arbiter *a, uint32_t rank, uint64_t number)
{
    feed(a, rank,
         (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_STEPS, .bytes = number});
}

static void is_next(struct ork_arbiter *a, uint32_t rank, int32_t number)
{
    expect(a, rank, ORK_DECIDED_LOCK, 1, number, 0);
}

static void the_earliest_comes_first(void **state)
{
    struct ork_arbiter *a = create_window(2);

    (void)state;
    ask(a, 1, here, true, 4);
    expect_nothing_yet(a); /* rank 0 may ask for an earlier one */
    assert_true(ork_arbiter_is_waiting(a));
    ask(a, 0, here, true, 3);
    is_next(a, 0, 0);
    expect_nothing_yet(a); /* its next one may have the time 4 */
    made(a, 0);
    expect_nothing_yet(a);
    steps(a, 0, 4);
    is_next(a, 1, 1);
    made(a, 1);
    assert_false(ork_arbiter_is_waiting(a));
    ork_arbiter_destroy(a);
}

static void one_that_was_granted_does_not_delay_others(void **state)
{
    struct ork_arbiter *a = create_window(3);

    (void)state;
    ask(a, 0, here, true, 1);
    ask(a, 1, here, true, 1);
    ask(a, 2, here, true, 1);
    is_next(a, 0, 0); /* its call has not returned when the others are decided */
    is_next(a, 1, 1);
    is_next(a, 2, 2);
    expect_nothing_yet(a);
    ork_arbiter_destroy(a);
}

static void each_location_counts_by_itself(void **state)
{
    struct ork_arbiter *a = create_window(4);

    (void)state;
    ask(a, 0, here, true, 1);
    ask(a, 1, beside, true, 1);
    ask(a, 2, far, true, 1);
    ask(a, 3, at_other, true, 1);
    for (uint32_t r = 0; r < 4; r++)
        is_next(a, r, 0);
    made(a, 0);
    ask(a, 0, here, true, 2);
    steps(a, 1, 9);
    steps(a, 2, 9);
    steps(a, 3, 9);
    is_next(a, 0, 1);
    ork_arbiter_destroy(a);
}

static void those_that_read_count_for_updates_only(void **state)
{
    struct ork_arbiter *a = create_window(4);

    (void)state;
    ask(a, 0, here, true, 1);
    ask(a, 1, here, false, 2);
    ask(a, 2, here, false, 3);
    ask(a, 3, here, true, 4);
    is_next(a, 0, 0);
    steps(a, 0, 9);
    is_next(a, 1, 1);
    steps(a, 1, 9);
    is_next(a, 2, 1);
    steps(a, 2, 9);
    is_next(a, 3, 3);
    ork_arbiter_destroy(a);
}

/* A spin lock: who tries again and again does not come before the release for ever. */
static void who_tries_again_gets_later(void **state)
{
    struct ork_arbiter *a = create_window(2);
    const uint64_t release = 7;
    uint32_t rank = UINT32_MAX;
    int tries = 0;

    (void)state;
    ask(a, 0, here, true, 1); /* takes the lock */
    is_next(a, 0, 0);
    made(a, 0);
    ask(a, 0, here, true, release);
    while (rank != 0) {
        struct ork_decision d;
        ask(a, 1, here, true, (uint64_t)++tries);
        assert_int_equal(ork_arbiter_decide(a, &rank, &d), ORK_OK);
        assert_int_equal(d.decided, ORK_DECIDED_LOCK);
        assert_int_equal(d.source, tries);
        if (rank == 1)
            made(a, 1);
        assert_in_range(tries, 1, release);
    }
    made(a, 0);
    finalize(a, 0);
    is_next(a, 1, tries + 1);
    ork_arbiter_destroy(a);
}

static void locks_are_counted_by_themselves(void **state)
{
    struct ork_arbiter *a = create_window(2);

    (void)state;
    feed(a, 0, (struct ork_record){.kind = ORK_KIND_WIN_LOCK, .comm = WIN, .peer = 0, .mode = 1});
    feed(a, 0,
         (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_LOCK, .bytes = 1, .extra = 1});
    is_next(a, 0, 0);
    returned(a, 0, ORK_NO_PEER, 0);
    ask(a, 1, here, true, 1); /* as if it had another lock of the target */
    steps(a, 0, 2);
    is_next(a, 1, 0);
    ork_arbiter_destroy(a);
}

static void in_a_quiescent_state_the_earliest_is_made(void **state)
{
    struct ork_arbiter *a = create_window(3);

    (void)state;
    ask(a, 2, here, true, 5);
    ask(a, 1, here, true, 6);
    expect_nothing_yet(a);
    expect_break(a, 2, ORK_DECIDED_LOCK, 1, 0, 0);
    made(a, 2);
    expect_break(a, 1, ORK_DECIDED_LOCK, 1, 1, 0);
    ork_arbiter_destroy(a);
}

static void what_is_not_known_is_not_decided(void **state)
{
    struct ork_arbiter *a = create(2);

    (void)state;
    ask(a, 0, here, true, 1); /* no such window */
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    ork_arbiter_destroy(a);
    a = create_window(2);
    ask(a, 0, (struct location){2, 3}, true, 1); /* no such target */
    expect(a, 0, ORK_DECIDED_NOTHING, 1, 0, 0);
    ask(a, 1, (struct location){-1, 3}, true, 1);
    expect(a, 1, ORK_DECIDED_NOTHING, 1, 0, 0);
    ork_arbiter_destroy(a);
}

int test_atomics(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_comes_first),
        cmocka_unit_test(one_that_was_granted_does_not_delay_others),
        cmocka_unit_test(each_location_counts_by_itself),
        cmocka_unit_test(those_that_read_count_for_updates_only),
        cmocka_unit_test(who_tries_again_gets_later),
        cmocka_unit_test(locks_are_counted_by_themselves),
        cmocka_unit_test(in_a_quiescent_state_the_earliest_is_made),
        cmocka_unit_test(what_is_not_known_is_not_decided),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
