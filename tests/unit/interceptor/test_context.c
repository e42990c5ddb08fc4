/* SPDX-License-Identifier: BSD-3-Clause */
/* Context numbers: equal at all members, and of one object only. */
#include "interceptor/objects/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const uint32_t all[] = {0, 1, 4}, even[] = {0, 2, 2}, odd[] = {1, 2, 2};
static const uint32_t foreign[] = {0, 1, 2, UINT32_MAX, 7, 0, 0, 1, 2};

#define HASH(words) ork_context_group(words, sizeof(words) / sizeof((words)[0]))

static void objects_of_one_group_are_told_apart_by_their_order(void **state)
{
    (void)state;
    uint64_t first = ork_context_add(0, HASH(all));
    uint64_t second = ork_context_add_like(2, 0);
    uint64_t third = ork_context_add(5, HASH(all));

    assert_true(first != 0 && second != 0 && third != 0);
    assert_true(first != second && second != third && first != third);
    assert_true(ork_context_of(0) == first && ork_context_of(2) == second);
    assert_true(ork_context_of(5) == third);
}

static void another_group_has_other_numbers(void **state)
{
    (void)state;
    uint64_t one = ork_context_add(10, HASH(even));
    uint64_t other = ork_context_add(11, HASH(odd));

    assert_true(one != 0 && other != 0 && one != other);
}

static void the_members_of_both_groups_of_an_intercommunicator_agree(void **state)
{
    (void)state;
    assert_true(ork_context_groups(HASH(even), HASH(odd)) ==
                ork_context_groups(HASH(odd), HASH(even)));
    assert_true(ork_context_groups(HASH(even), HASH(odd)) != HASH(all));
    assert_true(ork_context_groups(HASH(even), HASH(odd)) != 0);
}

static void with_members_of_other_jobs_there_is_none(void **state)
{
    (void)state;
    assert_true(HASH(foreign) == 0);
    assert_true(ork_context_groups(HASH(all), HASH(foreign)) == 0);
    assert_true(ork_context_add(20, 0) == 0);
    assert_true(ork_context_of(20) == 0);
    assert_true(ork_context_add_like(21, 20) == 0);
}

static void what_is_drawn_is_one_of_the_order(void **state)
{
    (void)state;
    uint64_t before = ork_context_add(25, HASH(even));
    uint64_t drawn = ork_context_draw(25);
    uint64_t next = ork_context_draw(25), after = ork_context_add_like(26, 25);

    assert_true(drawn != 0 && next != 0 && drawn != before && drawn != next);
    assert_true(after != drawn && after != next && after != before);
    assert_true(ork_context_of(25) == before);
    ork_context_add(27, 0);
    assert_true(ork_context_draw(27) == 0); /* it has members of other jobs */
    assert_true(ork_context_draw(UINT32_MAX) == 0);
}

static void an_unknown_object_has_none(void **state)
{
    (void)state;
    assert_true(ork_context_of(1000000) == 0);
    assert_true(ork_context_of(UINT32_MAX) == 0);
    assert_true(ork_context_add_like(22, UINT32_MAX) == 0);
}

static void one_that_is_freed_has_none_and_later_ones_have_others(void **state)
{
    (void)state;
    uint64_t freed = ork_context_add(30, HASH(even));

    ork_context_forget(30);
    ork_context_forget(30);
    assert_true(ork_context_of(30) == 0);
    assert_true(ork_context_add_like(31, 30) == 0);
    assert_true(ork_context_add(32, HASH(even)) != freed);
}

int test_context(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_one_group_are_told_apart_by_their_order),
        cmocka_unit_test(another_group_has_other_numbers),
        cmocka_unit_test(the_members_of_both_groups_of_an_intercommunicator_agree),
        cmocka_unit_test(with_members_of_other_jobs_there_is_none),
        cmocka_unit_test(what_is_drawn_is_one_of_the_order),
        cmocka_unit_test(an_unknown_object_has_none),
        cmocka_unit_test(one_that_is_freed_has_none_and_later_ones_have_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
