/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include "report/fold_runs.h"

#include <stdlib.h>
#include <string.h>

struct runs {
    struct ork_rank_run *run;
    uint32_t count;
};

static struct runs made(uint32_t count, const uint32_t *rank)
{
    struct runs r;
    uint32_t *copy = malloc((count + 1) * sizeof(*copy));

    assert_non_null(copy);
    memcpy(copy, rank, count * sizeof(*copy));
    assert_int_equal(ork_runs_make(copy, count, &r.run, &r.count), ORK_OK);
    free(copy);
    return r;
}

static void assert_text(const struct runs *r, const char *stored, const char *shown)
{
    char *text = NULL;
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_int_equal(ork_runs_to_text(r->run, r->count, &text), ORK_OK);
    assert_string_equal(text, stored);
    assert_non_null(out);
    ork_runs_put(out, r->run, r->count, 4);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(buffer, shown);
    free(buffer);
    free(text);
}

static void a_few_ranks_are_written_one_by_one(void **state)
{
    struct runs r = made(4, (const uint32_t[]){7, 1, 1, 4});

    (void)state;
    assert_text(&r, "1, 4, 7", "1, 4, 7");
    free(r.run);
}

static void neighbours_and_steps_are_runs(void **state)
{
    struct runs r = made(11, (const uint32_t[]){0, 1, 2, 3, 5, 10, 20, 30, 40, 50, 51});

    (void)state;
    assert_text(&r, "0-3, 5, 10-50/10, 51", "0-3, 5, 10,20,..,50, 51");
    free(r.run);
}

static void every_second_of_many_is_one_run(void **state)
{
    uint32_t rank[5000];

    (void)state;
    for (uint32_t i = 0; i < 5000; i++)
        rank[i] = 2 * i;
    struct runs r = made(5000, rank);
    assert_int_equal(r.count, 1);
    assert_text(&r, "0-9998/2", "0,2,..,9998");
    assert_int_equal(ork_runs_count(r.run, r.count), 5000);
    free(r.run);
}

static void what_is_too_long_is_counted(void **state)
{
    struct runs r = made(9, (const uint32_t[]){1, 3, 8, 9, 20, 33, 50, 71, 100});

    (void)state;
    assert_text(&r, "1, 3, 8-9, 20, 33, 50, 71, 100", "1, 3, 8, 9, 20, ... (9 ranks)");
    free(r.run);
}

static void text_comes_back(void **state)
{
    static const char *const text[] = {"0", "4294967295", "0-9998/2, 9999", "1, 3, 8-9, 20-40/4",
                                       "0-4294967295"};

    (void)state;
    for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
        struct runs r;
        char *again = NULL;
        assert_int_equal(ork_runs_from_text(text[i], &r.run, &r.count), ORK_OK);
        assert_int_equal(ork_runs_to_text(r.run, r.count, &again), ORK_OK);
        assert_string_equal(again, text[i]);
        free(again);
        free(r.run);
    }
}

static void wrong_text_is_refused(void **state)
{
    static const char *const text[] = {"",           ",",   "1,",    "1-",    "-1",
                                       "1-0",        "1/2", "0-4/0", "0-5/2", "1 2",
                                       "4294967296", "x",   "0x10",  "1--2",  "0-4/2/2"};

    (void)state;
    for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
        struct runs r = {0};
        assert_int_equal(ork_runs_from_text(text[i], &r.run, &r.count), ORK_INVALID);
        assert_null(r.run);
    }
}

static void members_are_found(void **state)
{
    struct runs r;

    (void)state;
    assert_int_equal(ork_runs_from_text("2-10/4, 20-22", &r.run, &r.count), ORK_OK);
    static const uint32_t in[] = {2, 6, 10, 20, 21, 22};
    static const uint32_t not_in[] = {0, 3, 4, 8, 14, 19, 23, UINT32_MAX};
    for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
        assert_true(ork_runs_contain(r.run, r.count, in[i]));
    for (size_t i = 0; i < sizeof(not_in) / sizeof(not_in[0]); i++)
        assert_false(ork_runs_contain(r.run, r.count, not_in[i]));
    free(r.run);
}

int test_fold_runs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_ranks_are_written_one_by_one),
        cmocka_unit_test(neighbours_and_steps_are_runs),
        cmocka_unit_test(every_second_of_many_is_one_run),
        cmocka_unit_test(what_is_too_long_is_counted),
        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(wrong_text_is_refused),
        cmocka_unit_test(members_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
