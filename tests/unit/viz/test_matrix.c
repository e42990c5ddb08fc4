/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/matrix.h"

#include <stdlib.h>

/* Each rank waits for the next one, the last one for itself. */
static struct ork_finding chain(uint32_t ranks)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    for (uint32_t i = 0; i < ranks; i++)
        sample_add_wait(&f, i, "MPI_Recv", NULL, NULL, i + 1 < ranks ? i + 1 : i);
    sample_add_root(&f, ranks - 1, ranks - 1);
    return f;
}

static char *matrix(const struct ork_finding *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(ork_matrix_put(out, f), ORK_OK);
    fclose(out);
    return text;
}

static void few_ranks_are_a_graph(void **state)
{
    struct ork_finding f = chain(64);

    (void)state;
    assert_false(ork_matrix_is_worth_it(&f));
    ork_finding_release(&f);
    f = chain(65);
    assert_true(ork_matrix_is_worth_it(&f));
    ork_finding_release(&f);
}

static void a_cell_is_one_rank_or_several(void **state)
{
    struct ork_finding f = chain(100);
    char *svg = matrix(&f);

    (void)state;
    assert_int_equal(sample_count(svg, "v4.80"), 100);
    assert_true(sample_contains(svg, "class=\"wait root\" d=\"M559.20 519.20h4.80v4.80h-4.80z\""));
    /* rank 0, the first row, waits for rank 1, the second column */
    assert_true(sample_contains(svg, "class=\"wait\" d=\"M88.80 44.00h4.80v4.80h-4.80z"));
    assert_true(sample_contains(svg, ">99</text>"));
    free(svg);
    ork_finding_release(&f);
    f = chain(10000);
    svg = matrix(&f);
    assert_int_equal(sample_count(svg, "v3.75"), 128);
    free(svg);
    ork_finding_release(&f);
}

int test_matrix(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_ranks_are_a_graph),
        cmocka_unit_test(a_cell_is_one_rank_or_several),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
