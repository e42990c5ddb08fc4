/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "rows.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void assert_core(uint32_t nprocs, const char *conditions, const char *expected)
{
    struct ork_wfg *wfg = text_search(nprocs, conditions);

    assert_string_equal(text_core(wfg, 0), expected);
    ork_wfg_destroy(wfg);
}

static void the_core_of_fig_4_is_what_the_paper_fills(void **state)
{
    (void)state;
    assert_core(4, "0 &(|10(0 1 2) |11(0 2 3)); 1 2; 2 0; 3 2", "{0 1 2 4}");
}

static void a_simple_cycle_is_its_own_core(void **state)
{
    (void)state;
    assert_core(4, "0 1; 1 2; 2 3; 3 0", "{0 1 2 3}");
    assert_core(1, "0 done", "{0}");
}

static void terms_are_given_up_before_processes(void **state)
{
    (void)state;
    /* {0, 4, term} and {0, 1, 2} are both minimal. */
    assert_core(5, "0 &(|(4 0) 1); 4 0; 1 2; 2 0; 3 0", "{0 1 2}");
}

static void higher_processes_are_given_up_first(void **state)
{
    (void)state;
    assert_core(4, "0 &(1 2 3); 1 0; 2 0; 3 0", "{0 1}");
}

static void an_or_node_keeps_all_it_waits_for(void **state)
{
    (void)state;
    assert_core(4, "0 |(1 2 3); 1 0; 2 &(0 1); 3 &(0 2)", "{0 1 2 3}");
}

static void a_knot_that_does_not_exist_has_no_core(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(2, "0 1; 1 0");
    uint32_t node[2] = {7, 7};
    uint32_t count = 7;

    assert_int_equal(ork_wfg_core(wfg, 1, node, &count), ORK_INVALID);
    assert_int_equal(count, 7);
    assert_int_equal(node[0], 7);
    ork_wfg_destroy(wfg);
}

static void each_root_has_its_core(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(6, "0 1; 1 0; 2 &(3 4); 3 2; 4 2; 5 0");

    assert_int_equal(ork_wfg_num_bottom(wfg), 2);
    assert_string_equal(text_core(wfg, 0), "{0 1}");
    assert_string_equal(text_core(wfg, 1), "{2 3}");
    ork_wfg_destroy(wfg);
}

enum { MANY = 100000 };

static struct ork_wfg *two_barriers(void)
{
    struct ork_wfg *wfg = text_build(MANY, "#&0; #&0");

    for (uint32_t p = 0; p < MANY; p++) {
        ork_wfg_add_member(wfg, 1 - p % 2, p);
        ork_wfg_begin(wfg, p);
        ork_wfg_hub(wfg, p % 2, 0);
        ork_wfg_end(wfg);
    }
    return wfg;
}

static void two_crossing_barriers_of_many_have_a_core_of_two_processes(void **state)
{
    (void)state;
    struct ork_wfg *wfg = two_barriers();

    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_int_equal(ork_wfg_bottom(wfg, 0).count, MANY + 2);
    assert_string_equal(text_core(wfg, 0), "{0 1 100000 100001}");
    ork_wfg_destroy(wfg);
}

static void a_grid_of_many_has_a_core_of_two_neighbours(void **state)
{
    (void)state;
    enum { SIDE = 300 };
    struct ork_wfg *wfg = text_build(SIDE * SIDE, "");

    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        uint32_t row = p - p % SIDE;
        ork_wfg_begin(wfg, p);
        ork_wfg_open(wfg, ORK_WFG_AND, 0);
        ork_wfg_atom(wfg, row + (p + 1) % SIDE, 0);
        ork_wfg_atom(wfg, row + (p + SIDE - 1) % SIDE, 0);
        ork_wfg_atom(wfg, (p + SIDE) % (SIDE * SIDE), 0);
        ork_wfg_atom(wfg, (p + SIDE * SIDE - SIDE) % (SIDE * SIDE), 0);
        ork_wfg_close(wfg);
        ork_wfg_end(wfg);
    }
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_string_equal(text_core(wfg, 0), "{0 1}");
    ork_wfg_destroy(wfg);
}

static void a_wildcard_receive_of_many_needs_them_all(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(MANY, "#|0");
    uint32_t *node = calloc(MANY + 1, sizeof(*node));
    uint32_t count = 0;

    assert_non_null(node);
    for (uint32_t p = 0; p < MANY; p++) {
        ork_wfg_add_member(wfg, 0, p);
        ork_wfg_begin(wfg, p);
        ork_wfg_hub(wfg, 0, 0);
        ork_wfg_end(wfg);
    }
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_int_equal(ork_wfg_core(wfg, 0, node, &count), ORK_OK);
    assert_int_equal(count, MANY + 1);
    free(node);
    ork_wfg_destroy(wfg);
}

