/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "text.h"

static void assert_graph(uint32_t nprocs, const char *conditions, const char *expected)
{
    struct ork_wfg *wfg = text_search(nprocs, conditions);

    assert_string_equal(text_graph(wfg), expected);
    ork_wfg_destroy(wfg);
}

static void a_flat_condition_gives_arcs_of_the_process(void **state)
{
    (void)state;
    assert_graph(3, "0 &(1 2); 1 |(0 2)", "P0&1 2; P1|0 2; P2&");
}

static void a_single_atom_is_an_and_arc_with_its_label(void **state)
{
    (void)state;
    assert_graph(2, "0 1:9", "P0&1:9; P1&");
    assert_graph(2, "0 |(1:9)", "P0&1:9; P1&");
}

static void the_outermost_label_comes_back_on_the_process(void **state)
{
    (void)state;
    assert_graph(3, "0 |4(1 2)", "P0[4]|1 2; P1&; P2&");
}

static void the_transformed_fig_4_is_fig_6d(void **state)
{
    (void)state;
    assert_graph(4, "0 &(|10(|(0 1) 2) |11(2 |(3 0))); 1 2; 2 0; 3 2",
                 "P0&4 5; P1&2; P2&0; P3&2; T4(0)[10]|0 1 2; T5(0)[11]|2 3 0");
}

static void equal_operators_are_merged(void **state)
{
    (void)state;
    assert_graph(4, "0 &(&(1) &(2 &(3 &(0))))", "P0&1 2 3 0; P1&; P2&; P3&");
    assert_graph(4, "0 |(|(1 |(2)) 3)", "P0|1 2 3; P1&; P2&; P3&");
}

static void an_operator_between_two_equal_ones_that_vanishes_lets_them_merge(void **state)
{
    (void)state;
    assert_graph(4, "0 &(1 |(&(2 3)))", "P0&1 2 3; P1&; P2&; P3&");
    assert_graph(4, "0 &(|(&(2 3)) 1)", "P0&2 3 1; P1&; P2&; P3&");
}

static void different_operators_are_nodes(void **state)
{
    (void)state;
    assert_graph(4, "0 &(1 |(2 3)); 1 |(&(2 3) 0)",
                 "P0&1 4; P1|5 0; P2&; P3&; T4(0)|2 3; T5(1)&2 3");
}

static void a_label_keeps_an_equal_operator_with_several_arcs(void **state)
{
    (void)state;
    assert_graph(4, "0 &(&5(1 2) 3)", "P0&4 3; P1&; P2&; P3&; T4(0)[5]&1 2");
    assert_graph(4, "0 |(&5(1 2))", "P0&4; P1&; P2&; P3&; T4(0)[5]&1 2");
}

static void a_term_with_one_arc_leaves_its_label_on_the_arc(void **state)
{
    (void)state;
    assert_graph(3, "0 &(|5(1) 2:6)", "P0&1:5 2:6; P1&; P2&");
    assert_graph(3, "0 &(|5(1:7) |(2:6))", "P0&1:5 2:6; P1&; P2&");
    assert_graph(3, "0 &(|5(&6(1)) 2)", "P0&1:5 2; P1&; P2&");
    assert_graph(4, "0 &(|5(&(1 2)) 3)", "P0&4:5 3; P1&; P2&; P3&; T4(0)&1 2");
}

static void a_process_takes_over_its_only_term_unless_that_has_a_name(void **state)
{
    (void)state;
    assert_graph(3, "0 &4(|(1 2))", "P0[4]|1 2; P1&; P2&");
    assert_graph(3, "0 &4(|5(1 2))", "P0[4]&3; P1&; P2&; T3(0)[5]|1 2");
    assert_graph(3, "0 &4(|5(&(1 2)))", "P0[4]&3:5; P1&; P2&; T3(0)&1 2");
}

static void duplicate_arcs_are_one_with_the_first_label(void **state)
{
    (void)state;
    assert_graph(3, "0 |(1:4 2 1:5 2:6)", "P0|1:4 2:6; P1&; P2&");
    assert_graph(3, "0 |(1 1 1:3)", "P0&1:3; P1&; P2&");
    assert_graph(3, "0 |(1:4 1:5)", "P0&1:4; P1&; P2&");
    assert_graph(3, "0 &(|(1 1) 2)", "P0&1 2; P1&; P2&");
    assert_graph(3, "0 &(1 &(2 1))", "P0&1 2; P1&; P2&");
}

