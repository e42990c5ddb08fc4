/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered atomics are sections of their location: which could have come earlier. All are at rank
 * 0. */
#include "script.h"
#include "record/access.h"
#include "tests/unit/detector/unit.h"

enum { WINDOW = 5 };

struct atomic {
    uint64_t place;
    uint32_t number; /* since the rank's latest one of its kind */
    enum ork_access mode;
    enum ork_atomic_order order;
    uint32_t operands;
};

static struct script begin_with_window(void)
{
    struct script s = script_begin();

    for (uint32_t r = 0; r < RANKS; r++)
        script_put(&s, r,
                   (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                       .flags = ORK_F_SAME_GROUP,
                                       .mode = ORK_COLL_WIN_CREATE,
                                       .comm = WINDOW,
                                       .extra = 77});
    return s;
}

static void make(struct script *s, uint32_t rank, struct atomic a)
{
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_ACCESS,
                                   .mode = (uint16_t)a.mode,
                                   .site = 7,
                                   .comm = WINDOW,
                                   .request = ORK_REQUEST_NULL,
                                   .extra = a.place});
    script_put(s, rank,
               (struct ork_record){.kind = ORK_KIND_EXIT,
                                   .tag = (int32_t)a.number,
                                   .arg = a.order,
                                   .arg2 = a.operands,
                                   .extra = 1});
}

static void update(struct script *s, uint32_t rank, uint64_t place, uint32_t number)
{
    make(s, rank, (struct atomic){.place = place, .number = number, .mode = ORK_ACCESS_FETCH});
}

static void each_update_could_have_come_before_those_before_it(void **state)
{
    struct script s = begin_with_window();

    (void)state;
    update(&s, 0, 0, 0);
    update(&s, 2, 0, 2);
    update(&s, 1, 0, 1);
    script_check(&s, "1:1 lock keep 0 0 0\n"
                     "2:1 lock keep 0 0 0\n"
                     "2:1 lock [0] [1] keep 1 0 0\n");
}

static void updates_of_other_places_have_no_order(void **state)
{
    struct script s = begin_with_window();

    (void)state;
    for (uint32_t r = 0; r < RANKS; r++)
        update(&s, r, r, 0);
    script_check(&s, "");
}

static void reads_have_an_order_with_updates_only(void **state)
{
    const struct atomic read = {.mode = ORK_ACCESS_FETCH, .order = ORK_ATOMIC_READS};
    struct script s = begin_with_window();

    (void)state;
    make(&s, 0, read);
    make(&s, 1, read);
    update(&s, 2, 0, 2);
    script_check(&s, "2:1 lock [1] [1] keep 0 1 0\n"
                     "2:1 lock [0] [1] keep 1 0 0\n");
}

/* Rank 2 was told of the update of rank 1 by a message. */
static void an_update_stays_behind_what_its_rank_knew(void **state)
{
    struct script s = begin_with_window();

    (void)state;
    update(&s, 1, 0, 0);
    script_send(&s, 1, 2);
    script_put(&s, 2, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 1});
    update(&s, 2, 0, 1);
    script_check(&s, "");
}

static bool count_repeated(void *context, const struct ork_locked_choice *l)
{
    uint32_t *found = context;

    assert_int_equal(l->is_repeated, l->rank == 1 && l->number == 2);
    *found += l->is_repeated;
    return true;
}

/* Rank 1: a failing one with other values does not count, nor does one that comes after another
 * call. */
static void a_swap_that_failed_and_is_made_again_is_known(void **state)
{
    struct atomic swap = {.mode = ORK_ACCESS_SWAP, .order = ORK_ATOMIC_FAILS, .operands = 3};
    struct script s = begin_with_window();
    uint32_t found = 0;

    (void)state;
    make(&s, 1, swap);
    swap.operands = 4;
    swap.number = 1;
    make(&s, 1, swap);
    script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_WIN_FLUSH, .comm = WINDOW});
    make(&s, 1, swap);
    update(&s, 1, 1, 0);
    make(&s, 1, swap);
    assert_int_equal(ork_causality_locked_choices(s.causality, count_repeated, &found), ORK_OK);
    assert_int_equal(found, 1);
    script_check(&s, "");
}

int test_atomics(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_update_could_have_come_before_those_before_it),
        cmocka_unit_test(updates_of_other_places_have_no_order),
        cmocka_unit_test(reads_have_an_order_with_updates_only),
        cmocka_unit_test(an_update_stays_behind_what_its_rank_knew),
        cmocka_unit_test(a_swap_that_failed_and_is_made_again_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
