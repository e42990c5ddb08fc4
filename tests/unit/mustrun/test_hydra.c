/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands of hydra's mpiexec: hydra/. */
#include "mustrun/launcher/hydra/hydraopts.h"
#include "mustrun/launcher/hydra/variables.h"
#include "mustrun/launcher/launcher.h"

#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *const nothing[] = {NULL};
static const struct ork_options options = OPTIONS("/no/such/mpiexec.hydra", 2, true);

#define M "/no/such/mpiexec.hydra"
#define G "-genv LD_PRELOAD /i.so "
#define OURS                                                                                       \
    "ORKNOT_SESSION,ORKNOT_TOKEN,ORKNOT_POLL,ORKNOT_LEAVES,ORKNOT_NOISE,ORKNOT_CHECKS,"            \
    "ORKNOT_EXPLORED,ORKNOT_RMA,ORKNOT_HASHES,ORKNOT_FOLD,ORKNOT_MODEL,ORKNOT_CALLERS,"            \
    "ORKNOT_STAMPS,ORKNOT_ATOMICS"

static const struct ork_launcher *hydra(void)
{
    return ork_launcher_of("/no/such/mpiexec.hydra");
}

static struct ork_commands build(char *const *words, char *const *environment)
{
    return commands_of(&options, words, environment);
}

static void check_in(char *const *words, char *const *environment, const char *expected)
{
    check_application_of(&options, words, environment, expected);
}

static void check(char *const *words, const char *expected)
{
    check_in(words, nothing, expected);
}

/* ---- options ---- */

static void check_program(char *const *words, size_t program)
{
    struct ork_argv list = list_of(words);

    assert_int_equal(ork_hydra_context(&list, 0, &extras).program, program);
    assert_int_equal(hydra()->has_program(&list, &extras), program < list.count);
    ork_argv_release(&list);
}

static void an_argument_of_an_option_is_no_program(void **state)
{
    (void)state;
    check_program(WORDS("-n", "2", "a", "-n"), 2);
    check_program(WORDS("-n=2", "a"), 1);
    check_program(WORDS("--N", "2", "a"), 2);
    check_program(WORDS("-genv", "A", "1", "a"), 3);
    check_program(WORDS("-genv", "A=1", "a"), 2);
    check_program(WORDS("-genv=A=1", "a"), 1);
    check_program(WORDS("-genv=A", "1", "a"), 2);
    check_program(WORDS("-ENV", "A", "1", "-envlist", "B", "-envnone", "a"), 6);
    check_program(WORDS("-ppn", "1", "-hosts", "x,y", "-bind-to", "core", "-prepend-rank", "a"), 7);
    check_program(WORDS("-outfile-pattern", "o", "-disable-auto-cleanup", "-l", "a"), 4);
    check_program(WORDS("-rankmap", "0,1", "-gpus-per-proc", "AUTO", "-usize", "9", "a"), 6);
    check_program(WORDS("-n", "2"), 2);
    check_program(WORDS("-genv", "A"), 2);
}

/* From the manuals, of which the library is not here. */
static void an_argument_of_an_option_of_intel_mpi_is_no_program(void **state)
{
    (void)state;
    check_program(WORDS("-perhost", "1", "-genvexcl", "A", "-s", "0", "a"), 6);
    check_program(WORDS("-hosts-group", "n[1-3]", "-ppn", "4", "-n", "12", "a"), 6);
    check_program(WORDS("-print-rank-map", "-prepend-rank", "-n", "4", "a"), 4);
    check_program(WORDS("-binding", "domain=2:compact", "-print-rank-map", "-envall", "a"), 4);
    check_program(WORDS("--bootstrap", "slurm", "-bootstrap-exec-args", "-p x", "a"), 4);
    check_program(WORDS("-pmi-connect", "nocache", "-pmi-noaggregate", "-genvnone", "a"), 4);
    check_program(WORDS("-gtool", "gdb:1=attach", "-gtoolfile", "f", "-n", "2", "a"), 6);
    check_program(WORDS("-silent-abort", "-rr", "-nolocal", "-ordered-output", "-n", "4", "a"), 6);
    check_program(WORDS("-genv", "I_MPI_DEBUG", "5", "-genv", "A=1", "-gwdir", "/", "a"), 7);
    check_program(WORDS("-RDMA", "-iface", "ib0", "-demux", "select", "-tmpdir", "/t", "a"), 7);
    check_program(WORDS("-n", "1", "-hostos", "linux", "-umask", "077", "a"), 6);
    check_program(WORDS("-branch-count", "4", "-use-app-topology", "1", "-grr", "2", "a"), 6);
}

