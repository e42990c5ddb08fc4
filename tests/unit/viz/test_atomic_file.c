/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/folder.h"
#include "tests/unit/report/sample.h"

#include "viz/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#define OLD "// orknot\nold"
#define NEW "// orknot\nnew"

static void a_file_is_made_and_replaced(void **state)
{
    const struct folder *folder = *state;

    assert_int_equal(ork_atomic_file_put(folder->fd, "a.dot", ORK_FILE_DOT, OLD), ORK_OK);
    folder_expect(folder, "a.dot", OLD);
    assert_int_equal(ork_atomic_file_put(folder->fd, "a.dot", ORK_FILE_DOT, NEW), ORK_OK);
    folder_expect(folder, "a.dot", NEW);
    assert_int_equal(folder_entries(folder, "."), 1);
}

static void a_file_of_somebody_else_stays(void **state)
{
    const struct folder *folder = *state;

    folder_put(folder, "a.dot", "digraph mine {}");
    assert_int_equal(ork_atomic_file_put(folder->fd, "a.dot", ORK_FILE_DOT, NEW), ORK_EXISTS);
    folder_expect(folder, "a.dot", "digraph mine {}");
    assert_int_equal(folder_entries(folder, "."), 1);
}

static void a_link_is_not_followed(void **state)
{
    const struct folder *folder = *state;

    folder_put(folder, "victim", OLD);
    assert_int_equal(symlinkat("victim", folder->fd, "a.dot"), 0);
    assert_int_equal(ork_atomic_file_put(folder->fd, "a.dot", ORK_FILE_DOT, NEW), ORK_EXISTS);
    folder_expect(folder, "victim", OLD);
}

static void the_directory_is_made_once(void **state)
{
    const struct folder *folder = *state;
    int fd;

    assert_int_equal(ork_atomic_directory_open(folder->fd, "dir", &fd), ORK_OK);
    close(fd);
    assert_int_equal(ork_atomic_directory_open(folder->fd, "dir", &fd), ORK_OK);
    close(fd);
    assert_true(folder_has(folder, "dir/.orknot"));
    assert_int_equal(mkdirat(folder->fd, "mine", 0700), 0);
    assert_int_equal(ork_atomic_directory_open(folder->fd, "mine", &fd), ORK_EXISTS);
    assert_int_equal(folder_entries(folder, "mine"), 0);
}

static void only_stale_graphs_of_ours_are_cleared(void **state)
{
    const struct folder *folder = *state;
    char kept[] = "deadlock-1.dot";
    char *keep[] = {kept};

    folder_put(folder, "deadlock-1.dot", OLD);
    folder_put(folder, "deadlock-2.dot", OLD);
    folder_put(folder, "deadlock-3.dot", "digraph mine {}");
    folder_put(folder, "notes.txt", "mine");
    assert_int_equal(ork_atomic_directory_clear(folder->fd, keep, 1), ORK_OK);
    assert_true(folder_has(folder, "deadlock-1.dot"));
    assert_false(folder_has(folder, "deadlock-2.dot"));
    assert_true(folder_has(folder, "deadlock-3.dot"));
    assert_true(folder_has(folder, "notes.txt"));
}

static void the_directory_goes_unless_something_is_left(void **state)
{
    const struct folder *folder = *state;
    int fd;

    assert_int_equal(ork_atomic_directory_open(folder->fd, "dir", &fd), ORK_OK);
    close(fd);
    folder_put(folder, "dir/deadlock-1.dot", OLD);
    folder_put(folder, "dir/notes.txt", "mine");
    assert_int_equal(ork_atomic_directory_remove(folder->fd, "dir"), ORK_OK);
    assert_true(folder_has(folder, "dir/notes.txt"));
    assert_true(folder_has(folder, "dir/.orknot"));
    assert_false(folder_has(folder, "dir/deadlock-1.dot"));
    assert_int_equal(unlinkat(folder->fd, "dir/notes.txt", 0), 0);
    assert_int_equal(ork_atomic_directory_remove(folder->fd, "dir"), ORK_OK);
    assert_false(folder_has(folder, "dir"));
    assert_int_equal(ork_atomic_directory_remove(folder->fd, "dir"), ORK_OK);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int test_atomic_file(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_is_made_and_replaced),
        IN_FOLDER(a_file_of_somebody_else_stays),
        IN_FOLDER(a_link_is_not_followed),
        IN_FOLDER(the_directory_is_made_once),
        IN_FOLDER(only_stale_graphs_of_ours_are_cleared),
        IN_FOLDER(the_directory_goes_unless_something_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
