/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void names_belong_to_their_numbers(void **state)
{
    (void)state;
    assert_string_equal(ork_kind_name(ORK_KIND_CONT), "CONT");
    assert_string_equal(ork_kind_name(ORK_KIND_SENDRECV), "SENDRECV");
    assert_string_equal(ork_kind_name(ORK_KIND_OPAQUE), "OPAQUE");
    assert_string_equal(ork_coll_name(ORK_COLL_BARRIER), "Barrier");
    assert_string_equal(ork_coll_name(ORK_COLL_REDUCE_SCATTER_BLOCK), "Reduce_scatter_block");
    assert_string_equal(ork_coll_name(ORK_COLL_INTERCOMM_MERGE), "Intercomm_merge");
}

static void numbers_that_are_none_have_a_name_too(void **state)
{
    (void)state;
    assert_string_equal(ork_kind_name(ORK_KIND_MAX), "?");
    assert_string_equal(ork_kind_name(255), "?");
    assert_string_equal(ork_coll_name(ORK_COLL_MAX), "?");
    assert_string_equal(ork_coll_name(UINT16_MAX), "?");
}

static void names_are_unique(void **state)
{
    (void)state;
    for (unsigned a = 0; a < ORK_KIND_MAX; a++) {
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(ork_kind_name(a), ork_kind_name(b));
    }
    for (unsigned a = 0; a < ORK_COLL_MAX; a++) {
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(ork_coll_name(a), ork_coll_name(b));
    }
}

static void lists_fill_whole_continuation_records(void **state)
{
    (void)state;
    assert_int_equal(ork_record_conts(0), 0);
    assert_int_equal(ork_record_conts(1), 1);
    assert_int_equal(ork_record_conts(ORK_CONT_WORDS), 1);
    assert_int_equal(ork_record_conts(ORK_CONT_WORDS + 1), 2);
    assert_int_equal(ork_record_conts(ORK_LIST_MAX),
                     (ORK_LIST_MAX + ORK_CONT_WORDS - 1) / ORK_CONT_WORDS);
}

int test_names(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_belong_to_their_numbers),
        cmocka_unit_test(numbers_that_are_none_have_a_name_too),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(lists_fill_whole_continuation_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
