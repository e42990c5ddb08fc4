/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "rows.h"

enum { NODES = 16 };

/* Restrict the whole graph; the nodes that stay come back as a bit mask. */
static uint32_t stay(const char *text)
{
    struct ork_digraph g;
    struct ork_prune p;
    uint32_t node[NODES];
    uint32_t mask = 0;

    rows_init(&g, text);
    assert_in_range(g.num_nodes, 1, NODES);
    assert_int_equal(ork_prune_init(&p, g.num_nodes), ORK_OK);
    for (uint32_t v = 0; v < g.num_nodes; v++)
        node[v] = v;
    uint32_t count = ork_prune_restrict(&p, &g, 0, node, g.num_nodes);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(p.set[node[i]], 0);
        assert_true(i == 0 || node[i - 1] < node[i]);
        mask |= UINT32_C(1) << node[i];
    }
    for (uint32_t v = 0; v < g.num_nodes; v++)
        assert_int_equal(p.set[v] == ORK_NONE, (mask >> v & 1) == 0);
    ork_prune_release(&p);
    ork_digraph_release(&g);
    return mask;
}

static void a_node_without_arcs_is_released(void **state)
{
    (void)state;
    assert_int_equal(stay("&; |"), 0x0);
}

static void release_runs_along_a_chain(void **state)
{
    (void)state;
    assert_int_equal(stay("&1; &2; &3; &"), 0x0);
}

static void an_or_node_is_released_by_one(void **state)
{
    (void)state;
    assert_int_equal(stay("|1 2; &; &0"), 0x0);
}

static void an_and_node_is_released_by_all(void **state)
{
    (void)state;
    assert_int_equal(stay("&1 2; &; &2"), 0x5);
    assert_int_equal(stay("&1 2; &; &"), 0x0);
}

static void a_self_loop_is_never_released(void **state)
{
    (void)state;
    assert_int_equal(stay("&0; &0; |0 1"), 0x7);
}

static void a_part_is_restricted_by_itself(void **state)
{
    (void)state;
    struct ork_digraph g;
    struct ork_prune p;
    uint32_t part[] = {0, 1, 2, 4};

    /* All of it supports itself, the part without 3 only in 0 and 1: 2 is OR and has an arc to 3, 4
     * needs 2. */
    rows_init(&g, "&1; &0 3; |1 3; &3; &2");
    assert_int_equal(ork_prune_init(&p, g.num_nodes), ORK_OK);
    for (uint32_t i = 0; i < 4; i++)
        p.set[part[i]] = 9;
    assert_int_equal(ork_prune_restrict(&p, &g, 9, part, 4), 2);
    assert_int_equal(part[0], 0);
    assert_int_equal(part[1], 1);
    assert_int_equal(p.set[3], 0);
    ork_prune_release(&p);
    ork_digraph_release(&g);
}

static void what_was_dropped_can_be_put_back(void **state)
{
    (void)state;
    const uint32_t node[] = {0, 1, 2, 3};
    const uint8_t keep[] = {1, 0, 0, 0};
    struct ork_digraph g;
    struct ork_prune p;

    rows_init(&g, "|1 2; &2 3; &0 3; &1 2");
    assert_int_equal(ork_prune_init(&p, g.num_nodes), ORK_OK);
    ork_prune_count(&p, &g, 0, node, 4);
    ork_prune_drop(&p, 1);
    assert_false(ork_prune_spread(&p, &g, 0, keep));
    assert_true(ork_prune_undo(&p, &g, 0) > 0);
    for (uint32_t v = 0; v < 4; v++) {
        assert_int_equal(p.set[v], 0);
        assert_int_equal(p.left[v], 2);
    }
    ork_prune_drop(&p, 3);
    assert_true(ork_prune_spread(&p, &g, 0, keep));
    assert_int_equal(p.num_gone, 1);
    assert_int_equal(p.left[1], 1);
    ork_prune_release(&p);
    ork_digraph_release(&g);
}

int test_prune(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_without_arcs_is_released),
        cmocka_unit_test(release_runs_along_a_chain),
        cmocka_unit_test(an_or_node_is_released_by_one),
        cmocka_unit_test(an_and_node_is_released_by_all),
        cmocka_unit_test(a_self_loop_is_never_released),
        cmocka_unit_test(a_part_is_restricted_by_itself),
        cmocka_unit_test(what_was_dropped_can_be_put_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
