/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines and environments of both jobs: mpiopts.c, env.c, list.c, preload.c, command.c. */
#include "mustrun/launcher/command.h"
#include "mustrun/launcher/mpirun/list.h"
#include "mustrun/launcher/mpirun/mpiopts.h"
#include "mustrun/launcher/mpirun/preload.h"

#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct ork_options options =
    OPTIONS("mpirun", 65536 /* however many processors */, true);

static struct ork_commands build(char *const *words, char *const *environment)
{
    return commands_of(&options, words, environment);
}

static void check_application(char *const *words, char *const *environment, const char *expected)
{
    check_application_of(&options, words, environment, expected);
}

static void check_tool(char *const *words, const char *expected)
{
    char *const nothing[] = {NULL};
    struct ork_commands commands = build(words, nothing);

    check_line(&commands.tool.argv, expected);
    ork_commands_release(&commands);
}

#define X "-x LD_PRELOAD=/i.so -x ORKNOT_SESSION -x ORKNOT_TOKEN"

static void words_are_quoted_for_a_shell(void **state)
{
    struct ork_argv list = list_of(WORDS("a", "b c", "", "it's", "-x=1", "$A"));

    (void)state;
    check_line(&list, "a 'b c' '' 'it'\\''s' -x=1 '$A'");
    ork_argv_release(&list);
}

static void a_program_ends_the_options(void **state)
{
    struct ork_argv list =
        list_of(WORDS("--mca", "a", "b", "-np", "2", "--tag-output", "p", "-np"));
    struct ork_context context = ork_mpi_context(&list, 0, &extras);

    (void)state;
    assert_int_equal(context.program, 6);
    assert_int_equal(context.last, 8);
    assert_true(ork_mpi_has_program(&list, &extras));
    ork_argv_release(&list);
}

static void options_alone_are_no_program(void **state)
{
    char *const *const commands[] = {WORDS("-np", "2"), WORDS("--mca", "a"), WORDS("-np"),
                                     WORDS(":"), WORDS("-np", "2", ":", "--host", "a")};

    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct ork_argv list = list_of(commands[i]);

        assert_false(ork_mpi_has_program(&list, &extras));
        ork_argv_release(&list);
    }
    struct ork_argv list = list_of(WORDS("--app", "file"));
    assert_true(ork_mpi_has_program(&list, &extras));
    ork_argv_release(&list);
}

static void every_context_exports_the_interceptor(void **state)
{
    char *const nothing[] = {NULL};

    (void)state;
    check_application(WORDS("-np", "2", "./a", "-x", "1"), nothing, "mpirun -np 2 " X " ./a -x 1");
    check_application(WORDS("-np", "1", "a", ":", "-x", "B", "-np", "2", "b"), nothing,
                      "mpirun -np 1 " X " a : -x B -np 2 " X " b");
    check_application(WORDS("-np", "1", "--", "a"), nothing, "mpirun -np 1 " X " -- a");
}

static void the_users_preload_comes_behind_ours(void **state)
{
    (void)state;
    check_application(WORDS("a"), WORDS("LD_PRELOAD=/u.so"),
                      "mpirun -x LD_PRELOAD=/i.so:/u.so -x ORKNOT_SESSION -x ORKNOT_TOKEN a");
    check_application(WORDS("-x", "LD_PRELOAD=/v.so", "-np", "1", "a", ":", "b"),
                      WORDS("LD_PRELOAD=/u.so"),
                      "mpirun -np 1 -x LD_PRELOAD=/i.so:/v.so -x ORKNOT_SESSION "
                      "-x ORKNOT_TOKEN a : -x LD_PRELOAD=/i.so:/u.so -x ORKNOT_SESSION "
                      "-x ORKNOT_TOKEN b");
    check_application(WORDS("-x", "LD_PRELOAD", "a"), WORDS("LD_PRELOAD=/u.so"),
                      "mpirun -x LD_PRELOAD=/i.so:/u.so -x ORKNOT_SESSION "
                      "-x ORKNOT_TOKEN a");
}

static void a_list_on_the_command_line_is_extended(void **state)
{
    char *const nothing[] = {NULL};

    (void)state;
    check_application(WORDS("--mca", "mca_base_env_list", "B=1", "a"), nothing,
                      "mpirun --mca mca_base_env_list "
                      "'B=1;LD_PRELOAD=/i.so;ORKNOT_SESSION;ORKNOT_TOKEN' a");
}

