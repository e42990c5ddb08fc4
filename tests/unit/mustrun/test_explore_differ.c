/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the results of two runs differ. */
#include "mustrun/explore/differ.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

/* The folder of a run: what its ranks 0 and 1 print (NULL: there is no file), and its file. */
static char *run_of(const char *name, const char *rank0, const char *rank1, const char *compared)
{
    static const char *const path[] = {"output/1/rank.0/stdout", "output/1/rank.1/stdout",
                                       "compared"};
    static const char *const below[] = {"", "/output", "/output/1", "/output/1/rank.0",
                                        "/output/1/rank.1"};
    const char *text[] = {rank0, rank1, compared};
    char file[200];

    for (size_t i = 0; i < sizeof(below) / sizeof(*below); i++) {
        snprintf(file, sizeof(file), "%s/%s%s", folder, name, below[i]);
        assert_int_equal(mkdir(file, 0700), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof(file), "%s/%s/%s", folder, name, path[i]);
        FILE *out = text[i] != NULL ? fopen(file, "w") : NULL;
        if (out == NULL)
            continue;
        fputs(text[i], out);
        fclose(out);
    }
    snprintf(file, sizeof(file), "%s/%s", folder, name);
    return strdup(file);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/orknot-differ-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof(command), "rm -r %s", folder);
    return system(command);
}

static struct ork_differences differences(const struct ork_output_rules *rules, char *first,
                                          char *other)
{
    struct ork_differences d;

    assert_int_equal(ork_differences_find(rules, first, other, &d), ORK_OK);
    free(first);
    free(other);
    return d;
}

static void the_first_line_of_each_rank_is_named(void **state)
{
    struct ork_output_rules rules;
    char error[ORK_OUTPUT_ERROR];

    (void)state;
    assert_int_equal(ork_output_rules_init(&rules, "^time", NULL, error), ORK_OK);
    struct ork_differences d =
        differences(&rules, run_of("a", "one\ntime 1\ntwo\nthree\n", "x\n", NULL),
                    run_of("b", "one\ntime 2\nTWO\nTHREE\n", "x\ny\n", NULL));
    assert_int_equal(d.count, 2);
    assert_string_equal(d.item[0], "rank 0, line 3: \"TWO\" instead of \"two\"");
    assert_string_equal(d.item[1], "rank 1, line 2: \"y\" instead of no line");
    ork_differences_release(&d);
    ork_output_rules_release(&rules);
}

static void a_rank_without_output_has_no_lines(void **state)
{
    const struct ork_output_rules rules = {.ignores = false};

    (void)state;
    struct ork_differences d =
        differences(&rules, run_of("a", "one\n", NULL, NULL), run_of("b", NULL, "two\n", NULL));
    assert_int_equal(d.count, 2);
    assert_string_equal(d.item[0], "rank 0, line 1: no line instead of \"one\"");
    assert_string_equal(d.item[1], "rank 1, line 1: \"two\" instead of no line");
    ork_differences_release(&d);
}

static void the_compared_file_counts_only_if_the_user_named_it(void **state)
{
    const struct ork_output_rules none = {.ignores = false}, with = {.compare = "result"};
    struct ork_differences d;

    (void)state;
    char *a = run_of("a", "x", "y", "sum 1\n"), *b = run_of("b", "x", "y", "sum 2\n");
    assert_int_equal(ork_differences_find(&none, a, b, &d), ORK_OK);
    assert_int_equal(d.count, 0);
    ork_differences_release(&d);
    d = differences(&with, a, b);
    assert_int_equal(d.count, 1);
    assert_string_equal(d.item[0], "the file of --must:compare, line 1: \"sum 2\" instead of "
                                   "\"sum 1\"");
    ork_differences_release(&d);
}

static void a_long_line_is_cut(void **state)
{
    const struct ork_output_rules none = {.ignores = false};
    char line[1000];

    (void)state;
    memset(line, 'x', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    struct ork_differences d =
        differences(&none, run_of("a", "", NULL, NULL), run_of("b", line, NULL, NULL));
    assert_int_equal(d.count, 1);
    assert_true(strlen(d.item[0]) < 200);
    assert_non_null(strstr(d.item[0], "xxx...\" instead of no line"));
    ork_differences_release(&d);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int test_explore_differ(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_first_line_of_each_rank_is_named),
        IN_FOLDER(a_rank_without_output_has_no_lines),
        IN_FOLDER(the_compared_file_counts_only_if_the_user_named_it),
        IN_FOLDER(a_long_line_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