static void without_budget_the_core_is_still_a_knot(void **state)
{
    (void)state;
    struct ork_digraph g;
    uint32_t node[5];
    uint32_t count = 0;

    /* Giving up 4 leaves 0, which nobody waits for any more; trying without 3 is in vain. The knot
     * must not have 0 in it, though nothing was spent on it. */
    rows_init(&g, "&1; |2 3; &1 3; &1 2 4; &0");
    assert_int_equal(ork_core_find(&g, 0, node, &count), ORK_OK);
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(node[i], i + 1);
    ork_digraph_release(&g);
}

enum { STAR = 100 };

/* Node 0 waits for 1, node 1 for any of 2 .. last, these for `center`; then come `rest`. Node 0 can
 * be given up, but is tried last, when `budget` is spent if each of the others had to be tried. */
static void assert_core_without_0(uint32_t last, const char *center, const char *rest,
                                  uint64_t budget)
{
    static char text[8192];
    struct ork_digraph g;
    uint32_t node[STAR];
    uint32_t count = 0;
    int n = snprintf(text, sizeof(text), "&1; |");

    for (uint32_t v = 2; v <= last; v++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%" PRIu32 " ", v);
    for (uint32_t v = 2; v <= last; v++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "; &%s%s", center, v == 2 ? " 0" : "");
    snprintf(text + n, sizeof(text) - (size_t)n, "%s", rest);
    rows_init(&g, text);
    assert_int_equal(g.num_nodes, STAR);
    assert_int_equal(ork_core_find(&g, budget, node, &count), ORK_OK);
    assert_true(count > 1);
    assert_int_equal(node[0], 1);
    ork_digraph_release(&g);
}

static void what_a_needed_node_needs_is_not_tried(void **state)
{
    (void)state;
    assert_core_without_0(STAR - 1, "1", "", 8 * STAR);
}

static void what_a_needed_node_needs_in_the_end_is_not_tried(void **state)
{
    (void)state;
    /* 99 has the choice of 1 and 98; when 98 is given up, it needs 1. */
    assert_core_without_0(STAR - 3, "99", "; &99; &1 98", 3 * STAR);
}

/* Every node is needed, and none can be told from another without trying it. */
static struct ork_wfg *stubborn(uint32_t nprocs)
{
    struct ork_wfg *wfg = text_build(nprocs, "");

    for (uint32_t p = 0; p < nprocs; p++) {
        ork_wfg_begin(wfg, p);
        ork_wfg_open(wfg, p == 0 ? ORK_WFG_OR : ORK_WFG_AND, 0);
        for (uint32_t to = 1; p == 0 && to < nprocs; to++)
            ork_wfg_atom(wfg, to, 0);
        if (p > 0)
            ork_wfg_atom(wfg, 0, 0);
        if (p > 1)
            ork_wfg_atom(wfg, p - 1, 0);
        ork_wfg_close(wfg);
        ork_wfg_end(wfg);
    }
    return wfg;
}

static void a_knot_made_to_be_slow_ends_with_its_budget(void **state)
{
    (void)state;
    struct ork_wfg *wfg = stubborn(MANY);
    uint32_t *node = calloc(MANY, sizeof(*node));
    uint32_t count = 0;

    assert_non_null(node);
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_int_equal(ork_wfg_core(wfg, 0, node, &count), ORK_OK);
    assert_int_equal(count, MANY);
    free(node);
    ork_wfg_destroy(wfg);
}

int test_core(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_core_of_fig_4_is_what_the_paper_fills),
        cmocka_unit_test(a_simple_cycle_is_its_own_core),
        cmocka_unit_test(terms_are_given_up_before_processes),
        cmocka_unit_test(higher_processes_are_given_up_first),
        cmocka_unit_test(an_or_node_keeps_all_it_waits_for),
        cmocka_unit_test(a_knot_that_does_not_exist_has_no_core),
        cmocka_unit_test(each_root_has_its_core),
        cmocka_unit_test(two_crossing_barriers_of_many_have_a_core_of_two_processes),
        cmocka_unit_test(a_grid_of_many_has_a_core_of_two_neighbours),
        cmocka_unit_test(a_wildcard_receive_of_many_needs_them_all),
        cmocka_unit_test(what_a_needed_node_needs_is_not_tried),
        cmocka_unit_test(what_a_needed_node_needs_in_the_end_is_not_tried),
        cmocka_unit_test(without_budget_the_core_is_still_a_knot),
        cmocka_unit_test(a_knot_made_to_be_slow_ends_with_its_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
