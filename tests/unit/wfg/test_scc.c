/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "rows.h"

#include <stdlib.h>

/* Split node[0..count) and check that components stand together under the right ids. Returns their
 * number. */
static uint32_t split(const struct ork_digraph *g, uint32_t *set, uint32_t *node, uint32_t count)
{
    struct ork_scc s;
    uint32_t components = 0;

    assert_int_equal(ork_scc_init(&s, g->num_nodes), ORK_OK);
    ork_scc_split(&s, g, set, node, 0, count);
    for (uint32_t lo = 0; lo < count; lo = ork_scc_end(set, node, lo, count)) {
        assert_int_equal(set[node[lo]], lo);
        components++;
    }
    ork_scc_release(&s);
    return components;
}

static void components_are_told_apart(void **state)
{
    (void)state;
    struct ork_digraph g;
    uint32_t node[] = {0, 1, 2, 3, 4, 5};
    uint32_t set[6] = {0};

    rows_init(&g, "&1; &2; &0 3; &4; &3; &0");
    assert_int_equal(split(&g, set, node, 6), 3);
    assert_int_equal(set[0], set[1]);
    assert_int_equal(set[0], set[2]);
    assert_int_equal(set[3], set[4]);
    assert_true(set[3] < set[0]); /* which reaches it */
    assert_true(set[0] < set[5]);
    assert_int_not_equal(set[0], set[3]);
    assert_int_not_equal(set[0], set[5]);
    assert_int_not_equal(set[3], set[5]);
    ork_digraph_release(&g);
}

static void only_the_set_is_looked_at(void **state)
{
    (void)state;
    struct ork_digraph g;
    uint32_t node[] = {0, 1, 3};
    uint32_t set[] = {0, 0, 77, 0};

    rows_init(&g, "&1; &2 3; &0; &1"); /* 0 is on a cycle only with 2 */
    assert_int_equal(split(&g, set, node, 3), 2);
    assert_int_equal(set[1], set[3]);
    assert_int_not_equal(set[0], set[1]);
    assert_int_equal(set[2], 77);
    ork_digraph_release(&g);
}

static void a_bottom_component_has_no_arc_to_another_set(void **state)
{
    (void)state;
    struct ork_digraph g;
    uint32_t node[] = {0, 1, 2, 3};
    uint32_t set[] = {0, 0, 0, 0, ORK_NONE};
    uint32_t bottoms = 0;

    rows_init(&g, "&1; &0 2; &3; &2 4; &");
    assert_int_equal(split(&g, set, node, 4), 2);
    for (uint32_t lo = 0, hi; lo < 4; lo = hi) {
        hi = ork_scc_end(set, node, lo, 4);
        if (ork_scc_is_bottom(&g, set, node, lo, hi)) {
            bottoms++;
            assert_int_equal(set[2], lo);
        }
    }
    assert_int_equal(bottoms, 1);
    ork_digraph_release(&g);
}

enum { LONG = 1000000 };

static void a_cycle_of_a_million_nodes_is_one_component(void **state)
{
    (void)state;
    struct ork_digraph g;
    uint32_t *node = calloc(LONG, sizeof(*node));
    uint32_t *set = calloc(LONG, sizeof(*set));

    assert_non_null(node);
    assert_non_null(set);
    assert_int_equal(ork_digraph_init(&g, LONG, LONG), ORK_OK);
    for (uint32_t v = 0; v < LONG; v++) {
        node[v] = v;
        g.to[v] = (v + 1) % LONG;
        g.start[v + 1] = v + 1;
    }
    assert_int_equal(split(&g, set, node, LONG), 1);
    g.to[LONG - 1] = LONG - 1; /* a path */
    for (uint32_t v = 0; v < LONG; v++)
        set[v] = 0;
    assert_int_equal(split(&g, set, node, LONG), LONG);
    ork_digraph_release(&g);
    free(node);
    free(set);
}

int test_scc(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_told_apart),
        cmocka_unit_test(only_the_set_is_looked_at),
        cmocka_unit_test(a_bottom_component_has_no_arc_to_another_set),
        cmocka_unit_test(a_cycle_of_a_million_nodes_is_one_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