static void an_empty_or_is_a_self_loop(void **state)
{
    (void)state;
    assert_graph(2, "0 |()", "P0&0; P1&");
    assert_graph(2, "0 &(1 |7())", "P0&1 0:7; P1&");
    assert_graph(3, "0 &(1 |(2 |()))", "P0&1 3; P1&; P2&; T3(0)|2 0");
}

static void an_empty_and_is_satisfied(void **state)
{
    (void)state;
    assert_graph(2, "0 &()", "P0&; P1&");
    assert_graph(2, "0 &(1 &())", "P0&1; P1&");
    assert_graph(2, "0 |(1 &())", "P0&; P1&");
}

static void a_satisfied_part_vanishes_in_an_and(void **state)
{
    (void)state;
    assert_graph(2, "0 T", "P0&; P1&");
    assert_graph(2, "0 &(T 1 T)", "P0&1; P1&");
    assert_graph(2, "0 &(T T)", "P0&; P1&");
}

static void a_satisfied_part_satisfies_an_or(void **state)
{
    (void)state;
    assert_graph(3, "0 |(1 T 2)", "P0&; P1&; P2&");
    assert_graph(3, "0 &(1 |5(2 T))", "P0&1; P1&; P2&");
    assert_graph(3, "0 &(1 |(2 &(T |(1 T))))", "P0&1; P1&; P2&");
}

static void terms_of_a_satisfied_or_are_no_nodes(void **state)
{
    (void)state;
    assert_graph(4, "0 &(3 |(&(1 2) T)); 1 &(|(2 3) 0)", "P0&3; P1&4 0; P2&; P3&; T4(1)|2 3");
}

static void a_hub_is_one_node_for_all(void **state)
{
    (void)state;
    assert_graph(3, "#|7 0 1 2 1; 0 #0; 1 &(#0:3 2)", "P0&3; P1&3:3 2; P2&; H3(0)[7]|0 1 2");
}

static void a_hub_with_one_member_is_and(void **state)
{
    (void)state;
    assert_graph(2, "#|0 1; 0 #0", "P0&2; P1&; H2(0)&1");
}

static void a_hub_nobody_refers_to_is_no_node(void **state)
{
    (void)state;
    assert_graph(2, "#|0 0 1; #&5 0; #|0 0; 0 #1; 1 |(#2 T)", "P0&2; P1&; H2(1)[5]&0");
}

static void an_empty_hub_is_an_empty_term(void **state)
{
    (void)state;
    assert_graph(2, "#|6; 0 #0; 1 &(0 #0:4)", "P0&0:6; P1&0 1:4");
    assert_graph(2, "#&6; 0 #0; 1 &(0 #0)", "P0&; P1&0");
    assert_graph(2, "#&6; 0 |(1 #0)", "P0&; P1&");
}

static void a_process_that_is_done_waits_for_itself(void **state)
{
    (void)state;
    assert_graph(2, "1 done", "P0&; P1&1");
}

static void terms_are_numbered_by_process_and_from_outside_in(void **state)
{
    (void)state;
    assert_graph(3, "#&0 0 1; 2 &(|(0 1) |(&(0 1) 1)); 0 &(1 |(1 2)); 1 #0",
                 "P0&1 4; P1&3; P2&5 6; H3(0)&0 1; T4(0)|1 2; T5(2)|0 1; T6(2)|7 1; T7(2)&0 1");
}

enum { DEEP = 1000000 };

static struct ork_wfg *deep(enum ork_wfg_op outer, enum ork_wfg_op inner, uint32_t label)
{
    struct ork_wfg *wfg = text_build(3, "");

    ork_wfg_begin(wfg, 0);
    for (uint32_t i = 0; i < DEEP; i++) {
        ork_wfg_open(wfg, i % 2 == 0 ? outer : inner, label);
        ork_wfg_atom(wfg, i % 4 < 2 ? 1 : 2, 0);
    }
    for (uint32_t i = 0; i < DEEP; i++)
        ork_wfg_close(wfg);
    ork_wfg_end(wfg);
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    return wfg;
}

