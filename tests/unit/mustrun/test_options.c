/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/suggest.h"
#include "mustrun/launcher/hint.h"
#include "mustrun/options/options.h"
#include "viz/viz.h"

#include "words.h"

#include <stdlib.h>
#include <string.h>

static char *const nothing[] = {NULL};

/* Parsed options, what is left of the words, and the sentence about what is wrong. */
struct fixture {
    struct ork_options options;
    struct ork_argv rest;
    char error[ORK_OPTIONS_ERROR];
};

static enum ork_status parse(struct fixture *f, char *const *words, char *const *environment)
{
    *f = (struct fixture){0};
    return ork_options_parse(words, environment, &f->options, &f->rest, f->error);
}

static void check_rest(const struct fixture *f, char *const *expected)
{
    size_t i = 0;

    for (; expected[i] != NULL; i++) {
        assert_true(i < f->rest.count);
        assert_string_equal(f->rest.item[i], expected[i]);
    }
    assert_int_equal(f->rest.count, i);
}

static void defaults_are_those_of_the_list(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f, nothing, nothing), ORK_OK);
    assert_int_equal(f.options.formats, ORK_VIZ_HTML | ORK_VIZ_JSON);
    assert_string_equal(f.options.output_dir, ".");
    assert_int_equal(f.options.errorcode, 66);
    assert_int_equal(f.options.fanin, 16);
    assert_int_equal(f.options.leaf_ranks, 0);
    assert_string_equal(f.options.mpiexec, "mpirun");
    assert_string_equal(f.options.np, "-np");
    assert_int_equal(f.options.start_timeout, 0);
    assert_null(f.options.trace);
    assert_null(f.options.record);
    assert_null(f.options.replay);
    assert_false(f.options.divergence_abort || f.options.deterministic);
    assert_false(f.options.go_on);
    assert_false(f.options.noise.is_on);
    assert_int_equal(f.options.repeat, 0);
    assert_int_equal(f.rest.count, 0);
    ork_argv_release(&f.rest);
}

static void every_option_is_taken_from_the_words(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(
        parse(&f,
              WORDS("--must:output", "text,json", "--must:output-dir", "d", "--must:errorcode=0",
                    "--must:on-deadlock", "continue", "--must:nodl", "--must:poll", "--must:fanin",
                    "2", "--must:leaf-ranks=7", "--must:mpiexec", "srun", "--must:np", "-n",
                    "--must:start-timeout", "5", "--must:sends=eager=4", "--must:collectives",
                    "dataflow", "--must:trace=t", "--must:record", "r", "--must:replay=p",
                    "--must:on-divergence", "abort", "--must:stop-at", "2:17", "--must:noise=7:20",
                    "--must:repeat", "50", "--must:races=on", "--must:fold=off", "--must:rma=off",
                    "--must:memory-model=separate", "--must:checks", "invalid-argument",
                    "--must:check-buffers", "--must:print-suppressions", "s", "--must:quiet",
                    "--must:verbose", "--must:info", "--must:help", "--must:version", "-n", "4",
                    "./a"),
              nothing),
        ORK_OK);
    assert_int_equal(f.options.formats, ORK_VIZ_TEXT | ORK_VIZ_JSON);
    assert_string_equal(f.options.output_dir, "d");
    assert_string_equal(f.options.sends, "eager=4");
    assert_string_equal(f.options.collectives, "dataflow");
    assert_int_equal(f.options.errorcode, 0);
    assert_true(f.options.go_on && f.options.nodl && f.options.poll && f.options.quiet &&
                f.options.verbose);
    assert_true(f.options.info && f.options.help && f.options.version);
    assert_int_equal(f.options.stop.rank, 2);
    assert_true(f.options.stop.choice == 17);
    assert_int_equal(f.options.fanin, 2);
    assert_int_equal(f.options.leaf_ranks, 7);
    assert_string_equal(f.options.mpiexec, "srun");
    assert_string_equal(f.options.np, "-n");
    assert_int_equal(f.options.start_timeout, 5);
    assert_string_equal(f.options.trace, "t");
    assert_string_equal(f.options.record, "r");
    assert_string_equal(f.options.replay, "p");
    assert_true(f.options.divergence_abort);
    assert_true(f.options.races);
    assert_false(f.options.fold);
    assert_string_equal(f.options.rma, "off");
    assert_true(f.options.separate);
    assert_true(f.options.check_buffers);
    assert_string_equal(f.options.checks, "invalid-argument");
    assert_string_equal(f.options.print_suppressions, "s");
    assert_true(f.options.noise.is_on && f.options.noise.seed == 7);
    assert_int_equal(f.options.noise.max_us, 20);
    assert_int_equal(f.options.repeat, 50);
    check_rest(&f, WORDS("-n", "4", "./a"));
    ork_argv_release(&f.rest);
}

