/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/lanes.h"

#include "lanes_sample.h"
#include "tests/unit/report/sample.h"

#include <stdlib.h>
#include <string.h>

static struct ork_lanes lay_out(const struct ork_finding *f)
{
    struct ork_lanes lanes;

    assert_int_equal(ork_lanes_init(&lanes, f), ORK_OK);
    for (uint32_t i = 0; i < lanes.num_boxes; i++) {
        assert_true(lanes.box[i].column < lanes.columns);
        if (i > 0 && lanes.box[i - 1].lane == lanes.box[i].lane)
            assert_true(lanes.box[i - 1].column < lanes.box[i].column);
    }
    return lanes;
}

static void a_message_goes_to_the_right(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    lanes_sample_call(&f, 0, "MPI_Send", 3);
    lanes_sample_call(&f, 0, "MPI_Recv", 4)->inside = true;
    lanes_sample_call(&f, 1, "MPI_Barrier", 5);
    lanes_sample_call(&f, 1, "MPI_Recv", 6);
    lanes_sample_call(&f, 1, "MPI_Recv", 7)->inside = true;
    lanes_sample_arrow(&f, 0, 0, 1, 1);
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_boxes, 5);
    assert_int_equal(l.num_lines, 1);
    assert_null(l.line[0].differs);
    assert_true(l.box[l.line[0].from].column < l.box[l.line[0].to].column);
    assert_int_equal(l.box[1].look, ORK_LOOK_STUCK);
    assert_int_equal(l.box[1].column, l.columns - 1); /* the latest calls are at the right */
    assert_int_equal(l.box[4].column, l.columns - 1);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void the_calls_of_one_collective_are_in_one_column(void **state)
{
    struct ork_finding f = lanes_sample(3);

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        if (i == 1)
            lanes_sample_call(&f, i, "MPI_Send", 2);
        struct ork_last_call *call = lanes_sample_call(&f, i, "MPI_Barrier", 3);
        call->comm = strdup(i < 2 ? "MPI_COMM_WORLD" : "row");
        call->position = 4;
        if (i == 0)
            lanes_sample_call(&f, i, "MPI_Recv", 9);
        lanes_sample_call(&f, i, "MPI_Recv", 5)->inside = true;
    }
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_boxes, 8);
    assert_int_equal(l.group[4], 0);
    assert_int_equal(l.box[4].column, l.box[0].column);
    assert_int_equal(l.group[6], 6); /* the same place on another communicator */
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

/* A broadcast that its root leaves early: rank 1 enters it after a later message of the root. */
static void a_collective_that_does_not_synchronise_is_no_column(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        if (i == 1)
            lanes_sample_call(&f, 1, "MPI_Recv", 2);
        struct ork_last_call *call = lanes_sample_call(&f, i, "MPI_Bcast", 3);
        call->comm = strdup("MPI_COMM_WORLD");
        call->position = 0;
    }
    lanes_sample_call(&f, 0, "MPI_Send", 4);
    lanes_sample_arrow(&f, 0, 1, 1, 0);
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_lines, 1);
    assert_true(l.box[l.line[0].from].column < l.box[l.line[0].to].column);
    assert_int_equal(l.group[3], 3);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void a_near_match_is_a_line_with_what_differs(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    lanes_sample_call(&f, 0, "MPI_Isend", 3)->pending = 1;
    lanes_sample_call(&f, 0, "MPI_Barrier", 4)->inside = true;
    lanes_sample_call(&f, 1, "MPI_Recv", 6)->inside = true;
    lanes_sample_near(&f, 1, "MPI_Recv", 6, 0, "MPI_Isend", 3);
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_lines, 1);
    assert_string_equal(l.line[0].differs, "tag");
    assert_int_equal(l.line[0].from, 0);
    assert_int_equal(l.line[0].to, 2);
    assert_int_equal(l.box[0].look, ORK_LOOK_PENDING);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

