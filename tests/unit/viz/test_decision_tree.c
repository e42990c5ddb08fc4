/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/exploration_sample.h"
#include "tests/unit/report/sample.h"

#include "viz/decision_tree.h"

#include <stdlib.h>
#include <string.h>

static void fold(struct ork_decision_tree *tree, const struct ork_exploration *e)
{
    assert_int_equal(ork_decision_tree_init(tree, e), ORK_OK);
}

/* Every run is in exactly one node, and each node says how its runs ended. */
static void expect_sound(const struct ork_decision_tree *tree, const struct ork_exploration *e)
{
    uint64_t by_look[ORK_LOOKS] = {0};

    assert_true(tree->num_nodes <= ORK_TREE_NODES);
    for (uint32_t n = 0; n < tree->num_nodes; n++) {
        const struct ork_tree_node *node = &tree->node[n];
        uint64_t sum = 0;
        assert_true(n == 0 ? node->parent == 0 : node->parent < n);
        for (unsigned k = 0; k < ORK_LOOKS; k++) {
            by_look[k] += node->by_look[k];
            sum += node->by_look[k];
        }
        assert_int_equal(sum, node->runs);
        if (node->look != ORK_LOOK_MIXED)
            assert_int_equal(node->by_look[node->look], node->runs);
        if (n > 0 && node->runs == 1)
            assert_true(e->run[node->run].parent == e->run[tree->node[node->parent].run].number ||
                        tree->node[node->parent].run == 0);
    }
    for (uint64_t i = 0; i < e->num_runs; i++)
        by_look[ork_outcome_look(e, e->run[i].outcome)]--;
    for (unsigned k = 0; k < ORK_LOOKS; k++)
        assert_int_equal(by_look[k], 0);
}

static const struct ork_tree_node *node_of_run(const struct ork_decision_tree *tree, uint64_t run)
{
    for (uint32_t n = 0; n < tree->num_nodes; n++)
        if (tree->node[n].run == run - 1 && tree->node[n].runs == 1)
            return &tree->node[n];
    return NULL;
}

static void a_small_tree_has_a_node_for_each_run(void **state)
{
    struct ork_exploration e;
    struct ork_decision_tree tree;

    (void)state;
    sample_farm(&e);
    fold(&tree, &e);
    assert_int_equal(tree.num_nodes, 24);
    assert_false(tree.folded);
    expect_sound(&tree, &e);
    for (uint64_t run = 1; run <= 24; run++)
        assert_non_null(node_of_run(&tree, run));
    assert_int_equal(node_of_run(&tree, 7)->look, ORK_OUTCOME_DEADLOCK);
    assert_int_equal(node_of_run(&tree, 7)->outcome, 0);
    assert_int_equal(node_of_run(&tree, 9)->look, ORK_LOOK_OTHER_RESULT);
    assert_int_equal(tree.node[node_of_run(&tree, 10)->parent].run, 9 - 1);
    ork_decision_tree_release(&tree);
    ork_exploration_release(&e);
}

static void a_large_tree_is_folded_and_shows_the_first_run_of_each_outcome(void **state)
{
    static const uint64_t size[] = {41, 61, 97, 400, 3000, 10000};

    (void)state;
    for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
        struct ork_exploration e;
        struct ork_decision_tree tree;
        sample_large(&e, size[i]);
        fold(&tree, &e);
        assert_true(tree.folded);
        expect_sound(&tree, &e);
        const struct ork_tree_node *node = node_of_run(&tree, size[i]);
        assert_non_null(node);
        assert_int_equal(node->outcome, 0);
        if (size[i] > 97) {
            node = node_of_run(&tree, 97);
            assert_non_null(node);
            assert_int_equal(node->look, ORK_LOOK_OTHER_RESULT);
        }
        ork_decision_tree_release(&tree);
        ork_exploration_release(&e);
    }
}

