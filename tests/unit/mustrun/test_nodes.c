/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/nodes.h"

#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *const nothing[] = {NULL};

static struct ork_nodes look(char *const *words, char *const *environment, const char *np)
{
    struct ork_argv list = {0};

    while (*words != NULL)
        ork_argv_add(&list, *words++);
    assert_false(list.failed);
    struct ork_nodes nodes = ork_nodes_of(&list, np, environment);
    ork_argv_release(&list);
    return nodes;
}

static void check_in(char *const *words, char *const *environment, unsigned count, unsigned ranks)
{
    struct ork_nodes nodes = look(words, environment, "-np");

    assert_int_equal(nodes.count, count);
    assert_int_equal(nodes.ranks, ranks);
}

static void check(char *const *words, unsigned count, unsigned ranks)
{
    check_in(words, nothing, count, ranks);
}

/* ---- ranks ---- */

static void ranks_are_said_in_each_way(void **state)
{
    (void)state;
    check(WORDS("-np", "4", "a"), 1, 4);
    check(WORDS("--np", "4", "a"), 1, 4);
    check(WORDS("-n", "4", "a", "-n", "9"), 1, 4); /* the program's own */
    check(WORDS("-c", "4", "--mca", "np", "7", "a"), 1, 4);
    check(WORDS("-x", "-np", "-np", "3", "a"), 1, 3); /* the argument of another option */
}

static void contexts_add_up(void **state)
{
    (void)state;
    check(WORDS("-np", "1", "a", ":", "-np", "20", "b", "-np", "5", ":", "-n", "3", "c"), 1, 24);
}

static void another_launcher_has_its_own_word(void **state)
{
    struct ork_nodes nodes = look(WORDS("--tasks", "6", "a"), nothing, "--tasks");

    (void)state;
    assert_int_equal(nodes.ranks, 6);
}

static void ranks_that_are_not_said_are_as_many_as_processors(void **state)
{
    unsigned processors = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

    (void)state;
    check(WORDS("a"), 1, processors);
    check(WORDS("-np", "4", "a", ":", "b"), 1, processors); /* one of two says nothing */
    check(WORDS("-np", "many", "a"), 1, processors);
    check(WORDS("-np", "0", "a"), 1, processors);
    check(WORDS("-np"), 1, processors);
    check(WORDS("-np", "99999999999", "a"), 1, processors);
    check(WORDS("-H", "a,b,c", "a"), 3, 3 * processors);
}

/* ---- hosts ---- */

static void each_host_counts_once(void **state)
{
    (void)state;
    check(WORDS("-H", "n1,n2", "-np", "4", "a"), 2, 4);
    check(WORDS("--host", "n1:4,n2:2,n1", "-np", "4", "a"), 2, 4);
    check(WORDS("-host", "n1,n1,n1", "-np", "4", "a"), 1, 4);
    check(WORDS("-H", "n,n1,n12", "-np", "4", "a"), 3, 4); /* none is the other's beginning */
    check(WORDS("-H", "n1", "-np", "1", "a", ":", "-H", "n2,n1", "-np", "1", "b"), 2, 2);
    check(WORDS("-H", ",,n1,,", "-np", "4", "a"), 1, 4);
    check(WORDS("-H", "", "-np", "4", "a"), 1, 4);
    check(WORDS("-np", "4", "a", "-H", "n1,n2"), 1, 4); /* the program's own */
}

/* A file of this content. */
static void write_file(char path[32], const char *content)
{
    strcpy(path, "/tmp/orknot-unit-XXXXXX");
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, strlen(content)), strlen(content));
    close(fd);
}

static void a_hostfile_has_a_line_for_each(void **state)
{
    static const char *const options[] = {"-hostfile", "--hostfile", "--machinefile",
                                          "-default-hostfile"};
    char path[32];

    (void)state;
    write_file(path, "# nodes of today\n\nn1 slots=4\n  n2\tmax_slots=3\nn3#here\r\nn2\nn4");
    for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
        check(WORDS((char *)(uintptr_t)options[i], path, "-np", "2", "a"), 4, 2);
    unlink(path);
    check(WORDS("--hostfile", path, "-np", "2", "a"), 1, 2); /* mpirun says so */
}

static void what_the_batch_system_gave_counts_if_nothing_is_said(void **state)
{
    static const char *const names[] = {"PBS_NODEFILE", "LSB_DJOB_HOSTFILE", "PE_HOSTFILE"};
    char path[32];

    (void)state;
    check_in(WORDS("-np", "9", "a"), WORDS("SLURM_JOB_NUM_NODES=3"), 3, 9);
    check_in(WORDS("-H", "n1", "-np", "9", "a"), WORDS("SLURM_JOB_NUM_NODES=3"), 1, 9);
    check_in(WORDS("-np", "9", "a"), WORDS("SLURM_JOB_NUM_NODES=x"), 1, 9);
    write_file(path, "n1\nn1\nn2 4 all.q\n");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char entry[64];
        snprintf(entry, sizeof(entry), "%s=%s", names[i], path);
        check_in(WORDS("-np", "9", "a"), WORDS(entry), 2, 9);
    }
    unlink(path);
}

static void the_hostfile_of_the_parameters_counts_last(void **state)
{
    char path[32];
    char entry[64];

    (void)state;
    write_file(path, "n1 slots=2\nn2\nn3\n");
    snprintf(entry, sizeof(entry), "OMPI_MCA_orte_default_hostfile=%s", path);
    check_in(WORDS("-np", "9", "a"), WORDS(entry), 3, 9);
    check_in(WORDS("-H", "n1", "-np", "9", "a"), WORDS(entry), 1, 9);
    check_in(WORDS("-np", "9", "a"), WORDS(entry, "SLURM_JOB_NUM_NODES=2"), 2, 9);
    check(WORDS("--mca", "orte_default_hostfile", path, "-np", "9", "a"), 3, 9);
    check_in(WORDS("--mca", "orte_default_hostfile", "/nowhere", "-np", "9", "a"), WORDS(entry), 1,
             9);
    unlink(path);
    check_in(WORDS("-np", "9", "a"), WORDS(entry), 1, 9);
}

static void a_command_without_words_is_one_node(void **state)
{
    (void)state;
    struct ork_nodes nodes = look(nothing, nothing, "-np");
    assert_int_equal(nodes.count, 1);
    assert_true(nodes.ranks > 0);
}

int test_nodes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_said_in_each_way),
        cmocka_unit_test(contexts_add_up),
        cmocka_unit_test(another_launcher_has_its_own_word),
        cmocka_unit_test(ranks_that_are_not_said_are_as_many_as_processors),
        cmocka_unit_test(each_host_counts_once),
        cmocka_unit_test(a_hostfile_has_a_line_for_each),
        cmocka_unit_test(what_the_batch_system_gave_counts_if_nothing_is_said),
        cmocka_unit_test(the_hostfile_of_the_parameters_counts_last),
        cmocka_unit_test(a_command_without_words_is_one_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
