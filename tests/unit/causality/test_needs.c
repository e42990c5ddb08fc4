/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on an intracommunicator, MPI_COMM_WORLD: needs.c. */
#include "needs.h"
#include "tests/unit/detector/unit.h"

enum { BOTH = ORK_F_SENDS | ORK_F_RECEIVES };

/* ---- who is needed ---- */

static bool root_is_one(uint32_t rank, uint32_t other)
{
    return rank != 1 && other == 1;
}

static bool one_needs_all(uint32_t rank, uint32_t other)
{
    (void)other;
    return rank == 1;
}

static bool lower(uint32_t rank, uint32_t other)
{
    return other < rank;
}

static bool even(uint32_t rank, uint32_t other)
{
    (void)rank;
    return other % 2 == 0;
}

static bool even_for_one(uint32_t rank, uint32_t other)
{
    return rank == 1 && other % 2 == 0;
}

static bool next(uint32_t rank, uint32_t other)
{
    return other == (rank + 1) % RANKS;
}

static bool second_next(uint32_t rank, uint32_t other)
{
    return other == (rank + 2) % RANKS;
}

static bool next_two(uint32_t rank, uint32_t other)
{
    return next(rank, other) || second_next(rank, other);
}

static bool all_but_for_two(uint32_t rank, uint32_t other)
{
    (void)other;
    return rank != 2;
}

static bool root_but_for_two(uint32_t rank, uint32_t other)
{
    return rank != 2 && root_is_one(rank, other);
}

/* ---- what they pass ---- */

/* Rank 2 receives nothing. */
static void empty_at_two(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)list;
    if (rank == 2)
        record->extra = 0;
}

/* One element of each even rank. */
static void count_even(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)rank;
    (void)record;
    *list = (struct list){4, {1, 0, 1, 0}};
}

/* Two elements to each, one of the next rank. */
static void count_next(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)record;
    *list = (struct list){8, {2, 2, 2, 2}};
    list->word[4 + (rank + 1) % RANKS] = 1;
}

/* The same as bytes and type, without what is sent: that is in place. */
static void count_next_typed(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)record;
    *list = (struct list){8, {0, 1, 0, 1, 0, 1, 0, 1}};
    list->word[2 * ((rank + 1) % RANKS)] = 4;
}

/* Of the result, the ranks get 1, 1, 0 and 1 elements. */
static void no_result_at_two(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)rank;
    (void)record;
    *list = (struct list){4, {1, 1, 0, 1}};
}

/* Two neighbours to send to and two to receive from: something only of the second one. */
static void count_second_neighbor(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)rank;
    (void)record;
    *list = (struct list){4, {3, 3, 0, 1}};
}

static void count_second_received(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)rank;
    (void)record;
    *list = (struct list){2, {0, 1}};
}

static void count_second_typed(uint32_t rank, struct ork_record *record, struct list *list)
{
    (void)rank;
    (void)record;
    *list = (struct list){8, {8, 1, 8, 1, 0, 1, 4, 1}};
}

/* ---- calls ---- */

static void all_operations(void **state)
{
    static const struct call calls[] = {
        {.name = "Barrier", .record = {.mode = ORK_COLL_BARRIER}, .needs = needs_everybody},
        {.name = "Allgather",
         .record = {.mode = ORK_COLL_ALLGATHER, .bytes = 4},
         .needs = needs_everybody},
        {.name = "Allgather of nothing",
         .record = {.mode = ORK_COLL_ALLGATHER},
         .needs = needs_nobody},
        {.name = "Alltoall",
         .record = {.mode = ORK_COLL_ALLTOALL, .bytes = 4},
         .needs = needs_everybody},
        {.name = "Alltoall of nothing",
         .record = {.mode = ORK_COLL_ALLTOALL},
         .needs = needs_nobody},
        {.name = "Allreduce",
         .record = {.mode = ORK_COLL_ALLREDUCE, .bytes = 4},
         .needs = needs_everybody},
        {.name = "Allreduce of nothing",
         .record = {.mode = ORK_COLL_ALLREDUCE},
         .needs = needs_nobody},
        {.name = "Reduce_scatter_block",
         .record = {.mode = ORK_COLL_REDUCE_SCATTER_BLOCK, .bytes = 4},
         .needs = needs_everybody},
        {.name = "Scan", .record = {.mode = ORK_COLL_SCAN, .bytes = 4}, .needs = lower},
        {.name = "Scan of nothing", .record = {.mode = ORK_COLL_SCAN}, .needs = needs_nobody},
        {.name = "Exscan", .record = {.mode = ORK_COLL_EXSCAN, .bytes = 4}, .needs = lower},
    };

    (void)state;
    CHECK(calls);
}

