/* SPDX-License-Identifier: BSD-3-Clause */
/* The headline of a deadlock, made of its rows, roots, near misses and decisions. */
#include "overlay/findings/describe_internal.h"

#include "tests/unit/overlay/stage/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_up(void **state)
{
    static struct ork_finding f;

    f = (struct ork_finding){.class_ = ORK_MANIFEST, .id = strdup("deadlock")};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    ork_finding_release(*state);
    return 0;
}

/* Rank number `num_waits` is in this call at a.c:line. `line` 0: no place is known. */
static struct ork_rank_row *row(struct ork_finding *f, const char *call, uint32_t line)
{
    uint32_t rank = f->num_waits;

    f->waits = realloc(f->waits, (rank + 1) * sizeof(*f->waits));
    assert_non_null(f->waits);
    f->waits[f->num_waits++] = (struct ork_rank_row){
        .rank = rank, .call = strdup(call), .state = strdup("blocked"), .where.line = line};
    if (line != 0)
        f->waits[rank].where.file = strdup("src/a.c");
    assert_true(ork_describe_add_rank(&f->ranks, rank));
    return &f->waits[rank];
}

static void waits_for(struct ork_rank_row *w, uint32_t first, uint32_t last)
{
    for (uint32_t r = first; r <= last; r++) {
        if (r != w->rank)
            assert_true(ork_describe_add_rank(&w->waits_for, r));
    }
}

static void ended(struct ork_finding *f, const char *how)
{
    struct ork_rank_row *w = row(f, "", 0);

    free(w->state);
    w->state = strdup(how);
    f->ranks.count--;
}

static void root(struct ork_finding *f, uint32_t first, uint32_t last)
{
    f->roots = realloc(f->roots, (f->num_roots + 1) * sizeof(*f->roots));
    assert_non_null(f->roots);
    f->roots[f->num_roots] = (struct ork_u32s){0};
    for (uint32_t r = first; r <= last; r++)
        assert_true(ork_describe_add_rank(&f->roots[f->num_roots], r));
    f->num_roots++;
}

static void miss(struct ork_finding *f, const char *differs, uint32_t waits, uint32_t pending,
                 const char *message)
{
    f->near_miss = realloc(f->near_miss, (f->num_near_misses + 1) * sizeof(*f->near_miss));
    assert_non_null(f->near_miss);
    f->near_miss[f->num_near_misses++] =
        (struct ork_near_miss){.waits = {.rank = waits, .call = strdup("MPI_Recv")},
                               .pending = {.rank = pending, .call = strdup("MPI_Send")},
                               .differs = strdup(differs),
                               .message = strdup(message)};
}

static void assert_headline(const struct ork_finding *f, const char *expected)
{
    struct ork_writing w = {.sites = NULL};

    assert_string_equal(ork_describe_headline(&w, f), expected);
    assert_int_equal(ork_writing_release(&w), ORK_OK);
}

static void two_ranks_in_one_call(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    waits_for(row(f, "MPI_Recv", 9), 0, 0);
    root(f, 0, 1);
    assert_headline(f, "ranks 0 and 1 wait for each other in MPI_Recv (a.c:9)");
}

static void two_ranks_in_two_calls(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    waits_for(row(f, "MPI_Ssend", 14), 0, 0);
    root(f, 0, 1);
    assert_headline(f, "ranks 0 and 1 wait for each other: rank 0 in MPI_Recv (a.c:9), rank 1 in "
                       "MPI_Ssend (a.c:14)");
}

static void what_went_well_is_said_to_be_possible(void **state)
{
    struct ork_finding *f = *state;

    f->class_ = ORK_POTENTIAL;
    waits_for(row(f, "MPI_Send", 9), 1, 1);
    waits_for(row(f, "MPI_Send", 9), 0, 0);
    root(f, 0, 1);
    assert_headline(f, "ranks 0 and 1 could wait for each other in MPI_Send (a.c:9)");
}

static void a_ring_is_said_in_general(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 16; r++)
        waits_for(row(f, "MPI_Recv", 20), (r + 15) % 16, (r + 15) % 16);
    root(f, 0, 15);
    assert_headline(f, "each of ranks 0-15 waits in MPI_Recv (a.c:20) for the rank before it (rank "
                       "0 for rank 15)");
}

static void a_ring_that_could_be(void **state)
{
    struct ork_finding *f = *state;

    f->class_ = ORK_POTENTIAL;
    for (uint32_t r = 0; r < 5; r++)
        waits_for(row(f, "MPI_Send", 20), (r + 1) % 5, (r + 1) % 5);
    root(f, 0, 4);
    assert_headline(f, "each of ranks 0-4 could wait in MPI_Send (a.c:20) for the rank after it "
                       "(rank 4 for rank 0)");
}

