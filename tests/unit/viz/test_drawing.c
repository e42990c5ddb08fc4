/* SPDX-License-Identifier: BSD-3-Clause */
/* Folding is tested through the drawing: fold.c has no other user. */
#include "sample.h"

#include "viz/drawing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct ork_drawing draw(const struct ork_finding *f)
{
    struct ork_drawing d;

    assert_int_equal(ork_drawing_init(&d, &f->graph), ORK_OK);
    return d;
}

static struct ork_finding ring(uint32_t ranks)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    for (uint32_t i = 0; i < ranks; i++)
        sample_add_node(&f, i, ORK_NODE_RANK, i, "MPI_Recv", SAMPLE_ALL);
    for (uint32_t i = 0; i < ranks; i++)
        sample_add_arc(&f, i, (i + 1) % ranks, NULL);
    return f;
}

static void eight_ranks_are_never_folded(void **state)
{
    struct ork_finding f = sample_barrier(8);
    struct ork_drawing d = draw(&f);

    (void)state;
    assert_int_equal(d.num_boxes, 9);
    assert_int_equal(d.num_lines, 9);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void ranks_in_the_same_barrier_become_one_box(void **state)
{
    struct ork_finding f = sample_barrier(1000);
    struct ork_drawing d = draw(&f);

    (void)state;
    /* rank 0 is apart: rank 7 waits for it */
    assert_int_equal(d.num_boxes, 4);
    assert_int_equal(d.box[1].folded, 998);
    assert_int_equal(d.box[1].num_ranks, 998);
    assert_int_equal(d.box[1].rank[0], 1);
    assert_int_equal(d.box[1].rank[997], 999);
    assert_int_equal(d.box[3].num_ranks, 0);
    assert_int_equal(d.num_lines, 4);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void flags_and_words_keep_ranks_apart(void **state)
{
    struct ork_finding f = sample_barrier(20);

    (void)state;
    f.graph.node[10].core = true;
    f.graph.node[11].is_or = true;
    f.graph.node[12].deadlocked = false;
    f.graph.node[13].label[4] = 'X';
    struct ork_drawing d = draw(&f);
    assert_int_equal(d.num_boxes, 4 + 4);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void a_clique_becomes_one_box_that_waits_for_itself(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        sample_add_node(&f, i, ORK_NODE_RANK, i, "MPI_Recv", SAMPLE_ALL | SAMPLE_OR);
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t j = 0; j < 20; j++)
            if (i != j)
                sample_add_arc(&f, i, j, NULL);
    struct ork_drawing d = draw(&f);
    assert_int_equal(d.num_boxes, 1);
    assert_int_equal(d.num_lines, 1);
    assert_int_equal(d.line[0].from, 0);
    assert_int_equal(d.line[0].to, 0);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void pairs_that_wait_for_each_other_stay_pairs(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        sample_add_node(&f, i, ORK_NODE_RANK, i, "MPI_Recv", SAMPLE_ALL);
        sample_add_arc(&f, i, i ^ 1u, NULL);
    }
    struct ork_drawing d = draw(&f);
    assert_int_equal(d.num_boxes, 20);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void a_short_ring_stays_and_a_long_one_is_summarised(void **state)
{
    struct ork_finding short_ring = ring(ORK_FOLD_BOXES);
    struct ork_finding long_ring = ring(10000);
    struct ork_drawing d = draw(&short_ring);

    (void)state;
    assert_int_equal(d.num_boxes, ORK_FOLD_BOXES);
    ork_drawing_release(&d);
    d = draw(&long_ring);
    assert_int_equal(d.num_boxes, 1);
    assert_int_equal(d.box[0].num_ranks, 10000);
    ork_drawing_release(&d);
    ork_finding_release(&short_ring);
    ork_finding_release(&long_ring);
}

static void terms_fold_with_their_ranks(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        sample_add_node(&f, i, ORK_NODE_RANK, i, "MPI_Waitall", SAMPLE_DEAD);
        sample_add_node(&f, 100 + i, ORK_NODE_TERM, i, "request[0]", SAMPLE_DEAD);
        sample_add_arc(&f, i, 100 + i, NULL);
        sample_add_arc(&f, 100 + i, 500, NULL);
    }
    sample_add_node(&f, 500, ORK_NODE_RANK, 100, "MPI_Recv", SAMPLE_DEAD);
    sample_add_arc(&f, 500, 500, NULL);
    struct ork_drawing d = draw(&f);
    assert_int_equal(d.num_boxes, 3);
    assert_int_equal(d.box[1].folded, 100);
    assert_int_equal(d.box[1].num_ranks, 100);
    assert_int_equal(d.num_lines, 3);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void a_chain_keeps_its_ends(void **state)
{
    struct ork_finding f = ring(1000);

    (void)state;
    f.graph.num_arcs--; /* rank 999 waits for nobody */
    struct ork_drawing d = draw(&f);
    assert_in_range(d.num_boxes, ORK_FOLD_BOXES / 2, ORK_FOLD_BOXES);
    assert_int_equal(d.box[0].folded, 1);
    ork_drawing_release(&d);
    f.graph.num_arcs++;
    ork_finding_release(&f);
}

static void arcs_to_nowhere_are_dropped_and_equal_ones_joined(void **state)
{
    struct ork_finding f = sample_pair();

    (void)state;
    sample_add_arc(&f, 0, 77, NULL);
    sample_add_arc(&f, UINT32_MAX, 0, NULL);
    sample_add_arc(&f, 0, 1, "tag 7");
    sample_add_arc(&f, 0, 1, "tag 8");
    struct ork_drawing d = draw(&f);
    assert_int_equal(d.num_lines, 3);
    assert_string_equal(d.line[0].label, "tag 7");
    assert_string_equal(d.line[1].label, "tag 8");
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void many_labels_between_two_boxes_become_none(void **state)
{
    struct ork_finding f = sample_pair();
    static const char *const label[] = {"a", "b", "c"};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        sample_add_arc(&f, 0, 1, label[i]);
    struct ork_drawing d = draw(&f);
    assert_int_equal(d.num_lines, 2);
    assert_null(d.line[0].label);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void a_limited_drawing_keeps_the_core(void **state)
{
    struct ork_finding f = sample_fig4();
    struct ork_drawing d = draw(&f);

    (void)state;
    assert_int_equal(ork_drawing_limit(&d, 4, 5), ORK_OK);
    assert_int_equal(d.num_boxes, 4);
    assert_int_equal(d.num_lines, 5);
    assert_int_equal(d.left_out_boxes, 2);
    assert_int_equal(d.left_out_lines, 6);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(d.box[i].node->core);
    for (uint32_t i = 0; i < 5; i++)
        assert_in_range(d.line[i].to, 0, 3);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double time_of_drawing(uint32_t ranks)
{
    struct ork_finding f = sample_barrier(ranks);
    double best = 1e9;

    for (int i = 0; i < 3; i++) {
        double start = seconds();
        struct ork_drawing d = draw(&f);
        double took = seconds() - start;
        ork_drawing_release(&d);
        best = took < best ? took : best;
    }
    ork_finding_release(&f);
    return best;
}

static void folding_is_near_linear(void **state)
{
    double small = time_of_drawing(10000);
    double large = time_of_drawing(80000);

    (void)state;
    /* quadratic would be 64 */
    assert_true(large < 24 * small + 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_ranks_are_never_folded),
        cmocka_unit_test(ranks_in_the_same_barrier_become_one_box),
        cmocka_unit_test(flags_and_words_keep_ranks_apart),
        cmocka_unit_test(a_clique_becomes_one_box_that_waits_for_itself),
        cmocka_unit_test(pairs_that_wait_for_each_other_stay_pairs),
        cmocka_unit_test(a_short_ring_stays_and_a_long_one_is_summarised),
        cmocka_unit_test(terms_fold_with_their_ranks),
        cmocka_unit_test(a_chain_keeps_its_ends),
        cmocka_unit_test(arcs_to_nowhere_are_dropped_and_equal_ones_joined),
        cmocka_unit_test(many_labels_between_two_boxes_become_none),
        cmocka_unit_test(a_limited_drawing_keeps_the_core),
        cmocka_unit_test(folding_is_near_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