static void a_list_in_the_environment_is_extended(void **state)
{
    struct ork_commands commands =
        build(WORDS("a"), WORDS("OMPI_MCA_mca_base_env_list=B;LD_PRELOAD=/u.so", "C=1"));

    (void)state;
    check_line(&commands.application.argv, "mpirun a");
    assert_string_equal(ork_env_get(commands.application.environment.item, ORK_ENV_LIST),
                        "B;LD_PRELOAD=/i.so:/u.so;ORKNOT_SESSION;ORKNOT_TOKEN");
    assert_string_equal(ork_env_get(commands.application.environment.item, "C"), "1");
    assert_null(ork_env_get(commands.tool.environment.item, ORK_ENV_LIST));
    ork_commands_release(&commands);
}

static void the_library_of_address_sanitizer_stays_first(void **state)
{
    (void)state;
    check_application(WORDS("a"), WORDS("LD_PRELOAD=/u.so:/l/libasan.so.8 /v.so"),
                      "mpirun -x LD_PRELOAD=/l/libasan.so.8:/i.so:/u.so:/v.so "
                      "-x ORKNOT_SESSION -x ORKNOT_TOKEN a");
    char *front = ork_env_front("libasan.so.8", "/i.so", "/u.so");
    char *once = ork_env_front("libasan.so.8", "/i.so", "/l/libasan.so.8");
    char *none = ork_env_front("", "/i.so", NULL);
    assert_string_equal(front, "libasan.so.8:/i.so");
    assert_string_equal(once, "/i.so");
    assert_string_equal(none, "/i.so");
    free(front);
    free(once);
    free(none);
}

static void a_sanitizer_behind_a_script_is_told_of_the_order(void **state)
{
    struct ork_commands commands = build(WORDS("a"), WORDS("ASAN_OPTIONS=detect_leaks=0"));

    (void)state;
    assert_string_equal(ork_env_get(commands.application.environment.item, "ASAN_OPTIONS"),
                        "verify_asan_link_order=0:detect_leaks=0");
    ork_commands_release(&commands);
}

static void a_list_that_names_the_preload_takes_it_from_the_environment(void **state)
{
    char *list = ork_env_list("LD_PRELOAD;;A=x", "/i.so", "/u.so", &(struct ork_argv){0});

    (void)state;
    assert_string_equal(list, "LD_PRELOAD=/i.so:/u.so;A=x;ORKNOT_SESSION;ORKNOT_TOKEN");
    free(list);
}

static void ranks_are_told_to_poll_in_each_way(void **state)
{
    static char *const contexts[] = {"-np", "1", "a", ":", "b", NULL};
    static char *const listed[] = {"--mca", "mca_base_env_list", "B=1", "a", NULL};
    static const char *const expected[] = {
        "mpirun -np 1 " X " -x ORKNOT_POLL=1 a : " X " -x ORKNOT_POLL=1 b",
        "mpirun --mca mca_base_env_list "
        "'B=1;LD_PRELOAD=/i.so;ORKNOT_SESSION;ORKNOT_TOKEN;ORKNOT_POLL=1' a"};
    char *const environment[] = {"ORKNOT_POLL=0", NULL};
    struct ork_options polling = options;

    (void)state;
    polling.poll = true;
    for (size_t i = 0; i < 2; i++) {
        struct ork_argv list = list_of(i == 0 ? contexts : listed);
        struct ork_commands commands;
        assert_int_equal(
            ork_commands_init(&commands, &polling, &list, &paths, &session, environment), ORK_OK);
        check_line(&commands.application.argv, expected[i]);
        assert_null(ork_env_get(commands.application.environment.item, "ORKNOT_POLL"));
        ork_commands_release(&commands);
        ork_argv_release(&list);
    }
}

#define ARGUMENTS "--fanin=16 --sends=strict --collectives=strict --probe=end --queue-limit=1048576"
#define FOLD      " --fold"
#define RECORD    " --record=/o/MUST_Order --program=a" FOLD
#define ALONE     "/t/must-tool --processes=1 " ARGUMENTS RECORD
#define TOOL      "-np 1 --bind-to none " ALONE
#define TOOL_ON_NODES(leaves)                                                                      \
    "--map-by ppr:" leaves                                                                         \
    ":node --bind-to none --oversubscribe --enable-recovery /t/must-tool " ARGUMENTS RECORD
