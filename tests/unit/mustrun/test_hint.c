/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and variables that do not exist, and the nearest one. */
#include "common/suggest.h"
#include "mustrun/options/hint.h"

#include "parsing.h"

static void an_unknown_option_names_the_nearest(void **state)
{
    (void)state;
    check_refused(WORDS("--must:outptu", "json"), nothing,
                  "there is no option --must:outptu; the nearest one is --must:output");
    check_refused(WORDS("--must:output_dir=x"), nothing,
                  "there is no option --must:output_dir; the nearest one is --must:output-dir");
    check_refused(WORDS("--must:"), nothing,
                  "there is no option --must:; options of mustrun begin with --must:, and "
                  "--must:help lists them");
}

static void an_option_of_another_name_is_found_by_its_meaning(void **state)
{
    static const struct {
        const char *name, *meant; /* NULL: none is near */
    } words[] = {
        {"timeout", "hang-after"},
        {"timeout=5", "hang-after"},
        {"dry-run", "info"},
        {"seed", "noise"},
        {"backtrace", "callers"},
        {"max-runs", "repeat"},
        {"log-level", "verbose"},
        {"exit-code=3", "errorcode"},
        {"no-deadlock", "nodl"},
        {"report-format", "output"},
        {"reply", "replay"},
        {"explore-job", "explore-jobs"},
        {"explore-symetric", "explore-bounds symmetric=RANKS"},
        {"symmetry", "explore-bounds symmetric=RANKS"},
        {"on-deadlok", "on deadlock=abort|continue|stop"},
        {"on-hangs", "on hang=report|abort"},
        {"explore-bound=loop=2", "explore-bounds"},
        {"interleave", "probe"},
        {"set-noise", "noise"},
        {"jobs", "explore-jobs"},
        {"output_directory", "output-dir"},
        {"suppressions", "suppress"},
        {"xyzzy", NULL},
        {"colour", "color"},
        {"flavour", NULL},
    };
    char sentence[300], expected[300], word[100];

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        snprintf(word, sizeof(word), "--must:%s", words[i].name);
        ork_hint_option(word, sentence, sizeof(sentence));
        word[strcspn(word, "=")] = '\0';
        if (words[i].meant != NULL)
            snprintf(expected, sizeof(expected),
                     "there is no option %s; the nearest one is --must:%s", word, words[i].meant);
        else
            snprintf(expected, sizeof(expected), "there is no option %s; --must:help lists them",
                     word);
        assert_string_equal(sentence, expected);
    }
}

/* Words of which none is the name of an option: the parser knows such a one. */
static void no_synonym_is_an_option(void **state)
{
    static const char *const option[] = {
#define ORK_OPTION(id, group, name, arg, env, fallback, help)               name,
#define ORK_OPTION_KEY(id, option, name, arg, old, old_env, fallback, help) old,
#include "mustrun/options/options.def"
    };
    static const char *const word[] = {
#define ORK_SYNONYM(word, option) word,
#include "mustrun/options/synonyms.def"
#undef ORK_SYNONYM
    };

    (void)state;
    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
        for (size_t k = 0; k < sizeof(option) / sizeof(option[0]); k++)
            assert_string_not_equal(word[i], option[k]);
}

static void an_option_with_another_prefix_is_refused_with_a_hint(void **state)
{
    static char *const wrong[][2] = {
        {"--must-quiet", "there is no option --must-quiet; the nearest one is --must:quiet"},
        {"-must:quiet", "there is no option -must:quiet; the nearest one is --must:quiet"},
        {"--must=quiet", "there is no option --must=quiet; the nearest one is --must:quiet"},
        {"--MUST:output=json",
         "there is no option --MUST:output; the nearest one is --must:output"},
        {"--must_np", "there is no option --must_np; the nearest one is --must:np"},
        {"--must", "there is no option --must; options of mustrun begin with --must:, and "
                   "--must:help lists them"},
    };
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        check_refused(WORDS("-np", "2", wrong[i][0], "./app"), nothing, wrong[i][1]);
    /* behind the program's name and as a value of mpirun's option they are not ours */
    assert_int_equal(parse(&f, WORDS("-x", "--must-quiet", "./a", "--must-quiet"), nothing),
                     ORK_OK);
    ork_argv_release(&f.rest);
    assert_int_equal(parse(&f, WORDS("--mustard", "./a"), nothing), ORK_OK);
    ork_argv_release(&f.rest);
}

static void a_variable_that_is_no_option_gets_a_hint(void **state)
{
    char sentence[300];

    (void)state;
    assert_true(ork_hint_variable("MUST_OUTPTU=json", sentence, sizeof(sentence)));
    assert_string_equal(sentence, "hint: the variable MUST_OUTPTU is not an option of mustrun and "
                                  "is ignored; the nearest one is MUST_OUTPUT");
    assert_false(ork_hint_variable("MUST_OUTPUT=json", sentence, sizeof(sentence)));
    assert_false(ork_hint_variable("MUST_ON_DEADLOCK=abort", sentence, sizeof(sentence)));
    assert_true(ork_hint_variable("MUST_ON_DEADLOK=abort", sentence, sizeof(sentence)));
    assert_non_null(strstr(sentence, "the nearest one is MUST_ON=deadlock=abort|continue|stop"));
    assert_false(ork_hint_variable("MUSTARD=1", sentence, sizeof(sentence)));
    assert_false(ork_hint_variable("PATH=MUST_X", sentence, sizeof(sentence)));
}

static void an_endless_value_does_not_overflow_the_sentence(void **state)
{
    struct fixture f;
    char word[5000];

    (void)state;
    memset(word, 'x', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    memcpy(word, "--must:", 7);
    assert_int_equal(parse(&f, WORDS(word), nothing), ORK_INVALID);
    assert_true(strlen(f.error) < ORK_OPTIONS_ERROR);
    ork_argv_release(&f.rest);
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(ork_edit_distance("", ""), 0);
    assert_int_equal(ork_edit_distance("", "abc"), 3);
    assert_int_equal(ork_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(ork_edit_distance("output", "outptu"), 1);
    assert_int_equal(ork_edit_distance("fanin", "fain"), 1);
}

int test_hint(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_option_names_the_nearest),
        cmocka_unit_test(an_option_of_another_name_is_found_by_its_meaning),
        cmocka_unit_test(no_synonym_is_an_option),
        cmocka_unit_test(an_option_with_another_prefix_is_refused_with_a_hint),
        cmocka_unit_test(a_variable_that_is_no_option_gets_a_hint),
        cmocka_unit_test(an_endless_value_does_not_overflow_the_sentence),
        cmocka_unit_test(distance_counts_edits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
