/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "text.h"

/* The search refuses the graph, says nothing about it, and the graph can be destroyed. */
static void assert_invalid(struct ork_wfg *wfg)
{
    assert_int_equal(ork_wfg_search(wfg), ORK_INVALID);
    assert_int_equal(ork_wfg_num_nodes(wfg), 0);
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 0);
    assert_int_equal(ork_wfg_num_bottom(wfg), 0);
    assert_int_equal(ork_wfg_num_maximal(wfg), 0);
    assert_false(ork_wfg_is_deadlocked(wfg, 0));
    ork_wfg_destroy(wfg);
}

static void assert_invalid_text(const char *text)
{
    assert_invalid(text_build(3, text));
}

static void nothing_can_be_destroyed(void **state)
{
    (void)state;
    ork_wfg_destroy(NULL);
}

static void a_graph_without_processes_has_no_deadlock(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(0, "");

    assert_int_equal(ork_wfg_num_nodes(wfg), 0);
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 0);
    assert_int_equal(ork_wfg_num_bottom(wfg), 0);
    ork_wfg_destroy(wfg);
}

static void a_process_has_one_condition(void **state)
{
    (void)state;
    assert_invalid_text("0 1; 0 2");
    assert_invalid_text("0 1; 0 done");
    assert_invalid_text("0 done; 0 1");
    assert_invalid_text("0 done; 0 done");
}

static void a_condition_is_one_part(void **state)
{
    (void)state;
    assert_invalid_text("0 ");
    assert_invalid_text("0 1 2");
    assert_invalid_text("0 T 1");
    assert_invalid_text("0 &(1)|(2)");
}

static void terms_are_closed_once(void **state)
{
    (void)state;
    assert_invalid_text("0 &(1 |(2)");
    assert_invalid_text("0 &(1))");
    assert_invalid_text("0 )");
    assert_invalid_text("0 &(1); 1 )");
}

static void processes_must_exist(void **state)
{
    (void)state;
    assert_invalid_text("3 1");
    assert_invalid_text("0 3");
    assert_invalid_text("0 &(1 4294967295)");
    assert_invalid_text("3 done");
    assert_invalid_text("#|0 3");
}

static void hubs_must_exist(void **state)
{
    (void)state;
    assert_invalid_text("0 #0");
    assert_invalid_text("#|0 1; 0 &(#1 1)");
    struct ork_wfg *wfg = text_build(3, "#|0 1");
    ork_wfg_add_member(wfg, 1, 0);
    assert_invalid(wfg);
}

static void parts_stand_between_begin_and_end(void **state)
{
    (void)state;
    void (*const call[])(struct ork_wfg *) = {ork_wfg_true, ork_wfg_close, ork_wfg_end};

    for (size_t i = 0; i < sizeof(call) / sizeof(*call); i++) {
        struct ork_wfg *wfg = text_build(3, "0 1");
        call[i](wfg);
        assert_invalid(wfg);
    }
    struct ork_wfg *wfg = text_build(3, "");
    ork_wfg_atom(wfg, 1, 0);
    assert_invalid(wfg);
    wfg = text_build(3, "#|0 1");
    ork_wfg_hub(wfg, 0, 0);
    assert_invalid(wfg);
    wfg = text_build(3, "");
    ork_wfg_open(wfg, ORK_WFG_AND, 0);
    assert_invalid(wfg);
}

static void conditions_do_not_overlap(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(3, "");

    ork_wfg_begin(wfg, 0);
    ork_wfg_atom(wfg, 1, 0);
    ork_wfg_begin(wfg, 1);
    ork_wfg_atom(wfg, 0, 0);
    ork_wfg_end(wfg);
    assert_invalid(wfg);
}

static void a_condition_that_is_not_ended_is_refused(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(3, "");

    ork_wfg_begin(wfg, 0);
    ork_wfg_atom(wfg, 1, 0);
    assert_invalid(wfg);
}

static void an_operator_is_and_or_or(void **state)
{
    (void)state;
    enum ork_wfg_op wrong = (enum ork_wfg_op)2;
    struct ork_wfg *wfg = text_build(3, "");

    ork_wfg_begin(wfg, 0);
    ork_wfg_open(wfg, wrong, 0);
    ork_wfg_close(wfg);
    ork_wfg_end(wfg);
    assert_invalid(wfg);
    wfg = text_build(3, "");
    assert_int_equal(ork_wfg_add_hub(wfg, wrong, 0), UINT32_MAX);
    assert_invalid(wfg);
}

static void nothing_is_repaired_after_an_error(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(3, "0 7");

    assert_int_equal(ork_wfg_add_hub(wfg, ORK_WFG_OR, 0), UINT32_MAX);
    ork_wfg_begin(wfg, 1);
    ork_wfg_atom(wfg, 1, 0);
    ork_wfg_end(wfg);
    assert_invalid(wfg);
}

static void hubs_are_numbered_from_zero(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(3, "");

    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(ork_wfg_add_hub(wfg, ORK_WFG_OR, 0), i);
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    ork_wfg_destroy(wfg);
}

static void hubs_may_be_added_inside_a_condition(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(2, "");

    ork_wfg_begin(wfg, 0);
    uint32_t hub = ork_wfg_add_hub(wfg, ORK_WFG_OR, 0);
    ork_wfg_hub(wfg, hub, 0);
    ork_wfg_add_member(wfg, hub, 1);
    ork_wfg_set_done(wfg, 1);
    ork_wfg_end(wfg);
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_int_equal(ork_wfg_num_deadlocked(wfg), 2);
    ork_wfg_destroy(wfg);
}

int test_build(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_can_be_destroyed),
        cmocka_unit_test(a_graph_without_processes_has_no_deadlock),
        cmocka_unit_test(a_process_has_one_condition),
        cmocka_unit_test(a_condition_is_one_part),
        cmocka_unit_test(terms_are_closed_once),
        cmocka_unit_test(processes_must_exist),
        cmocka_unit_test(hubs_must_exist),
        cmocka_unit_test(parts_stand_between_begin_and_end),
        cmocka_unit_test(conditions_do_not_overlap),
        cmocka_unit_test(a_condition_that_is_not_ended_is_refused),
        cmocka_unit_test(an_operator_is_and_or_or),
        cmocka_unit_test(nothing_is_repaired_after_an_error),
        cmocka_unit_test(hubs_are_numbered_from_zero),
        cmocka_unit_test(hubs_may_be_added_inside_a_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
