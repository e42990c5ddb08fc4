/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "mustview/select.h"

#include <stdlib.h>

/* 0 and 1 wait for each other, 2 for 1, 3 for 2; 4 for 5, which runs. */
static struct ork_finding chain(void)
{
    struct ork_finding f = sample_pair();

    sample_add_node(&f, 2, ORK_NODE_RANK, 2, "MPI_Recv", SAMPLE_DEAD);
    sample_add_node(&f, 3, ORK_NODE_RANK, 3, "MPI_Recv", SAMPLE_DEAD);
    sample_add_node(&f, 4, ORK_NODE_RANK, 4, "MPI_Recv", 0);
    sample_add_node(&f, 5, ORK_NODE_RANK, 5, "", 0);
    sample_add_arc(&f, 2, 1, NULL);
    sample_add_arc(&f, 3, 2, NULL);
    sample_add_arc(&f, 4, 5, NULL);
    for (uint32_t r = 2; r < 5; r++)
        sample_add_wait(&f, r, "MPI_Recv", "1", "0", 1);
    return f;
}

static void assert_left(const struct ork_finding *f, uint32_t nodes, uint32_t arcs, uint32_t waits)
{
    assert_int_equal(f->graph.num_nodes, nodes);
    assert_int_equal(f->graph.num_arcs, arcs);
    assert_int_equal(f->num_waits, waits);
    for (uint32_t i = 0; i < nodes; i++)
        assert_int_equal(f->graph.node[i].rank, i);
    for (uint32_t i = 0; i < waits; i++)
        assert_int_equal(f->waits[i].rank, i);
}

static void all_is_all(void **state)
{
    struct ork_finding f = chain();

    (void)state;
    assert_int_equal(ork_finding_select(&f, ORK_SHOW_ALL), ORK_OK);
    assert_left(&f, 6, 5, 5);
    ork_finding_release(&f);
}

static void waiters_wait_directly_or_through_others(void **state)
{
    struct ork_finding f = chain();

    (void)state;
    assert_int_equal(ork_finding_select(&f, ORK_SHOW_WAITERS), ORK_OK);
    assert_left(&f, 4, 4, 4);
    ork_finding_release(&f);
}

static void the_knot_is_what_is_filled(void **state)
{
    struct ork_finding f = chain();
    struct ork_finding fig4 = sample_fig4();

    (void)state;
    assert_int_equal(ork_finding_select(&f, ORK_SHOW_KNOT), ORK_OK);
    assert_left(&f, 2, 2, 2);
    assert_int_equal(ork_finding_select(&fig4, ORK_SHOW_KNOT), ORK_OK);
    assert_int_equal(fig4.graph.num_nodes, 4);
    ork_finding_release(&fig4);
    ork_finding_release(&f);
}

static void without_a_core_the_knot_is_the_root(void **state)
{
    struct ork_finding f = chain();

    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        f.graph.node[i].core = false;
    assert_int_equal(ork_finding_select(&f, ORK_SHOW_KNOT), ORK_OK);
    assert_left(&f, 2, 2, 2);
    ork_finding_release(&f);
}

static void ranks_of_a_folded_node_keep_their_waits(void **state)
{
    struct ork_finding f = chain();

    (void)state;
    f.graph.node[0].run = calloc(1, sizeof(*f.graph.node[0].run));
    f.graph.node[0].run[0] = (struct ork_rank_run){0, 4, 4};
    f.graph.node[0].num_runs = 1;
    f.graph.node[0].count = 2;
    assert_int_equal(ork_finding_select(&f, ORK_SHOW_KNOT), ORK_OK);
    assert_int_equal(f.num_waits, 3);
    assert_int_equal(f.waits[2].rank, 4);
    ork_finding_release(&f);
}

static void a_finding_without_a_graph_stays(void **state)
{
    struct ork_finding f = sample_finding("leak", ORK_CLASS_NONE, ORK_NOTE, "m");

    (void)state;
    sample_add_wait(&f, 0, "MPI_Recv", "1", "0", 1);
    assert_int_equal(ork_finding_select(&f, ORK_SHOW_KNOT), ORK_OK);
    assert_int_equal(f.num_waits, 1);
    ork_finding_release(&f);
}

int test_select(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_all),
        cmocka_unit_test(waiters_wait_directly_or_through_others),
        cmocka_unit_test(the_knot_is_what_is_filled),
        cmocka_unit_test(without_a_core_the_knot_is_the_root),
        cmocka_unit_test(ranks_of_a_folded_node_keep_their_waits),
        cmocka_unit_test(a_finding_without_a_graph_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
