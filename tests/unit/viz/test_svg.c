/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

static void every_label_is_in_the_drawing(void **state)
{
    struct ork_finding f = sample_fig4();
    char *svg = sample_svg(&f);

    (void)state;
    assert_true(sample_contains(svg, ">0: MPI_Waitall<"));
    assert_true(sample_contains(svg, ">1: MPI_Recv<"));
    assert_true(sample_contains(svg, ">3: MPI_Recv<"));
    assert_true(sample_contains(svg, ">request[0]<"));
    assert_true(sample_contains(svg, ">request[1]<"));
    assert_int_equal(sample_count(svg, ">MPI_Irecv<"), 2);
    assert_int_equal(sample_count(svg, "class=\"edge or\""), 6);
    assert_int_equal(sample_count(svg, "class=\"edge and\""), 5);
    assert_int_equal(sample_count(svg, "stroke-dasharray"), 6);
    free(svg);
    ork_finding_release(&f);
}

static void it_begins_with_the_mark_and_has_no_ids(void **state)
{
    struct ork_finding f = sample_pair();
    char *svg = sample_svg(&f);
    static const char start[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- orknot -->\n<svg ";

    (void)state;
    assert_memory_equal(svg, start, strlen(start));
    assert_false(sample_contains(svg, " id="));
    assert_false(sample_contains(svg, "<title>n"));
    assert_int_equal(sample_count(svg, "<title>"), 2);
    assert_true(sample_contains(svg, "prefers-color-scheme: dark"));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    free(svg);
    ork_finding_release(&f);
}

static void the_same_graph_gives_the_same_drawing(void **state)
{
    struct ork_finding f = sample_fig4();
    char *first = sample_svg(&f);
    char *second = sample_svg(&f);

    (void)state;
    assert_string_equal(first, second);
    free(first);
    free(second);
    ork_finding_release(&f);
}

static void a_node_names_its_ranks_and_says_all_it_knows(void **state)
{
    struct ork_finding f = sample_pair();
    struct ork_graph_node *n = &f.graph.node[0];

    (void)state;
    n->comm = strdup("row");
    n->place = strdup("halo.c:40");
    n->towards = strdup("from");
    n->relation = strdup("rank+1");
    n->run = calloc(1, sizeof(*n->run));
    n->num_runs = 1;
    n->run[0] = (struct ork_rank_run){0, 9998, 2};
    n->count = 5000;
    char *svg = sample_svg(&f);
    assert_true(sample_contains(svg, "<g data-ranks=\"0-9998/2\" class=\"node rank"));
    assert_true(sample_contains(
        svg, "<title>ranks 0,2,..,9998: MPI_Recv from rank+1 at halo.c:40 on row</title>"));
    assert_true(sample_contains(svg, ">0,2,..,9998: MPI_Recv from rank+1<"));
    assert_true(sample_contains(svg, ">at halo.c:40<"));
    assert_true(sample_contains(svg, ">on row<"));
    assert_true(sample_contains(svg, "<g data-ranks=\"1\" class=\"node rank"));
    assert_true(sample_contains(svg, "<title>rank 1: MPI_Recv</title>"));
    free(svg);
    ork_finding_release(&f);
}

static void hostile_labels_are_text(void **state)
{
    struct ork_finding f = sample_hostile();
    char *svg = sample_svg(&f);

    (void)state;
    assert_false(sample_contains(svg, "<script"));
    assert_true(sample_contains(svg, "&lt;script&gt;"));
    assert_true(sample_contains(svg, "\\N\\G&amp;amp;"));
    assert_false(sample_contains(svg, "\x1b"));
    free(svg);
    ork_finding_release(&f);
}

static void what_no_eye_could_follow_is_left_out(void **state)
{
    struct ork_finding f = sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "m");
    char label[32];

    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(label, sizeof(label), "call %u", i);
        sample_add_node(&f, i, ORK_NODE_RANK, i, label, i == 999 ? SAMPLE_ALL : 0);
        sample_add_arc(&f, i, 0, NULL);
    }
    f.graph.node[0].count = 2; /* folded already */
    char *svg = sample_svg(&f);
    assert_true(sample_contains(svg, ">... and 900 more nodes and 900 more arcs,<"));
    assert_true(sample_contains(svg, ">999: call 999<"));
    free(svg);
    ork_finding_release(&f);
}

static void no_graph_no_svg(void **state)
{
    struct ork_finding f = sample_finding("x", ORK_CLASS_NONE, ORK_NOTE, "y");
    char *svg = NULL;

    (void)state;
    assert_int_equal(ork_viz_svg(&f, &svg), ORK_NOTFOUND);
    assert_null(svg);
    ork_finding_release(&f);
}

int test_svg(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_label_is_in_the_drawing),
        cmocka_unit_test(it_begins_with_the_mark_and_has_no_ids),
        cmocka_unit_test(the_same_graph_gives_the_same_drawing),
        cmocka_unit_test(a_node_names_its_ranks_and_says_all_it_knows),
        cmocka_unit_test(hostile_labels_are_text),
        cmocka_unit_test(what_no_eye_could_follow_is_left_out),
        cmocka_unit_test(no_graph_no_svg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