static void an_exploration_has_options(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(
        parse(&f,
              WORDS("--must:explore", "--must:explore-runs", "7", "--must:explore-time=2.5",
                    "--must:explore-mixing=3", "--must:explore-loop=4", "--must:explore-quota=5",
                    "--must:explore-sample=9", "--must:explore-symmetric=1-3,7",
                    "--must:explore-jobs=2", "--must:explore-resume", "--must:ignore-output=^t",
                    "./a"),
              nothing),
        ORK_OK);
    const struct ork_explore_options *e = &f.options.explore;
    assert_true(e->is_on && e->resumes && e->samples);
    assert_int_equal(e->runs, 7);
    assert_true(e->seconds == 2.5);
    assert_int_equal(e->mixing, 3);
    assert_int_equal(e->loop, 4);
    assert_int_equal(e->quota, 5);
    assert_int_equal(e->seed, 9);
    assert_string_equal(e->symmetric, "1-3,7");
    assert_int_equal(e->jobs, 2);
    assert_string_equal(e->ignore, "^t");
    ork_argv_release(&f.rest);
    assert_int_equal(parse(&f, WORDS("--must:explore", "--must:compare=f", "./a"), nothing),
                     ORK_OK);
    assert_int_equal(f.options.explore.runs, 1000);
    assert_int_equal(f.options.explore.jobs, 1);
    assert_string_equal(f.options.explore.compare, "f");
    ork_argv_release(&f.rest);
}

static void an_exploration_excludes_other_modes(void **state)
{
    static char *const others[] = {"--must:repeat=2",      "--must:replay=f", "--must:record=f",
                                   "--must:trace=f",       "--must:noise=1",  "--must:nodl",
                                   "--must:deterministic", "--must:races=on"};
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_int_equal(parse(&f, WORDS("--must:explore", others[i], "./a"), nothing),
                         ORK_INVALID);
        assert_non_null(strstr(f.error, "exclude each other"));
        ork_argv_release(&f.rest);
    }
    assert_int_equal(parse(&f, WORDS("--must:explore-resume", "./a"), nothing), ORK_INVALID);
    ork_argv_release(&f.rest);
    assert_int_equal(parse(&f, WORDS("--must:explore-replace", "./a"), nothing), ORK_INVALID);
    ork_argv_release(&f.rest);
    assert_int_equal(
        parse(&f, WORDS("--must:explore", "--must:explore-resume", "--must:explore-replace", "./a"),
              nothing),
        ORK_INVALID);
    ork_argv_release(&f.rest);
    assert_int_equal(
        parse(&f, WORDS("--must:explore", "--must:explore-jobs=2", "--must:compare=f", "./a"),
              nothing),
        ORK_INVALID);
    ork_argv_release(&f.rest);
}

