/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of launchers, and both jobs under srun: launcher.c, srunopts.c, srun.c, hostlist.c. */
#include "mustrun/launcher/launcher.h"

#include "mustrun/launcher/hostlist.h"
#include "mustrun/launcher/srun/srunopts.h"

#include "commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ork_options options_of(unsigned leaf_ranks)
{
    return (struct ork_options)OPTIONS("/opt/slurm/bin/srun", leaf_ranks, false);
}

static enum ork_status try_build(char *const *words, char *const *environment, unsigned leaf_ranks,
                                 struct ork_commands *commands)
{
    struct ork_options options = options_of(leaf_ranks);
    struct ork_argv list = list_of(words);
    enum ork_status status =
        ork_commands_init(commands, &options, &list, &paths, &session, environment);

    ork_argv_release(&list);
    return status;
}

static struct ork_commands build(char *const *words, char *const *environment, unsigned leaf_ranks)
{
    struct ork_commands commands;

    assert_int_equal(try_build(words, environment, leaf_ranks, &commands), ORK_OK);
    return commands;
}

static void check_application(char *const *words, char *const *environment, const char *expected)
{
    struct ork_commands commands = build(words, environment, 0);

    check_line(&commands.application.argv, expected);
    ork_commands_release(&commands);
}

/* ---- kinds ---- */

static void a_name_of_its_own_tells_the_kind(void **state)
{
    static const char *const others[] = {"mpirun",        "mpiexec", "/usr/bin/orterun",
                                         "./mpi-wrapper", "srun2",   "srun/mpirun"};

    (void)state;
    assert_ptr_equal(ork_launcher_of("srun"), &ork_launcher_srun);
    assert_ptr_equal(ork_launcher_of("/usr/bin/srun"), &ork_launcher_srun);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_ptr_equal(ork_launcher_of(others[i]), &ork_launcher_mpirun);
}

static void options_are_parsed_as_the_launchers_named_before_them(void **state)
{
    struct ork_options options;
    struct ork_argv rest = {0};
    char error[ORK_OPTIONS_ERROR];
    char *const nothing[] = {NULL};

    (void)state;
    assert_int_equal(ork_options_parse(WORDS("--must:mpiexec", "srun", "-p", "debug",
                                             "--must:quiet", "-Qn", "4", "./a", "--must:quiet"),
                                       nothing, NULL, &options, &rest, error),
                     ORK_OK);
    assert_true(options.quiet);
    check_line(&rest, "-p debug -Qn 4 ./a --must:quiet");
    ork_argv_release(&rest);
}

/* ---- srun's options ---- */

static void check_program(char *const *words, size_t program)
{
    struct ork_argv list = list_of(words);
    struct ork_context context = ork_srun_context(&list, 0, &extras);

    assert_int_equal(context.program, program);
    assert_int_equal(ork_srun_has_program(&list, &extras), program < list.count);
    ork_argv_release(&list);
}

static void the_program_follows_the_options_and_their_arguments(void **state)
{
    (void)state;
    check_program(WORDS("-n", "4", "p", "-n"), 2);
    check_program(WORDS("-n4", "p"), 1);
    check_program(WORDS("-lQn", "4", "p"), 2);
    check_program(WORDS("-lQn4", "p"), 1);
    check_program(WORDS("--ntasks", "4", "p"), 2);
    check_program(WORDS("--ntasks=4", "p"), 1);
    check_program(WORDS("--part", "debug", "p"), 2);
    check_program(WORDS("-K", "1", "p"), 1); /* that argument is joined or not there */
    check_program(WORDS("-K1", "p"), 1);
    check_program(WORDS("--kill-on-bad-exit", "p"), 1);
    check_program(WORDS("--mpi", "pmix", "--", "-p"), 3);
    check_program(WORDS("--cpu-bind=none", "-c", "2"), 3);
    check_program(WORDS("-n"), 1);
    check_program(WORDS("--no-such-option", "p"), 1);
}

static void a_long_name_may_be_short_of_its_end(void **state)
{
    struct ork_argv list =
        list_of(WORDS("--nodel", "n7", "--ntasks=2", "--nt", "3", "p", "-n", "9"));

    (void)state;
    assert_string_equal(ork_srun_find(&list, &extras, "nodelist"), "n7");
    assert_string_equal(ork_srun_find(&list, &extras, "ntasks"), "2"); /* --nt begins several */
    assert_null(ork_srun_find(&list, &extras, "nodes"));
    ork_argv_release(&list);
}

