/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "text.h"

static const char fig_4[] = "0 &(|10(0 1 2) |11(0 2 3)); 1 2; 2 0; 3 2";

static void assert_no_results(const struct ork_wfg *wfg)
{
    uint32_t node;
    uint32_t count;

    assert_int_equal(ork_wfg_num_nodes(wfg), 0);
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 0);
    assert_false(ork_wfg_is_deadlocked(wfg, 0));
    assert_int_equal(ork_wfg_num_bottom(wfg), 0);
    assert_int_equal(ork_wfg_num_maximal(wfg), 0);
    assert_int_equal(ork_wfg_bottom(wfg, 0).count, 0);
    assert_int_equal(ork_wfg_core(wfg, 0, &node, &count), ORK_INVALID);
    assert_int_equal(ork_wfg_num_arcs(wfg, 0), 0);
}

static void before_the_search_there_are_no_results(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(4, fig_4);

    assert_no_results(wfg);
    ork_wfg_destroy(wfg);
}

static void deadlocked_processes_are_counted_without_terms_and_hubs(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(4, fig_4);

    assert_int_equal(ork_wfg_num_deadlocked(wfg), 4);
    assert_int_equal(ork_wfg_num_nodes(wfg), 6);
    ork_wfg_destroy(wfg);
    wfg = text_search(3, "#&0 1; 0 #0; 1 #0");
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 2);
    assert_int_equal(ork_wfg_num_nodes(wfg), 4);
    ork_wfg_destroy(wfg);
}

static void numbers_out_of_range_give_empty_answers(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(4, fig_4);

    assert_false(ork_wfg_is_deadlocked(wfg, 6));
    assert_false(ork_wfg_is_deadlocked(wfg, UINT32_MAX));
    assert_int_equal(ork_wfg_bottom(wfg, 1).count, 0);
    assert_false(ork_wfg_bottom(wfg, 1).bottom);
    assert_null(ork_wfg_maximal(wfg, 1).node);
    assert_false(ork_wfg_maximal(wfg, 1).bottom);
    assert_int_equal(ork_wfg_num_arcs(wfg, 6), 0);
    assert_int_equal(ork_wfg_node(wfg, 6).label, 0);
    assert_int_equal(ork_wfg_arc(wfg, 4, 3).to, 0);
    assert_int_equal(ork_wfg_arc(wfg, UINT32_MAX, 0).label, 0);
    ork_wfg_destroy(wfg);
}

static void a_second_search_is_refused_and_the_first_results_stay(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(4, fig_4);

    assert_int_equal(ork_wfg_add_hub(wfg, ORK_WFG_OR, 0), UINT32_MAX);
    ork_wfg_begin(wfg, 0);
    ork_wfg_set_done(wfg, 1);
    assert_int_equal(ork_wfg_search(wfg), ORK_INVALID);
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 4);
    assert_string_equal(text_bottom(wfg), "{0 1 2 3 4 5}");
    ork_wfg_destroy(wfg);
}

static void a_refused_graph_stays_refused(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(2, "0 1; 1 0; 0 1");

    assert_int_equal(ork_wfg_search(wfg), ORK_INVALID);
    assert_int_equal(ork_wfg_search(wfg), ORK_INVALID);
    assert_no_results(wfg);
    ork_wfg_destroy(wfg);
}

int test_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_search_there_are_no_results),
        cmocka_unit_test(deadlocked_processes_are_counted_without_terms_and_hubs),
        cmocka_unit_test(numbers_out_of_range_give_empty_answers),
        cmocka_unit_test(a_second_search_is_refused_and_the_first_results_stay),
        cmocka_unit_test(a_refused_graph_stays_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