static void a_million_nested_equal_terms_are_one(void **state)
{
    (void)state;
    struct ork_wfg *wfg = deep(ORK_WFG_AND, ORK_WFG_AND, 0);

    assert_int_equal(ork_wfg_num_nodes(wfg), 3);
    assert_int_equal(ork_wfg_num_arcs(wfg, 0), 2);
    ork_wfg_destroy(wfg);
}

static void a_million_nested_different_terms_are_that_many_nodes(void **state)
{
    (void)state;
    struct ork_wfg *wfg = deep(ORK_WFG_AND, ORK_WFG_OR, 0);

    /* The two innermost wait for the same one process and are an arc of the third, the outermost is
     * process 0. */
    assert_int_equal(ork_wfg_num_nodes(wfg), DEEP);
    assert_false(ork_wfg_is_deadlocked(wfg, 0));
    ork_wfg_destroy(wfg);
}

/* Every other operator vanishes only when it is closed: its contents must not be copied again and
 * again. */
static void a_million_nested_terms_merge_in_linear_time_when_what_is_between_vanishes(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(DEEP, "");

    ork_wfg_begin(wfg, 0);
    for (uint32_t i = 1; i < DEEP; i++) {
        ork_wfg_open(wfg, ORK_WFG_AND, 0);
        ork_wfg_atom(wfg, i, 0);
        ork_wfg_open(wfg, ORK_WFG_OR, 0);
    }
    ork_wfg_atom(wfg, 0, 0);
    for (uint32_t i = 1; i < 2 * DEEP - 1; i++)
        ork_wfg_close(wfg);
    ork_wfg_end(wfg);
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_int_equal(ork_wfg_num_nodes(wfg), DEEP);
    assert_int_equal(ork_wfg_num_arcs(wfg, 0), DEEP);
    assert_int_equal(ork_wfg_node(wfg, 0).op, ORK_WFG_AND);
    ork_wfg_destroy(wfg);
}

int test_transform(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_condition_gives_arcs_of_the_process),
        cmocka_unit_test(a_single_atom_is_an_and_arc_with_its_label),
        cmocka_unit_test(the_outermost_label_comes_back_on_the_process),
        cmocka_unit_test(the_transformed_fig_4_is_fig_6d),
        cmocka_unit_test(equal_operators_are_merged),
        cmocka_unit_test(an_operator_between_two_equal_ones_that_vanishes_lets_them_merge),
        cmocka_unit_test(different_operators_are_nodes),
        cmocka_unit_test(a_label_keeps_an_equal_operator_with_several_arcs),
        cmocka_unit_test(a_term_with_one_arc_leaves_its_label_on_the_arc),
        cmocka_unit_test(a_process_takes_over_its_only_term_unless_that_has_a_name),
        cmocka_unit_test(duplicate_arcs_are_one_with_the_first_label),
        cmocka_unit_test(an_empty_or_is_a_self_loop),
        cmocka_unit_test(an_empty_and_is_satisfied),
        cmocka_unit_test(a_satisfied_part_vanishes_in_an_and),
        cmocka_unit_test(a_satisfied_part_satisfies_an_or),
        cmocka_unit_test(terms_of_a_satisfied_or_are_no_nodes),
        cmocka_unit_test(a_hub_is_one_node_for_all),
        cmocka_unit_test(a_hub_with_one_member_is_and),
        cmocka_unit_test(a_hub_nobody_refers_to_is_no_node),
        cmocka_unit_test(an_empty_hub_is_an_empty_term),
        cmocka_unit_test(a_process_that_is_done_waits_for_itself),
        cmocka_unit_test(terms_are_numbered_by_process_and_from_outside_in),
        cmocka_unit_test(a_million_nested_equal_terms_are_one),
        cmocka_unit_test(a_million_nested_different_terms_are_that_many_nodes),
        cmocka_unit_test(a_million_nested_terms_merge_in_linear_time_when_what_is_between_vanishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
