/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The output of two ranks in a new folder. */
/* Of the output of two ranks. `shape`: how the file of a rank is named, "/" or ".". */
static uint64_t hash_of_shape(const struct ork_output_rules *rules, const char *first,
                              const char *second, const char *errors, char shape)
{
    char folder[] = "/tmp/orknot-output-XXXXXX", path[128];
    const char *text[] = {first, second};
    uint64_t hash = 0;

    assert_non_null(mkdtemp(folder));
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/rank.%u", folder, i);
        assert_int_equal(shape == '/' ? mkdir(path, 0777) : 0, 0);
        for (unsigned k = 0; k < 2; k++) {
            snprintf(path, sizeof(path), "%s/rank.%u%c%s", folder, i, shape,
                     k == 0 ? "stdout" : "stderr");
            FILE *out = fopen(path, "w");
            assert_non_null(out);
            fputs(k == 0 ? text[i] : errors, out);
            fclose(out);
        }
    }
    assert_int_equal(ork_output_hash(rules, folder, &hash), ORK_OK);
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/rank.%u%cstdout", folder, i, shape);
        unlink(path);
        snprintf(path, sizeof(path), "%s/rank.%u%cstderr", folder, i, shape);
        unlink(path);
        snprintf(path, sizeof(path), "%s/rank.%u", folder, i);
        rmdir(path);
    }
    rmdir(folder);
    return hash;
}

static uint64_t hash_of(const struct ork_output_rules *rules, const char *first, const char *second,
                        const char *errors)
{
    return hash_of_shape(rules, first, second, errors, '/');
}

static void what_each_rank_prints_counts(void **state)
{
    const struct ork_output_rules none = {0};
    uint64_t hash = hash_of(&none, "a\n", "b\n", "");

    (void)state;
    assert_int_equal(hash_of(&none, "a\n", "b\n", ""), hash);
    assert_int_equal(hash_of(&none, "a\n", "b\n", "an error\n"), hash);
    assert_int_not_equal(hash_of(&none, "b\n", "a\n", ""), hash);
    assert_int_not_equal(hash_of(&none, "a\n", "b", ""), hash);
    assert_int_not_equal(hash_of(&none, "a\n", "", ""), hash);
    assert_int_not_equal(hash_of(&none, "", "a\n", ""), hash_of(&none, "a\n", "", ""));
    hash = hash_of_shape(&none, "a\n", "b\n", "", '.');
    assert_int_equal(hash_of_shape(&none, "a\n", "b\n", "an error\n", '.'), hash);
    assert_int_not_equal(hash_of_shape(&none, "b\n", "a\n", "", '.'), hash);
    assert_int_equal(hash_of(&none, "", "", ""), 0);
}

/* Open MPI 5's mpirun names a folder by its process; the jobs of one run are numbered. */
static void what_differs_in_each_run_is_no_part_of_a_name(void **state)
{
    static const char *const names[][2] = {
        {"/o@2/prterun-n-1-4711@1/rank.0/stdout", "@1/rank.0/stdout"},
        {"/o@2/1/rank.0/stdout", "/1/rank.0/stdout"},
        {"/o@2/rank.0.stdout", "/rank.0.stdout"},
        {"/o@2/1/a@b/stdout", "/1/a@b/stdout"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_string_equal(ork_output_name(names[i][0], "/o@2"), names[i][1]);
}

static void lines_can_be_ignored(void **state)
{
    struct ork_output_rules rules;
    char error[ORK_OUTPUT_ERROR];

    (void)state;
    assert_int_equal(ork_output_rules_init(&rules, "^time: [0-9]+$", NULL, error), ORK_OK);
    uint64_t hash = hash_of(&rules, "a\ntime: 12\nb\n", "", "");
    assert_int_equal(hash_of(&rules, "a\ntime: 7\nb\n", "", ""), hash);
    assert_int_equal(hash_of(&rules, "a\nb\n", "", ""), hash);
    assert_int_not_equal(hash_of(&rules, "a\ntime: x\nb\n", "", ""), hash);
    assert_int_equal(hash_of(&rules, "time: 1", "", ""), 0);
    ork_output_rules_release(&rules);
    assert_int_equal(ork_output_rules_init(&rules, "(", NULL, error), ORK_INVALID);
    assert_non_null(strstr(error, "--must:ignore-output"));
}

static void a_file_can_belong_to_the_result(void **state)
{
    char path[] = "/tmp/orknot-result-XXXXXX", error[ORK_OUTPUT_ERROR];
    struct ork_output_rules rules;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "one", 3), 3);
    assert_int_equal(ork_output_rules_init(&rules, NULL, path, error), ORK_OK);
    uint64_t one = hash_of(&rules, "a", "b", "");
    assert_int_equal(hash_of(&rules, "a", "b", ""), one);
    assert_int_equal(write(fd, "two", 3), 3);
    uint64_t two = hash_of(&rules, "a", "b", "");
    assert_int_not_equal(two, one);
    unlink(path);
    uint64_t missing = hash_of(&rules, "a", "b", "");
    assert_true(missing != one && missing != two);
    close(fd);
    ork_output_rules_release(&rules);
}

static void the_compared_file_is_kept(void **state)
{
    char folder[] = "/tmp/orknot-output-XXXXXX", from[128], to[128], text[16] = "";
    const struct ork_output_rules none = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(from, sizeof(from), "%s/result", folder);
    snprintf(to, sizeof(to), "%s/compared", folder);
    const struct ork_output_rules rules = {.compare = from};
    assert_int_equal(ork_output_keep(&none, to), ORK_OK);
    assert_int_equal(ork_output_keep(&rules, to), ORK_OK); /* it was not written */
    assert_int_not_equal(access(to, F_OK), 0);
    FILE *out = fopen(from, "w");
    assert_non_null(out);
    fputs("sum 4.5\n", out);
    fclose(out);
    assert_int_equal(ork_output_keep(&rules, to), ORK_OK);
    FILE *in = fopen(to, "r");
    assert_non_null(in);
    assert_non_null(fgets(text, sizeof(text), in));
    assert_string_equal(text, "sum 4.5\n");
    fclose(in);
    unlink(from);
    unlink(to);
    rmdir(folder);
}

int test_explore_output(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_each_rank_prints_counts),
        cmocka_unit_test(what_differs_in_each_run_is_no_part_of_a_name),
        cmocka_unit_test(lines_can_be_ignored),
        cmocka_unit_test(a_file_can_belong_to_the_result),
        cmocka_unit_test(the_compared_file_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
