/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls are racing: outcomes depend on which of two comes first, and nothing says it. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/onesided/script.h"

enum { OTHER = 9 /* a window, or a file */ };

/* Ranks 1 and 2 update word 0 of rank 0, in an epoch of locks. */
static struct found update_both(enum ork_access first, enum ork_access second,
                                enum ork_reduction op, uint32_t type)
{
    struct script s = script_begin();

    for (uint32_t r = 1; r < RANKS; r++)
        script_lock(&s, r, ORK_NO_PEER, false);
    script_update(&s, 1, first, 0, 0, 1, 7, op, type);
    script_update(&s, 2, second, 0, 0, 1, 8, op, type);
    for (uint32_t r = 1; r < RANKS; r++)
        script_unlock(&s, r, ORK_NO_PEER);
    return script_end(&s);
}

static void assert_both(const struct found *f)
{
    assert_int_equal(f->racing, 2);
    assert_int_equal(f->racing_call[0].rank, 1);
    assert_int_equal(f->racing_call[0].site, 7);
    assert_int_equal(f->racing_call[1].rank, 2);
    assert_int_equal(f->racing_call[1].site, 8);
}

static void who_fetches_beside_an_update_is_racing(void **state)
{
    struct found f = update_both(ORK_ACCESS_FETCH, ORK_ACCESS_ACCUMULATE, ORK_REDUCTION_MPI_SUM, 1);

    (void)state;
    assert_both(&f);
    f = update_both(ORK_ACCESS_SWAP, ORK_ACCESS_SWAP, ORK_REDUCTION_NONE, 1);
    assert_both(&f);
    assert_int_equal(f.conflicts, 0);
}

static void updates_that_do_not_commute_are_racing(void **state)
{
    struct found f =
        update_both(ORK_ACCESS_ACCUMULATE, ORK_ACCESS_ACCUMULATE, ORK_REDUCTION_MPI_REPLACE, 1);

    (void)state;
    assert_both(&f);
    f = update_both(ORK_ACCESS_ACCUMULATE, ORK_ACCESS_ACCUMULATE, ORK_REDUCTION_MPI_SUM,
                    ORK_ACCESS_ROUNDS | 1);
    assert_both(&f);
    f = update_both(ORK_ACCESS_ACCUMULATE, ORK_ACCESS_ACCUMULATE, ORK_REDUCTION_MPI_SUM, 0);
    assert_both(&f);
}

static void updates_that_commute_are_not_racing(void **state)
{
    (void)state;
    assert_int_equal(
        update_both(ORK_ACCESS_ACCUMULATE, ORK_ACCESS_ACCUMULATE, ORK_REDUCTION_MPI_SUM, 1).racing,
        0);
    assert_int_equal(update_both(ORK_ACCESS_ACCUMULATE, ORK_ACCESS_ACCUMULATE,
                                 ORK_REDUCTION_MPI_MAX, ORK_ACCESS_ROUNDS | 1)
                         .racing,
                     0);
}

static void two_that_only_fetch_are_not_racing(void **state)
{
    (void)state;
    assert_int_equal(
        update_both(ORK_ACCESS_FETCH, ORK_ACCESS_FETCH, ORK_REDUCTION_MPI_NO_OP, 1).racing, 0);
}

/* The order of the run says which of these comes first. */
static void put_choice(struct script *s, uint32_t rank, int64_t place, uint64_t words)
{
    script_access(s, rank, ORK_ACCESS_FETCH, 0, place, words, 6 + rank);
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_EXIT,
                                   .site = 6 + rank,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER,
                                   .extra = 1});
}

static struct found choose_both(int64_t second, uint64_t words)
{
    struct script s = script_begin();

    for (uint32_t r = 1; r < RANKS; r++)
        script_lock(&s, r, ORK_NO_PEER, false);
    put_choice(&s, 1, 0, 2);
    put_choice(&s, 2, second, words);
    for (uint32_t r = 1; r < RANKS; r++)
        script_unlock(&s, r, ORK_NO_PEER);
    return script_end(&s);
}

static void two_choices_for_the_same_bytes_are_not_racing(void **state)
{
    (void)state;
    assert_int_equal(choose_both(0, 2).racing, 0);
    struct found f = choose_both(1, 1);
    assert_both(&f);
}

static void a_choice_and_another_update_are_racing(void **state)
{
    struct script s = script_begin();

    (void)state;
    for (uint32_t r = 1; r < RANKS; r++)
        script_lock(&s, r, ORK_NO_PEER, false);
    put_choice(&s, 1, 0, 1);
    script_access(&s, 2, ORK_ACCESS_FETCH, 0, 0, 1, 8);
    for (uint32_t r = 1; r < RANKS; r++)
        script_unlock(&s, r, ORK_NO_PEER);
    struct found f = script_end(&s);
    assert_both(&f);
}

static void other_elements_are_not_racing(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_FETCH, 0, 0, 2, 7);
    script_access(&s, 2, ORK_ACCESS_FETCH, 0, 2, 2, 8);
    script_access(&s, 2, ORK_ACCESS_FETCH, 1, 0, 2, 8);
    script_fence(&s);
    assert_int_equal(script_end(&s).racing, 0);
}