static void runs_that_end_alike_are_one_node(void **state)
{
    struct ork_exploration e;
    struct ork_decision_tree tree;

    (void)state;
    sample_large(&e, 10000);
    for (uint64_t i = 1; i < e.num_runs; i++) {
        e.run[i].parent = 1;
        e.run[i].outcome = i == 500 ? 0 : 2;
    }
    e.outcome[0].first = 501;
    fold(&tree, &e);
    assert_int_equal(tree.num_nodes, 3);
    expect_sound(&tree, &e);
    assert_int_equal(tree.node[1].runs, 9998);
    assert_int_equal(tree.node[1].beside, 9998);
    assert_int_equal(tree.node[1].look, ORK_OUTCOME_ENDED);
    assert_int_equal(tree.node[2].run, 500);
    ork_decision_tree_release(&tree);
    ork_exploration_release(&e);
}

static void a_chain_that_is_too_long_ends_in_a_folded_node(void **state)
{
    struct ork_exploration e;
    struct ork_decision_tree tree;

    (void)state;
    sample_large(&e, 5000);
    for (uint64_t i = 1; i < e.num_runs; i++)
        e.run[i].parent = i;
    fold(&tree, &e);
    assert_int_equal(tree.num_nodes, ORK_TREE_NODES);
    expect_sound(&tree, &e);
    const struct ork_tree_node *last = &tree.node[ORK_TREE_NODES - 1];
    assert_int_equal(last->runs, 5000 - (ORK_TREE_NODES - 1));
    assert_int_equal(last->look, ORK_LOOK_MIXED);
    assert_int_equal(last->outcome, UINT32_MAX);
    ork_decision_tree_release(&tree);
    ork_exploration_release(&e);
}

static void wrong_parents_and_outcomes_do_no_harm(void **state)
{
    struct ork_exploration e;
    struct ork_decision_tree tree;

    (void)state;
    sample_hostile_exploration(&e);
    fold(&tree, &e);
    expect_sound(&tree, &e);
    assert_int_equal(ork_outcome_look(&e, 77), ORK_OUTCOME_LOST);
    ork_decision_tree_release(&tree);
    ork_exploration_release(&e);
    fold(&tree, &e);
    assert_int_equal(tree.num_nodes, 0);
    ork_decision_tree_release(&tree);
}

static void the_drawing_names_run_choice_and_outcome(void **state)
{
    struct ork_exploration e;
    char *svg = NULL;

    (void)state;
    sample_farm(&e);
    e.run[8].diverged = true;
    free(e.run[9].change.outcome);
    e.run[9].change.outcome =
        strdup("found the message of rank 17, tag 123 after 12 unsuccessful polls");
    assert_int_equal(ork_decision_tree_svg(&e, &svg), ORK_OK);
    assert_int_equal(sample_count(svg, "class=\"node "), 24);
    assert_int_equal(sample_count(svg, "class=\"edge\""), 23);
    assert_int_equal(sample_count(svg, "class=\"node another bad\""), 2);
    assert_int_equal(sample_count(svg, " data-outcome=\"2\""), 2);
    assert_int_equal(sample_count(svg, " data-outcome=\"1\" class=\"node deadlock bad\""), 1);
    assert_int_equal(sample_count(svg, " data-outcome=\"3\""), 0);
    assert_true(sample_contains(svg, ">run 7: outcome 1, deadlock</text>"));
    assert_true(sample_contains(svg, ">(diverged)</text>"));
    assert_true(sample_contains(
        svg, "<title>rank 0, choice 1, MPI_Recv, took the message of rank 2, tag 0, at main "
             "(farm.c:40); run 7: outcome 1, deadlock</title>"));
    assert_true(sample_contains(svg, ">rank 0, choice 1, MPI_Recv</text>"));
    assert_true(sample_contains(svg, ">found the message of rank 17, tag 123</text>"));
    assert_true(sample_contains(svg, ">after 12 unsuccessful polls</text>"));
    assert_true(sample_contains(svg, ".graph .deadlock > path { fill: #4a2322"));
    assert_true(sample_contains(svg, "<!-- orknot -->"));
    free(svg);
    ork_exploration_release(&e);
}

