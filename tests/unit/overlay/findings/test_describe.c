/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/describe_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdlib.h>
#include <string.h>

static void assert_set(const struct ork_u32s *set, uint32_t count, uint32_t first, uint32_t second)
{
    assert_int_equal(set->count, count);
    assert_int_equal(set->item[0], first);
    if (count > 1)
        assert_int_equal(set->item[1], second);
}

static void a_deadlock_names_roots_waiters_calls_and_places(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++)
        place(&s->script[r], 12);
    script_recv(&s->script[0], 1, 7);
    script_recv(&s->script[1], 0, 8);
    script_recv(&s->script[2], 0, 9);
    script_recv(&s->script[3], ORK_ANY_SOURCE, ORK_ANY_TAG);
    const struct ork_finding *f = describe(s);
    assert_string_equal(f->id, "deadlock");
    assert_int_equal(f->severity, ORK_ERROR);
    assert_string_equal(
        f->message, "ranks 0 and 1 wait for each other in MPI_Recv (ring.c:12); ranks 2 and 3 wait "
                    "for them in MPI_Recv (ring.c:12)");
    assert_int_equal(f->num_roots, 1);
    assert_set(&f->roots[0], 2, 0, 1);
    assert_int_equal(f->ranks.count, 4);
    assert_int_equal(f->num_waits, 4);
    assert_string_equal(f->waits[0].call, "MPI_Recv");
    assert_string_equal(f->waits[0].comm, "MPI_COMM_WORLD");
    assert_string_equal(f->waits[0].peer, "1");
    assert_string_equal(f->waits[0].tag, "7");
    assert_string_equal(f->waits[0].state, "blocked");
    assert_string_equal(f->waits[0].where.function, "step");
    assert_string_equal(f->waits[0].where.file, "src/ring.c");
    assert_int_equal(f->waits[0].where.line, 12);
    assert_set(&f->waits[0].waits_for, 1, 1, 0);
    assert_false(f->waits[0].is_or);
    assert_string_equal(f->waits[3].peer, "MPI_ANY_SOURCE");
    assert_string_equal(f->waits[3].tag, "MPI_ANY_TAG");
    assert_true(f->waits[3].is_or);
    assert_int_equal(f->num_details, 0); /* the headline has said where everybody is */
}

static void two_causes_are_two_sets(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++)
        script_recv(&s->script[r], (int32_t)(r ^ 1), 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->message,
        "ranks 0 and 1 wait for each other in MPI_Recv; ranks 2 and 3 wait for each other "
        "in MPI_Recv");
    assert_int_equal(f->num_roots, 2);
    assert_set(&f->roots[0], 2, 0, 1);
    assert_set(&f->roots[1], 2, 2, 3);
}

static void a_rank_that_waits_for_itself_says_so(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[2], 2, 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(f->message, "rank 2 waits in MPI_Recv for itself");
    assert_set(&f->ranks, 1, 2, 0);
}

static void a_rank_that_ended_is_a_root_but_not_deadlocked(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 0);
    play(s);
    ork_detector_end(s->d, 1, ORK_END_EXITED);
    const struct ork_finding *f = describe_as(s, ORK_MANIFEST);
    assert_string_equal(
        f->message, "rank 0 waits in MPI_Recv for rank 1, which has ended without MPI_Finalize");
    assert_set(&f->ranks, 1, 0, 0);
    assert_set(&f->roots[0], 1, 1, 0);
    assert_int_equal(f->num_waits, 2);
    assert_string_equal(f->waits[1].state, "ended");
    assert_string_equal(f->waits[1].call, "");
}