static void symmetric_ranks_are_a_list(void **state)
{
    bool symmetric[8] = {false};

    (void)state;
    assert_true(ork_symmetric_read("1-3,7", 8, symmetric));
    for (uint32_t r = 0; r < 8; r++)
        assert_int_equal(symmetric[r], (r >= 1 && r <= 3) || r == 7);
    assert_true(ork_symmetric_read("0", 1, NULL));
    static const char *const wrong[] = {"", "8", "1-8", "3-1", "1,", ",1", "1-", "-1", "a", "1 "};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(ork_symmetric_read(wrong[i], 8, NULL));
}

static void a_run_can_be_deterministic(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f, WORDS("--must:deterministic", "./a"), nothing), ORK_OK);
    assert_true(f.options.deterministic);
    ork_argv_release(&f.rest);
    assert_int_equal(parse(&f, WORDS("./a"), WORDS("MUST_DETERMINISTIC=1")), ORK_OK);
    assert_true(f.options.deterministic);
    ork_argv_release(&f.rest);
}

static void the_command_line_wins_over_the_environment(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f, WORDS("--must:fanin", "5"),
                           WORDS("MUST_FANIN=3", "MUST_OUTPUT_DIR=e", "MUST_QUIET=1",
                                 "MUST_VERBOSE=0", "MUST_NP=-n", "MUST_OUTPUT_DIRECTORY=x")),
                     ORK_OK);
    assert_int_equal(f.options.fanin, 5);
    assert_string_equal(f.options.output_dir, "e");
    assert_true(f.options.quiet);
    assert_false(f.options.verbose);
    assert_string_equal(f.options.np, "-n");
    ork_argv_release(&f.rest);
}

static void words_of_the_application_are_its_own(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(
        parse(&f, WORDS("-np", "4", "./a", "--must:quiet", "-np", "--must:x"), nothing), ORK_OK);
    assert_false(f.options.quiet);
    check_rest(&f, WORDS("-np", "4", "./a", "--must:quiet", "-np", "--must:x"));
    ork_argv_release(&f.rest);
}

static void an_argument_of_an_mpirun_option_is_no_program(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(
        parse(&f, WORDS("--mca", "btl", "tcp", "-x", "A=1", "--must:quiet", "a"), nothing), ORK_OK);
    assert_true(f.options.quiet);
    check_rest(&f, WORDS("--mca", "btl", "tcp", "-x", "A=1", "a"));
    ork_argv_release(&f.rest);
}

static void options_count_again_behind_a_colon(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(
        parse(&f, WORDS("-np", "1", "a", ":", "--must:quiet", "-np", "2", "b", "c"), nothing),
        ORK_OK);
    assert_true(f.options.quiet);
    check_rest(&f, WORDS("-np", "1", "a", ":", "-np", "2", "b", "c"));
    ork_argv_release(&f.rest);
}

static void two_dashes_end_the_options(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f, WORDS("-np", "1", "--", "--must:quiet"), nothing), ORK_OK);
    assert_false(f.options.quiet);
    check_rest(&f, WORDS("-np", "1", "--", "--must:quiet"));
    ork_argv_release(&f.rest);
}

static void an_option_without_its_argument_is_passed_on(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f, WORDS("-np"), nothing), ORK_OK);
    check_rest(&f, WORDS("-np"));
    ork_argv_release(&f.rest);
}

static void check_refused(char *const *words, char *const *environment, const char *sentence)
{
    struct fixture f;

    assert_int_equal(parse(&f, words, environment), ORK_INVALID);
    assert_string_equal(f.error, sentence);
    ork_argv_release(&f.rest);
}

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
        {"set-noise", "noise"},
        {"jobs", "explore-jobs"},
        {"output_directory", "output-dir"},
        {"suppressions", "suppress"},
        {"xyzzy", NULL},
        {"colour", NULL},
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