static void a_folded_node_says_what_it_stands_for(void **state)
{
    struct ork_exploration e;
    char *dot = NULL;

    (void)state;
    sample_large(&e, 10000);
    assert_int_equal(ork_decision_tree_dot(&e, &dot), ORK_OK);
    assert_true(sample_contains(
        dot, "label=\"4 other changes\\n2,333 runs:\\n31 \u00d7 another output, 2,302 \u00d7 same "
             "output\", class=\"mixed folded\""));
    free(dot);
    for (uint64_t i = 1; i < e.num_runs; i++) {
        e.run[i].parent = i < 4 ? 1 : 2 + i % 3;
        e.run[i].outcome = i % 3 == 0 || i == 3 ? 2 : 1;
    }
    e.run[1].outcome = 0;
    e.outcome[0].first = 2;
    e.outcome[1].first = 3;
    assert_int_equal(ork_decision_tree_dot(&e, &dot), ORK_OK);
    assert_true(sample_contains(dot, "label=\"3,332 other changes\\n3,332 runs: same output\", "
                                     "class=\"ended folded\""));
    assert_int_equal(sample_count(dot,
                                  "3,332 runs: outcome 2, another output\", class=\"another bad "
                                  "folded\""),
                     2);
    assert_int_equal(sample_count(dot, ", peripheries=2"), 3);
    free(dot);
    ork_exploration_release(&e);
}

static void a_run_and_those_below_it_may_be_one_node(void **state)
{
    struct ork_exploration e;
    char *dot = NULL;

    (void)state;
    sample_large(&e, 41);
    for (uint64_t i = 0; i < 41; i++) {
        e.run[i].parent = i == 0 ? 0 : i == 1 ? 1 : 2;
        e.run[i].outcome = 2;
    }
    assert_int_equal(ork_decision_tree_dot(&e, &dot), ORK_OK);
    assert_true(sample_contains(dot, "\\nrun 2 and 39 below it: same output\""));
    free(dot);
    ork_exploration_release(&e);
}

static void one_run_has_no_tree(void **state)
{
    struct ork_exploration e;
    char *text = NULL;

    (void)state;
    sample_clean(&e);
    e.num_runs = 1;
    assert_int_equal(ork_decision_tree_dot(&e, &text), ORK_NOTFOUND);
    assert_int_equal(ork_decision_tree_svg(&e, &text), ORK_NOTFOUND);
    e.num_runs = 10;
    ork_exploration_release(&e);
}

static void hostile_strings_are_escaped(void **state)
{
    struct ork_exploration e;
    char *svg = NULL;

    (void)state;
    sample_hostile_exploration(&e);
    e.num_runs = 45;
    e.outcome[0].first = 41;
    e.run[40].outcome = 0;
    assert_int_equal(ork_decision_tree_svg(&e, &svg), ORK_OK);
    assert_false(sample_contains(svg, "<script"));
    assert_true(sample_contains(svg, "&lt;script&gt;alert(1)"));
    free(svg);
    e.num_runs = 50;
    ork_exploration_release(&e);
}

int test_decision_tree(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_tree_has_a_node_for_each_run),
        cmocka_unit_test(a_large_tree_is_folded_and_shows_the_first_run_of_each_outcome),
        cmocka_unit_test(runs_that_end_alike_are_one_node),
        cmocka_unit_test(a_chain_that_is_too_long_ends_in_a_folded_node),
        cmocka_unit_test(wrong_parents_and_outcomes_do_no_harm),
        cmocka_unit_test(the_drawing_names_run_choice_and_outcome),
        cmocka_unit_test(a_folded_node_says_what_it_stands_for),
        cmocka_unit_test(a_run_and_those_below_it_may_be_one_node),
        cmocka_unit_test(one_run_has_no_tree),
        cmocka_unit_test(hostile_strings_are_escaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