/* A nonblocking receive lacks the message, and the rank is in the call that waits for it. */
static void a_near_match_leads_to_where_the_rank_waits(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    lanes_sample_call(&f, 0, "MPI_Isend", 3)->pending = 1;
    lanes_sample_call(&f, 0, "MPI_Barrier", 4)->inside = true;
    lanes_sample_call(&f, 1, "MPI_Irecv", 6)->pending = 1;
    lanes_sample_call(&f, 1, "MPI_Wait", 7)->inside = true;
    lanes_sample_near(&f, 1, "MPI_Irecv", 6, 0, "MPI_Isend", 3);
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_lines, 1);
    assert_int_equal(l.line[0].to, 3);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void a_message_of_another_order_is_a_line_of_its_own(void **state)
{
    struct ork_finding f = lanes_sample(3);
    char *svg;

    (void)state;
    f.class_ = ORK_INTERLEAVING;
    lanes_sample_call(&f, 0, "MPI_Recv", 3);
    lanes_sample_call(&f, 1, "MPI_Send", 6);
    lanes_sample_call(&f, 2, "MPI_Send", 9);
    lanes_sample_arrow(&f, 1, 0, 0, 0);
    f.decision = calloc(2, sizeof(*f.decision));
    f.num_decisions = 2;
    for (uint32_t i = 0; i < 2; i++)
        f.decision[i] = (struct ork_match_decision){
            .receive = {.rank = 0, .call = strdup("MPI_Recv")},
            .send = {.rank = 1 + i, .call = strdup("MPI_Send")},
            .differs = i == 1,
        };
    for (uint32_t i = 0; i < 2; i++) {
        f.decision[i].receive.where = (struct ork_where){.file = strdup("/src/a.c"), .line = 3};
        f.decision[i].send.where =
            (struct ork_where){.file = strdup("/src/a.c"), .line = i == 0 ? 6 : 9};
    }
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_lines, 2);
    assert_int_equal(l.line[0].kind, ORK_LINE_MESSAGE);
    assert_int_equal(l.line[1].kind, ORK_LINE_OTHER);
    assert_int_equal(l.line[1].from, 2);
    assert_int_equal(l.line[1].to, 0);
    ork_lanes_release(&l);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">instead<"));
    assert_true(sample_contains(svg, ">message that another order takes<"));
    free(svg);
    ork_finding_release(&f);
}

/* Rank 1 receives in each iteration what rank 0 sent in the one before. */
static struct ork_finding with_iterations(void)
{
    struct ork_finding f = lanes_sample(2);

    lanes_sample_call(&f, 0, "MPI_Recv", 3)->iteration = 2;
    lanes_sample_call(&f, 0, "MPI_Send", 4);
    lanes_sample_call(&f, 0, "MPI_Barrier", 5)->inside = true;
    lanes_sample_call(&f, 1, "MPI_Recv", 6)->iteration = 2;
    lanes_sample_call(&f, 1, "MPI_Send", 7);
    lanes_sample_call(&f, 1, "MPI_Recv", 8)->inside = true;
    for (uint32_t i = 0; i < 2; i++) {
        f.last_calls[i].call[0].iterations = 10;
        lanes_sample_arrow(&f, i, 1, 1 - i, 0);
    }
    return f;
}

static void calls_of_iterations_have_a_frame_and_a_count(void **state)
{
    struct ork_finding f = with_iterations();
    char *svg;

    (void)state;
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_folds, 2);
    assert_int_equal(l.fold[1].first, 3);
    assert_int_equal(l.fold[1].last, 4);
    assert_int_equal(l.fold[1].times, 10);
    assert_int_equal(l.num_lines, 1); /* the other one leads back to the next iteration */
    ork_lanes_release(&l);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">x 10<"));
    assert_true(sample_contains(svg, ">calls of an iteration<"));
    free(svg);
    ork_finding_release(&f);
}

