/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/report/sample.h"

#include "viz/drawing.h"

#include <stdlib.h>
#include <string.h>

static struct ork_drawing draw(const struct ork_finding *f)
{
    struct ork_drawing d;

    assert_int_equal(ork_drawing_init(&d, &f->graph), ORK_OK);
    return d;
}

static void what_is_readable_is_drawn_as_it_is(void **state)
{
    struct ork_finding f = sample_barrier(39);
    struct ork_drawing d = draw(&f);

    (void)state;
    assert_int_equal(d.num_nodes, 40);
    assert_int_equal(d.num_lines, 40);
    assert_ptr_equal(d.node[0], &f.graph.node[0]);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

static void what_is_large_is_folded(void **state)
{
    struct ork_finding f = sample_barrier(1000);
    struct ork_drawing d = draw(&f);

    (void)state;
    assert_int_equal(d.num_nodes, 4);
    assert_int_equal(d.num_lines, 4);
    ork_drawing_release(&d);
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
    assert_int_equal(d.num_nodes, 4);
    assert_int_equal(d.num_lines, 5);
    assert_int_equal(d.left_out_nodes, 2);
    assert_int_equal(d.left_out_lines, 6);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(d.node[i]->core);
    for (uint32_t i = 0; i < 5; i++)
        assert_in_range(d.line[i].to, 0, 3);
    ork_drawing_release(&d);
    ork_finding_release(&f);
}

int test_drawing(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_readable_is_drawn_as_it_is),
        cmocka_unit_test(what_is_large_is_folded),
        cmocka_unit_test(arcs_to_nowhere_are_dropped_and_equal_ones_joined),
        cmocka_unit_test(many_labels_between_two_boxes_become_none),
        cmocka_unit_test(a_limited_drawing_keeps_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
