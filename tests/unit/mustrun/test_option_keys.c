/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose value is a list of keys: --must:on, --must:explore-bounds. */
#include "parsing.h"

#define BOUNDS "--must:explore-bounds"

/* The bounds of a command line with this environment. */
static struct ork_explore_options bounds_of(char *const *words, char *const *environment)
{
    struct fixture f;

    assert_int_equal(parse(&f, words, environment), ORK_OK);
    ork_argv_release(&f.rest);
    return f.options.explore;
}

static void a_list_sets_each_of_its_keys(void **state)
{
    struct ork_explore_options e = bounds_of(
        WORDS("--must:explore", BOUNDS,
              "mixing=2,loop=3,quota=10,symmetric=1-7,sample=18446744073709551615,runs=0,time=2.5"),
        nothing);

    (void)state;
    assert_int_equal(e.mixing, 2);
    assert_int_equal(e.loop, 3);
    assert_int_equal(e.quota, 10);
    assert_string_equal(e.symmetric, "1-7");
    assert_true(e.samples && e.seed == UINT64_MAX);
    assert_int_equal(e.runs, 0);
    assert_true(e.seconds == 2.5);
}

static void ranks_of_a_list_may_be_separated_by_commas(void **state)
{
    struct ork_explore_options e =
        bounds_of(WORDS("--must:explore", BOUNDS "=symmetric=1-3,5,7-9,loop=4"), nothing);

    (void)state;
    assert_string_equal(e.symmetric, "1-3,5,7-9");
    assert_int_equal(e.loop, 4);
    e = bounds_of(WORDS("--must:explore", BOUNDS "=loop=4,symmetric=2,3"), nothing);
    assert_string_equal(e.symmetric, "2,3");
    assert_int_equal(e.loop, 4);
}

static void lists_add_up_and_the_later_value_of_a_key_counts(void **state)
{
    struct ork_explore_options e = bounds_of(
        WORDS("--must:explore", BOUNDS, "mixing=2,loop=3", BOUNDS "=loop=4,quota=1,loop=5"),
        nothing);

    (void)state;
    assert_int_equal(e.mixing, 2);
    assert_int_equal(e.loop, 5);
    assert_int_equal(e.quota, 1);
    assert_int_equal(e.runs, 1000); /* the default */
}

static void the_command_line_adds_to_the_environment(void **state)
{
    struct ork_explore_options e =
        bounds_of(WORDS("--must:explore", BOUNDS, "loop=4"),
                  WORDS("MUST_EXPLORE_BOUNDS=loop=1,quota=7", "MUST_EXPLORE_LOOP=2"));

    (void)state;
    assert_int_equal(e.loop, 4);
    assert_int_equal(e.quota, 7);
}

static void an_event_has_its_action(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(
        parse(&f, WORDS("--must:on", "deadlock=continue,unchecked=fail", "--must:on=hang=abort"),
              WORDS("MUST_ON=divergence=abort,hang=report")),
        ORK_OK);
    assert_true(f.options.go_on && f.options.hang_abort && f.options.divergence_abort &&
                f.options.unchecked_fails);
    ork_argv_release(&f.rest);
}

static void an_old_name_is_its_key(void **state)
{
    static char *const words[] = {"--must:explore",
                                  "--must:explore-runs=1",
                                  "--must:explore-time",
                                  "2",
                                  "--must:explore-mixing=3",
                                  "--must:explore-loop=4",
                                  "--must:explore-quota=5",
                                  "--must:explore-sample=6",
                                  "--must:explore-symmetric=7,8",
                                  "--must:on-unchecked=fail",
                                  NULL};
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f, words, nothing), ORK_OK);
    const struct ork_explore_options *e = &f.options.explore;
    assert_int_equal(e->runs, 1);
    assert_true(e->seconds == 2);
    assert_int_equal(e->mixing, 3);
    assert_int_equal(e->loop, 4);
    assert_int_equal(e->quota, 5);
    assert_true(e->samples && e->seed == 6);
    assert_string_equal(e->symmetric, "7,8");
    assert_true(f.options.unchecked_fails);
    ork_argv_release(&f.rest);
    assert_int_equal(parse(&f,
                           WORDS("--must:on-deadlock", "continue", "--must:replay=f",
                                 "--must:on-divergence=abort"),
                           WORDS("MUST_ON_HANG=abort")),
                     ORK_OK);
    assert_true(f.options.go_on && f.options.divergence_abort && f.options.hang_abort);
    ork_argv_release(&f.rest);
}