static void operations_with_a_root(void **state)
{
    static const struct call calls[] = {
        {.name = "Bcast",
         .record = {.mode = ORK_COLL_BCAST, .peer = 1, .bytes = 4},
         .needs = root_is_one},
        {.name = "Bcast of nothing",
         .record = {.mode = ORK_COLL_BCAST, .peer = 1},
         .needs = needs_nobody},
        {.name = "Scatter",
         .record = {.mode = ORK_COLL_SCATTER, .flags = BOTH, .peer = 1, .extra = 4},
         .fill = empty_at_two,
         .needs = root_but_for_two},
        {.name = "Scatterv",
         .record = {.mode = ORK_COLL_SCATTERV, .flags = ORK_F_RECEIVES, .peer = 1, .extra = 4},
         .fill = empty_at_two,
         .needs = root_but_for_two},
        {.name = "Gather",
         .record = {.mode = ORK_COLL_GATHER, .peer = 1, .bytes = 4},
         .needs = one_needs_all},
        {.name = "Gather of nothing",
         .record = {.mode = ORK_COLL_GATHER, .peer = 1},
         .needs = needs_nobody},
        {.name = "Reduce",
         .record = {.mode = ORK_COLL_REDUCE, .peer = 1, .bytes = 4},
         .needs = one_needs_all},
        {.name = "Reduce of nothing",
         .record = {.mode = ORK_COLL_REDUCE, .peer = 1},
         .needs = needs_nobody},
        {.name = "Gatherv",
         .record = {.mode = ORK_COLL_GATHERV, .flags = BOTH, .peer = 1, .bytes = 4, .tag2 = 4},
         .fill = count_even,
         .needs = even_for_one},
        {.name = "Gatherv of an empty type",
         .record = {.mode = ORK_COLL_GATHERV, .flags = BOTH, .peer = 1},
         .fill = count_even,
         .needs = needs_nobody},
        {.name = "Gatherv with unknown counts",
         .record = {.mode = ORK_COLL_GATHERV, .flags = BOTH, .peer = 1, .bytes = 4, .tag2 = 4},
         .needs = needs_nobody},
    };

    (void)state;
    CHECK(calls);
}

static void operations_with_counts(void **state)
{
    static const struct call calls[] = {
        {.name = "Allgatherv",
         .record = {.mode = ORK_COLL_ALLGATHERV, .flags = BOTH, .bytes = 4, .tag2 = 4},
         .fill = count_even,
         .needs = even},
        {.name = "Alltoallv",
         .record = {.mode = ORK_COLL_ALLTOALLV, .flags = BOTH, .tag = 4, .tag2 = 4},
         .fill = count_next,
         .needs = next},
        {.name = "Alltoallv of an empty type",
         .record = {.mode = ORK_COLL_ALLTOALLV, .flags = BOTH, .tag = 4},
         .fill = count_next,
         .needs = needs_nobody},
        {.name = "Alltoallw",
         .record = {.mode = ORK_COLL_ALLTOALLW, .flags = ORK_F_RECEIVES},
         .fill = count_next_typed,
         .needs = next},
        {.name = "Reduce_scatter",
         .record = {.mode = ORK_COLL_REDUCE_SCATTER, .flags = ORK_F_SENDS, .tag = 4},
         .fill = no_result_at_two,
         .needs = all_but_for_two},
        {.name = "Reduce_scatter of an empty type",
         .record = {.mode = ORK_COLL_REDUCE_SCATTER, .flags = ORK_F_SENDS},
         .fill = no_result_at_two,
         .needs = needs_nobody},
    };

    (void)state;
    CHECK(calls);
}

static void operations_in_a_topology(void **state)
{
    static const struct call calls[] = {
        {.name = "Neighbor_allgather",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLGATHER, .flags = BOTH, .extra = 4},
         .needs = next_two,
         .sources = 2,
         .destinations = 1},
        {.name = "Neighbor_alltoall",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLTOALL, .flags = BOTH, .extra = 4},
         .needs = next,
         .sources = 1},
        {.name = "Neighbor_alltoall of nothing",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLTOALL, .flags = BOTH},
         .needs = needs_nobody,
         .sources = 1},
        {.name = "Neighbor_allgather without a known topology",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLGATHER, .flags = BOTH, .extra = 4},
         .needs = needs_nobody},
        {.name = "Neighbor_allgatherv",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLGATHERV, .flags = BOTH, .tag2 = 4},
         .fill = count_second_received,
         .needs = second_next,
         .sources = 2},
        {.name = "Neighbor_alltoallv",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLTOALLV, .flags = BOTH, .tag = 4, .tag2 = 4},
         .fill = count_second_neighbor,
         .needs = second_next,
         .sources = 2,
         .destinations = 2},
        {.name = "Neighbor_alltoallw",
         .record = {.mode = ORK_COLL_NEIGHBOR_ALLTOALLW, .flags = BOTH},
         .fill = count_second_typed,
         .needs = second_next,
         .sources = 2,
         .destinations = 2},
    };

    (void)state;
    CHECK(calls);
}

static void constructors_and_destructors(void **state)
{
    static const struct call calls[] = {
        {.name = "Comm_dup",
         .record = {.mode = ORK_COLL_COMM_DUP, .peer = ORK_NO_PEER},
         .needs = needs_everybody},
        {.name = "Comm_split",
         .record = {.mode = ORK_COLL_COMM_SPLIT, .peer = ORK_NO_PEER},
         .needs = needs_everybody},
        {.name = "Cart_create",
         .record = {.mode = ORK_COLL_CART_CREATE, .peer = ORK_NO_PEER},
         .needs = needs_everybody},
        {.name = "Win_create",
         .record = {.mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER},
         .needs = needs_everybody},
        {.name = "File_open",
         .record = {.mode = ORK_COLL_FILE_OPEN, .peer = ORK_NO_PEER},
         .needs = needs_everybody},
        {.name = "Comm_free",
         .record = {.mode = ORK_COLL_COMM_FREE, .peer = ORK_NO_PEER},
         .needs = needs_nobody},
        {.name = "File_write_all",
         .record = {.mode = ORK_COLL_FILE_WRITE_ALL, .peer = ORK_NO_PEER},
         .needs = needs_nobody},
        {.name = "Comm_accept",
         .record = {.mode = ORK_COLL_COMM_ACCEPT, .peer = 0},
         .needs = needs_nobody},
    };

    (void)state;
    CHECK(calls);
}

int test_needs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_operations),
        cmocka_unit_test(operations_with_a_root),
        cmocka_unit_test(operations_with_counts),
        cmocka_unit_test(operations_in_a_topology),
        cmocka_unit_test(constructors_and_destructors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