/* What the list of words leads to is an option, and no word is the name of one. */
static void each_synonym_names_an_option(void **state)
{
    static const char *const option[] = {
#define ORK_OPTION(id, name, arg, env, fallback, help) name,
#include "mustrun/options/options.def"
#undef ORK_OPTION
    };
    static const char *const pair[][2] = {
#define ORK_SYNONYM(word, option) {word, option},
#include "mustrun/options/synonyms.def"
#undef ORK_SYNONYM
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
        size_t names = sizeof(option) / sizeof(option[0]);
        assert_string_equal(option[ork_suggest(pair[i][1], option, names)], pair[i][1]);
        assert_string_not_equal(option[ork_suggest(pair[i][0], option, names)], pair[i][0]);
    }
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
    assert_false(ork_hint_variable("MUSTARD=1", sentence, sizeof(sentence)));
    assert_false(ork_hint_variable("PATH=MUST_X", sentence, sizeof(sentence)));
}

static void a_wrong_value_is_a_sentence(void **state)
{
    (void)state;
    check_refused(WORDS("--must:fanin", "1"), nothing,
                  "--must:fanin: \"1\" is not a number from 2 to 65536");
    check_refused(WORDS("--must:leaf-ranks", "0"), nothing,
                  "--must:leaf-ranks: \"0\" is not a number from 1 to 65536");
    check_refused(WORDS("--must:fanin="), nothing,
                  "--must:fanin: \"\" is not a number from 2 to 65536");
    check_refused(WORDS("--must:errorcode", "99999999999999999999"), nothing,
                  "--must:errorcode: \"99999999999999999999\" is not a number from 0 to 255");
    check_refused(WORDS("--must:output", "html,"), nothing,
                  "--must:output: \"\" is not html, json or text");
    check_refused(WORDS("--must:on-deadlock", "stop"), nothing,
                  "--must:on-deadlock: \"stop\" is neither abort nor continue");
    check_refused(WORDS("--must:sends", "eager="), nothing,
                  "--must:sends: \"eager=\" is not strict, buffered or eager=BYTES");
    check_refused(WORDS("--must:sends", "eager=12k"), nothing,
                  "--must:sends: \"eager=12k\" is not strict, buffered or eager=BYTES");
    check_refused(WORDS("--must:collectives=lazy"), nothing,
                  "--must:collectives: \"lazy\" is not strict, strictest or dataflow");
    check_refused(WORDS("--must:trace"), nothing, "--must:trace needs a value: FILE");
    check_refused(WORDS("--must:replay="), nothing, "--must:replay: the value is empty");
    check_refused(WORDS("--must:checks", "invalid-argument,typo"), nothing,
                  "--must:checks: there is no check \"typo\"");
    check_refused(WORDS("--must:checks="), nothing, "--must:checks: there is no check \"\"");
    check_refused(WORDS("--must:on-divergence", "stop"), nothing,
                  "--must:on-divergence: \"stop\" is neither report nor abort");
    check_refused(WORDS("--must:races=yes"), nothing,
                  "--must:races: \"yes\" is neither off nor on");
    check_refused(WORDS("--must:memory-model=both"), nothing,
                  "--must:memory-model: \"both\" is neither unified nor separate");
    check_refused(WORDS("--must:fold=yes"), nothing, "--must:fold: \"yes\" is neither off nor on");
    check_refused(WORDS("--must:rma=yes"), nothing, "--must:rma: \"yes\" is not auto, on or off");
    check_refused(WORDS("--must:deterministic", "--must:replay", "f"), nothing,
                  "--must:deterministic and --must:replay exclude each other: a replay has the "
                  "order of its recording");
    check_refused(WORDS("--must:replay=r", "--must:stop-at", "2:0"), nothing,
                  "--must:stop-at: \"2:0\" is not RANK:CHOICE or RANK.THREAD:CHOICE, with choices "
                  "from 1");
    check_refused(WORDS("--must:quiet=1"), nothing, "--must:quiet takes no value");
    check_refused(nothing, WORDS("MUST_FANIN=x"),
                  "MUST_FANIN: \"x\" is not a number from 2 to 65536");
    check_refused(nothing, WORDS("MUST_QUIET=yes"), "MUST_QUIET: \"yes\" is neither 0 nor 1");
}