static void an_argument_of_an_option_of_mvapich_is_no_program(void **state)
{
    (void)state;
    check_program(WORDS("-ckpointlib", "blcr", "-ckpoint-prefix", "/t", "-n", "2", "a"), 6);
    check_program(WORDS("-ckpoint-interval", "60", "-ckpoint-num", "2", "a"), 4);
    check_program(WORDS("-ranks-per-proc", "2", "-bindlib", "hwloc", "-css", "none", "a"), 6);
    check_program(WORDS("-disable-pm-env", "-env", "MV2_SMP_EAGERSIZE", "8K", "a"), 4);
}

/* Where the program is when the command was read. */
static void check_learned(char *const *words, size_t program)
{
    struct ork_extras learned = extras;
    struct ork_argv list = list_of(words);

    ork_launcher_learn_option(hydra(), words, &learned, NULL);
    assert_int_equal(ork_hydra_context(&list, 0, &learned).program, program);
    ork_argv_release(&list);
}

static void an_argument_that_may_be_left_out_is_told_from_the_program(void **state)
{
    char library[] = "/tmp/orknot-unit-XXXXXX.so";
    int fd = mkstemps(library, 3);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(fchmod(fd, 0755), 0);
    close(fd);
    check_learned(WORDS("-check_mpi", "/bin/sh", "x"), 1);
    check_learned(WORDS("-check_mpi", "-n", "4", "/bin/sh"), 3);
    check_learned(WORDS("-trace", library, "/bin/sh"), 2);
    check_learned(WORDS("-tune", "/no/such/file", "-n", "4", "/bin/sh"), 4);
    check_learned(WORDS("-tune", "-n", "4", "/bin/sh"), 3);
    unlink(library);
}