#define BARE "/t/must-tool --processes=1 " ARGUMENTS

static void ranks_get_the_noise_and_a_hang_may_last_longer_by_a_delay(void **state)
{
    static char *const words[] = {"-np", "1", "a", NULL};
    struct ork_argv list = list_of(words);
    struct ork_options noisy = options;
    struct ork_commands commands;

    (void)state;
    noisy.noise = (struct ork_noise_option){.is_on = true, .seed = UINT64_MAX, .max_us = 500000};
    noisy.hang_after = 2;
    assert_int_equal(
        ork_commands_init(&commands, &noisy, &list, &paths, &session, WORDS("ORKNOT_NOISE=1:1")),
        ORK_OK);
    check_line(&commands.application.argv,
               "mpirun -np 1 " X " -x ORKNOT_NOISE=18446744073709551615:500000 a");
    assert_null(ork_env_get(commands.application.environment.item, "ORKNOT_NOISE"));
    assert_null(ork_env_get(commands.tool.environment.item, "ORKNOT_NOISE"));
    check_line(&commands.tool.argv, BARE " --hang-after=2.5" RECORD);
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void the_tool_knows_that_a_run_is_deterministic(void **state)
{
    static char *const words[] = {"-np", "1", "a", NULL};
    char *const nothing[] = {NULL};
    struct ork_argv list = list_of(words);
    struct ork_options deterministic = options;
    struct ork_commands commands;

    (void)state;
    deterministic.deterministic = true;
    assert_int_equal(ork_commands_init(&commands, &deterministic, &list, &paths, &session, nothing),
                     ORK_OK);
    check_line(&commands.application.argv, "mpirun -np 1 " X " -x ORKNOT_ATOMICS=1 a");
    check_line(&commands.tool.argv, BARE " --record=/o/MUST_Order --program=a"
                                         " --deterministic" FOLD);
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void the_tool_knows_which_comparisons_are_wanted(void **state)
{
    static char *const words[] = {"-np", "1", "a", NULL};
    char *const nothing[] = {NULL};
    struct ork_argv list = list_of(words);
    struct ork_options races = options;
    struct ork_commands commands;

    (void)state;
    races.races = true;
    races.rma = "on";
    assert_int_equal(ork_commands_init(&commands, &races, &list, &paths, &session, nothing),
                     ORK_OK);
    check_line(&commands.tool.argv, BARE " --record=/o/MUST_Order --program=a"
                                         " --races" FOLD " --rma=on");
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void both_jobs_know_whether_to_fold(void **state)
{
    static char *const words[] = {"-np", "1", "a", NULL};
    char *const nothing[] = {NULL};
    struct ork_argv list = list_of(words);
    struct ork_options folds = options;
    struct ork_commands commands;

    (void)state;
    folds.fold = false;
    assert_int_equal(ork_commands_init(&commands, &folds, &list, &paths, &session, nothing),
                     ORK_OK);
    check_line(&commands.tool.argv, BARE " --record=/o/MUST_Order --program=a");
    check_line(&commands.application.argv, "mpirun -np 1 " X " -x ORKNOT_FOLD=off a");
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void both_jobs_know_the_session_and_only_it_knows_the_token(void **state)
{
    struct ork_commands commands =
        build(WORDS("a"), WORDS("ORKNOT_TOKEN=old", "LD_PRELOAD=/u.so", "ORKNOT_SESSION=old"));
    char *const *const environments[] = {commands.application.environment.item,
                                         commands.tool.environment.item};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(ork_env_get(environments[i], "ORKNOT_SESSION"), "7-abc");
        assert_string_equal(ork_env_get(environments[i], "ORKNOT_TOKEN"), "feed");
    }
    assert_null(ork_env_get(commands.tool.environment.item, "LD_PRELOAD"));
    assert_string_equal(ork_env_get(commands.application.environment.item, "LD_PRELOAD"), "/u.so");
    for (size_t i = 0; i < commands.application.argv.count; i++)
        assert_null(strstr(commands.application.argv.item[i], "feed"));
    ork_commands_release(&commands);
}

static void hosts_and_launcher_count_for_the_tool_too(void **state)
{
    (void)state;
    check_tool(WORDS("-np", "4", "--map-by", "node", "a"), ALONE);
    check_tool(WORDS("-H", "n1,n2", "--mca", "plm_rsh_agent", "ssh -q", "--mca", "coll", "^tuned",
                     "--oversubscribe", "-x", "A", "-np", "2", "a", "--host", "no"),
               "mpirun -H n1,n2 --mca plm_rsh_agent 'ssh -q' --oversubscribe " TOOL_ON_NODES("1"));
    check_tool(WORDS("-hostfile", "h", "--prefix", "/p", "a", ":", "--host", "n3", "b"),
               "mpirun -hostfile h --prefix /p " TOOL);
    check_tool(WORDS("--gmca", "btl", "tcp,self", "--mca", "mca_base_env_list", "A", "a"), ALONE);
    check_tool(WORDS("-np", "1", "a", ":", "--host"), ALONE);
    check_tool(WORDS("-H", "localhost", "--gmca", "btl", "tcp,self", "-np", "1", "a"), ALONE);
    check_tool(WORDS("-H", "n1", "--gmca", "btl", "tcp,self", "-np", "1", "a"),
               "mpirun -H n1 --gmca btl tcp,self " TOOL);
}

static void the_tools_options_follow_ours(void **state)
{
    char *const nothing[] = {NULL};
    struct ork_options all = {.mpiexec = "launch",
                              .output_dir = "/o",
                              .extras = {.np = "-n"},
                              .fanin = 3,
                              .leaf_ranks = 4,
                              .nodl = true,
                              .verbose = true,
                              .trace = "a b",
                              .sends = "eager=9",
                              .collectives = "dataflow",
                              .probe = "off",
                              .rma = "auto",
                              .queue_limit = 2};
    struct ork_argv list = list_of(WORDS("-n", "4", "p"));
    struct ork_commands commands;

    (void)state;
    assert_int_equal(ork_commands_init(&commands, &all, &list, &paths, &session, nothing), ORK_OK);
    check_line(&commands.tool.argv,
               "/t/must-tool --processes=1 --fanin=3 --sends=eager=9 --collectives=dataflow "
               "--probe=off --queue-limit=2097152 --verbose --nodl "
               "'--trace=a b' --record=/o/MUST_Order --program=p");
    assert_int_equal(commands.ranks, 4);
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void check_order(struct ork_options order, char *const *words, const char *expected)
{
    char *const nothing[] = {NULL};
    struct ork_argv list = list_of(words);
    struct ork_commands commands;

    order.leaf_ranks = 65536;
    order.fold = false;
    assert_int_equal(ork_commands_init(&commands, &order, &list, &paths, &session, nothing),
                     ORK_OK);
    check_line(&commands.tool.argv, expected);
    ork_commands_release(&commands);
    ork_argv_release(&list);
}

static void a_replay_is_recorded_only_on_request(void **state)
{
    struct ork_options order = options;

    (void)state;
    order.replay = "/r";
    check_order(order, WORDS("-np", "2", "a"), BARE " --order-wanted --replay=/r");
    order.divergence_abort = true;
    check_order(order, WORDS("-np", "2", "a"),
                BARE " --order-wanted --replay=/r --divergence-fatal");
    order.stop_at = "2.1:17";
    check_order(order, WORDS("-np", "2", "a"),
                BARE " --order-wanted --replay=/r --divergence-fatal --stop-at=2.1:17");
    order.stop_at = NULL;
    order.record = "/s t";
    check_order(order, WORDS("-np", "2", "x/a", "b"),
                BARE " '--record=/s t' --program=a --order-wanted --replay=/r --divergence-fatal");
}

static void relative_paths_of_orders_become_absolute(void **state)
{
    struct ork_options order = options;
    char folder[2000], expected[9000];

    (void)state;
    assert_non_null(getcwd(folder, sizeof(folder)));
    order.output_dir = ".";
    snprintf(expected, sizeof(expected), BARE " --record=%s/MUST_Order --program=a", folder);
    check_order(order, WORDS("a"), expected);
    order.replay = "r/s";
    order.record = "././t";
    snprintf(expected, sizeof(expected),
             BARE " --record=%s/t --program=a --order-wanted --replay=%s/r/s", folder, folder);
    check_order(order, WORDS("a"), expected);
}

/* ---- the tree ---- */

static struct ork_commands build_tree(char *const *words, char *const *environment, unsigned fanin,
                                      unsigned leaf_ranks)
{
    struct ork_options tree = options;
    struct ork_argv list = list_of(words);
    struct ork_commands commands;

    tree.fanin = fanin;
    tree.leaf_ranks = leaf_ranks;
    assert_int_equal(ork_commands_init(&commands, &tree, &list, &paths, &session, environment),
                     ORK_OK);
    ork_argv_release(&list);
    return commands;
}

static void check_shape(char *const *words, unsigned fanin, unsigned leaf_ranks,
                        const struct ork_shape *expected)
{
    char *const nothing[] = {NULL};
    struct ork_commands commands = build_tree(words, nothing, fanin, leaf_ranks);

    assert_int_equal(commands.shape.nodes, expected->nodes);
    assert_int_equal(commands.shape.leaves, expected->leaves);
    assert_int_equal(commands.shape.processes, expected->processes);
    assert_int_equal(commands.shape.layers, expected->layers);
    assert_int_equal(commands.shape.is_here, expected->is_here);
    ork_commands_release(&commands);
}

static void the_tree_follows_from_ranks_and_nodes(void **state)
{
    (void)state;
    check_shape(WORDS("-np", "16", "a"), 16, 0, &(struct ork_shape){1, 1, 1, 1, true});
    check_shape(WORDS("-np", "17", "a"), 16, 0, &(struct ork_shape){1, 2, 2, 2, true});
    check_shape(WORDS("-np", "17", "a"), 16, 1, &(struct ork_shape){1, 17, 17, 2, true});
    check_shape(WORDS("-np", "18", "a"), 16, 1, &(struct ork_shape){1, 18, 18, 3, true});
    check_shape(WORDS("-np", "7", "a"), 2, 0, &(struct ork_shape){1, 4, 4, 3, true});
    check_shape(WORDS("-np", "100", "a"), 2, 1000, &(struct ork_shape){1, 1, 1, 1, true});
    check_shape(WORDS("-H", "a,b,c", "-np", "100", "a"), 16, 0,
                &(struct ork_shape){3, 3, 9, 2, false});
    check_shape(WORDS("-np", "3", "a", ":", "-np", "4", "b"), 2, 3,
                &(struct ork_shape){1, 3, 3, 2, true});
}

static void ranks_are_told_how_many_leaves_their_node_has(void **state)
{
    char *const environment[] = {"OMPI_MCA_mca_base_env_list=B", "ORKNOT_LEAVES=9", NULL};
    char *const nothing[] = {NULL};
    struct ork_commands commands =
        build_tree(WORDS("-np", "5", "a", ":", "b"), nothing, 16, 1000000);

    (void)state;
    check_line(&commands.application.argv, "mpirun -np 5 " X " a : " X " b"); /* one is usual */
    ork_commands_release(&commands);
    commands = build_tree(WORDS("-np", "5", "a", ":", "-np", "2", "b"), nothing, 2, 0);
    check_line(&commands.application.argv,
               "mpirun -np 5 " X " -x ORKNOT_LEAVES=4 a : -np 2 " X " -x ORKNOT_LEAVES=4 b");
    check_line(&commands.tool.argv,
               "/t/must-tool --processes=4 --fanin=2 --sends=strict --collectives=strict "
               "--probe=end --queue-limit=1048576" RECORD);
    ork_commands_release(&commands);
    commands = build_tree(WORDS("-np", "5", "a"), environment, 2, 0);
    check_line(&commands.application.argv, "mpirun -np 5 a");
    assert_string_equal(ork_env_get(commands.application.environment.item, ORK_ENV_LIST),
                        "B;LD_PRELOAD=/i.so;ORKNOT_SESSION;ORKNOT_TOKEN;ORKNOT_LEAVES=3");
    assert_null(ork_env_get(commands.application.environment.item, "ORKNOT_LEAVES"));
    ork_commands_release(&commands);
}

static void each_node_gets_its_leaves_by_the_launcher(void **state)
{
    char *const nothing[] = {NULL};
    struct ork_commands commands =
        build_tree(WORDS("--host", "n1:4,n2:4", "-np", "8", "a"), nothing, 16, 2);

    (void)state;
    check_line(&commands.tool.argv, "mpirun --host n1:4,n2:4 " TOOL_ON_NODES("2"));
    ork_commands_release(&commands);
}

static void the_report_names_the_programs_only(void **state)
{
    char *const nothing[] = {NULL};
    struct ork_commands commands =
        build(WORDS("-np", "1", "a", "x y", ":", "-np", "2", "b"), nothing);

    (void)state;
    check_line(&commands.program, "a 'x y' : b");
    ork_commands_release(&commands);
}

static void an_appfile_is_converted_line_by_line(void **state)
{
    struct ork_preload preload = {.interceptor = "/i.so", .extras = &extras};
    char path[] = "/tmp/mustrun-appfile-XXXXXX";
    char text[1024] = "";
    int file = mkstemp(path);
    static const char lines[] = "-np 1 a b # c\n\n# d\n\t-np 2  -x LD_PRELOAD=/u.so e";

    (void)state;
    assert_int_equal(write(file, lines, sizeof(lines) - 1), sizeof(lines) - 1);
    int fd = ork_preload_appfile(&preload, path, false);
    assert_true(fd >= 0);
    assert_true(pread(fd, text, sizeof(text) - 1, 0) > 0);
    assert_string_equal(text, "-np 1 " X " a b\n\n\n-np 2 "
                              "-x LD_PRELOAD=/i.so:/u.so -x ORKNOT_SESSION -x ORKNOT_TOKEN e\n");
    close(fd);
    close(file);
    unlink(path);
    assert_int_equal(ork_preload_appfile(&preload, path, false), -1);
}

static void sessions_differ(void **state)
{
    struct ork_session a;
    struct ork_session b;

    (void)state;
    assert_int_equal(ork_session_init(&a, 4194304), ORK_OK);
    assert_int_equal(ork_session_init(&b, 4194304), ORK_OK);
    assert_memory_equal(a.name, "4194304-", 8);
    assert_int_equal(strlen(a.name), 20);
    assert_string_not_equal(a.name, b.name);
    assert_string_not_equal(a.token, b.token);
    assert_int_equal(strspn(a.token, "0123456789abcdef"), 32);
    assert_int_equal(strlen(a.token), 32);
}

int test_command(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(a_program_ends_the_options),
        cmocka_unit_test(options_alone_are_no_program),
        cmocka_unit_test(every_context_exports_the_interceptor),
        cmocka_unit_test(the_users_preload_comes_behind_ours),
        cmocka_unit_test(a_list_on_the_command_line_is_extended),
        cmocka_unit_test(a_list_in_the_environment_is_extended),
        cmocka_unit_test(the_library_of_address_sanitizer_stays_first),
        cmocka_unit_test(a_sanitizer_behind_a_script_is_told_of_the_order),
        cmocka_unit_test(a_list_that_names_the_preload_takes_it_from_the_environment),
        cmocka_unit_test(ranks_are_told_to_poll_in_each_way),
        cmocka_unit_test(ranks_get_the_noise_and_a_hang_may_last_longer_by_a_delay),
        cmocka_unit_test(the_tool_knows_that_a_run_is_deterministic),
        cmocka_unit_test(the_tool_knows_which_comparisons_are_wanted),
        cmocka_unit_test(both_jobs_know_whether_to_fold),
        cmocka_unit_test(both_jobs_know_the_session_and_only_it_knows_the_token),
        cmocka_unit_test(hosts_and_launcher_count_for_the_tool_too),
        cmocka_unit_test(the_tools_options_follow_ours),
        cmocka_unit_test(a_replay_is_recorded_only_on_request),
        cmocka_unit_test(relative_paths_of_orders_become_absolute),
        cmocka_unit_test(the_tree_follows_from_ranks_and_nodes),
        cmocka_unit_test(ranks_are_told_how_many_leaves_their_node_has),
        cmocka_unit_test(each_node_gets_its_leaves_by_the_launcher),
        cmocka_unit_test(the_report_names_the_programs_only),
        cmocka_unit_test(an_appfile_is_converted_line_by_line),
        cmocka_unit_test(sessions_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
