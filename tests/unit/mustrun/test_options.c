/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/viz.h"

#include "parsing.h"

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
    assert_string_equal(f.options.extras.np, "-np");
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
                    "--must:on", "deadlock=continue", "--must:nodl", "--must:poll", "--must:fanin",
                    "2", "--must:leaf-ranks=7", "--must:mpiexec", "srun", "--must:np", "-n",
                    "--must:start-timeout", "5", "--must:sends=eager=4", "--must:collectives",
                    "dataflow", "--must:trace=t", "--must:record", "r", "--must:replay=p",
                    "--must:on", "divergence=abort", "--must:stop-at", "2:17", "--must:noise=7:20",
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
    assert_string_equal(f.options.extras.np, "-n");
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

static void a_launcher_may_be_the_first_word(void **state)
{
    static const char *const names[] = {"mpirun",  "mpiexec", "mpiexec.mpich", "/opt/x/bin/mpiexec",
                                        "orterun", "prterun", "mpiexec.hydra", "srun"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct fixture f;
        char *name = (char *)(uintptr_t)names[i];
        char *words[] = {"--must:quiet", name, "-n", "4", "./a", name, NULL};
        char *left[] = {"-n", "4", "./a", name, NULL};
        assert_int_equal(parse(&f, words, nothing), ORK_OK);
        assert_string_equal(f.options.mpiexec, name);
        check_rest(&f, left);
        ork_argv_release(&f.rest);
    }
}

static void a_program_is_no_launcher(void **state)
{
    static const char *const names[] = {"./mpirun_test", "mpiexecutor", "srun2", "mpirun/app"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct fixture f;
        char *words[] = {(char *)(uintptr_t)names[i], "-n", "4", NULL};
        assert_int_equal(parse(&f, words, nothing), ORK_OK);
        assert_string_equal(f.options.mpiexec, "mpirun");
        check_rest(&f, words);
        ork_argv_release(&f.rest);
    }
}

static void a_launcher_is_no_program(void **state)
{
    (void)state;
    check_refused(WORDS("-np", "4", "mpirun", "-np", "2", "./a"), nothing,
                  "mpirun is a launcher of MPI jobs: its name precedes its options");
    check_refused(WORDS("--must:mpiexec=srun", "mpirun", "./a"), nothing,
                  "srun and mpirun are both launchers of MPI jobs");
}

static void an_exploration_has_options(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f,
                           WORDS("--must:explore", "--must:explore-bounds", "runs=7",
                                 "--must:explore-bounds=time=2.5", "--must:explore-bounds=mixing=3",
                                 "--must:explore-bounds=loop=4", "--must:explore-bounds=quota=5",
                                 "--must:explore-bounds=sample=9",
                                 "--must:explore-bounds=symmetric=1-3,7", "--must:explore-jobs=2",
                                 "--must:explore-resume", "--must:ignore-output=^t", "./a"),
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
    assert_string_equal(f.options.extras.np, "-n");
    ork_argv_release(&f.rest);
}

static void the_last_value_of_an_option_counts(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(parse(&f,
                           WORDS("--must:fanin", "5", "--must:output=text", "--must:fanin=7",
                                 "--must:output=json"),
                           nothing),
                     ORK_OK);
    assert_int_equal(f.options.fanin, 7);
    assert_int_equal(f.options.formats, ORK_VIZ_JSON);
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

int test_options(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_list),
        cmocka_unit_test(every_option_is_taken_from_the_words),
        cmocka_unit_test(a_launcher_may_be_the_first_word),
        cmocka_unit_test(a_program_is_no_launcher),
        cmocka_unit_test(a_launcher_is_no_program),
        cmocka_unit_test(an_exploration_has_options),
        cmocka_unit_test(an_exploration_excludes_other_modes),
        cmocka_unit_test(a_run_can_be_deterministic),
        cmocka_unit_test(the_command_line_wins_over_the_environment),
        cmocka_unit_test(the_last_value_of_an_option_counts),
        cmocka_unit_test(words_of_the_application_are_its_own),
        cmocka_unit_test(an_argument_of_an_mpirun_option_is_no_program),
        cmocka_unit_test(options_count_again_behind_a_colon),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(an_option_without_its_argument_is_passed_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