static enum ork_executable_kind kind_of(char *const *words)
{
    const struct ork_launcher *srun = ork_launcher_of("srun");
    struct ork_argv list = list_of(words);
    struct ork_executable program;

    srun->inspect(&list, srun->context(&list, 0, &extras), &extras, NULL, &program);
    ork_argv_release(&list);
    return program.kind;
}

static void a_program_is_looked_for_in_the_folder_of_the_job(void **state)
{
    (void)state;
    assert_int_equal(kind_of(WORDS("--chdir=/dev", "-n4", "./null")), ORK_EXECUTABLE_DENIED);
    assert_int_equal(kind_of(WORDS("--chdir=/", "-n4", "./dev")), ORK_EXECUTABLE_FOLDER);
    assert_int_equal(kind_of(WORDS("--chdir=/dev", "-n4", "./no_such")), ORK_EXECUTABLE_MISSING);
    assert_int_equal(kind_of(WORDS("-n4")), ORK_EXECUTABLE_MISSING);
}

static void words_behind_an_option_are_as_many_as_in_the_context(void **state)
{
    static const struct {
        const char *token;
        size_t args;
    } cases[] = {{"-n", 1},         {"-n4", 0}, {"-lQ", 0}, {"-lQn", 1}, {"--ntasks", 1},
                 {"--ntasks=4", 0}, {"-K", 0},  {"-I", 0},  {"--", 0},   {"--immediate", 0},
                 {"--unknown", 0},  {"-%", 0},  {"-%n", 1}, {"-Kn", 0},  {"--mpi", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(ork_srun_option_args(cases[i].token, &extras), cases[i].args);
}

static size_t program_in(const struct ork_launcher *launcher, char *const *words,
                         const struct ork_extras *learned)
{
    struct ork_argv list = list_of(words);
    size_t program = launcher->context(&list, 0, learned).program;

    ork_argv_release(&list);
    return program;
}

/* Where the program is after what was learned of the first option. */
static size_t program_behind(const struct ork_launcher *launcher, char *const *words)
{
    struct ork_extras learned = extras;

    ork_launcher_learn_option(launcher, words, &learned, NULL);
    return program_in(launcher, words, &learned);
}

static void an_unknown_option_takes_the_word_before_the_program(void **state)
{
    static const struct {
        const char *name;
        char *flag; /* one of its options that take no word */
    } cases[] = {{"orterun", "--tag-output"},
                 {"prterun", "--tag-output"},
                 {"mpiexec.hydra", "-prepend-rank"},
                 {"srun", "--label"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct ork_launcher *launcher = ork_launcher_of(cases[i].name);
        assert_int_equal(program_behind(launcher, WORDS("--new", "4", "/bin/sh", "x")), 2);
        assert_int_equal(program_behind(launcher, WORDS("--new", "4", "-n", "2", "/bin/sh")), 4);
        /* Not if that word is a program, or none follows. */
        assert_int_equal(program_behind(launcher, WORDS("--new", "/bin/sh", "/bin/sh")), 1);
        assert_int_equal(program_behind(launcher, WORDS("--new", "missing", "x")), 1);
        assert_int_equal(program_behind(launcher, WORDS("--new", "missing", ":", "/bin/sh")), 1);
        assert_int_equal(program_behind(launcher, WORDS("--new", "-n", "2", "/bin/sh")), 3);
        assert_int_equal(program_behind(launcher, WORDS("--new=4", "missing", "/bin/sh")), 1);
        assert_int_equal(program_behind(launcher, WORDS("--new")), 1);
        assert_int_equal(program_behind(launcher, WORDS(cases[i].flag, "missing", "/bin/sh")), 1);
    }
}

static void what_is_learned_holds_for_one_command(void **state)
{
    const struct ork_launcher *mpirun = ork_launcher_of("orterun");
    struct ork_extras learned = extras;
    char *const *words = WORDS("--new", "4", "/bin/sh");

    (void)state;
    ork_launcher_learn_option(mpirun, words, &learned, NULL);
    assert_int_equal(program_in(mpirun, words, &learned), 2);
    assert_int_equal(program_in(mpirun, WORDS("-n", "2", "--new", "5", "a"), &learned), 4);
    assert_int_equal(program_in(mpirun, words, &extras), 1);
}

static void more_unknown_options_than_there_is_room_for_are_ignored(void **state)
{
    static const char name[] = "0123456789abcdefghi";
    struct ork_extras learned = extras;

    (void)state;
    for (size_t i = 0; i + 1 < sizeof(name); i++) {
        ork_extras_add(&learned, name + i);
        ork_extras_add(&learned, name + i);
        assert_int_equal(ork_extras_has(&learned, name + i), i < ORK_LEARNED_MAX);
    }
    assert_true(ork_extras_has(&learned, "-np"));
}

static void hosts_of_a_list_are_counted(void **state)
{
    static const struct {
        const char *list;
        unsigned hosts;
    } cases[] = {{"n1", 1},
                 {"n1,n2", 2},
                 {"n[1-3]", 3},
                 {"n[01-12,20]", 13},
                 {"a,n[1-2],b7", 4},
                 {"r[1-2]c[0-3]", 8},
                 {"n[1-2]-ib", 2},
                 {"", 0},
                 {"a,,b", 0},
                 {"n[", 0},
                 {"n[1", 0},
                 {"n[1-", 0},
                 {"n[2-1]", 0},
                 {"n[]", 0},
                 {"n]", 0},
                 {"./file", 0},
                 {"n[a]", 0},
                 {"n[1-99999999999]", 0},
                 {"a,", 0},
                 {"n[1;2]", 0},
                 {"x[0-9999]y[0-9999]", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(ork_hostlist_count(cases[i].list), cases[i].hosts);
}

/* ---- both steps ---- */

#define TWO "SLURM_JOB_ID=5", "SLURM_JOB_NUM_NODES=2"
#define I   "LD_PRELOAD=/i.so"
#define OURS                                                                                       \
    "ORKNOT_SESSION,ORKNOT_TOKEN,ORKNOT_POLL,ORKNOT_LEAVES,ORKNOT_NOISE,ORKNOT_CHECKS,"            \
    "ORKNOT_EXPLORED,ORKNOT_RMA,ORKNOT_HASHES,ORKNOT_FOLD,ORKNOT_MODEL,ORKNOT_CALLERS,"            \
    "ORKNOT_STAMPS,ORKNOT_ATOMICS"

static void the_interceptor_goes_to_the_ranks_and_not_to_srun(void **state)
{
    struct ork_commands commands =
        build(WORDS("-n", "4", "./a", "-x"), WORDS(TWO, "LD_PRELOAD=/u.so", "A=1"), 1);
    char *const *environment = commands.application.environment.item;

    (void)state;
    check_line(&commands.application.argv,
               "/opt/slurm/bin/srun -n 4 --export=ALL,LD_PRELOAD=/i.so:/u.so ./a -x");
    assert_null(ork_env_get(environment, "LD_PRELOAD"));
    assert_string_equal(ork_env_get(environment, "A"), "1");
    assert_string_equal(ork_env_get(environment, "ORKNOT_SESSION"), "7-abc");
    assert_string_equal(ork_env_get(environment, "ORKNOT_TOKEN"), "feed");
    assert_string_equal(ork_env_get(environment, "ORKNOT_LEAVES"), "2");
    check_line(&commands.program, "./a -x");
    ork_commands_release(&commands);
}

static void the_users_choice_of_variables_is_extended(void **state)
{
    (void)state;
    check_application(WORDS("--export=ALL,B=2", "--", "a"), WORDS(TWO),
                      "/opt/slurm/bin/srun --export=ALL,B=2 --export=ALL,B=2," I " -- a");
    check_application(WORDS("--export", "NONE", "a"), WORDS(TWO, "LD_PRELOAD=/u.so"),
                      "/opt/slurm/bin/srun --export NONE --export=" OURS "," I " a");
    check_application(WORDS("--export=B,LD_PRELOAD,C=3", "a"), WORDS(TWO, "LD_PRELOAD=/u.so"),
                      "/opt/slurm/bin/srun --export=B,LD_PRELOAD,C=3 --export=B,C=3," OURS "," I
                      ":/u.so a");
    check_application(WORDS("--export=LD_PRELOAD=/v.so", "a"), WORDS(TWO, "LD_PRELOAD=/u.so"),
                      "/opt/slurm/bin/srun --export=LD_PRELOAD=/v.so --export=" OURS "," I
                      ":/v.so a");
    /* srun takes the value of the environment if there is one */
    check_application(WORDS("--export=ALL,LD_PRELOAD=/v.so", "a"), WORDS(TWO, "LD_PRELOAD=/u.so"),
                      "/opt/slurm/bin/srun --export=ALL,LD_PRELOAD=/v.so --export=ALL," I
                      ":/u.so a");
    check_application(WORDS("a"), WORDS(TWO, "SLURM_EXPORT_ENV=NONE", "SRUN_EXPORT_ENV=B"),
                      "/opt/slurm/bin/srun --export=B," OURS "," I " a");
}

/* The words of an application's step that is one of several at the same time. */
static void check_shared(char *const *words, char *const *environment, const char *expected)
{
    struct ork_options options = options_of(0);
    struct ork_argv list = list_of(words);
    struct ork_commands commands;

    options.explore.jobs = 2;
    assert_int_equal(ork_commands_init(&commands, &options, &list, &paths, &session, environment),
                     ORK_OK);
    check_line(&commands.application.argv, expected);
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void several_runs_share_the_processors_of_the_allocation(void **state)
{
    (void)state;
    check_shared(WORDS("-n", "4", "./a", "--whole"), WORDS(TWO),
                 "/opt/slurm/bin/srun --exact -n 4 --export=ALL," I " ./a --whole");
    check_shared(WORDS("--overlap", "a"), WORDS(TWO),
                 "/opt/slurm/bin/srun --overlap --export=ALL," I " a");
    check_shared(WORDS("--exclusive", "a"), WORDS(TWO),
                 "/opt/slurm/bin/srun --exclusive --export=ALL," I " a");
    check_shared(WORDS("a"), WORDS(TWO, "SLURM_WHOLE=1"),
                 "/opt/slurm/bin/srun --export=ALL," I " a");
}

static void the_output_of_each_rank_has_its_own_file(void **state)
{
    struct ork_argv words = {0};

    (void)state;
    ork_launcher_of("srun")->output("/o", &words);
    check_line(&words, "--output=/o/rank.%t.stdout --error=/o/rank.%t.stderr");
    ork_argv_release(&words);
}

static void a_comma_keeps_the_preload_in_the_environment(void **state)
{
    struct ork_commands commands = build(WORDS("a"), WORDS(TWO, "LD_PRELOAD=/u,v.so"), 0);

    (void)state;
    check_line(&commands.application.argv, "/opt/slurm/bin/srun --export=ALL,LD_PRELOAD a");
    assert_string_equal(ork_env_get(commands.application.environment.item, "LD_PRELOAD"),
                        "/i.so:/u,v.so");
    ork_commands_release(&commands);
}

#define FIXED                                                                                      \
    "--overcommit --distribution=block --cpu-bind=none --gres=none --export=ALL --input=0 "        \
    "--kill-on-bad-exit=0 --wait=0 /t/must-tool "
#define REST                                                                                       \
    "--fanin=16 --sends=strict --collectives=strict --probe=end --queue-limit=1048576 "            \
    "--record=/o/MUST_Order --program=a"

static void check_tool(char *const *words, char *const *environment, unsigned leaf_ranks,
                       const char *chosen)
{
    struct ork_commands commands = build(words, environment, leaf_ranks);
    char *line = ork_argv_quote(&commands.tool.argv);
    size_t length = strlen(chosen);

    assert_non_null(line);
    assert_memory_equal(line, "/opt/slurm/bin/srun ", 20);
    if (strncmp(line + 20, chosen, length) != 0)
        assert_string_equal(line + 20, chosen);
    assert_string_equal(line + 20 + length, commands.shape.nodes > 1 ? " " FIXED REST
                                            : commands.shape.processes > 1
                                                ? " " FIXED "--processes=4 " REST
                                                : " " FIXED "--processes=1 " REST);
    free(line);
    ork_commands_release(&commands);
}

static void the_tool_gets_what_chooses_the_job_and_no_binding(void **state)
{
    (void)state;
    check_tool(WORDS("--mpi=pmix", "-pdebug", "--cpu-bind=cores", "-c", "4", "-n", "4", "-K", "-l",
                     "--resv-ports", "--exclusive", "a"),
               WORDS(TWO), 0,
               "--mpi=pmix --partition=debug --resv-ports --overlap --nodes=2 --ntasks=2 "
               "--ntasks-per-node=1");
}

static void the_tool_is_on_all_nodes_that_srun_may_take(void **state)
{
    (void)state;
    check_tool(WORDS("-n4", "a"), WORDS(TWO), 1,
               "--overlap --nodes=2 --ntasks=4 --ntasks-per-node=2");
    check_tool(WORDS("-N1", "-n4", "a"), WORDS(TWO), 1,
               "--overlap --nodes=2 --ntasks=8 --ntasks-per-node=4");
    check_tool(WORDS("-N1", "-wn2", "-n4", "a"), WORDS(TWO), 0,
               "--overlap --nodes=1 --nodelist=n2 --ntasks=1 --ntasks-per-node=1");
    check_tool(WORDS("-wn2", "-n4", "a"), WORDS(TWO), 0,
               "--overlap --nodes=2 --ntasks=2 --ntasks-per-node=1");
    check_tool(WORDS("-N2", "-x", "n3", "a"), WORDS("SLURM_JOB_ID=5", "SLURM_NNODES=3"), 0,
               "--overlap --nodes=2 --exclude=n3 --ntasks=2 --ntasks-per-node=1");
    check_tool(WORDS("--jobid=9", "--nodes=3", "a"), WORDS("B=1"), 0,
               "--jobid=9 --overlap --nodes=3 --ntasks=3 --ntasks-per-node=1");
}

static void the_number_of_ranks_is_found_where_srun_finds_it(void **state)
{
    (void)state;
    check_tool(WORDS("a"), WORDS(TWO, "SLURM_NTASKS=6"), 1,
               "--overlap --nodes=2 --ntasks=6 --ntasks-per-node=3");
    check_tool(WORDS("--ntasks-per-node=4", "a"), WORDS(TWO, "SLURM_NTASKS=6"), 1,
               "--overlap --nodes=2 --ntasks=8 --ntasks-per-node=4");
    check_tool(WORDS("-n1", "a"), WORDS(TWO, "SLURM_NTASKS=6"), 1,
               "--overlap --nodes=2 --ntasks=2 --ntasks-per-node=1");
    check_tool(WORDS("a"), WORDS("SLURM_JOB_ID=5", "SLURM_JOB_NUM_NODES=1"), 1,
               "--overlap --nodes=1 --ntasks=1 --ntasks-per-node=1");
}

static void on_the_only_node_of_the_allocation_the_tool_is_no_step(void **state)
{
    char *const environment[] = {"SLURM_JOB_ID=5",
                                 "SLURM_JOB_NUM_NODES=1",
                                 "SLURM_JOB_NODELIST=n1",
                                 "SLURMD_NODENAME=n1",
                                 "SLURM_NTASKS=4",
                                 "SLURM_CPU_BIND=cores",
                                 NULL};
    struct ork_commands commands = build(WORDS("a"), environment, 1);

    (void)state;
    assert_true(commands.shape.is_here);
    check_line(&commands.tool.argv, "/t/must-tool --processes=4 " REST);
    ork_commands_release(&commands);
    commands = build(WORDS("--jobid=5", "-N1", "a"), environment, 1);
    assert_false(commands.shape.is_here);
    ork_commands_release(&commands);
}

static void variables_that_are_options_do_not_reach_the_tool(void **state)
{
    static const char *const dropped[] = {"SLURM_LABELIO",   "SLURM_CPU_BIND", "SRUN_EXPORT_ENV",
                                          "SLURM_NTASKS",    "LD_PRELOAD",     "SLURM_MULTI_PROG",
                                          "SLURM_STDOUTMODE"};
    struct ork_commands commands = build(
        WORDS("a"),
        WORDS(TWO, "SLURM_LABELIO=1", "SLURM_CPU_BIND=cores", "SRUN_EXPORT_ENV=NONE",
              "SLURM_NTASKS=2", "LD_PRELOAD=/u.so", "SLURM_MULTI_PROG=1", "SLURM_MPI_TYPE=pmix",
              "SLURM_STDOUTMODE=none", "SLURM_CONF=/c", "SLURM=1", "A=1"),
        0);
    char *const *environment = commands.tool.environment.item;

    (void)state;
    for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
        assert_null(ork_env_get(environment, dropped[i]));
    assert_string_equal(ork_env_get(environment, "SLURM_MPI_TYPE"), "pmix");
    assert_string_equal(ork_env_get(environment, "SLURM_CONF"), "/c");
    assert_string_equal(ork_env_get(environment, "SLURM_JOB_ID"), "5");
    assert_string_equal(ork_env_get(environment, "SLURM"), "1");
    assert_string_equal(ork_env_get(environment, "A"), "1");
    assert_string_equal(ork_env_get(environment, "ORKNOT_TOKEN"), "feed");
    assert_string_equal(ork_env_get(commands.application.environment.item, "SLURM_LABELIO"), "1");
    ork_commands_release(&commands);
}

static void what_cannot_have_a_second_job_beside_it_is_refused(void **state)
{
    struct ork_commands commands;

    (void)state;
    assert_int_equal(try_build(WORDS("-n", "4", "a"), WORDS("A=1"), 0, &commands), ORK_NOTFOUND);
    ork_commands_release(&commands);
    assert_int_equal(try_build(WORDS("--jobid=9", "a"), WORDS("A=1"), 0, &commands), ORK_NOTFOUND);
    ork_commands_release(&commands);
    assert_int_equal(try_build(WORDS("-n", "4", "a", ":", "b"), WORDS(TWO), 0, &commands),
                     ORK_NOTFOUND);
    ork_commands_release(&commands);
}

/* ---- mpirun under Slurm ---- */

static void the_tools_mpirun_shares_the_nodes_of_an_allocation(void **state)
{
    struct ork_options options = options_of(0);
    struct ork_argv list = list_of(WORDS("-np", "2", "a"));

    (void)state;
    options.mpiexec = "mpirun";
    for (unsigned i = 0; i < 3; i++) {
        struct ork_commands commands;
        char *const *environment = i == 0 ? WORDS("A=1") : WORDS(TWO);
        options.explore.jobs = i;
        assert_int_equal(
            ork_commands_init(&commands, &options, &list, &paths, &session, environment), ORK_OK);
        const char *value = ork_env_get(commands.tool.environment.item, "SLURM_OVERLAP");
        assert_int_equal(value != NULL, i > 0);
        value = ork_env_get(commands.application.environment.item, "SLURM_OVERLAP");
        assert_int_equal(value != NULL, i == 2); /* several runs */
        ork_commands_release(&commands);
    }
    ork_argv_release(&list);
}

/* ---- links ---- */

/* A launcher is often a link to another name. */
static void a_link_tells_the_kind_by_its_target(void **state)
{
    char folder[] = "/tmp/orknot-unit-XXXXXX";
    char target[64], link[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(target, sizeof(target), "%s/mpiexec.hydra", folder);
    snprintf(link, sizeof(link), "%s/mpirun", folder);
    assert_int_equal(close(open(target, O_CREAT | O_WRONLY, 0755)), 0);
    assert_int_equal(symlink(target, link), 0);
    assert_ptr_equal(ork_launcher_of(link), &ork_launcher_hydra);
    unlink(link);
    assert_ptr_equal(ork_launcher_of("/other/mpirun"), &ork_launcher_mpirun);
    unlink(target);
    rmdir(folder);
}

int test_launcher(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_of_its_own_tells_the_kind),
        cmocka_unit_test(options_are_parsed_as_the_launchers_named_before_them),
        cmocka_unit_test(the_program_follows_the_options_and_their_arguments),
        cmocka_unit_test(a_long_name_may_be_short_of_its_end),
        cmocka_unit_test(a_program_is_looked_for_in_the_folder_of_the_job),
        cmocka_unit_test(words_behind_an_option_are_as_many_as_in_the_context),
        cmocka_unit_test(an_unknown_option_takes_the_word_before_the_program),
        cmocka_unit_test(what_is_learned_holds_for_one_command),
        cmocka_unit_test(more_unknown_options_than_there_is_room_for_are_ignored),
        cmocka_unit_test(hosts_of_a_list_are_counted),
        cmocka_unit_test(the_interceptor_goes_to_the_ranks_and_not_to_srun),
        cmocka_unit_test(the_users_choice_of_variables_is_extended),
        cmocka_unit_test(several_runs_share_the_processors_of_the_allocation),
        cmocka_unit_test(the_output_of_each_rank_has_its_own_file),
        cmocka_unit_test(a_comma_keeps_the_preload_in_the_environment),
        cmocka_unit_test(the_tool_gets_what_chooses_the_job_and_no_binding),
        cmocka_unit_test(the_tool_is_on_all_nodes_that_srun_may_take),
        cmocka_unit_test(the_number_of_ranks_is_found_where_srun_finds_it),
        cmocka_unit_test(on_the_only_node_of_the_allocation_the_tool_is_no_step),
        cmocka_unit_test(variables_that_are_options_do_not_reach_the_tool),
        cmocka_unit_test(what_cannot_have_a_second_job_beside_it_is_refused),
        cmocka_unit_test(the_tools_mpirun_shares_the_nodes_of_an_allocation),
        cmocka_unit_test(a_link_tells_the_kind_by_its_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
