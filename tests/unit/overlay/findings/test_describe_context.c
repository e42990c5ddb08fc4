/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands around a deadlock: the first sentence, near misses, communicators, what would resolve
 * it, how it was reached. */
#include "tests/unit/overlay/stage/describe_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdlib.h>
#include <string.h>

/* Ranks 2 and 3 receive from the other two. */
static void add_waiters(struct state *s)
{
    script_recv(&s->script[2], 1, 0);
    script_recv(&s->script[3], 1, 0);
}

static void a_wrong_tag_is_a_near_miss_and_what_would_resolve_it(void **state)
{
    struct state *s = *state;

    place(&s->script[0], 7);
    script_recv(&s->script[0], 1, 7);
    place(&s->script[1], 10);
    script_send(&s->script[1], 0, 8);
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->summary,
        "Rank 1 sends tag 8 to rank 0 (MPI_Send at ring.c:10), but rank 0 waits for tag 7 "
        "(MPI_Recv at ring.c:7)");
    assert_string_equal(
        f->detail[0], "Ranks 0 and 1 wait for each other: rank 0 in MPI_Recv (ring.c:7), rank 1 in "
                      "MPI_Send (ring.c:10); ranks 2 and 3 wait for them in MPI_Recv.");
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "tag");
    assert_int_equal(f->near_miss[0].waits.rank, 0);
    assert_int_equal(f->near_miss[0].pending.rank, 1);
    assert_int_equal(f->near_miss[0].pending.where.line, 10);
    assert_string_equal(
        f->near_miss[0].message,
        "Rank 1 sends tag 8 to rank 0 (MPI_Send at ring.c:10), but rank 0 waits for tag 7 "
        "(MPI_Recv at ring.c:7).");
    assert_int_equal(f->num_remedies, 1);
    assert_string_equal(f->remedy[0].message,
                        "Use the same tag in MPI_Send (ring.c:10) and MPI_Recv (ring.c:7).");
    assert_int_equal(f->remedy[0].frees.count, RANKS);
    assert_int_equal(f->basis, ORK_BASIS_STRICT);
    assert_non_null(f->basis_text);
}

static void a_message_to_or_from_another_rank_is_a_near_miss(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 5);
    script_send(&s->script[1], 2, 5);
    script_recv(&s->script[2], 0, 9);
    script_recv(&s->script[3], 3, 0);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "destination");
    assert_string_equal(f->near_miss[0].message,
                        "Rank 1 sends tag 5 to rank 2 (MPI_Send), but rank 0 waits for it "
                        "(MPI_Recv).");
}

static void another_communicator_is_a_near_miss(void **state)
{
    struct state *s = *state;
    const uint32_t pair[] = {0, 1};

    for (uint32_t r = 0; r < RANKS; r++)
        script_create(&s->script[r], 2, r < 2 ? pair : NULL, 2);
    script_recv(&s->script[0], 1, 7);
    script_add(&s->script[1], (struct ork_record){.kind = ORK_KIND_SEND,
                                                  .call = ORK_CALL_MPI_Ssend,
                                                  .mode = ORK_SEND_SYNCHRONOUS,
                                                  .comm = 2,
                                                  .peer = 0,
                                                  .tag = 7,
                                                  .site = 77});
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "communicator");
    assert_int_equal(f->num_communicators, 2);
    assert_string_equal(f->communicator[0].name, "MPI_COMM_WORLD");
    assert_int_equal(f->communicator[0].size, RANKS);
    assert_null(f->communicator[0].origin);
    assert_int_equal(f->communicator[0].num_members, 1);
    assert_int_equal(f->communicator[0].member[0].last, RANKS - 1);
    assert_string_equal(f->communicator[1].origin, "MPI_Comm_create");
    assert_string_equal(f->communicator[1].parent, "MPI_COMM_WORLD");
    assert_int_equal(f->communicator[1].size, 2);
    assert_int_equal(f->communicator[1].member[0].last, 1);
}

static void messages_that_differ_in_two_things_are_none(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 5);
    script_send(&s->script[1], 2, 6);
    script_recv(&s->script[2], 0, 9);
    script_recv(&s->script[3], 3, 0);
    assert_int_equal(describe(s)->num_near_misses, 0);
}

static void the_odd_rank_of_a_collective_is_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        place(&s->script[r], r == 2 ? 30 : 20);
        if (r == 2)
            script_recv(&s->script[r], 0, 3);
        else
            script_coll(&s->script[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    }
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->summary, "Ranks 0, 1 and 3 wait in MPI_Barrier (ring.c:20) for rank 2, which waits in "
                    "MPI_Recv (ring.c:30) for rank 0");
    assert_int_equal(f->num_remedies, 2);
    assert_true(has_remedy(f, "Let rank 0 send to rank 2, which waits in MPI_Recv (ring.c:30), "
                              "before MPI_Barrier (ring.c:20)."));
    assert_true(has_remedy(f, "Let rank 2 call MPI_Barrier on MPI_COMM_WORLD, as rank 0 does "
                              "(ring.c:20), before MPI_Recv (ring.c:30)."));
}

static void alike_arcs_of_a_ring_are_one_remedy(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        place(&s->script[r], 12);
        script_recv(&s->script[r], (int32_t)((r + 1) % RANKS), 0);
    }
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->summary,
        "Each of ranks 0-3 waits in MPI_Recv (ring.c:12) for the rank after it (rank 3 for "
        "rank 0)");
    assert_int_equal(f->num_remedies, 1);
    assert_int_equal(f->remedy[0].ranks.count, RANKS);
    assert_string_equal(f->remedy[0].message,
                        "Let one of ranks 0-3 send before MPI_Recv (ring.c:12).");
}