static void a_circle_of_three_calls_is_followed(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 1), 2, 2);
    waits_for(row(f, "MPI_Ssend", 2), 0, 0);
    waits_for(row(f, "MPI_Wait", 3), 1, 1);
    root(f, 0, 2);
    assert_headline(f, "rank 0 waits in MPI_Recv (a.c:1) for rank 2, which waits in MPI_Wait "
                       "(a.c:3) for rank 1, which waits in MPI_Ssend (a.c:2) for rank 0");
}

static void the_odd_rank_of_a_collective(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 62; r++)
        waits_for(row(f, "MPI_Barrier", 40), 62, 62);
    struct ork_rank_row *odd = row(f, "MPI_Sendrecv_replace", 52);
    odd->tag = strdup("1");
    waits_for(odd, 0, 0);
    root(f, 0, 62);
    assert_headline(f, "ranks 0-61 wait in MPI_Barrier (a.c:40) for rank 62, which waits in "
                       "MPI_Sendrecv_replace (a.c:52) for rank 0");
}

static void the_odd_rank_waits_for_all_others(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 7; r++)
        waits_for(row(f, "MPI_Allreduce", 28), 7, 7);
    waits_for(row(f, "MPI_Finalize", 31), 0, 6);
    root(f, 0, 7);
    assert_headline(f, "ranks 0-6 wait in MPI_Allreduce (a.c:28) for rank 7, which waits in "
                       "MPI_Finalize (a.c:31) for them");
    f->waits[7].is_or = true; /* a receive from any rank, its own included */
    assert_true(ork_describe_add_rank(&f->waits[7].waits_for, 7));
    assert_headline(f, "ranks 0-6 wait in MPI_Allreduce (a.c:28) for rank 7, which waits in "
                       "MPI_Finalize (a.c:31) for any of ranks 0-7");
}

static void two_collectives_wait_for_each_other(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 2; r++)
        waits_for(row(f, "MPI_Bcast", 40), 2, 3);
    for (uint32_t r = 2; r < 4; r++)
        waits_for(row(f, "MPI_Barrier", 52), 0, 1);
    root(f, 0, 3);
    assert_headline(f,
                    "ranks 0 and 1 wait in MPI_Bcast (a.c:40) for ranks 2 and 3, and ranks 2 and "
                    "3 wait in MPI_Barrier (a.c:52) for ranks 0 and 1");
}

static void ranks_that_only_wait_come_last(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    waits_for(row(f, "MPI_Recv", 11), 0, 0);
    for (uint32_t r = 2; r < 20; r++)
        waits_for(row(f, "MPI_Barrier", 30), 0, 1);
    root(f, 0, 1);
    assert_headline(f, "ranks 0 and 1 wait for each other: rank 0 in MPI_Recv (a.c:9), rank 1 in "
                       "MPI_Recv (a.c:11); ranks 2-19 wait for them in MPI_Barrier (a.c:30)");
}

static void calls_without_a_place(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 0), 1, 1);
    waits_for(row(f, "MPI_Recv", 0), 0, 0);
    root(f, 0, 1);
    assert_headline(f, "ranks 0 and 1 wait for each other in MPI_Recv");
}

static void calls_at_many_places(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 8; r++)
        waits_for(row(f, r % 2 == 0 ? "MPI_Send" : "MPI_Recv", 10 + r), 0, 7);
    root(f, 0, 7);
    assert_headline(f,
                    "ranks 0-7 wait for each other: ranks 0, 2, 4 and 6 in MPI_Send, ranks 1, 3, "
                    "5 and 7 in MPI_Recv");
}

static void many_ranks_are_not_listed(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 32; r++)
        waits_for(row(f, r % 2 == 0 ? "MPI_Send" : "MPI_Recv", r % 2 == 0 ? 3 : 5), 0, 31);
    root(f, 0, 31);
    assert_headline(f,
                    "ranks 0-31 wait for each other: 16 ranks (0, 2, 4, ...) in MPI_Send (a.c:3), "
                    "16 ranks (1, 3, 5, ...) in MPI_Recv (a.c:5)");
}

static void a_rank_that_left_and_who_waits_for_it(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    ended(f, "finalized");
    waits_for(row(f, "MPI_Barrier", 12), 0, 0);
    root(f, 1, 1);
    assert_headline(f, "rank 0 waits in MPI_Recv (a.c:9) for rank 1, which has left MPI_Finalize; "
                       "rank 2 waits for them in MPI_Barrier (a.c:12)");
}

