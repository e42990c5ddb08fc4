/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/folder.h"
#include "tests/unit/report/sample.h"

#include "common/text.h"
#include "viz/source_root.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(const char *root, const char *path, const char *wanted)
{
    char *out = ork_source_path(root, path);

    assert_string_equal(out, wanted);
    free(out);
}

static void a_path_below_the_root_is_relative(void **state)
{
    (void)state;
    check("/home/ada", "/home/ada/src/a.c", "src/a.c");
    check("/home/ada", "/home/ada/build/../src/./a.c", "src/a.c");
    check("/home/ada", "/home/ada//a.c", "a.c");
    check("/", "/home/a.c", "home/a.c");
}

static void a_path_outside_of_the_root_stays(void **state)
{
    (void)state;
    check("/home/ada", "/home/adam/a.c", "/home/adam/a.c");
    check("/home/ada", "/home/ada/../eve/a.c", "/home/eve/a.c");
    check("/home/ada", "/../../a.c", "/a.c");
    check(NULL, "/home/ada/./a.c", "/home/ada/a.c");
}

static void a_relative_path_is_made_simple(void **state)
{
    (void)state;
    check("/home/ada", "a.c", "a.c");
    check("/home/ada", "./src/../a.c", "a.c");
    check("/home/ada", "../../src/x/../a.c", "../../src/a.c");
    check("/home/ada", "a/../../b.c", "../b.c");
}

static void links_are_followed_if_the_name_is_not_below(void **state)
{
    const struct folder *folder = *state;
    char here[PATH_MAX];

    folder_put(folder, "a.c", "");
    assert_int_equal(mkdirat(folder->fd, "real", 0700), 0);
    assert_int_equal(symlinkat("real", folder->fd, "link"), 0);
    assert_int_equal(fchdir(folder->fd), 0);
    assert_non_null(getcwd(here, sizeof(here)));
    char *root = ork_text("%s/real", here), *path = ork_text("%s/link/b.c", here);
    FILE *file = fopen("real/b.c", "w");
    assert_non_null(file);
    fclose(file);
    check(root, path, "b.c");
    free(root);
    free(path);
}

static void the_root_is_the_repository(void **state)
{
    const struct folder *folder = *state;
    char here[PATH_MAX];

    assert_int_equal(fchdir(folder->fd), 0);
    assert_non_null(getcwd(here, sizeof(here)));
    assert_int_equal(mkdir(".git", 0700), 0);
    assert_int_equal(mkdir("src", 0700), 0);
    assert_int_equal(chdir("src"), 0);
    char *root = ork_source_root_find(NULL);
    assert_string_equal(root, here);
    free(root);
    root = ork_source_root_find("..");
    assert_string_equal(root, here);
    free(root);
    assert_null(ork_source_root_find("nowhere"));
}

int test_source_root(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_below_the_root_is_relative),
        cmocka_unit_test(a_path_outside_of_the_root_stays),
        cmocka_unit_test(a_relative_path_is_made_simple),
        cmocka_unit_test_setup_teardown(links_are_followed_if_the_name_is_not_below, folder_make,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(the_root_is_the_repository, folder_make, folder_remove),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
