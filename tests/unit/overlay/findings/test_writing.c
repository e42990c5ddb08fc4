/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates are filled, and what fails is remembered. The rows are those of messages.def. */
#include "overlay/findings/writing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void slots_are_filled(void **state)
{
    struct ork_writing w = {.sites = NULL};

    (void)state;
    assert_string_equal(ork_say(&w, SAYS_CONFLICT, RANK('r', 2), TEXT('w', "a"), RANK('o', 0),
                                TEXT('x', "b"), NUMBER('i', 0)),
                        "rank 2 a while rank 0 b: nothing orders them");
    assert_string_equal(ork_say(&w, SAYS_USAGE_RANGE, NUMBER('n', -3), NUMBER('m', 7)), "-3 to 7");
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void numbers_choose_between_one_and_many(void **state)
{
    struct ork_writing w = {.sites = NULL};

    (void)state;
    assert_string_equal(ork_say(&w, SAYS_CONFLICTS_MORE, NUMBER('n', 1)),
                        "the same calls conflict at 1 other pair of ranks or targets.");
    assert_string_equal(ork_say(&w, SAYS_CONFLICTS_MORE, NUMBER('n', 2)),
                        "the same calls conflict at 2 other pairs of ranks or targets.");
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void what_is_empty_is_left_out(void **state)
{
    struct ork_writing w = {.sites = NULL};

    (void)state;
    assert_string_equal(ork_say(&w, SAYS_USAGE_TIMES, NUMBER('i', 0), COUNT('n', 1200),
                                NUMBER('x', 0), COUNT('m', 0), NUMBER('j', 0)),
                        ", 1,200 times");
    assert_string_equal(ork_say(&w, SAYS_USAGE_TIMES, NUMBER('i', 1), COUNT('n', 1), NUMBER('x', 1),
                                COUNT('m', 5), NUMBER('j', 1)),
                        ", the first of 1 to 5 times each");
    assert_string_equal(ork_say(&w, SAYS_DIVERGED_CHOICE, NUMBER('n', 17), NUMBER('m', 0)),
                        "choice 17");
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void sets_grow_and_are_written_as_runs(void **state)
{
    struct ork_writing w = {.sites = NULL};
    struct ork_u32s set = {0};

    (void)state;
    for (uint32_t r = 0; r < 100; r++)
        ork_writing_add(&w, &set, r);
    assert_int_equal(set.count, 100);
    assert_int_equal(set.item[99], 99);
    assert_string_equal(ork_say(&w, SAYS_ORDER_NOT_TOLD, RANKS('r', &set), RANK('o', 7)) +
                            strlen("ranks 0-99 completed its access, but no message or "),
                        "collective call tells rank 7: for example an MPI_Barrier after it would "
                        "order them, and an exclusive lock would exclude one while the other is "
                        "made.");
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void texts_are_joined(void **state)
{
    struct ork_writing w = {.sites = NULL};

    (void)state;
    assert_string_equal(ork_join(&w, "", "; ", "b"), "b");
    assert_string_equal(ork_join(&w, "a", "; ", "b"), "a; b");
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void details_are_sentences_of_the_finding(void **state)
{
    struct ork_writing w = {.sites = NULL};
    struct ork_finding f = ork_writing_begin(&w, "test", ORK_NOTE, 0), out;

    (void)state;
    ork_writing_headline(&w, &f, "ranks do it");
    ork_writing_detail(&w, &f, "");
    ork_writing_detail(&w, &f, ork_plain(SAYS_ORDER_FENCE));
    assert_int_equal(ork_writing_end(&w, &f, &out), ORK_OK);
    assert_string_equal(out.message, "ranks do it");
    assert_string_equal(out.summary, "Ranks do it");
    assert_int_equal(out.num_details, 1);
    assert_string_equal(out.detail[0], "An MPI_Win_fence between them would order them.");
    ork_finding_release(&out);
}

static void what_fails_is_remembered(void **state)
{
    struct ork_writing w = {.sites = NULL};
    struct ork_finding f = ork_writing_begin(&w, "test", ORK_NOTE, 0), out = {0};

    (void)state;
    assert_true(ork_writing_check(&w, ORK_OK));
    assert_string_equal(ork_writing_keep(&w, NULL), "");
    assert_false(ork_writing_check(&w, ORK_OK));
    ork_writing_headline(&w, &f, "later texts do not matter");
    assert_int_equal(ork_writing_end(&w, &f, &out), ORK_NOMEM);
    assert_null(out.id);
}

int test_writing(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_filled),
        cmocka_unit_test(numbers_choose_between_one_and_many),
        cmocka_unit_test(what_is_empty_is_left_out),
        cmocka_unit_test(sets_grow_and_are_written_as_runs),
        cmocka_unit_test(texts_are_joined),
        cmocka_unit_test(details_are_sentences_of_the_finding),
        cmocka_unit_test(what_fails_is_remembered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