static void a_barrier_with_an_odd_one_out_is_said_in_groups(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < 3; r++)
        script_coll(&s->script[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    script_recv(&s->script[3], 0, 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(
        f->message, "ranks 0-2 wait in MPI_Barrier for rank 3, which waits in MPI_Recv for rank 0");
    assert_set(&f->waits[1].waits_for, 1, 3, 0);
    assert_string_equal(f->waits[1].comm, "MPI_COMM_WORLD");
    assert_null(f->waits[1].peer);
}

static void parts_of_a_call_are_said_one_by_one(void **state)
{
    struct state *s = *state;
    const uint32_t both[] = {1, 2};

    script_irecv(&s->script[0], ORK_COMM_WORLD, ORK_ANY_SOURCE, 1);
    script_irecv(&s->script[0], ORK_COMM_WORLD, 1, 2);
    script_wait_all(&s->script[0], both, 2);
    for (uint32_t r = 1; r < RANKS; r++)
        script_recv(&s->script[r], 0, 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(f->waits[0].call, "MPI_Waitall");
    assert_string_equal(f->waits[0].detail,
                        "request[0]: MPI_Irecv from MPI_ANY_SOURCE, tag 0; request[1]: MPI_Irecv "
                        "from 1, tag 0");
}

static void requests_are_shown_with_the_place_that_started_them(void **state)
{
    struct state *s = *state;
    const uint32_t one[] = {1};

    place(&s->script[0], 9);
    script_irecv(&s->script[0], ORK_COMM_WORLD, 1, 1);
    script_wait_all(&s->script[0], one, 1);
    for (uint32_t r = 1; r < RANKS; r++)
        script_recv(&s->script[r], 0, 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(f->waits[0].detail, "request[0]: MPI_Irecv from 1, tag 0 (ring.c:9)");
}

static void both_halves_of_a_sendrecv_are_shown(void **state)
{
    struct state *s = *state;

    script_add(&s->script[0], (struct ork_record){.kind = ORK_KIND_SENDRECV,
                                                  .call = ORK_CALL_MPI_Sendrecv,
                                                  .peer = 1,
                                                  .tag = 3,
                                                  .peer2 = 2,
                                                  .tag2 = 4,
                                                  .site = 70});
    script_recv(&s->script[1], 0, 3);
    script_recv(&s->script[1], 0, 5);
    script_recv(&s->script[2], 0, 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(f->waits[0].detail, "send to 1, tag 3 (done); receive from 2, tag 4");
}

static void a_reduction_is_shown(void **state)
{
    struct state *s = *state;

    script_add(&s->script[0], (struct ork_record){.kind = ORK_KIND_COLL,
                                                  .call = ORK_CALL_MPI_Reduce,
                                                  .mode = ORK_COLL_REDUCE,
                                                  .peer = 2,
                                                  .arg = 2,
                                                  .site = 70});
    for (uint32_t r = 1; r < RANKS; r++)
        script_recv(&s->script[r], 0, 0);
    const struct ork_finding *f = describe(s);
    assert_string_equal(f->waits[0].operation, "MPI_MAX");
    assert_string_equal(f->waits[0].peer, "2");
    assert_false(f->waits[0].remote);
}

static void a_potential_deadlock_says_what_saved_the_run(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < 2; r++) {
        place(&s->script[r], 9);
        script_send(&s->script[r], (int32_t)(1 - r), 0);
        script_recv(&s->script[r], (int32_t)(1 - r), 0);
    }
    play(s);
    const struct ork_finding *f = describe_as(s, ORK_POTENTIAL);
    assert_int_equal(f->class_, ORK_POTENTIAL);
    assert_string_equal(f->message,
                        "ranks 0 and 1 could wait for each other in MPI_Send (ring.c:9)");
    assert_int_equal(f->num_details, 1);
    assert_non_null(strstr(f->detail[0], "In this run the MPI_Send (ring.c:9) of ranks 0 and 1 "
                                         "returned anyway, because the MPI library buffered"));
    assert_non_null(strstr(f->detail[0], "MPI-3.1 section 3.5"));
}

/* A receive that has not returned is not said to have returned. */
static void only_calls_that_returned_are_said_to_have_returned(void **state)
{
    struct state *s = *state;

    place(&s->script[0], 9);
    script_send(&s->script[0], 1, 5);
    place(&s->script[0], 10);
    script_recv(&s->script[0], 1, 0);
    script_recv(&s->script[1], 0, 6);
    play(s);
    const struct ork_finding *f = describe_as(s, ORK_POTENTIAL);
    assert_int_equal(f->num_near_misses, 1);
    assert_non_null(strstr(f->message, "rank 0 sends tag 5 to rank 1"));
    bool said = false;
    for (uint32_t i = 0; i < f->num_details; i++) {
        said |= strstr(f->detail[i], "In this run rank 0's MPI_Send (ring.c:9) returned anyway") !=
                NULL;
        assert_true(strstr(f->detail[i], "returned") == NULL ||
                    strstr(f->detail[i], "MPI_Recv") == NULL);
    }
    assert_true(said);
}

/* A barrier cannot return before all have come to it, whatever a strict reading makes of it. */
static void a_barrier_is_not_said_to_have_returned_early(void **state)
{
    struct state *s = *state;

    script_send(&s->script[0], 1, 5);
    script_coll(&s->script[0], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    for (uint32_t r = 1; r < RANKS; r++) {
        script_coll(&s->script[r], ORK_COMM_WORLD, ORK_COLL_BARRIER);
        script_recv(&s->script[r], 0, 6);
    }
    play(s);
    const struct ork_finding *f = describe_as(s, ORK_POTENTIAL);
    for (uint32_t i = 0; i < f->num_details; i++)
        assert_true(strstr(f->detail[i], "returned") == NULL ||
                    strstr(f->detail[i], "Barrier") == NULL);
}

/* What was let pass before is named, with its rank and place. */
static void the_call_without_which_a_rank_would_not_be_here_is_named(void **state)
{
    struct state *s = *state;
    struct ork_search *search;
    uint32_t passed;

    place(&s->script[0], 9);
    script_send(&s->script[0], 1, 5);
    place(&s->script[0], 10);
    script_recv(&s->script[0], 1, 0);
    script_recv(&s->script[1], 0, 6);
    play(s);
    assert_int_equal(ork_detector_search(s->d, ORK_STRICT, &search), ORK_OK);
    assert_int_equal(ork_detector_relax(s->d, search, &passed), ORK_OK);
    assert_int_equal(passed, 1);
    ork_search_destroy(search);
    const struct ork_finding *f = describe_as(s, ORK_MANIFEST);
    bool said = false;
    for (uint32_t i = 0; i < f->num_details; i++)
        said |= strstr(f->detail[i],
                       "Rank 0 reached this point only because its MPI_Send at ring.c:9 returned; "
                       "MPI allows a standard send to wait for its receive") != NULL;
    assert_true(said);
}

static void a_rank_that_probes_in_vain_says_what_for(void **state)
{
    struct state *s = *state;
    struct ork_record poll = {.kind = ORK_KIND_PROBED,
                              .call = ORK_CALL_MPI_Iprobe,
                              .comm = ORK_COMM_WORLD,
                              .peer = 1,
                              .tag = 5};

    for (uint32_t r = 1; r < RANKS; r++)
        script_recv(&s->script[r], 0, 0);
    play(s);
    assert_int_equal(ork_detector_set_polling(s->d, 0, ORK_POLL_ANYTHING, &poll), ORK_OK);
    const struct ork_rank_row *w = describe_as(s, ORK_SUSPECTED)->waits;
    assert_string_equal(w->call, "MPI_Iprobe");
    assert_string_equal(w->state, "polling");
    assert_string_equal(w->peer, "1");
    assert_string_equal(w->tag, "5");
    assert_string_equal(w->comm, "MPI_COMM_WORLD");
    ork_finding_release(&s->finding);
    poll.comm = 7; /* which nobody has made */
    poll.tag = ORK_ANY_TAG;
    assert_int_equal(ork_detector_set_polling(s->d, 0, ORK_POLL_ANYTHING, &poll), ORK_OK);
    w = describe_as(s, ORK_SUSPECTED)->waits;
    assert_string_equal(w->tag, "MPI_ANY_TAG");
    assert_null(w->comm);
}

static void a_collective_mismatch_names_both_sides(void **state)
{
    struct state *s = *state;

    script_coll(&s->script[0], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    script_coll(&s->script[1], ORK_COMM_WORLD, ORK_COLL_COMM_CREATE);
    play(s);
    assert_int_equal(ork_detector_num_issues(s->d), 1);
    assert_int_equal(ork_describe_issue(s->d, s->sites, ork_detector_issue(s->d, 0), &s->finding),
                     ORK_OK);
    const struct ork_finding *f = &s->finding;
    assert_string_equal(f->id, "collective-mismatch");
    assert_int_equal(f->severity, ORK_ERROR);
    assert_set(&f->ranks, 2, 0, 1);
    assert_string_equal(f->waits[0].call, "MPI_Barrier");
    assert_string_equal(f->waits[1].call, "MPI_Comm_create");
}

static void the_sides_of_a_mismatch_are_in_the_order_of_ranks(void **state)
{
    struct state *s = *state;

    script_coll(&s->script[2], ORK_COMM_WORLD, ORK_COLL_COMM_CREATE);
    play(s); /* rank 2 comes first */
    s->script[2].n = 0;
    script_coll(&s->script[0], ORK_COMM_WORLD, ORK_COLL_BARRIER);
    script_coll(&s->script[1], ORK_COMM_WORLD, ORK_COLL_COMM_CREATE);
    play(s);
    assert_int_equal(ork_describe_issue(s->d, s->sites, ork_detector_issue(s->d, 0), &s->finding),
                     ORK_OK);
    const struct ork_finding *f = &s->finding;
    assert_int_equal(f->num_waits, 3);
    assert_string_equal(f->waits[0].call, "MPI_Barrier");
    for (uint32_t i = 1; i < 3; i++) {
        assert_int_equal(f->waits[i].rank, i);
        assert_string_equal(f->waits[i].call, "MPI_Comm_create");
    }
}

static void corrupt_records_name_the_rank_and_the_reason(void **state)
{
    struct state *s = *state;

    assert_int_equal(ork_describe_fault(3, "a reason", &s->finding), ORK_OK);
    assert_string_equal(s->finding.id, "corrupt-records");
    assert_int_equal(s->finding.severity, ORK_WARNING);
    assert_set(&s->finding.ranks, 1, 3, 0);
    assert_non_null(strstr(s->finding.message, "rank 3"));
    assert_non_null(strstr(s->finding.message, "a reason"));
}

static void a_state_shows_every_rank_whatever_it_does(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 0);
    play(s);
    ork_detector_end(s->d, 2, ORK_END_FINISHED);
    ork_detector_end(s->d, 3, ORK_END_EXITED);
    assert_int_equal(ork_describe_state(s->d, s->sites, NULL, RANKS, "state", "words", &s->finding),
                     ORK_OK);
    const char *const expected[] = {"blocked", "running", "finalized", "ended"};
    assert_int_equal(s->finding.num_waits, RANKS);
    assert_int_equal(s->finding.severity, ORK_NOTE);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_string_equal(s->finding.waits[r].state, expected[r]);
    assert_string_equal(s->finding.waits[0].call, "MPI_Recv");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, describe_set_up, describe_tear_down)

int test_describe(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_deadlock_names_roots_waiters_calls_and_places),
        CASE(two_causes_are_two_sets),
        CASE(a_rank_that_waits_for_itself_says_so),
        CASE(a_rank_that_ended_is_a_root_but_not_deadlocked),
        CASE(a_barrier_with_an_odd_one_out_is_said_in_groups),
        CASE(parts_of_a_call_are_said_one_by_one),
        CASE(requests_are_shown_with_the_place_that_started_them),
        CASE(both_halves_of_a_sendrecv_are_shown),
        CASE(a_reduction_is_shown),
        CASE(a_potential_deadlock_says_what_saved_the_run),
        CASE(only_calls_that_returned_are_said_to_have_returned),
        CASE(a_barrier_is_not_said_to_have_returned_early),
        CASE(the_call_without_which_a_rank_would_not_be_here_is_named),
        CASE(a_rank_that_probes_in_vain_says_what_for),
        CASE(a_collective_mismatch_names_both_sides),
        CASE(the_sides_of_a_mismatch_are_in_the_order_of_ranks),
        CASE(corrupt_records_name_the_rank_and_the_reason),
        CASE(a_state_shows_every_rank_whatever_it_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