static void an_option_is_followed_by_as_many_words_as_in_the_context(void **state)
{
    const struct {
        char *const *words;
        size_t args;
    } cases[] = {{WORDS("-genv", "A", "1"), 2}, {WORDS("-genv", "A=1", "x"), 1},
                 {WORDS("-genv=A=1", "x"), 0},  {WORDS("-np", "4"), 1},
                 {WORDS("-l", "x"), 0},         {WORDS("-genv"), 0},
                 {WORDS("-unknown", "x"), 0},   {WORDS("-wdir", "d", "x"), 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(hydra()->option_args(cases[i].words, &extras), cases[i].args);
}

/* ---- variables ---- */

static void the_interceptor_is_an_option_and_the_rest_is_inherited(void **state)
{
    struct ork_commands commands = build(WORDS("-n", "3", "./a", "-x"), WORDS("A=1"));
    char *const *environment = commands.application.environment.item;

    (void)state;
    check_line(&commands.application.argv, M " " G "-n 3 ./a -x");
    assert_null(ork_env_get(environment, "LD_PRELOAD"));
    assert_string_equal(ork_env_get(environment, "A"), "1");
    assert_string_equal(ork_env_get(environment, "ORKNOT_SESSION"), "7-abc");
    assert_string_equal(ork_env_get(environment, "ORKNOT_TOKEN"), "feed");
    assert_string_equal(ork_env_get(environment, "ORKNOT_LEAVES"), "2");
    ork_commands_release(&commands);
}

static void the_users_preload_comes_behind_ours_wherever_it_is_set(void **state)
{
    (void)state;
    check_in(WORDS("-n", "1", "a"), WORDS("LD_PRELOAD=/u.so"),
             M " -genv LD_PRELOAD /i.so:/u.so -n 1 a");
    check(WORDS("-genv", "LD_PRELOAD", "/v.so", "a"), M " " G "-genv LD_PRELOAD /i.so:/v.so a");
    check(WORDS("-genv", "LD_PRELOAD=/v.so", "a"), M " " G "-genv LD_PRELOAD /i.so:/v.so a");
    check(WORDS("-GENV=LD_PRELOAD=/v.so", "a"), M " " G "-genv LD_PRELOAD /i.so:/v.so a");
    check(WORDS("a", ":", "-env", "LD_PRELOAD", "/v.so", "b"),
          M " " G "a : -env LD_PRELOAD /i.so:/v.so b");
    check(WORDS("-genv", "B", "LD_PRELOAD=/v.so", "a"), M " " G "-genv B LD_PRELOAD=/v.so a");
    check(WORDS("a", "-genv", "LD_PRELOAD", "x"), M " " G "a -genv LD_PRELOAD x");
}

static void a_choice_of_variables_has_ours_too(void **state)
{
    (void)state;
    check(WORDS("-genvlist", "B,C", "a"), M " " G "-genvlist B,C," OURS " a");
    check(WORDS("-genvnone", "a"), M " " G "-genvlist " OURS " a");
    check(WORDS("a", ":", "-envnone", "b"), M " " G "a : -envlist " OURS " b");
    check(WORDS("-envlist=B", "a"), M " " G "-envlist B," OURS " a");
    check_in(WORDS("a"), WORDS("HYDRA_ENV=none"), M " " G "-genvlist " OURS " a");
    check_in(WORDS("a"), WORDS("HYDRA_ENV=all"), M " " G "a");
    check_in(WORDS("-genvall", "a"), WORDS("HYDRA_ENV=none"), M " " G "-genvall a");
}

static void a_second_pattern_for_output_is_left_out(void **state)
{
    (void)state;
    check(WORDS("-outfile-pattern", "x", "-errfile-pattern", "y", "-outfile", "z", "a"),
          M " " G "-outfile-pattern x -errfile-pattern y a");
}

static void words_that_are_joined_are_separated(void **state)
{
    (void)state;
    check(WORDS("-np=2", "-wdir=/tmp", "-l", "a", "-np=3"), M " " G "-np 2 -wdir /tmp -l a -np=3");
}

/* ---- a file of contexts ---- */

static void check_file(const char *text, const char *expected)
{
    char name[] = "/tmp/orknot-unit-XXXXXX", copy[500] = "";
    struct ork_hydra_variables variables = {.front = "/i.so", .extras = &extras};
    int fd = mkstemp(name);

    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    fd = ork_hydra_variables_file(&variables, name);
    unlink(name);
    assert_true(fd >= 0);
    assert_true(pread(fd, copy, sizeof(copy) - 1, 0) >= 0);
    close(fd);
    assert_string_equal(copy, expected);
}

static void the_contexts_of_a_file_have_the_interceptor_too(void **state)
{
    (void)state;
    check_file("-n 1 a\n# -envnone\n-n 2 -env LD_PRELOAD /v.so  b c\n",
               "-n 1 a\n-n 2 -env LD_PRELOAD /i.so:/v.so b c\n");
    check_file("-n 1 a \\\n-env LD_PRELOAD x b\n", "-n 1 a \\\n-env LD_PRELOAD /i.so:x b\n");
}

static void a_file_of_contexts_is_a_program(void **state)
{
    char name[] = "/tmp/orknot-unit-XXXXXX", *const words[] = {"-configfile", name, NULL};
    int fd = mkstemp(name);

    (void)state;
    close(fd);
    struct ork_argv list = list_of(words);
    assert_true(hydra()->has_program(&list, &extras));
    ork_argv_release(&list);
    struct ork_commands commands = build(words, nothing);
    assert_non_null(strstr(commands.application.argv.item[5], "/proc/"));
    assert_int_equal(commands.ranks, 0);
    ork_commands_release(&commands);
    unlink(name);
}

/* ---- ranks and nodes ---- */

static void check_ranks(char *const *words, char *const *environment, unsigned all, unsigned leaves)
{
    struct ork_commands commands = build(words, environment);

    assert_int_equal(commands.ranks, all);
    assert_int_equal(commands.shape.leaves, leaves);
    assert_int_equal(commands.shape.is_here, commands.shape.nodes == 1);
    ork_commands_release(&commands);
}

static void ranks_of_all_contexts_are_counted(void **state)
{
    (void)state;
    check_ranks(WORDS("-n", "5", "a"), nothing, 5, 3);
    check_ranks(WORDS("-np", "1", "a", ":", "-n=2", "b", "-n", "9"), nothing, 3, 2);
    check_ranks(WORDS("-n", "3", "a", ":", "b"), nothing, 0, 2);
    check_ranks(WORDS("a"), nothing, 0, 1);
}

static void each_node_of_several_has_a_part_of_the_ranks(void **state)
{
    (void)state;
    check_ranks(WORDS("-hosts", "x:4,y:4", "-n", "8", "a"), nothing, 8, 2);
    check_ranks(WORDS("-n", "8", "a"), WORDS("SLURM_JOB_NUM_NODES=4"), 8, 1);
}

static void check_nodes(char *const *words, char *const *environment, unsigned nodes)
{
    struct ork_commands commands = build(words, environment);

    assert_int_equal(commands.shape.nodes, ORK_HAS_MPICH ? nodes : 1);
    ork_commands_release(&commands);
}

static void hosts_of_intel_mpi_are_counted(void **state)
{
    char name[] = "/tmp/orknot-unit-XXXXXX", entry[64];
    int fd = mkstemp(name);

    (void)state;
    assert_int_equal(write(fd, "x:2\ny:2\nz\n", 10), 10);
    close(fd);
    check_nodes(WORDS("-hosts-group", "n[1-3],m", "-n", "8", "a"), nothing, 4);
    check_nodes(WORDS("-n", "8", "a"), WORDS("I_MPI_HYDRA_HOSTS_GROUP=n[01-05]"), 5);
    check_nodes(WORDS("-machine", name, "-n", "8", "a"), nothing, 3);
    check_nodes(WORDS("-machine", "x,y", "-n", "8", "a"), nothing, 2); /* MPICH's */
    snprintf(entry, sizeof(entry), "I_MPI_HYDRA_HOST_FILE=%s", name);
    check_nodes(WORDS("-n", "8", "a"), WORDS(entry, "I_MPI_HYDRA_HOSTS_GROUP=n[01-05]"), 3);
    check_nodes(WORDS("-hosts", "x", "-n", "8", "a"), WORDS(entry), 1);
    unlink(name);
}

/* The words before those of the tool itself. */
static void check_tool(char *const *words, const char *expected, const char *connected)
{
    struct ork_commands commands = build(words, nothing);
    char *text = ork_argv_quote(&commands.tool.argv);

    assert_non_null(text);
    assert_memory_equal(text, expected, strlen(expected));
    assert_non_null(strstr(text, connected));
    free(text);
    ork_commands_release(&commands);
}

static void the_tool_is_started_on_all_nodes_of_the_job(void **state)
{
    (void)state;
    if (!ORK_HAS_MPICH)
        skip();
    check_tool(WORDS("-launcher", "ssh", "-prepend-rank", "-hosts", "x:4,y:4", "-n", "8", "a"),
               M " -launcher ssh -hosts x:4,y:4 -disable-auto-cleanup -genvall -ppn 2 -n 4 ",
               " --transport=mpich ");
    check_tool(WORDS("-n", "1", "a", ":", "-host=x", "-n", "2", "b", ":", "-host", "y", "c"),
               M " -host x -host y -disable-auto-cleanup -genvall -ppn 1 -n 2 ",
               " --transport=mpich ");
    check_tool(WORDS("-hosts-group", "n[1-2]", "-nolocal", "-print-rank-map", "-n", "8", "a"),
               M " -hosts-group 'n[1-2]' -nolocal -disable-auto-cleanup -genvall -ppn 2 -n 4 ",
               " --transport=mpich ");
    check_tool(WORDS("-hosts", "no-such-host", "-n", "8", "a"),
               M " -hosts no-such-host -disable-auto-cleanup -genvall -ppn 1 -n 1 ",
               " --processes=4 ");
}

/* ---- a job that goes on ---- */

static void check_recovers(char *const *words, bool expected)
{
    struct ork_argv list = list_of(words);

    assert_int_equal(ork_launcher_recovers(hydra(), &list, &extras), expected);
    ork_argv_release(&list);
}

static void a_job_goes_on_without_a_rank_only_if_asked_to(void **state)
{
    (void)state;
    check_recovers(WORDS("-n", "2", "a"), false);
    check_recovers(WORDS("-n", "2", "-disable-auto-cleanup", "a"), true);
    check_recovers(WORDS("a", ":", "--DAC", "b"), true);
    check_recovers(WORDS("-n", "2", "a", "-disable-auto-cleanup"), false);
    check_recovers(WORDS("-enable-auto-cleanup", "a"), false);
}

static void an_exit_code_may_be_the_number_of_a_signal(void **state)
{
    static const int codes[] = {0, 1, 2, 3, 15, 137, 255};
    const struct ork_launcher *mpirun = ork_launcher_of("/no/such/orterun");

    (void)state;
    assert_int_equal(ork_launcher_signal(mpirun, 137), 9);
    assert_int_equal(ork_launcher_signal(mpirun, 9), 0);
    assert_int_equal(ork_launcher_signal(mpirun, 255), 0);
    assert_int_equal(ork_launcher_signal(hydra(), 9), 9);
    assert_int_equal(ork_launcher_signal(hydra(), 11), 11);
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        assert_int_equal(ork_launcher_signal(hydra(), codes[i]), 0);
}

int test_hydra(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_argument_of_an_option_is_no_program),
        cmocka_unit_test(an_argument_of_an_option_of_intel_mpi_is_no_program),
        cmocka_unit_test(an_argument_of_an_option_of_mvapich_is_no_program),
        cmocka_unit_test(an_argument_that_may_be_left_out_is_told_from_the_program),
        cmocka_unit_test(an_option_is_followed_by_as_many_words_as_in_the_context),
        cmocka_unit_test(the_interceptor_is_an_option_and_the_rest_is_inherited),
        cmocka_unit_test(the_users_preload_comes_behind_ours_wherever_it_is_set),
        cmocka_unit_test(a_choice_of_variables_has_ours_too),
        cmocka_unit_test(a_second_pattern_for_output_is_left_out),
        cmocka_unit_test(words_that_are_joined_are_separated),
        cmocka_unit_test(the_contexts_of_a_file_have_the_interceptor_too),
        cmocka_unit_test(a_file_of_contexts_is_a_program),
        cmocka_unit_test(ranks_of_all_contexts_are_counted),
        cmocka_unit_test(each_node_of_several_has_a_part_of_the_ranks),
        cmocka_unit_test(hosts_of_intel_mpi_are_counted),
        cmocka_unit_test(the_tool_is_started_on_all_nodes_of_the_job),
        cmocka_unit_test(a_job_goes_on_without_a_rank_only_if_asked_to),
        cmocka_unit_test(an_exit_code_may_be_the_number_of_a_signal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