static void updates_of_one_epoch_of_a_fence_are_racing(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_FETCH, 0, 0, 1, 7);
    script_access(&s, 2, ORK_ACCESS_FETCH, 0, 0, 1, 8);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_both(&f);
}

static void what_a_call_orders_is_not_racing(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_FETCH, 0, 0, 1, 7);
    script_fence(&s);
    script_access(&s, 2, ORK_ACCESS_FETCH, 0, 0, 1, 8);
    script_access(&s, 2, ORK_ACCESS_FETCH, 0, 0, 1, 9);
    script_fence(&s);
    assert_int_equal(script_end(&s).racing, 0);
}

static void what_an_exclusive_lock_separates_is_not_racing(void **state)
{
    struct script s = script_begin();

    (void)state;
    for (uint32_t r = 1; r < RANKS; r++) {
        script_lock(&s, r, 0, true);
        script_access(&s, r, ORK_ACCESS_FETCH, 0, 0, 1, 7);
        script_unlock(&s, r, 0);
    }
    assert_int_equal(script_end(&s).racing, 0);
}

static void accesses_that_conflict_are_racing(void **state)
{
    struct script s = script_begin();

    (void)state;
    script_fence(&s);
    script_access(&s, 1, ORK_ACCESS_PUT, 0, 0, 1, 7);
    script_access(&s, 2, ORK_ACCESS_GET, 0, 0, 1, 8);
    script_fence(&s);
    struct found f = script_end(&s);
    assert_int_equal(f.conflicts, 1);
    assert_both(&f);
}

/* ---- locks ---- */

static void lock_as(struct script *s, uint32_t rank, bool is_exclusive, enum ork_lock_order order)
{
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_WIN_LOCK,
                                   .mode = is_exclusive,
                                   .site = 6 + rank,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = 0,
                                   .arg = order});
}

static struct found lock_both(bool is_exclusive, enum ork_lock_order order, bool separated)
{
    struct script s = script_begin();

    lock_as(&s, 1, is_exclusive, order);
    script_unlock(&s, 1, 0);
    if (separated)
        script_barrier(&s);
    lock_as(&s, 2, is_exclusive, order);
    script_unlock(&s, 2, 0);
    return script_end(&s);
}

static void only_locks_that_are_not_counted_are_racing(void **state)
{
    struct found f = lock_both(true, ORK_LOCK_IS_UNCOUNTED, false);

    (void)state;
    assert_both(&f);
    assert_int_equal(lock_both(true, ORK_LOCK_IS_CHOICE, false).racing, 0);
    assert_int_equal(lock_both(true, ORK_LOCK_IS_UNCHECKED, false).racing, 0);
    assert_int_equal(lock_both(false, ORK_LOCK_IS_UNCOUNTED, false).racing, 0);
    assert_int_equal(lock_both(true, ORK_LOCK_IS_UNCOUNTED, true).racing, 0);
}

/* ---- files ---- */

static void write_shared(struct script *s, uint32_t rank)
{
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_FILE_ACCESS,
                                   .mode = ORK_FILE_POINTER_SHARED,
                                   .site = 6 + rank,
                                   .comm = OTHER,
                                   .request = ORK_REQUEST_NULL,
                                   .peer = ORK_NO_PEER});
}

static struct found use_file(bool separated)
{
    struct script s = script_begin();

    for (uint32_t r = 0; r < RANKS; r++) {
        script_put(&s, r, (struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_FILE_OPEN});
        script_put(
            &s, r,
            (struct ork_record){
                .kind = ORK_KIND_COMM_DEF, .flags = ORK_F_SAME_GROUP, .comm = OTHER, .extra = 101});
    }
    write_shared(&s, 1);
    if (separated)
        script_barrier(&s);
    write_shared(&s, 2);
    return script_end(&s);
}

static void calls_with_the_shared_file_pointer_are_racing(void **state)
{
    struct found f = use_file(false);

    (void)state;
    assert_both(&f);
    assert_int_equal(use_file(true).racing, 0);
}

int test_racing(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_fetches_beside_an_update_is_racing),
        cmocka_unit_test(updates_that_do_not_commute_are_racing),
        cmocka_unit_test(updates_that_commute_are_not_racing),
        cmocka_unit_test(two_that_only_fetch_are_not_racing),
        cmocka_unit_test(two_choices_for_the_same_bytes_are_not_racing),
        cmocka_unit_test(a_choice_and_another_update_are_racing),
        cmocka_unit_test(other_elements_are_not_racing),
        cmocka_unit_test(updates_of_one_epoch_of_a_fence_are_racing),
        cmocka_unit_test(what_a_call_orders_is_not_racing),
        cmocka_unit_test(what_an_exclusive_lock_separates_is_not_racing),
        cmocka_unit_test(accesses_that_conflict_are_racing),
        cmocka_unit_test(only_locks_that_are_not_counted_are_racing),
        cmocka_unit_test(calls_with_the_shared_file_pointer_are_racing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