static void an_old_name_and_its_key_are_one_option(void **state)
{
    struct ork_explore_options e =
        bounds_of(WORDS("--must:explore", "--must:explore-loop=1", BOUNDS "=loop=2,quota=3",
                        "--must:explore-quota=4"),
                  nothing);

    (void)state;
    assert_int_equal(e.loop, 2);
    assert_int_equal(e.quota, 4);
    e = bounds_of(nothing, WORDS("MUST_EXPLORE_BOUNDS=loop=2", "MUST_EXPLORE_LOOP=1"));
    assert_int_equal(e.loop, 2); /* the new variable wins */
    check_refused(WORDS("--must:explore-loop=1"), nothing,
                  BOUNDS " has no effect without --must:explore");
}

static void a_wrong_key_or_value_is_a_sentence_with_the_key(void **state)
{
    (void)state;
    check_refused(WORDS(BOUNDS, "mixng=2"), nothing,
                  BOUNDS ": no bound is called 'mixng'; did you mean 'mixing'?");
    check_refused(WORDS(BOUNDS, "loop=2,depth=2"), nothing,
                  BOUNDS ": no bound is called 'depth'; the bounds are runs, time, mixing, loop, "
                         "quota, sample, symmetric");
    check_refused(WORDS("--must:on", "hangs=abort"), nothing,
                  "--must:on: no event is called 'hangs'; did you mean 'hang'?");
    check_refused(WORDS("--must:on", "abort"), nothing,
                  "--must:on: no event is called 'abort'; the events are deadlock, hang, "
                  "divergence, unchecked");
    check_refused(nothing, WORDS("MUST_ON=hung=abort"),
                  "MUST_ON: no event is called 'hung'; did you mean 'hang'?");
    check_refused(WORDS(BOUNDS, "loop"), nothing, BOUNDS " loop needs a value: loop=N");
    check_refused(WORDS("--must:on=hang"), nothing,
                  "--must:on hang needs a value: hang=report|abort");
    check_refused(WORDS(BOUNDS, "loop=2,3"), nothing,
                  BOUNDS " loop: \"2,3\" is not a number from 0 to 1000000000");
    check_refused(WORDS(BOUNDS, "sample=seed"), nothing,
                  BOUNDS " sample: \"seed\" is not a number from 0 to 18446744073709551615");
    check_refused(WORDS(BOUNDS, "symmetric=3-1"), nothing,
                  BOUNDS " symmetric: \"3-1\" is no list of ranks like 1-7,9");
    check_refused(WORDS("--must:on", "deadlock=cry"), nothing,
                  "--must:on deadlock: \"cry\" is not abort, continue or stop");
    check_refused(WORDS("--must:on-deadlock=cry"), nothing,
                  "--must:on-deadlock: \"cry\" is not abort, continue or stop");
    check_refused(WORDS(BOUNDS "="), nothing, BOUNDS ": the value is empty");
    check_refused(WORDS(BOUNDS), nothing, BOUNDS " needs a value: BOUND=VALUE,...");
    check_refused(WORDS("--must:on=hang=abort,"), nothing,
                  "--must:on: no event is called ''; the events are deadlock, hang, divergence, "
                  "unchecked");
}

static void a_long_value_is_refused_and_not_cut(void **state)
{
    char words[2][ORK_SYMMETRIC_MAX + 100];

    (void)state;
    snprintf(words[0], sizeof(words[0]), BOUNDS "=symmetric=");
    snprintf(words[1], sizeof(words[1]), "--must:explore-symmetric=");
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(words[i]);

        for (size_t k = 0; k < ORK_SYMMETRIC_MAX; k++)
            words[i][length + k] = k % 2 == 0 ? '1' : ',';
        words[i][length + ORK_SYMMETRIC_MAX - 1] = '\0';
        bounds_of(WORDS("--must:explore", words[i]), nothing); /* ends with a digit */
    }
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;

        strcat(words[i], "1");
        assert_int_equal(parse(&f, WORDS(words[i]), nothing), ORK_INVALID);
        assert_non_null(strstr(f.error, "symmetric: the value has more than 1023 characters"));
        ork_argv_release(&f.rest);
    }
}

int test_option_keys(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_sets_each_of_its_keys),
        cmocka_unit_test(ranks_of_a_list_may_be_separated_by_commas),
        cmocka_unit_test(lists_add_up_and_the_later_value_of_a_key_counts),
        cmocka_unit_test(the_command_line_adds_to_the_environment),
        cmocka_unit_test(an_event_has_its_action),
        cmocka_unit_test(an_old_name_is_its_key),
        cmocka_unit_test(an_old_name_and_its_key_are_one_option),
        cmocka_unit_test(a_wrong_key_or_value_is_a_sentence_with_the_key),
        cmocka_unit_test(a_long_value_is_refused_and_not_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
