/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include <stdlib.h>

static void figure_4_looks_as_in_the_paper(void **state)
{
    struct ork_finding f = sample_fig4();
    char *dot = sample_dot(&f);
    char *golden = sample_golden("fig4.dot");

    (void)state;
    assert_string_equal(dot, golden);
    free(golden);
    free(dot);
    ork_finding_release(&f);
}

static void a_thousand_ranks_fold_into_one_node(void **state)
{
    struct ork_finding f = sample_barrier(1000);
    char *dot = sample_dot(&f);

    (void)state;
    assert_true(sample_contains(dot, "label=\"1-6, 8-999: MPI_Barrier\""));
    assert_true(sample_contains(dot, "label=\"7: MPI_Recv\""));
    assert_int_equal(sample_count(dot, " -> "), 4);
    free(dot);
    ork_finding_release(&f);
}

static void the_living_are_dotted_and_hubs_rounded(void **state)
{
    struct ork_finding f = sample_pair();

    (void)state;
    sample_add_node(&f, 2, ORK_NODE_RANK, 2, "MPI_Barrier", 0);
    sample_add_node(&f, 3, ORK_NODE_HUB, 0, "any of MPI_COMM_WORLD", SAMPLE_DEAD | SAMPLE_OR);
    char *dot = sample_dot(&f);
    assert_true(sample_contains(dot, "label=\"2: MPI_Barrier\", class=\"rank alive\", "
                                     "style=\"filled,dotted\""));
    assert_true(sample_contains(dot, "style=\"filled,rounded\""));
    free(dot);
    ork_finding_release(&f);
}

static void labels_cannot_leave_their_quotes(void **state)
{
    struct ork_finding f = sample_hostile();
    char *dot = sample_dot(&f);

    (void)state;
    assert_true(sample_contains(dot, "label=\"0: \\\"q'&amp;<script>"));
    assert_true(sample_contains(dot, "\\\\N\\\\G&amp;amp;"));
    assert_false(sample_contains(dot, "\x1b"));
    free(dot);
    ork_finding_release(&f);
}

static void no_graph_no_dot(void **state)
{
    struct ork_finding f = sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "y");
    char *dot = NULL;

    (void)state;
    assert_int_equal(ork_viz_dot(&f, &dot), ORK_NOTFOUND);
    assert_null(dot);
    ork_finding_release(&f);
}

int test_dot(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_4_looks_as_in_the_paper),
        cmocka_unit_test(a_thousand_ranks_fold_into_one_node),
        cmocka_unit_test(the_living_are_dotted_and_hubs_rounded),
        cmocka_unit_test(labels_cannot_leave_their_quotes),
        cmocka_unit_test(no_graph_no_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
