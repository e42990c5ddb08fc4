/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written over, followed and removed, and what is not. */
#include "common/output_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];
static int dir = -1;

static void put(const char *name, const char *text)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void expect(const char *name, const char *text)
{
    char found[100] = "";
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

    assert_true(fd >= 0 && read(fd, found, sizeof(found) - 1) >= 0);
    close(fd);
    assert_string_equal(found, text);
}

static bool is_there(const char *name)
{
    struct stat st;

    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A neighbour has made one of everything; `victim` is somebody's file, `home` somebody's folder. */
static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/orknot-unit-XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    put("victim", "MAGIC of the victim");
    put("ours", "MAGIC, earlier");
    put("other", "something else");
    mkdirat(dir, "home", 0777);
    put("home/letter", "dear");
    symlinkat("victim", dir, "link");
    symlinkat("nowhere", dir, "dangling");
    symlinkat("home", dir, "way");
    return mkfifoat(dir, "fifo", 0666);
}

static int tear_down(void **state)
{
    (void)state;
    ork_output_remove(AT_FDCWD, folder);
    close(dir);
    return chdir("/") == 0 && access(folder, F_OK) != 0 ? 0 : -1;
}

static void only_a_regular_file_with_the_right_beginning_is_ours(void **state)
{
    (void)state;
    assert_int_equal(ork_output_look(dir, "nothing", "MAGIC"), ORK_OUTPUT_NOTHING);
    assert_int_equal(ork_output_look(dir, "ours", "MAGIC"), ORK_OUTPUT_OURS);
    assert_int_equal(ork_output_look(dir, "other", NULL), ORK_OUTPUT_OURS);
    assert_int_equal(ork_output_look(dir, "other", "MAGIC"), ORK_OUTPUT_OTHER);
    assert_int_equal(ork_output_look(dir, "link", "MAGIC"), ORK_OUTPUT_LINK);
    assert_int_equal(ork_output_look(dir, "dangling", NULL), ORK_OUTPUT_LINK);
    assert_int_equal(ork_output_look(dir, "home", NULL), ORK_OUTPUT_FOLDER);
    assert_int_equal(ork_output_look(dir, "fifo", NULL), ORK_OUTPUT_DEVICE);
}

static void a_file_is_a_new_one(void **state)
{
    static const char *const bad[] = {"other", "link", "dangling", "home", "fifo"};
    int fd;

    (void)state;
    assert_int_equal(linkat(dir, "ours", dir, "second name", 0), 0);
    assert_int_equal(ork_output_create(dir, "ours", "MAGIC", &fd), ORK_OK);
    assert_int_equal(write(fd, "new", 3), 3);
    close(fd);
    expect("ours", "new");
    expect("second name", "MAGIC, earlier"); /* it may be another user's */
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_int_equal(ork_output_create(dir, bad[i], "MAGIC", &fd), ORK_EXISTS);
        assert_int_equal(ork_output_new(dir, bad[i]), -1);
    }
    expect("victim", "MAGIC of the victim");
    expect("other", "something else");
    assert_false(is_there("nowhere"));
}

static void what_cannot_be_written_has_a_reason(void **state)
{
    const char *why;

    (void)state;
    assert_int_equal(ork_output_check("nothing", "MAGIC", &why), ORK_OK);
    assert_int_equal(ork_output_check("ours", "MAGIC", &why), ORK_OK);
    assert_int_equal(ork_output_check("other", "MAGIC", &why), ORK_EXISTS);
    assert_null(why);
    assert_int_equal(ork_output_check("link", "MAGIC", &why), ORK_EXISTS);
    assert_string_equal(why, "it is a symbolic link");
    assert_int_equal(ork_output_check("fifo", "MAGIC", &why), ORK_EXISTS);
    assert_string_equal(why, "it is no regular file");
    assert_int_equal(ork_output_check("home", "MAGIC", &why), ORK_IO);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(ork_output_check("no/such", "MAGIC", &why), ORK_IO);
    assert_int_equal(errno, ENOENT);
}

static void lines_are_added_to_a_regular_file_only(void **state)
{
    static const char *const bad[] = {"link", "dangling", "fifo"};
    const char *why;
    FILE *out;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ork_output_append("lines", &out, &why), ORK_OK);
        fputs("line ", out);
        fclose(out);
    }
    expect("lines", "line line ");
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_int_equal(ork_output_append(bad[i], &out, &why), ORK_EXISTS);
        assert_non_null(why);
    }
    assert_int_equal(ork_output_append("home", &out, &why), ORK_IO);
    expect("victim", "MAGIC of the victim");
}

static void a_folder_is_made_or_is_one_of_this_user(void **state)
{
    static const char *const bad[] = {"way", "victim", "dangling", "fifo"};
    const char *why;
    int fd;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ork_output_folder(dir, "work", &fd, &why), ORK_OK);
        close(fd);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_int_equal(ork_output_folder(dir, bad[i], &fd, &why), ORK_EXISTS);
        assert_non_null(why);
        assert_int_equal(fd, -1);
    }
    assert_int_equal(ork_output_folder(dir, "no/such", &fd, &why), ORK_IO);
}

static void a_link_is_removed_and_not_what_it_leads_to(void **state)
{
    (void)state;
    assert_int_equal(mkdirat(dir, "work", 0777), 0);
    assert_int_equal(mkdirat(dir, "work/deep", 0777), 0);
    put("work/deep/file", "x");
    assert_int_equal(symlinkat("../../home", dir, "work/deep/out"), 0);
    ork_output_remove(dir, "work");
    assert_false(is_there("work"));
    ork_output_remove(dir, "way");
    assert_false(is_there("way"));
    ork_output_remove(dir, "nothing");
    expect("home/letter", "dear");
}

static void what_is_of_another_user_stays(void **state)
{
    const char *why;
    int fd;

    (void)state;
    if (geteuid() != 0)
        skip(); /* only root can be two users */
    assert_int_equal(fchmod(dir, 01777), 0);
    assert_int_equal(seteuid(65534), 0);
    enum ork_output_found file = ork_output_look(dir, "ours", "MAGIC");
    enum ork_status created = ork_output_create(dir, "ours", "MAGIC", &fd);
    enum ork_status opened = ork_output_folder(dir, "home", &fd, &why);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(file, ORK_OUTPUT_USER);
    assert_int_equal(created, ORK_EXISTS);
    assert_int_equal(opened, ORK_EXISTS);
    assert_string_equal(why, "it belongs to another user");
    expect("ours", "MAGIC, earlier");
    assert_int_equal(chown("home", 65534, 65534), 0); /* root does not use it, either */
    assert_int_equal(ork_output_folder(dir, "home", &fd, &why), ORK_EXISTS);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int test_output_file(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_a_regular_file_with_the_right_beginning_is_ours),
        IN_FOLDER(a_file_is_a_new_one),
        IN_FOLDER(what_cannot_be_written_has_a_reason),
        IN_FOLDER(lines_are_added_to_a_regular_file_only),
        IN_FOLDER(a_folder_is_made_or_is_one_of_this_user),
        IN_FOLDER(a_link_is_removed_and_not_what_it_leads_to),
        IN_FOLDER(what_is_of_another_user_stays),
    };

    return cmocka_run_group_tests_name("output_file", tests, NULL, NULL);
}
