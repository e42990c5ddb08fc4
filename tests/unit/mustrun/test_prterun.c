/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands of prterun, Open MPI 5's mpirun: what differs from version 4, in mpirun/. */
#include "mustrun/launcher/launcher.h"
#include "mustrun/launcher/mpirun/mpiopts.h"

#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *const nothing[] = {NULL};
static const struct ork_options options = OPTIONS("/no/such/prterun", 65536, false);

#define M    "/no/such/prterun "
#define REST " -x ORKNOT_SESSION -x ORKNOT_TOKEN -x ORKNOT_FOLD=off "

static const struct ork_launcher *prterun(void)
{
    return ork_launcher_of(options.mpiexec);
}

static struct ork_commands build(char *const *words, char *const *environment)
{
    return commands_of(&options, words, environment);
}

static void check(char *const *words, char *const *environment, const char *expected)
{
    check_application_of(&options, words, environment, expected);
}

/* Of two -x with the same name, prterun takes the first. */
static void a_context_sets_the_preload_once(void **state)
{
    (void)state;
    check(WORDS("-np", "2", "a"), nothing, M "-np 2 -x LD_PRELOAD=/i.so" REST "a");
    check(
        WORDS("-x", "LD_PRELOAD=/v.so", "-x", "B=1", "-np", "1", "a", ":", "-x", "LD_PRELOAD", "b"),
        WORDS("LD_PRELOAD=/u.so"),
        M "-x B=1 -np 1 -x LD_PRELOAD=/i.so:/v.so" REST "a : -x LD_PRELOAD=/i.so:/u.so" REST "b");
    check(WORDS("-x", "A", "-np", "1", "a", "-x", "LD_PRELOAD=/v.so"), nothing,
          M "-x A -np 1 -x LD_PRELOAD=/i.so" REST "a -x LD_PRELOAD=/v.so");
}

/* Spawned processes get the environment of prterun itself, and nothing of -x. */
static void prterun_itself_has_the_variables_too(void **state)
{
    struct ork_commands commands = build(WORDS("-np", "2", "a"), WORDS("LD_PRELOAD=/u.so", "A=1"));
    const struct ork_argv *environment = &commands.application.environment;
    unsigned preloads = 0;

    (void)state;
    for (size_t i = 0; i < environment->count; i++)
        preloads += ork_env_is(environment->item[i], "LD_PRELOAD");
    assert_int_equal(preloads, 1);
    assert_string_equal(ork_env_get(environment->item, "LD_PRELOAD"), "/i.so:/u.so");
    assert_string_equal(ork_env_get(environment->item, "ORKNOT_TOKEN"), "feed");
    assert_string_equal(ork_env_get(environment->item, "ORKNOT_FOLD"), "off");
    assert_string_equal(ork_env_get(environment->item, "A"), "1");
    assert_null(ork_env_get(commands.tool.environment.item, "LD_PRELOAD"));
    ork_commands_release(&commands);
}

static void a_list_of_variables_is_extended(void **state)
{
    (void)state;
    check(WORDS("--omca", "mca_base_env_list", "B=1", "a"), nothing,
          M "--omca mca_base_env_list "
            "'B=1;LD_PRELOAD=/i.so;ORKNOT_SESSION;ORKNOT_TOKEN;ORKNOT_FOLD=off' a");
}

static void check_program(char *const *words, size_t program)
{
    struct ork_argv list = list_of(words);

    assert_int_equal(prterun()->context(&list, 0, &extras).program, program);
    ork_argv_release(&list);
}

static void an_argument_of_an_option_is_no_program(void **state)
{
    static char *const one[] = {"--output",
                                "--display",
                                "--runtime-options",
                                "--rtos",
                                "--with-ft",
                                "--pset",
                                "--stream-buffering",
                                "--tmpdir",
                                "--spawn-timeout",
                                "--output-directory",
                                "--initial-errhandler",
                                "--forward-signals",
                                "--memory-alloc-kinds",
                                "--gpu-support",
                                "--map-by",
                                "--mapby",
                                "--dvm",
                                "--personality",
                                "--set-env"};
    static char *const two[] = {"--prtemca", "--pmixmca", "--omca", "--gomca", "--prepend-env"};

    (void)state;
    for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++)
        check_program(WORDS(one[i], "x", "a", "y"), 2);
    for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
        check_program(WORDS(two[i], "x", "y", "a", "z"), 3);
    check_program(WORDS("--output=tag", "--continuous", "-np", "2", "a", "b"), 4);
}