/* Refused if typed, taken if it is in the environment, and not refused with what gives it an
 * effect.
 */
static void an_option_without_effect_is_refused(void **state)
{
    static const struct {
        char *typed, *variable, *when, *effective, *sentence;
    } idle[] = {
        {"--must:explore-runs=9", "MUST_EXPLORE_RUNS=9", "--must:quiet", "--must:explore",
         "--must:explore-runs has no effect without --must:explore"},
        {"--must:explore-resume", "MUST_EXPLORE_RESUME=1", "--must:quiet", "--must:explore",
         "--must:explore-resume has no effect without --must:explore"},
        {"--must:ignore-output=x", "MUST_IGNORE_OUTPUT=x", "--must:quiet", "--must:explore",
         "--must:ignore-output has no effect without --must:explore"},
        {"--must:compare=f", "MUST_COMPARE=f", "--must:quiet", "--must:explore",
         "--must:compare has no effect without --must:explore"},
        {"--must:probe=end", "MUST_PROBE=end", "--must:nodl", "--must:quiet",
         "--must:probe has no effect with --must:nodl"},
        {"--must:probe=end", "MUST_PROBE=end", "--must:explore", "--must:quiet",
         "--must:probe has no effect with --must:explore, which runs the other matches"},
        {"--must:on-deadlock=continue", "MUST_ON_DEADLOCK=continue", "--must:explore",
         "--must:quiet",
         "--must:on-deadlock has no effect with --must:explore, which ends each deadlocked run"},
        {"--must:status", "MUST_STATUS=1", "--must:explore", "--must:quiet",
         "--must:status has no effect with --must:explore, which shows its progress in any case"},
        {"--must:on-hang=abort", "MUST_ON_HANG=abort", "--must:hang-after=0", "--must:hang-after=5",
         "--must:on-hang has no effect without --must:hang-after SECONDS"},
        {"--must:on-hang=abort", "MUST_ON_HANG=abort", "--must:quiet",
         "--must:on-deadlock=continue",
         "--must:on-hang has no effect without --must:hang-after SECONDS"},
        {"--must:stop-at=2:1", "MUST_STOP_AT=2:1", "--must:quiet", "--must:replay=f",
         "--must:stop-at has no effect without --must:replay FILE"},
        {"--must:on-divergence=abort", "MUST_ON_DIVERGENCE=abort", "--must:quiet",
         "--must:replay=f", "--must:on-divergence has no effect without --must:replay FILE"},
        {"--must:memory-model=separate", "MUST_MEMORY_MODEL=separate", "--must:rma=off",
         "--must:rma=auto", "--must:memory-model has no effect with --must:rma off"},
        {"--must:check-buffers", "MUST_CHECK_BUFFERS=1", "--must:checks=truncation",
         "--must:checks=truncation,buffer-modified",
         "--must:check-buffers has no effect with these --must:checks, which do not contain "
         "buffer-modified"},
    };
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof(idle) / sizeof(idle[0]); i++) {
        check_refused(WORDS(idle[i].typed, idle[i].when, "a"), nothing, idle[i].sentence);
        assert_int_equal(parse(&f, WORDS(idle[i].when, "a"), WORDS(idle[i].variable)), ORK_OK);
        ork_argv_release(&f.rest);
        assert_int_equal(parse(&f, WORDS(idle[i].typed, idle[i].effective, "a"), nothing), ORK_OK);
        ork_argv_release(&f.rest);
    }
    assert_int_equal(parse(&f, WORDS("a"), WORDS("MUST_STOP_AT=2:1")), ORK_OK);
    assert_true(f.options.stop_at == NULL && f.options.stop.choice == 0); /* nothing stops there */
    ork_argv_release(&f.rest);
}