static void several_ranks_that_left(void **state)
{
    struct ork_finding *f = *state;
    struct ork_rank_row *w = row(f, "MPI_Recv", 9);

    w->is_or = true;
    waits_for(w, 1, 3);
    for (uint32_t r = 1; r < 4; r++) {
        ended(f, "finalized");
        root(f, r, r);
    }
    assert_headline(f, "rank 0 waits in MPI_Recv (a.c:9) for any of ranks 1-3, which have left "
                       "MPI_Finalize");
}

static void a_rank_alone(void **state)
{
    struct ork_finding *f = *state;
    struct ork_rank_row *w = row(f, "MPI_Recv", 9);

    root(f, 0, 0);
    assert_headline(f, "rank 0 waits in MPI_Recv (a.c:9) for itself");
    w->is_or = true;
    assert_headline(f, "rank 0 waits in MPI_Recv (a.c:9) for a message that no rank can send");
}

static void ranks_alone_in_one_call_are_one_sentence(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 4; r++) {
        assert_true(ork_describe_add_rank(&row(f, "MPI_Send", r < 3 ? 14 : 15)->waits_for, r));
        root(f, r, r);
    }
    assert_headline(f, "each of ranks 0-2 waits in MPI_Send (a.c:14) for itself; rank 3 waits in "
                       "MPI_Send (a.c:15) for itself");
}

static void call_on(struct ork_rank_row *w, const char *comm)
{
    w->comm = strdup(comm);
}

static void ranks_in_one_call_on_two_communicators(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 3; r++) {
        struct ork_rank_row *w = row(f, "MPI_Barrier", 9);
        waits_for(w, 0, 2);
        call_on(w, r == 1 ? "rows" : "columns");
    }
    root(f, 0, 2);
    assert_headline(f, "ranks 0-2 wait for each other: ranks 0 and 2 in MPI_Barrier (a.c:9) on "
                       "columns, rank 1 in MPI_Barrier (a.c:9) on rows");
}

static void ranks_in_one_call_on_one_communicator(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    waits_for(row(f, "MPI_Recv", 9), 0, 0);
    root(f, 0, 1);
    call_on(&f->waits[0], "rows");
    call_on(&f->waits[1], "rows");
    assert_headline(f, "ranks 0 and 1 wait for each other in MPI_Recv (a.c:9)");
}

static void called_from(struct ork_rank_row *w, uint64_t path, uint32_t line)
{
    w->where.path = path;
    w->caller = calloc(2, sizeof(*w->caller));
    assert_non_null(w->caller);
    w->num_callers = 2;
    w->caller[0] =
        (struct ork_where){.function = strdup("exchange"), .file = strdup("src/a.c"), .line = 20};
    w->caller[1] =
        (struct ork_where){.function = strdup("step"), .file = strdup("src/a.c"), .line = line};
}

static void ranks_in_one_call_are_told_apart_by_their_callers(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    waits_for(row(f, "MPI_Recv", 9), 0, 0);
    root(f, 0, 1);
    called_from(&f->waits[0], 1, 30);
    called_from(&f->waits[1], 2, 44);
    assert_headline(f, "ranks 0 and 1 wait for each other: rank 0 in MPI_Recv (a.c:9) called by "
                       "step (a.c:30), rank 1 in MPI_Recv (a.c:9) called by step (a.c:44)");
}

static void a_near_miss_leads(void **state)
{
    struct ork_finding *f = *state;
    struct ork_writing w = {.sites = NULL};
    const char *text = "Ranks 1-3 send tag 1 to rank 0 (MPI_Send at farm.f90:42), but rank 0 waits "
                       "for tag 2 (MPI_Recv at farm.f90:26).";

    for (uint32_t r = 0; r < 4; r++)
        waits_for(row(f, r == 0 ? "MPI_Recv" : "MPI_Send", r == 0 ? 26 : 42), 0, r == 0 ? 3 : 0);
    root(f, 0, 3);
    miss(f, "tag", 0, 1, text);
    assert_headline(f, "ranks 1-3 send tag 1 to rank 0 (MPI_Send at farm.f90:42), but rank 0 waits "
                       "for tag 2 (MPI_Recv at farm.f90:26)");
    ork_describe_add_headline(&w, f);
    assert_int_equal(ork_writing_release(&w), ORK_OK);
    assert_int_equal(f->summary[0], 'R');
    assert_string_equal(f->detail[0],
                        "Ranks 1-3 wait in MPI_Send (a.c:42) for rank 0, which waits in "
                        "MPI_Recv (a.c:26) for them.");
}