static void words_that_are_joined_are_separated(void **state)
{
    struct ork_commands commands =
        build(WORDS("--np=3", "--output=tag", "--unknown=1", "a", "--np=4"), nothing);

    (void)state;
    check_line(&commands.application.argv,
               M "--np 3 --output tag --unknown=1 -x LD_PRELOAD=/i.so" REST "a --np=4");
    assert_int_equal(commands.ranks, 3);
    check_line(&commands.words, "--np=3 --output=tag --unknown=1 a --np=4");
    ork_commands_release(&commands);
}

/* No process may be refused, and none may end the others. */
static void the_tool_is_on_each_of_several_nodes(void **state)
{
    struct ork_commands commands =
        build(WORDS("--host=n1,n2", "--prtemca", "plm", "ssh", "--output", "tag", "-np", "4", "a"),
              nothing);

    (void)state;
    assert_int_equal(commands.shape.nodes, 2);
    char *line = ork_argv_quote(&commands.tool.argv);
    assert_non_null(strstr(line, M "--host n1,n2 --prtemca plm ssh --map-by "
                                   "ppr:1:node:OVERSUBSCRIBE --bind-to none --enable-recovery "
                                   "/t/must-tool "));
    free(line);
    ork_commands_release(&commands);
}

static void check_hint(char *const *words, int code, bool expected)
{
    struct ork_argv list = list_of(words);
    char *hint = ork_launcher_hint(prterun(), &list, &extras, code);

    assert_int_equal(strstr(hint, "add --map-by :OVERSUBSCRIBE before -np") != NULL, expected);
    free(hint);
    ork_argv_release(&list);
}

static void too_few_cores_are_named_though_hosts_are(void **state)
{
    (void)state;
    check_hint(WORDS("prterun", "-np", "100000", "a"), 1, true);
    check_hint(WORDS("prterun", "--host", "n1:100000", "-np", "100000", "a"), 213, true);
    check_hint(WORDS("prterun", "--map-by", "core:oversubscribe", "-np", "100000", "a"), 1, false);
    check_hint(WORDS("prterun", "-np", "1", "a"), 1, false);
    check_hint(WORDS("prterun", "-np", "100000", "a"), 14, false); /* that of a program */
}

static void the_output_of_each_rank_has_its_own_file(void **state)
{
    struct ork_argv words = {0};

    (void)state;
    prterun()->output("/o", &words);
    check_line(&words, "--output dir=/o:nocopy");
    ork_argv_release(&words);
}

static void check_recovers(char *const *words, bool expected)
{
    static const char *const names[] = {"/no/such/prterun", "/no/such/orterun"};
    struct ork_argv list = list_of(words);

    for (size_t i = 0; i < 2; i++)
        assert_int_equal(ork_launcher_recovers(ork_launcher_of(names[i]), &list, &extras),
                         expected);
    ork_argv_release(&list);
}

static void a_job_goes_on_without_a_rank_only_if_asked_to(void **state)
{
    (void)state;
    check_recovers(WORDS("-np", "2", "a"), false);
    check_recovers(WORDS("--enable-recovery", "-np", "2", "a"), true);
    check_recovers(WORDS("-np", "2", "a", "--enable-recovery"), false);
    check_recovers(WORDS("-np", "2", "a", ":", "-enable-recovery", "b"), true);
    check_recovers(WORDS("--with-ft", "mpi", "a"), true);
    check_recovers(WORDS("--with-ft", "ulfm", "a"), true);
    check_recovers(WORDS("--with-ft", "no", "a"), false);
    check_recovers(WORDS("--with-ft", "0", "a"), false);
    check_recovers(WORDS("--runtime-options", "show-progress,recoverable", "a"), true);
    check_recovers(WORDS("--rtos", "RECOV=1", "a"), true);
    check_recovers(WORDS("--rtos", "recoverable=false,continuous=no", "a"), false);
    check_recovers(WORDS("--rtos", "report-state-on-timeout", "a"), false);
    check_recovers(WORDS("--continuous", "a"), true);
    check_recovers(WORDS("-x", "--enable-recovery", "a"), false); /* the argument of another one */
}

int test_prterun(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_sets_the_preload_once),
        cmocka_unit_test(prterun_itself_has_the_variables_too),
        cmocka_unit_test(a_list_of_variables_is_extended),
        cmocka_unit_test(an_argument_of_an_option_is_no_program),
        cmocka_unit_test(words_that_are_joined_are_separated),
        cmocka_unit_test(the_tool_is_on_each_of_several_nodes),
        cmocka_unit_test(too_few_cores_are_named_though_hosts_are),
        cmocka_unit_test(the_output_of_each_rank_has_its_own_file),
        cmocka_unit_test(a_job_goes_on_without_a_rank_only_if_asked_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
