/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that an option refuses, and options that others make idle. */
#include "parsing.h"

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
                  "--must:output: \"\" is not html, json, text, sarif or junit");
    check_refused(WORDS("--must:on", "deadlock=cry"), nothing,
                  "--must:on deadlock: \"cry\" is not abort, continue or stop");
    check_refused(WORDS("--must:sends", "eager="), nothing,
                  "--must:sends: \"eager=\" is not strict, buffered or eager=BYTES");
    check_refused(WORDS("--must:sends", "eager=12k"), nothing,
                  "--must:sends: \"eager=12k\" is not strict, buffered or eager=BYTES");
    check_refused(WORDS("--must:sends", "eager=K"), nothing,
                  "--must:sends: \"eager=K\" is not strict, buffered or eager=BYTES");
    check_refused(
        WORDS("--must:queue-limit", "512K"), nothing,
        "--must:queue-limit: \"512K\" is not a number from 1 to 1048576, or a size like 2G");
    check_refused(
        WORDS("--must:start-timeout", "90m"), nothing,
        "--must:start-timeout: \"90m\" is not a whole number of seconds from 1 to 3600, or "
        "one with a unit like 5m");
    check_refused(WORDS("--must:hang-after", "5 m"), nothing,
                  "--must:hang-after: \"5 m\" is not a number of seconds from 0 to 1000000, or one "
                  "with a unit like 5m");
    check_refused(WORDS("--must:noise", "1:2s"), nothing,
                  "--must:noise: \"2s\" is not a number of microseconds from 1 to 1000000");
    check_refused(WORDS("--must:collectives=lazy"), nothing,
                  "--must:collectives: \"lazy\" is not strict, strictest or dataflow");
    check_refused(WORDS("--must:trace"), nothing, "--must:trace needs a value: FILE");
    check_refused(WORDS("--must:replay="), nothing, "--must:replay: the value is empty");
    check_refused(WORDS("--must:checks", "invalid-argument,typo"), nothing,
                  "--must:checks: there is no check \"typo\"");
    check_refused(WORDS("--must:checks="), nothing, "--must:checks: there is no check \"\"");
    check_refused(WORDS("--must:on", "divergence=stop"), nothing,
                  "--must:on divergence: \"stop\" is neither report nor abort");
    check_refused(WORDS("--must:races=yes"), nothing,
                  "--must:races: \"yes\" is neither off nor on");
    check_refused(WORDS("--must:memory-model=both"), nothing,
                  "--must:memory-model: \"both\" is neither unified nor separate");
    check_refused(WORDS("--must:fold=yes"), nothing, "--must:fold: \"yes\" is neither off nor on");
    check_refused(WORDS("--must:rma=yes"), nothing, "--must:rma: \"yes\" is not auto, on or off");
    check_refused(WORDS("--must:color=yes"), nothing,
                  "--must:color: \"yes\" is not auto, always or never");
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

static void times_and_sizes_have_units(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f,
                           WORDS("--must:hang-after", "1.5m", "--must:start-timeout=2m",
                                 "--must:queue-limit", "2G", "--must:sends=eager=64K",
                                 "--must:noise", "7:5ms", "--must:explore-bounds=time=1h"),
                           WORDS("MUST_EXPLORE=0")),
                     ORK_INVALID); /* the bound has no effect; the others are read */
    assert_true(f.options.hang_after == 90);
    assert_int_equal(f.options.start_timeout, 120);
    assert_int_equal(f.options.queue_limit, 2048);
    assert_string_equal(f.options.sends, "eager=65536");
    assert_int_equal(f.options.noise.max_us, 5000);
    assert_true(f.options.explore.seconds == 3600);
    ork_argv_release(&f.rest);
    assert_int_equal(parse(&f, WORDS("--must:hang-after=250ms", "--must:noise=1:30"), nothing),
                     ORK_OK);
    assert_true(f.options.hang_after == 0.25);
    assert_int_equal(f.options.noise.max_us, 30);
    ork_argv_release(&f.rest);
}

/* Refused if typed, taken if it is in the environment, and not refused with what gives it an
 * effect.
 */
static void an_option_without_effect_is_refused(void **state)
{
    static const struct {
        char *typed, *variable, *when, *effective, *sentence;
    } idle[] = {
        {"--must:explore-bounds=runs=9", "MUST_EXPLORE_BOUNDS=runs=9", "--must:quiet",
         "--must:explore", "--must:explore-bounds has no effect without --must:explore"},
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
        {"--must:on=deadlock=continue", "MUST_ON=deadlock=continue", "--must:explore",
         "--must:quiet",
         "--must:on deadlock has no effect with --must:explore, which ends each deadlocked run"},
        {"--must:status", "MUST_STATUS=1", "--must:explore", "--must:quiet",
         "--must:status has no effect with --must:explore, which shows its progress in any case"},
        {"--must:on=hang=abort", "MUST_ON=hang=abort", "--must:hang-after=0", "--must:hang-after=5",
         "--must:on hang has no effect without --must:hang-after TIME"},
        {"--must:on=hang=abort", "MUST_ON=hang=abort", "--must:quiet",
         "--must:on=deadlock=continue",
         "--must:on hang has no effect without --must:hang-after TIME"},
        {"--must:stop-at=2:1", "MUST_STOP_AT=2:1", "--must:quiet", "--must:replay=f",
         "--must:stop-at has no effect without --must:replay FILE"},
        {"--must:on=divergence=abort", "MUST_ON=divergence=abort", "--must:quiet",
         "--must:replay=f", "--must:on divergence has no effect without --must:replay FILE"},
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

int test_option_values(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_value_is_a_sentence),
        cmocka_unit_test(times_and_sizes_have_units),
        cmocka_unit_test(an_option_without_effect_is_refused),
        cmocka_unit_test(a_seed_of_noise_has_64_bits_and_a_delay_is_optional),
        cmocka_unit_test(symmetric_ranks_are_a_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
