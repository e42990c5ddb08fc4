/* SPDX-License-Identifier: BSD-3-Clause */
/* What a drawing of the last calls says. */
#include "viz/lanes.h"

#include "lanes_sample.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

static void polls_are_not_said_to_have_not_returned(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    f.class_ = ORK_SUSPECTED;
    lanes_sample_call(&f, 0, "MPI_Test", 3)->times = 40282548;
    lanes_sample_call(&f, 1, "MPI_Iprobe", 4)->times = 7;
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">Test x40,282,548<"));
    assert_true(sample_contains(svg, ">polls without success<"));
    assert_false(sample_contains(svg, "not returned"));
    free(svg);
    ork_finding_release(&f);
}

/* Of a large job only the ranks of the root have lanes. */
static void ranks_without_a_lane_are_counted(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    lanes_sample_call(&f, 0, "MPI_Barrier", 31)->inside = true;
    lanes_sample_call(&f, 1, "MPI_Recv", 29)->inside = true;
    for (uint32_t i = 0; i < 64; i++)
        lanes_sample_row(&f, i, i == 1 ? "MPI_Recv" : "MPI_Barrier", i == 1 ? 29 : 31, "0");
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_int_equal(sample_count(svg, ">62 more in this call<"), 1);
    assert_int_equal(sample_count(svg, "more in this call"), 1);
    free(svg);
    ork_finding_release(&f);
}

static void a_hang_says_which_rank_is_outside_mpi(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    free(f.id);
    f.id = strdup("hang");
    f.class_ = ORK_CLASS_NONE;
    lanes_sample_call(&f, 0, "MPI_Send", 3);
    lanes_sample_call(&f, 1, "MPI_Recv", 4)->inside = true;
    lanes_sample_row(&f, 0, "", 0, "0");
    lanes_sample_row(&f, 1, "MPI_Recv", 4, "0");
    free(f.waits[0].state);
    f.waits[0].state = strdup("running");
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_int_equal(sample_count(svg, ">outside MPI<"), 1);
    free(svg);
    ork_finding_release(&f);
}

static void a_method_of_python_has_its_own_name(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct ork_last_call *call = lanes_sample_call(&f, i, "MPI_Mprobe", 3);
        call->own_name = strdup("comm.recv");
        call->inside = true;
    }
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_int_equal(sample_count(svg, ">comm.recv</text>"), 2);
    assert_int_equal(sample_count(svg, "<title>comm.recv: MPI_Mprobe at /src/a.c:3"), 2);
    free(svg);
    ork_finding_release(&f);
}

static void the_drawing_has_all_that_is_to_be_seen(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    struct ork_last_call *call = lanes_sample_call(&f, 0, "MPI_Isend", 13);
    call->peer = strdup("MPI_PROC_NULL");
    call->tag = strdup("1");
    call->times = 3;
    lanes_sample_call(&f, 0, "MPI_Barrier", 15)->inside = true;
    call = lanes_sample_call(&f, 1, "MPI_Recv", 6);
    call->peer = strdup("MPI_ANY_SOURCE");
    call->tag = strdup("MPI_ANY_TAG");
    call->inside = true;
    lanes_sample_near(&f, 1, "MPI_Recv", 6, 0, "MPI_Isend", 13);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">rank 0<"));
    assert_true(sample_contains(svg, ">Isend x3<"));
    assert_true(sample_contains(svg, ">to nobody<"));
    assert_true(sample_contains(svg, ">from any, tag any<"));
    assert_true(sample_contains(svg, ">:13<"));
    assert_true(sample_contains(svg, ">lines of a.c<"));
    assert_true(sample_contains(svg, "class=\"box nobody\""));
    assert_true(sample_contains(svg, "class=\"miss\""));
    assert_true(sample_contains(svg, ">to nobody<"));
    assert_true(sample_contains(svg, "<title>MPI_Recv(from MPI_ANY_SOURCE, tag MPI_ANY_TAG) at "
                                     "/src/a.c:6: has not returned</title>"));
    assert_false(sample_contains(svg, "class=\"message\""));
    free(svg);
    ork_finding_release(&f);
}

int test_lanes_words(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polls_are_not_said_to_have_not_returned),
        cmocka_unit_test(ranks_without_a_lane_are_counted),
        cmocka_unit_test(a_hang_says_which_rank_is_outside_mpi),
        cmocka_unit_test(a_method_of_python_has_its_own_name),
        cmocka_unit_test(the_drawing_has_all_that_is_to_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