static void iterations_that_do_not_fit_are_not_drawn(void **state)
{
    struct ork_finding f = with_iterations();

    (void)state;
    f.last_calls[0].call[0].iteration = UINT32_MAX;
    f.last_calls[1].call[1].iteration = 2; /* in another one */
    f.last_calls[1].call[1].iterations = 5;
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_folds, 1);
    assert_int_equal(l.fold[0].first, 3);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void a_message_that_is_too_long_leads_to_its_receive(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    free(f.id);
    f.id = strdup("truncation");
    f.class_ = ORK_CLASS_NONE;
    lanes_sample_call(&f, 0, "MPI_Send", 3);
    lanes_sample_call(&f, 1, "MPI_Recv", 6)->error = 15;
    lanes_sample_row(&f, 0, "MPI_Send", 3, "1");
    lanes_sample_row(&f, 1, "MPI_Recv", 6, "0");
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_lines, 1);
    assert_int_equal(l.line[0].kind, ORK_LINE_UNFIT);
    assert_int_equal(l.line[0].from, 0);
    assert_int_equal(l.line[0].to, 1);
    assert_int_equal(l.box[1].look, ORK_LOOK_PLAIN); /* nobody waits */
    ork_lanes_release(&l);
    lanes_sample_arrow(&f, 0, 0, 1, 0); /* the same message */
    l = lay_out(&f);
    assert_int_equal(l.num_lines, 1);
    assert_int_equal(l.line[0].kind, ORK_LINE_UNFIT);
    ork_lanes_release(&l);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">too long<"));
    free(svg);
    lanes_sample_call(&f, 0, "MPI_Send", 3); /* one of two: it is not known which */
    f.num_arrows = 0;
    l = lay_out(&f);
    assert_int_equal(l.num_lines, 0);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void a_deadlock_of_another_order_is_at_the_calls_of_its_ranks(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    f.class_ = ORK_INTERLEAVING;
    for (uint32_t i = 0; i < 2; i++) {
        lanes_sample_call(&f, i, "MPI_Recv", 3);
        lanes_sample_call(&f, i, "MPI_Send", 4);
        lanes_sample_call(&f, i, "MPI_Finalize", 5);
        lanes_sample_row(&f, i, "MPI_Recv", 3, "0");
    }
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.box[0].look, ORK_LOOK_STUCK);
    assert_int_equal(l.box[2].look, ORK_LOOK_PLAIN);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void accesses_that_nothing_orders_are_in_their_epochs(void **state)
{
    struct ork_finding f = lanes_sample(3);
    char *svg;

    (void)state;
    f.class_ = ORK_CLASS_NONE;
    f.access = calloc(2, sizeof(*f.access));
    f.num_accesses = 2;
    for (uint32_t i = 0; i < 3; i++) {
        lanes_sample_call(&f, i, "MPI_Win_fence", 3);
        if (i < 2)
            lanes_sample_call(&f, i, "MPI_Put", 4 + i);
        lanes_sample_call(&f, i, "MPI_Win_fence", 6);
        if (i == 2)
            break;
        f.access[i] = (struct ork_window_access){
            .rank = i, .target = 2, .call = strdup("MPI_Put"), .low = 8, .high = 16};
        f.access[i].where = (struct ork_where){.file = strdup("/src/a.c"), .line = 4 + i};
    }
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_lines, 1);
    assert_int_equal(l.line[0].kind, ORK_LINE_CONFLICT);
    assert_int_equal(l.box[1].look, ORK_LOOK_ACCESS);
    assert_int_equal(l.box[1].column, l.box[4].column); /* at the same time */
    assert_int_equal(l.num_epochs, 2);
    assert_int_equal(l.epoch[1].first, 3);
    assert_int_equal(l.epoch[1].last, 5);
    assert_int_equal(l.group[3], 0); /* the fences are one call of all ranks */
    assert_int_equal(l.group[6], 0);
    assert_int_equal(l.group[7], 2);
    ork_lanes_release(&l);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">not ordered<"));
    assert_true(sample_contains(svg, ">bytes 8-15 of 2<"));
    assert_true(sample_contains(svg, "class=\"epoch\""));
    free(svg);
    ork_finding_release(&f);
}

/* The window is another one: at least, it may be. */
static void fences_at_other_places_are_not_one_call(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    f.class_ = ORK_CLASS_NONE;
    f.access = calloc(2, sizeof(*f.access));
    f.num_accesses = 2;
    for (uint32_t i = 0; i < 2; i++) {
        lanes_sample_call(&f, i, i == 0 ? "MPI_Win_lock" : "MPI_Win_fence", 3);
        lanes_sample_call(&f, i, "MPI_Put", 4);
        lanes_sample_call(&f, i, i == 0 ? "MPI_Win_unlock" : "MPI_Win_fence", 5 + i);
        f.access[i] = (struct ork_window_access){
            .rank = i, .target = 2, .call = strdup("MPI_Put"), .low = 8, .high = 16};
        f.access[i].where = (struct ork_where){.file = strdup("/src/a.c"), .line = 4};
    }
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_epochs, 2);
    for (uint32_t i = 0; i < l.num_boxes; i++)
        assert_int_equal(l.group[i], i);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

static void the_last_call_of_a_rank_that_died_is_marked(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    f.class_ = ORK_CLASS_NONE;
    f.end = (struct ork_finding_end){.as = ORK_AS_SIGNAL, .rank = 1, .value = 11};
    lanes_sample_call(&f, 0, "MPI_Recv", 3)->inside = true;
    lanes_sample_call(&f, 1, "MPI_Barrier", 4);
    lanes_sample_call(&f, 1, "MPI_Send", 5);
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.box[0].look, ORK_LOOK_STUCK);
    assert_int_equal(l.box[1].look, ORK_LOOK_PLAIN);
    assert_int_equal(l.box[2].look, ORK_LOOK_ENDED);
    ork_lanes_release(&l);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_true(sample_contains(svg, ">last call of the rank that ended<"));
    free(svg);
    ork_finding_release(&f);
}