static void two_roots_need_a_remedy_each(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        place(&s->script[r], 10 + r);
        script_recv(&s->script[r], (int32_t)(r ^ 1), 0);
    }
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->summary, "Ranks 0 and 1 wait for each other: rank 0 in MPI_Recv (ring.c:10), rank 1 in "
                    "MPI_Recv (ring.c:11); ranks 2 and 3 wait for each other: rank 2 in MPI_Recv "
                    "(ring.c:12), rank 3 in MPI_Recv (ring.c:13)");
    assert_int_equal(f->num_remedies, 4);
    for (uint32_t i = 0; i < f->num_remedies; i++)
        assert_int_equal(f->remedy[i].frees.count, 2);
    assert_true(has_remedy(f,
                           "Let rank 1 send to rank 0, which waits in MPI_Recv (ring.c:10), before "
                           "MPI_Recv (ring.c:11)."));
}

static void alike_roots_need_one_rank_of_each(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        place(&s->script[r], 12);
        script_recv(&s->script[r], (int32_t)(r ^ 1), 0);
    }
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_remedies, 1);
    assert_int_equal(f->remedy[0].frees.count, RANKS);
    assert_string_equal(f->remedy[0].message,
                        "Let one of ranks 0-3 in each root send before MPI_Recv (ring.c:12).");
}

static void who_alone_can_act_in_alike_roots_is_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        place(&s->script[r], 12 + r % 2);
        script_recv(&s->script[r], (int32_t)(r ^ 1), 0);
    }
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_remedies, 2);
    assert_true(has_remedy(f, "Let each of ranks 1 and 3 send before MPI_Recv (ring.c:13)."));
    assert_true(has_remedy(f, "Let each of ranks 0 and 2 send before MPI_Recv (ring.c:12)."));
}

static void each_rank_can_end_that_all_wait_for_anybody(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        place(&s->script[r], 12);
        script_recv(&s->script[r], ORK_ANY_SOURCE, 0);
    }
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_remedies, 1);
    assert_int_equal(f->remedy[0].ranks.count, RANKS);
    assert_string_equal(f->remedy[0].message,
                        "Let one of ranks 0-3 send before MPI_Recv (ring.c:12).");
}

/* Rank 0 waits for two messages, so that no single one lets it go; each other rank waits for it. */
static void an_arc_that_does_not_break_the_knot_is_no_remedy(void **state)
{
    struct state *s = *state;

    script_irecv(&s->script[0], ORK_COMM_WORLD, 1, 1);
    script_irecv(&s->script[0], ORK_COMM_WORLD, 2, 2);
    script_wait_all(&s->script[0], (const uint32_t[]){1, 2}, 2);
    script_recv(&s->script[1], 0, 0);
    script_recv(&s->script[2], 0, 0);
    script_recv(&s->script[3], 0, 0);
    assert_int_equal(describe(s)->num_remedies, 0);
}

static void a_rank_that_ended_is_what_would_have_to_change(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 0);
    script_recv(&s->script[2], 1, 0);
    script_recv(&s->script[3], 1, 0);
    assert_int_equal(ork_detector_feed(s->d, 1, s->script[1].record, s->script[1].n), ORK_OK);
    assert_int_equal(ork_detector_end(s->d, 1, ORK_END_EXITED), ORK_OK);
    s->script[1].n = 0;
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->summary,
        "Ranks 0, 2 and 3 wait in MPI_Recv for rank 1, which has ended without MPI_Finalize");
    assert_true(has_remedy(f, "Let rank 1 send to rank 0, which waits in MPI_Recv, before it ends, "
                              "or remove that receive."));
}

/* Its library let it out of MPI_Finalize early. */
static void a_rank_that_left_is_not_said_to_have_ended_without(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 0);
    script_recv(&s->script[2], 1, 0);
    script_recv(&s->script[3], 1, 0);
    assert_int_equal(ork_detector_end(s->d, 1, ORK_END_FINISHED), ORK_OK);
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->message, "ranks 0, 2 and 3 wait in MPI_Recv for rank 1, which has left MPI_Finalize");
    assert_string_equal(
        f->summary, "Ranks 0, 2 and 3 wait in MPI_Recv for rank 1, which has left MPI_Finalize");
    assert_true(has_remedy(f, "Let rank 1 send to rank 0, which waits in MPI_Recv, before "
                              "MPI_Finalize, or remove that receive."));
}

int test_describe_context(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wrong_tag_is_a_near_miss_and_what_would_resolve_it,
                                        describe_set_up, describe_tear_down),
        cmocka_unit_test_setup_teardown(a_message_to_or_from_another_rank_is_a_near_miss,
                                        describe_set_up, describe_tear_down),
        cmocka_unit_test_setup_teardown(another_communicator_is_a_near_miss, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(messages_that_differ_in_two_things_are_none,
                                        describe_set_up, describe_tear_down),
        cmocka_unit_test_setup_teardown(the_odd_rank_of_a_collective_is_named, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(alike_arcs_of_a_ring_are_one_remedy, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(two_roots_need_a_remedy_each, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(alike_roots_need_one_rank_of_each, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(who_alone_can_act_in_alike_roots_is_named, describe_set_up,
                                        describe_tear_down),
        cmocka_unit_test_setup_teardown(each_rank_can_end_that_all_wait_for_anybody,
                                        describe_set_up, describe_tear_down),
        cmocka_unit_test_setup_teardown(an_arc_that_does_not_break_the_knot_is_no_remedy,
                                        describe_set_up, describe_tear_down),
        cmocka_unit_test_setup_teardown(a_rank_that_ended_is_what_would_have_to_change,
                                        describe_set_up, describe_tear_down),
        cmocka_unit_test_setup_teardown(a_rank_that_left_is_not_said_to_have_ended_without,
                                        describe_set_up, describe_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
