/* SPDX-License-Identifier: BSD-3-Clause */
/* What is removed of an mpirun that crashed, and what is not. */
#include "mustrun/launcher/mpirun/leftovers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MPIRUN = 4000001 }; /* no process has such a number */

static char folder[] = "/tmp/orknot-unit-XXXXXX";
static char host[64]; /* of the session folder */
static char segment[128];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void path_of(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/ompi.%s.%lu/%s", folder, host, (unsigned long)geteuid(), name);
}

static bool is_there(const char *name)
{
    char path[256];

    path_of(path, sizeof(path), name);
    return access(path, F_OK) == 0;
}

/* A session folder whose contact.txt names this mpirun, with a job that no living one has. */
static int make_session(void **state)
{
    char path[256], text[128];

    (void)state;
    snprintf(folder, sizeof(folder), "/tmp/orknot-unit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    unsetenv("OMPI_MCA_orte_tmpdir_base");
    snprintf(host, sizeof(host), "test%ld", (long)getpid());
    path_of(path, sizeof(path), "");
    mkdir(path, 0700);
    path_of(path, sizeof(path), "pid.4000001");
    mkdir(path, 0700);
    path_of(path, sizeof(path), "pid.4000001/0");
    mkdir(path, 0700);
    path_of(path, sizeof(path), "pid.4000001/0/smseg");
    write_file(path, "x");
    path_of(path, sizeof(path), "pid.4000001/contact.txt");
    snprintf(text, sizeof(text), "4294836224.0;tcp://192.0.2.2:1\n%d\n", MPIRUN);
    write_file(path, text);
    snprintf(segment, sizeof(segment), "/dev/shm/vader_segment.%s.%lu.fffe0001.1", host,
             (unsigned long)geteuid());
    write_file(segment, "x");
    return 0;
}

static int remove_all(void **state)
{
    char command[128];

    (void)state;
    unlink(segment);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command);
}

static void the_session_of_an_mpirun_that_crashed_is_removed(void **state)
{
    (void)state;
    ork_leftovers_remove(&(struct ork_leftovers){.family = 0}, MPIRUN);
    assert_false(is_there("pid.4000001"));
    assert_false(is_there(""));
    assert_int_not_equal(access(segment, F_OK), 0);
}

static void another_run_keeps_the_folder_that_it_shares(void **state)
{
    char path[256];

    (void)state;
    path_of(path, sizeof(path), "pid.4000002");
    mkdir(path, 0700);
    ork_leftovers_remove(&(struct ork_leftovers){.family = 0}, MPIRUN);
    assert_false(is_there("pid.4000001"));
    assert_true(is_there("pid.4000002"));
}

static void a_folder_that_names_another_mpirun_stays(void **state)
{
    char path[256];

    (void)state;
    path_of(path, sizeof(path), "pid.4000001/contact.txt");
    write_file(path, "4294836224.0;tcp://192.0.2.2:1\n17\n");
    ork_leftovers_remove(&(struct ork_leftovers){.family = 0}, MPIRUN);
    assert_true(is_there("pid.4000001/0/smseg"));
    assert_int_equal(access(segment, F_OK), 0);
}

static void shared_memory_is_removed_if_the_folder_has_gone(void **state)
{
    struct ork_leftovers l = {.family = 0};
    char path[256];

    (void)state;
    ork_leftovers_learn(&l, MPIRUN);
    assert_true(is_there("pid.4000001/0/smseg"));
    path_of(path, sizeof(path), "pid.4000001/contact.txt");
    unlink(path);
    ork_leftovers_remove(&l, MPIRUN);
    assert_int_not_equal(access(segment, F_OK), 0);
}

static void an_mpirun_that_was_never_started_left_nothing(void **state)
{
    (void)state;
    ork_leftovers_remove(&(struct ork_leftovers){.family = 0}, 0);
    assert_true(is_there("pid.4000001/0/smseg"));
}

static bool exists(const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Open MPI 5's mpirun has a folder of its own, below one of all users. */
static void the_session_of_a_prterun_is_its_folder(void **state)
{
    static const char *const names[] = {"ompi.4000001", "ompi.4000001/jobs", "ompi.4000002",
                                        "ompi.host.4000001"};
    char path[256];

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    ork_leftovers_remove5(&(struct ork_leftovers){.family = 0}, 0);
    assert_true(exists("ompi.4000001"));
    ork_leftovers_remove5(&(struct ork_leftovers){.family = 0}, MPIRUN);
    assert_false(exists("ompi.4000001"));
    assert_true(exists("ompi.4000002"));
    assert_true(exists("ompi.host.4000001"));
    assert_true(is_there("pid.4000001/0/smseg"));
}

static void what_is_no_folder_of_a_prterun_stays(void **state)
{
    char path[256], other[256];

    (void)state;
    snprintf(path, sizeof(path), "%s/ompi.4000001", folder);
    snprintf(other, sizeof(other), "%s/other", folder);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(symlink(other, path), 0);
    ork_leftovers_remove5(&(struct ork_leftovers){.family = 0}, MPIRUN);
    assert_true(exists("other"));
    assert_true(exists("ompi.4000001"));
}

int test_leftovers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_session_of_a_prterun_is_its_folder, make_session,
                                        remove_all),
        cmocka_unit_test_setup_teardown(what_is_no_folder_of_a_prterun_stays, make_session,
                                        remove_all),
        cmocka_unit_test_setup_teardown(the_session_of_an_mpirun_that_crashed_is_removed,
                                        make_session, remove_all),
        cmocka_unit_test_setup_teardown(another_run_keeps_the_folder_that_it_shares, make_session,
                                        remove_all),
        cmocka_unit_test_setup_teardown(a_folder_that_names_another_mpirun_stays, make_session,
                                        remove_all),
        cmocka_unit_test_setup_teardown(shared_memory_is_removed_if_the_folder_has_gone,
                                        make_session, remove_all),
        cmocka_unit_test_setup_teardown(an_mpirun_that_was_never_started_left_nothing, make_session,
                                        remove_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