static void numbers_that_name_no_call_draw_nothing(void **state)
{
    struct ork_finding f = lanes_sample(2);
    struct ork_lanes l;

    (void)state;
    assert_int_equal(ork_lanes_init(&l, &f), ORK_NOTFOUND); /* no calls */
    lanes_sample_call(&f, 0, "MPI_Init", 3);
    lanes_sample_call(&f, 1, "MPI_Recv", 3);
    assert_int_equal(ork_lanes_init(&l, &f), ORK_NOTFOUND); /* of one rank */
    lanes_sample_call(&f, 0, "MPI_Send", 4);
    lanes_sample_call(&f, 0, "MPI_Send", 5);
    lanes_sample_arrow(&f, 0, 9, 1, 0);
    lanes_sample_arrow(&f, 7, 0, 1, 0);
    lanes_sample_arrow(&f, 0, 0, 1, 0); /* MPI_Init has no box */
    lanes_sample_arrow(&f, 0, 1, 0, 1);
    l = lay_out(&f);
    assert_int_equal(l.num_lines, 0);
    ork_lanes_release(&l);
    lanes_sample_call(&f, 1, "MPI_Recv", 8);
    lanes_sample_arrow(&f, 0, 2, 1, 0); /* two messages that cross back in time */
    lanes_sample_arrow(&f, 1, 1, 0, 1);
    l = lay_out(&f);
    assert_int_equal(l.num_lines, 0);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

/* Rank 0 made four equal calls, rank 1 three of them and then another one. */
static void equal_calls_are_parted_where_another_rank_left_them(void **state)
{
    struct ork_finding f = lanes_sample(2);
    char *svg;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct ork_last_call *call = lanes_sample_call(&f, i, "MPI_Allreduce", 30);
        call->comm = strdup("MPI_COMM_WORLD");
        call->times = i == 0 ? 4 : 3;
        call->position = i == 0 ? 3 : 2;
    }
    struct ork_last_call *other = lanes_sample_call(&f, 1, "MPI_Allreduce", 31);
    other->comm = strdup("MPI_COMM_WORLD");
    other->position = 3;
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.num_boxes, 4);
    assert_int_equal(l.box[0].times, 3);
    assert_int_equal(l.box[0].position, 2);
    assert_int_equal(l.box[1].times, 1);
    assert_int_equal(l.box[1].position, 3);
    assert_int_equal(l.box[0].look, ORK_LOOK_PLAIN);
    assert_int_equal(l.box[1].look, ORK_LOOK_STUCK); /* only the last one */
    assert_int_equal(l.box[0].column, l.box[2].column);
    assert_int_equal(l.box[1].column, l.box[3].column);
    ork_lanes_release(&l);
    assert_int_equal(ork_viz_lanes_svg(&f, &svg), ORK_OK);
    assert_int_equal(sample_count(svg, ">Allreduce x3<"), 2);
    assert_int_equal(sample_count(svg, "class=\"bar\""), 2);
    free(svg);
    ork_finding_release(&f);
}

static void collective_calls_that_do_not_fit_are_marked(void **state)
{
    struct ork_finding f = lanes_sample(2);

    (void)state;
    free(f.id);
    f.id = strdup("count-mismatch");
    f.class_ = ORK_CLASS_NONE;
    for (uint32_t i = 0; i < 2; i++) {
        lanes_sample_call(&f, i, "MPI_Ibcast", 26);
        lanes_sample_call(&f, i, "MPI_Wait", 27);
        lanes_sample_row(&f, i, "MPI_Ibcast", 26, "0");
    }
    struct ork_lanes l = lay_out(&f);
    assert_int_equal(l.box[0].look, ORK_LOOK_UNFIT);
    assert_int_equal(l.box[1].look, ORK_LOOK_PLAIN);
    assert_int_equal(l.box[2].look, ORK_LOOK_UNFIT);
    assert_int_equal(l.group[2], l.group[0]);
    ork_lanes_release(&l);
    ork_finding_release(&f);
}

int test_lanes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_goes_to_the_right),
        cmocka_unit_test(the_calls_of_one_collective_are_in_one_column),
        cmocka_unit_test(a_collective_that_does_not_synchronise_is_no_column),
        cmocka_unit_test(a_near_match_is_a_line_with_what_differs),
        cmocka_unit_test(a_near_match_leads_to_where_the_rank_waits),
        cmocka_unit_test(a_message_of_another_order_is_a_line_of_its_own),
        cmocka_unit_test(calls_of_iterations_have_a_frame_and_a_count),
        cmocka_unit_test(iterations_that_do_not_fit_are_not_drawn),
        cmocka_unit_test(a_message_that_is_too_long_leads_to_its_receive),
        cmocka_unit_test(a_deadlock_of_another_order_is_at_the_calls_of_its_ranks),
        cmocka_unit_test(accesses_that_nothing_orders_are_in_their_epochs),
        cmocka_unit_test(fences_at_other_places_are_not_one_call),
        cmocka_unit_test(the_last_call_of_a_rank_that_died_is_marked),
        cmocka_unit_test(numbers_that_name_no_call_draw_nothing),
        cmocka_unit_test(equal_calls_are_parted_where_another_rank_left_them),
        cmocka_unit_test(collective_calls_that_do_not_fit_are_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