static void a_seed_of_noise_has_64_bits_and_a_delay_is_optional(void **state)
{
    static const struct {
        char *value;
        uint64_t seed;
        unsigned max_us;
    } good[] = {{"0", 0, 1000},
                {"18446744073709551615", UINT64_MAX, 1000},
                {"3:1", 3, 1},
                {"3:1000000", 3, 1000000}};
    static const char seeds[] = "does not begin with a number from 0 to 18446744073709551615";
    static const char times[] = "is not a number of microseconds from 1 to 1000000";
    static const struct {
        char *value;
        const char *shown;
        const char *why;
    } bad[] = {{"", "", seeds},
               {":5", ":5", seeds},
               {"-1", "-1", seeds},
               {"+1", "+1", seeds},
               {" 1", " 1", seeds},
               {"1x", "1x", seeds},
               {"18446744073709551616", "18446744073709551616", seeds},
               {"1:", "", times},
               {"1:0", "0", times},
               {"1:1000001", "1000001", times},
               {"1:99999999999999999999", "99999999999999999999", times},
               {"1:5:6", "5:6", times},
               {"1:-5", "-5", times}};
    struct fixture f;
    char sentence[200];

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(parse(&f, WORDS("--must:noise", good[i].value), nothing), ORK_OK);
        assert_true(f.options.noise.is_on && f.options.noise.seed == good[i].seed);
        assert_int_equal(f.options.noise.max_us, good[i].max_us);
        ork_argv_release(&f.rest);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(sentence, sizeof(sentence), "--must:noise: \"%s\" %s", bad[i].shown, bad[i].why);
        check_refused(WORDS("--must:noise", bad[i].value), nothing, sentence);
    }
    check_refused(nothing, WORDS("MUST_REPEAT=0"),
                  "MUST_REPEAT: \"0\" is not a number from 1 to 1000000");
    check_refused(WORDS("--must:repeat=1000001"), nothing,
                  "--must:repeat: \"1000001\" is not a number from 1 to 1000000");
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

static void help_names_every_option(void **state)
{
    static const char *const names[] = {
#define ORK_OPTION(id, name, arg, env, fallback, help) "--must:" name,
#include "mustrun/options/options.def"
#undef ORK_OPTION
    };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_non_null(out);
    ork_options_help(out);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_non_null(strstr(text, names[i]));
    free(text);
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

int test_options(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_list),
        cmocka_unit_test(every_option_is_taken_from_the_words),
        cmocka_unit_test(an_exploration_has_options),
        cmocka_unit_test(an_exploration_excludes_other_modes),
        cmocka_unit_test(symmetric_ranks_are_a_list),
        cmocka_unit_test(a_run_can_be_deterministic),
        cmocka_unit_test(the_command_line_wins_over_the_environment),
        cmocka_unit_test(words_of_the_application_are_its_own),
        cmocka_unit_test(an_argument_of_an_mpirun_option_is_no_program),
        cmocka_unit_test(options_count_again_behind_a_colon),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(an_option_without_its_argument_is_passed_on),
        cmocka_unit_test(an_unknown_option_names_the_nearest),
        cmocka_unit_test(an_option_of_another_name_is_found_by_its_meaning),
        cmocka_unit_test(each_synonym_names_an_option),
        cmocka_unit_test(an_option_with_another_prefix_is_refused_with_a_hint),
        cmocka_unit_test(a_variable_that_is_no_option_gets_a_hint),
        cmocka_unit_test(a_wrong_value_is_a_sentence),
        cmocka_unit_test(an_option_without_effect_is_refused),
        cmocka_unit_test(a_seed_of_noise_has_64_bits_and_a_delay_is_optional),
        cmocka_unit_test(an_endless_value_does_not_overflow_the_sentence),
        cmocka_unit_test(help_names_every_option),
        cmocka_unit_test(distance_counts_edits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
