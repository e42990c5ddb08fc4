/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/source_excerpt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct state {
    char folder[64];
    char path[128];
};

static int set_up(void **state)
{
    static struct state s;

    *state = &s;
    strcpy(s.folder, "/tmp/orknot-excerpt-XXXXXX");
    return mkdtemp(s.folder) == NULL;
}

static int tear_down(void **state)
{
    struct state *s = *state;

    unlink(s->path);
    return rmdir(s->folder);
}

static const char *path_of(struct state *s, const char *name)
{
    snprintf(s->path, sizeof(s->path), "%s/%s", s->folder, name);
    return s->path;
}

static const char *write_file(struct state *s, const char *name, const char *text)
{
    FILE *out = fopen(path_of(s, name), "we");

    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    return s->path;
}

static void lines_around_are_read(void **state)
{
    struct ork_source_excerpt e;
    const char *file = write_file(*state, "a.c", "one\r\n\ttwo  \n\nfour\nfive");

    assert_int_equal(ork_source_excerpt_read(file, 2, 4, &e), ORK_OK);
    assert_int_equal(e.first, 2);
    assert_int_equal(e.num_lines, 3);
    assert_string_equal(e.line[0], "\ttwo");
    assert_string_equal(e.line[1], "");
    assert_string_equal(e.line[2], "four");
    ork_source_excerpt_release(&e);
    assert_int_equal(ork_source_excerpt_read(file, 0, 1, &e), ORK_OK);
    assert_string_equal(e.line[0], "one");
    ork_source_excerpt_release(&e);
}

static void a_file_that_ends_early_gives_what_there_is(void **state)
{
    struct ork_source_excerpt e;
    const char *file = write_file(*state, "a.F90", "one\ntwo\n");

    assert_int_equal(ork_source_excerpt_read(file, 2, 9, &e), ORK_OK);
    assert_int_equal(e.num_lines, 1);
    ork_source_excerpt_release(&e);
    assert_int_equal(ork_source_excerpt_read(file, 3, 9, &e), ORK_NOTFOUND);
    assert_int_equal(ork_source_excerpt_read(file, 5, 4, &e), ORK_NOTFOUND);
}

static void long_lines_and_ranges_are_cut(void **state)
{
    struct ork_source_excerpt e;
    char text[4096];

    memset(text, 'x', 2000);
    for (unsigned i = 2000; i < sizeof(text) - 1; i++)
        text[i] = '\n';
    text[sizeof(text) - 1] = '\0';
    const char *file = write_file(*state, "a.cpp", text);
    assert_int_equal(ork_source_excerpt_read(file, 1, UINT32_MAX, &e), ORK_OK);
    assert_int_equal(e.num_lines, 200);
    assert_int_equal(strlen(e.line[0]), 240);
    ork_source_excerpt_release(&e);
}

static void only_regular_files_named_like_sources_are_read(void **state)
{
    struct state *s = *state;
    struct ork_source_excerpt e;

    assert_int_equal(ork_source_excerpt_read(NULL, 1, 2, &e), ORK_NOTFOUND);
    assert_int_equal(ork_source_excerpt_read("/etc/passwd", 1, 2, &e), ORK_NOTFOUND);
    assert_int_equal(ork_source_excerpt_read(path_of(s, "missing.c"), 1, 2, &e), ORK_NOTFOUND);
    assert_int_equal(mkdir(path_of(s, "folder.c"), 0700), 0);
    assert_int_equal(ork_source_excerpt_read(s->path, 1, 2, &e), ORK_NOTFOUND);
    assert_int_equal(rmdir(s->path), 0);
    assert_int_equal(mkfifo(path_of(s, "fifo.c"), 0600), 0);
    assert_int_equal(ork_source_excerpt_read(s->path, 1, 2, &e),
                     ORK_NOTFOUND); /* and it does not wait */
}

int test_source_excerpt(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_around_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_ends_early_gives_what_there_is, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(long_lines_and_ranges_are_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_regular_files_named_like_sources_are_read, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
