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
    struct ork_nodes nodes = ork_nodes_of(&list, &(struct ork_extras){.np = np}, environment);
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

/* The text with this machine's own name for each NAME; valid until the next call. */
static char *put_name(const char *text, const char *own)
{
    static char out[600];

    out[0] = '\0';
    for (const char *name; (name = strstr(text, "NAME")) != NULL; text = name + 4) {
        strncat(out, text, (size_t)(name - text));
        strcat(out, own);
    }
    return strcat(out, text);
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

static void one_node_may_be_this_one(void **state)
{
    static char *const is_here[] = {"localhost", "localhost:4", "127.0.0.1",
                                    "NAME",      "NAME:3",      "NAME,NAME"};
    static char *const is_not[] = {"n1", "NAMEx", "NAME,n1", "localhost,n1", "xNAME", ".NAME"};
    char own[256] = "";
    char path[32], pbs[64];

    (void)state;
    assert_int_equal(gethostname(own, sizeof(own) - 1), 0);
    own[strcspn(own, ".")] = '\0';
    assert_true(look(WORDS("-np", "2", "a"), nothing, "-np").is_here);
    for (size_t i = 0; i < sizeof(is_here) / sizeof(*is_here); i++)
        assert_true(look(WORDS("-H", put_name(is_here[i], own), "a"), nothing, "-np").is_here);
    for (size_t i = 0; i < sizeof(is_not) / sizeof(*is_not); i++)
        assert_false(look(WORDS("-H", put_name(is_not[i], own), "a"), nothing, "-np").is_here);
    write_file(path, put_name("NAME slots=2\nNAME slots=3\n", own));
    snprintf(pbs, sizeof(pbs), "PBS_NODEFILE=%s", path);
    assert_true(look(WORDS("--hostfile", path, "a"), nothing, "-np").is_here);
    assert_true(look(WORDS("a"), WORDS(pbs), "-np").is_here);
    unlink(path);
}

static void an_allocation_of_one_node_is_here_if_slurm_names_it_twice(void **state)
{
    (void)state;
    assert_true(look(WORDS("a"),
                     WORDS("SLURM_JOB_NUM_NODES=1", "SLURM_JOB_NODELIST=n4", "SLURMD_NODENAME=n4"),
                     "-np")
                    .is_here);
    assert_false(look(WORDS("a"),
                      WORDS("SLURM_JOB_NUM_NODES=1", "SLURM_JOB_NODELIST=n4", "SLURMD_NODENAME=n5"),
                      "-np")
                     .is_here);
    assert_false(look(WORDS("a"), WORDS("SLURM_JOB_NUM_NODES=1", "SLURM_JOB_NODELIST=n4"), "-np")
                     .is_here); /* the shell of salloc on a login node */
    assert_false(
        look(WORDS("a"),
             WORDS("SLURM_JOB_NUM_NODES=2", "SLURM_JOB_NODELIST=n[4-5]", "SLURMD_NODENAME=n4"),
             "-np")
            .is_here);
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
        cmocka_unit_test(one_node_may_be_this_one),
        cmocka_unit_test(an_allocation_of_one_node_is_here_if_slurm_names_it_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
