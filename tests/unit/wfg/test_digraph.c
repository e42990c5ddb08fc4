/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "rows.h"

static void assert_row(const uint32_t *start, const uint32_t *row, uint32_t v,
                       const uint32_t *expected, uint32_t count)
{
    assert_int_equal(start[v + 1] - start[v], count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(row[start[v] + i], expected[i]);
}

static void predecessors_are_the_arcs_read_backwards(void **state)
{
    (void)state;
    struct ork_digraph g;

    rows_init(&g, "&1 2; |0 2 3; &2; &");
    assert_int_equal(g.num_nodes, 4);
    assert_row(g.pred_start, g.pred, 0, (const uint32_t[]){1}, 1);
    assert_row(g.pred_start, g.pred, 1, (const uint32_t[]){0}, 1);
    assert_row(g.pred_start, g.pred, 2, (const uint32_t[]){0, 1, 2}, 3);
    assert_row(g.pred_start, g.pred, 3, (const uint32_t[]){1}, 1);
    ork_digraph_release(&g);
}

static void reversing_twice_changes_nothing(void **state)
{
    (void)state;
    struct ork_digraph g;

    rows_init(&g, "&1; &0");
    ork_digraph_reverse(&g);
    assert_row(g.pred_start, g.pred, 0, (const uint32_t[]){1}, 1);
    assert_row(g.pred_start, g.pred, 1, (const uint32_t[]){0}, 1);
    ork_digraph_release(&g);
}

static void an_empty_graph_has_no_rows(void **state)
{
    (void)state;
    struct ork_digraph g;

    rows_init(&g, "");
    assert_int_equal(g.start[0], 0);
    assert_int_equal(g.pred_start[0], 0);
    ork_digraph_release(&g);
    assert_null(g.start);
}

int test_digraph(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predecessors_are_the_arcs_read_backwards),
        cmocka_unit_test(reversing_twice_changes_nothing),
        cmocka_unit_test(an_empty_graph_has_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