/* Some send and some receive always miss each other in a circle of three. */
static void another_destination_leads_only_between_two(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 1), 1, 1);
    waits_for(row(f, "MPI_Ssend", 2), 2, 2);
    waits_for(row(f, "MPI_Ssend", 3), 0, 0);
    root(f, 0, 2);
    miss(f, "destination", 0, 1, "Rank 1 sends to rank 2, but it is rank 0 that waits for it.");
    assert_headline(f,
                    "rank 0 waits in MPI_Recv (a.c:1) for rank 1, which waits in MPI_Ssend (a.c:2) "
                    "for rank 2, which waits in MPI_Ssend (a.c:3) for rank 0");
}

static void a_miss_of_ranks_that_only_wait_does_not_lead(void **state)
{
    struct ork_finding *f = *state;

    waits_for(row(f, "MPI_Recv", 9), 1, 1);
    waits_for(row(f, "MPI_Recv", 9), 0, 0);
    waits_for(row(f, "MPI_Recv", 12), 0, 0);
    waits_for(row(f, "MPI_Send", 13), 0, 0);
    root(f, 0, 1);
    miss(f, "tag", 2, 3, "Rank 3 sends tag 1, but rank 2 waits for tag 2.");
    assert_headline(f,
                    "ranks 0 and 1 wait for each other in MPI_Recv (a.c:9); ranks 2 and 3 wait for "
                    "them");
}

static void the_match_on_which_it_rests_leads(void **state)
{
    struct ork_finding *f = *state;

    f->class_ = ORK_INTERLEAVING;
    waits_for(row(f, "MPI_Send", 9), 1, 1);
    waits_for(row(f, "MPI_Send", 9), 0, 0);
    root(f, 0, 1);
    f->decision = calloc(1, sizeof(*f->decision));
    f->decision[f->num_decisions++] =
        (struct ork_match_decision){.receive = {.rank = 1,
                                                .call = strdup("MPI_Recv"),
                                                .where = {.file = strdup("src/a.c"), .line = 4}},
                                    .send = {.rank = 2, .call = strdup("MPI_Send")},
                                    .differs = true};
    assert_headline(f,
                    "if rank 1's MPI_Recv (a.c:4) took a message from rank 2, ranks 0 and 1 would "
                    "wait for each other in MPI_Send (a.c:9)");
    f->decision[0].differs = false; /* which message it took is not known */
    assert_headline(f, "ranks 0 and 1 could wait for each other in MPI_Send (a.c:9)");
}

static void many_roots_are_counted(void **state)
{
    struct ork_finding *f = *state;

    for (uint32_t r = 0; r < 10; r++) {
        waits_for(row(f, "MPI_Recv", 9), r ^ 1, r ^ 1);
        if (r % 2 == 1)
            root(f, r - 1, r);
    }
    assert_headline(f,
                    "ranks 0 and 1 wait for each other in MPI_Recv (a.c:9); ranks 2 and 3 wait for "
                    "each other in MPI_Recv (a.c:9); ranks 4 and 5 wait for each other in MPI_Recv "
                    "(a.c:9); in 2 more groups, ranks wait for each other");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_headline(void)
{
    const struct CMUnitTest tests[] = {
        CASE(two_ranks_in_one_call),
        CASE(two_ranks_in_two_calls),
        CASE(what_went_well_is_said_to_be_possible),
        CASE(a_ring_is_said_in_general),
        CASE(a_ring_that_could_be),
        CASE(a_circle_of_three_calls_is_followed),
        CASE(the_odd_rank_of_a_collective),
        CASE(the_odd_rank_waits_for_all_others),
        CASE(two_collectives_wait_for_each_other),
        CASE(ranks_that_only_wait_come_last),
        CASE(calls_without_a_place),
        CASE(calls_at_many_places),
        CASE(many_ranks_are_not_listed),
        CASE(a_rank_that_left_and_who_waits_for_it),
        CASE(several_ranks_that_left),
        CASE(a_rank_alone),
        CASE(ranks_alone_in_one_call_are_one_sentence),
        CASE(ranks_in_one_call_on_two_communicators),
        CASE(ranks_in_one_call_on_one_communicator),
        CASE(ranks_in_one_call_are_told_apart_by_their_callers),
        CASE(a_near_miss_leads),
        CASE(another_destination_leads_only_between_two),
        CASE(a_miss_of_ranks_that_only_wait_does_not_lead),
        CASE(the_match_on_which_it_rests_leads),
        CASE(many_roots_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
