/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow: vec.c. */
#include "common/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void room_grows_with_what_is_wanted_and_is_zero(void **state)
{
    uint64_t *item = NULL;
    uint32_t room = 0;

    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(ork_vec_reserve(&item, &room, i + 1, sizeof(*item)));
        assert_true(room > i);
        assert_int_equal(item[i], 0);
        assert_int_equal(item[room - 1], 0);
        item[i] = i + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(item[i], i + 1);
    assert_true(room <= 2000);
    assert_true(ork_vec_reserve(&item, &room, 5000, sizeof(*item)));
    assert_int_equal(room, 5000);
    free(item);
}

static void enough_room_stays_as_it_is(void **state)
{
    uint32_t *item = NULL;
    uint32_t room = 0;

    (void)state;
    assert_true(ork_vec_reserve(&item, &room, 0, sizeof(*item)));
    assert_null(item);
    assert_true(ork_vec_reserve(&item, &room, 5, sizeof(*item)));
    uint32_t *before = item;
    uint32_t had = room;
    assert_true(ork_vec_reserve(&item, &room, had, sizeof(*item)));
    assert_ptr_equal(item, before);
    assert_int_equal(room, had);
    free(item);
}

static void an_extended_array_keeps_its_elements(void **state)
{
    uint32_t *item = NULL;

    (void)state;
    assert_true(ork_vec_extend(&item, 0, 1, sizeof(*item)));
    item[0] = 7;
    assert_true(ork_vec_extend(&item, 1, 3, sizeof(*item)));
    assert_int_equal(item[0], 7);
    assert_int_equal(item[1], 0);
    assert_int_equal(item[2], 0);
    free(item);
}

static void what_cannot_be_had_changes_nothing(void **state)
{
    uint32_t *item = NULL;
    uint32_t room = 0;

    (void)state;
    assert_true(ork_vec_reserve(&item, &room, 1, sizeof(*item)));
    uint32_t *before = item;
    uint32_t had = room;
    assert_false(ork_vec_reserve(&item, &room, UINT32_MAX, SIZE_MAX / 2));
    assert_ptr_equal(item, before);
    assert_int_equal(room, had);
    free(item);
}

int test_vec(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_grows_with_what_is_wanted_and_is_zero),
        cmocka_unit_test(enough_room_stays_as_it_is),
        cmocka_unit_test(an_extended_array_keeps_its_elements),
        cmocka_unit_test(what_cannot_be_had_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
