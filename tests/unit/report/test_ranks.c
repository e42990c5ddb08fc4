/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include "report/ranks.h"

#include <stdlib.h>

static void expect(const uint32_t *rank, uint32_t count, uint32_t max_runs, const char *wanted)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    ork_put_ranks(out, rank, count, max_runs);
    fclose(out);
    assert_string_equal(buffer, wanted);
    free(buffer);
}

static void runs_are_joined(void **state)
{
    static const uint32_t rank[] = {0, 1, 2, 5, 6, 9, 11, 12, 13};

    (void)state;
    expect(rank, 9, 9, "0-2, 5, 6, 9, 11-13");
    expect(rank, 1, 9, "0");
    expect(rank, 0, 9, "");
}

static void many_runs_are_cut(void **state)
{
    static const uint32_t rank[] = {0, 2, 4, 6, 8};

    (void)state;
    expect(rank, 5, 2, "0, 2, ... (5 ranks)");
    expect(rank, 5, 5, "0, 2, 4, 6, 8");
}

static void disorder_and_the_highest_rank_are_survived(void **state)
{
    static const uint32_t rank[] = {UINT32_MAX - 1, UINT32_MAX, 0, 0, 3, 1};

    (void)state;
    expect(rank, 6, 9, "4294967294, 4294967295, 0, 0, 3, 1");
}

static void a_rank_is_found_in_its_set(void **state)
{
    static const uint32_t rank[] = {1, 5, 9};

    (void)state;
    assert_true(ork_rank_in(rank, 3, 5));
    assert_false(ork_rank_in(rank, 3, 6));
    assert_false(ork_rank_in(NULL, 0, 0));
}

int test_ranks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_joined),
        cmocka_unit_test(many_runs_are_cut),
        cmocka_unit_test(disorder_and_the_highest_rank_are_survived),
        cmocka_unit_test(a_rank_is_found_in_its_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
