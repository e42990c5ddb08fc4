/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on an intercommunicator (needs.c), and MPI_Intercomm_create (intercomm.c). */
#include "needs.h"
#include "tests/unit/detector/unit.h"

enum { BOTH = ORK_F_SENDS | ORK_F_RECEIVES };

/* ---- on an intercommunicator of ranks 0 and 1, and 2 and 3 ---- */

static bool other_group(uint32_t rank, uint32_t other)
{
    return needs_is_first(rank) != needs_is_first(other);
}

/* The root is rank 1; the other group has the data, or gets it. */
static void root_in_first_group(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)list;
    record->peer = rank == 1 ? ORK_ROOT : rank == 0 ? ORK_PROC_NULL : 1;
}

/* The root is rank 3. */
static void root_in_second_group(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)list;
    record->peer = rank == 3 ? ORK_ROOT : rank == 2 ? ORK_PROC_NULL : 1;
}

static void count_second_at_root(uint32_t rank, struct ork_record *record, struct list *list)
{
    root_in_first_group(rank, record, list);
    if (rank == 1)
        *list = (struct list){2, {0, 2}};
}

/* Of the two processes of the other group: something of the second one. */
static void count_second_remote(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)rank;
    (void)record;
    *list = (struct list){4, {5, 5, 0, 1}};
}

static bool second_group_needs_one(uint32_t rank, uint32_t other)
{
    return !needs_is_first(rank) && other == 1;
}

static bool first_group_needs_three(uint32_t rank, uint32_t other)
{
    return needs_is_first(rank) && other == 3;
}

static bool one_needs_second_group(uint32_t rank, uint32_t other)
{
    return rank == 1 && !needs_is_first(other);
}

static bool one_needs_three(uint32_t rank, uint32_t other)
{
    return rank == 1 && other == 3;
}

static bool second_of_other_group(uint32_t rank, uint32_t other)
{
    return other == (needs_is_first(rank) ? 3 : 1);
}

static void operations_on_an_intercommunicator(void **state)
{
    static const struct call calls[] = {
        {.name = "Barrier",
         .record = {.mode = ORK_COLL_BARRIER},
         .needs = other_group,
         .on_inter = true},
        {.name = "Allreduce",
         .record = {.mode = ORK_COLL_ALLREDUCE, .bytes = 4},
         .needs = other_group,
         .on_inter = true},
        {.name = "Allgather",
         .record = {.mode = ORK_COLL_ALLGATHER, .flags = BOTH, .extra = 4},
         .needs = other_group,
         .on_inter = true},
        {.name = "Allgather that receives nothing",
         .record = {.mode = ORK_COLL_ALLGATHER, .flags = BOTH, .bytes = 4},
         .needs = needs_nobody,
         .on_inter = true},
        {.name = "Bcast from the first group",
         .record = {.mode = ORK_COLL_BCAST, .bytes = 4},
         .fill = root_in_first_group,
         .needs = second_group_needs_one,
         .on_inter = true},
        {.name = "Bcast from the second group",
         .record = {.mode = ORK_COLL_BCAST, .bytes = 4},
         .fill = root_in_second_group,
         .needs = first_group_needs_three,
         .on_inter = true},
        {.name = "Scatter",
         .record = {.mode = ORK_COLL_SCATTER, .flags = BOTH, .extra = 4},
         .fill = root_in_second_group,
         .needs = first_group_needs_three,
         .on_inter = true},
        {.name = "Gather",
         .record = {.mode = ORK_COLL_GATHER, .flags = BOTH, .bytes = 4},
         .fill = root_in_first_group,
         .needs = one_needs_second_group,
         .on_inter = true},
        {.name = "Gatherv",
         .record = {.mode = ORK_COLL_GATHERV, .flags = BOTH, .tag2 = 4},
         .fill = count_second_at_root,
         .needs = one_needs_three,
         .on_inter = true},
        {.name = "Alltoallv",
         .record = {.mode = ORK_COLL_ALLTOALLV, .flags = BOTH, .tag = 4, .tag2 = 4},
         .fill = count_second_remote,
         .needs = second_of_other_group,
         .on_inter = true},
        {.name = "Comm_dup",
         .record = {.mode = ORK_COLL_COMM_DUP, .peer = ORK_NO_PEER},
         .needs = needs_everybody,
         .on_inter = true},
    };

    (void)state;
    CHECK(calls);
}

/* ---- MPI_Intercomm_create ---- */

/* Of the groups {0, 1} and {2, 3}: the leaders are ranks 0 and 2. */
static void first_ranks_lead(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)list;
    record->comm = LOCAL;
    record->peer = needs_is_first(rank) ? 2 : 0;
}

static void last_ranks_lead(uint32_t rank, struct ork_record *record, struct list *list)
{
    first_ranks_lead(rank, record, list);
    record->arg = 1;
    record->peer++;
}

/* Groups of one rank: 0 and 3, 1 and 2. */
static void opposite_ranks_lead(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)list;
    record->comm = ORK_COMM_SELF;
    record->peer = 3 - (int32_t)rank;
}

static bool opposite(uint32_t rank, uint32_t other)
{
    return other == 3 - rank;
}

static void groups_are_joined(void **state)
{
    static const struct call calls[] = {
        {.name = "led by the first ranks",
         .record = {.mode = ORK_COLL_INTERCOMM_CREATE, .tag = 7},
         .fill = first_ranks_lead,
         .needs = needs_everybody},
        {.name = "led by the last ranks",
         .record = {.mode = ORK_COLL_INTERCOMM_CREATE, .tag = 7},
         .fill = last_ranks_lead,
         .needs = needs_everybody},
        {.name = "groups of one rank",
         .record = {.mode = ORK_COLL_INTERCOMM_CREATE, .tag = 7},
         .fill = opposite_ranks_lead,
         .needs = opposite},
    };

    (void)state;
    CHECK(calls);
}

/* The k-th call of two leaders with a tag belongs to the k-th one of each other: ranks 0 and 3 make
 * two. Rank 3 sends between them, or after both; the receive of rank 0 is between them. */
static uint64_t races_after(unsigned calls)
{
    const struct call create = {.record = {.mode = ORK_COLL_INTERCOMM_CREATE, .tag = 7},
                                .fill = opposite_ranks_lead};
    struct ork_races *races;

    assert_int_equal(ork_races_create(RANKS, &races), ORK_OK);
    needs_put_call(races, 0, &create);
    needs_put_taken(races, 0, 1);
    needs_put_call(races, 0, &create);
    for (unsigned i = 0; i < 2; i++) {
        if (i == calls)
            needs_put(races, 3, (struct ork_record){.kind = ORK_KIND_SEND, .peer = 0});
        needs_put_call(races, 3, &create);
    }
    if (calls == 2)
        needs_put(races, 3, (struct ork_record){.kind = ORK_KIND_SEND, .peer = 0});
    needs_put(races, 0,
              (struct ork_record){.kind = ORK_KIND_RECV, .site = 1, .peer = ORK_ANY_SOURCE});
    needs_put(races, 0, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 3});
    return needs_end(races);
}

static void calls_of_the_same_leaders_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(races_after(0), 1);
    assert_int_equal(races_after(1), 1);
    assert_int_equal(races_after(2), 0);
}

int test_intercomm(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_on_an_intercommunicator),
        cmocka_unit_test(groups_are_joined),
        cmocka_unit_test(calls_of_the_same_leaders_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
