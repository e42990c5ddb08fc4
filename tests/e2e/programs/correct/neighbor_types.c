/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 7.6: neighbourhood collectives whose ranks pass different lengths and datatypes,
 * and are right: the signatures are the same along each edge; nothing is sent to MPI_PROC_NULL, so
 * what its block names does not matter; ranks that are no neighbours may differ; and two edges
 * between the same ranks.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: sum 21
 */
#include <mpi.h>
#include <stdio.h>

static int rank;

static MPI_Comm make_line(void)
{
    const int size = 4, is_periodic = 0;
    MPI_Comm line;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &line);
    return line;
}

/* Two rings of two, so that the left neighbour is also the right one. */
static MPI_Comm make_rings(void)
{
    const int sizes[2] = {2, 2}, is_periodic[2] = {0, 1}, remains[2] = {0, 1};
    MPI_Comm grid, ring;

    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, is_periodic, 0, &grid);
    MPI_Cart_sub(grid, remains, &ring);
    MPI_Comm_free(&grid);
    return ring;
}

/* Two pairs: 0 with 1, and 2 with 3. */
static MPI_Comm make_pairs(void)
{
    const int index[4] = {1, 2, 3, 4}, edges[4] = {1, 0, 3, 2};
    MPI_Comm pairs;

    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &pairs);
    return pairs;
}

static int on_line(MPI_Comm line)
{
    int out[6], in[6] = {0}, sum = 0;
    int to_left = rank > 0 ? 1 : 3, to_right = rank < 3 ? 2 : 3;
    int counts[2] = {to_left, to_right}, at[2] = {0, 3};
    int room[2] = {rank > 0 ? 2 : 0, rank < 3 ? 1 : 3};
    MPI_Datatype pair;

    for (int i = 0; i < 6; i++)
        out[i] = rank + 1;
    MPI_Neighbor_alltoallv(out, counts, at, MPI_INT, in, room, at, MPI_INT, line);
    for (int i = 0; i < 6; i++)
        sum += in[i];
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank % 2 == 0)
        MPI_Neighbor_allgather(out, 1, pair, in, 2, MPI_INT, line);
    else
        MPI_Neighbor_allgather(out, 2, MPI_INT, in, 1, pair, line);
    MPI_Type_free(&pair);
    return sum;
}

static void in_pairs(MPI_Comm pairs)
{
    double number[2] = {0}, other[2];
    int word[2] = {0}, others[2];

    if (rank < 2)
        MPI_Neighbor_allgather(number, 1, MPI_DOUBLE, other, 1, MPI_DOUBLE, pairs);
    else
        MPI_Neighbor_allgather(word, 2, MPI_INT, others, 2, MPI_INT, pairs);
}

static void in_ring(MPI_Comm ring)
{
    const int counts[2] = {1, 1}, at[2] = {0, 2};
    int out[4] = {0}, in[4];

    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    MPI_Neighbor_alltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, ring);
}

int main(int argc, char **argv)
{
    int sum, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm line = make_line(), ring = make_rings(), pairs = make_pairs();
    sum = on_line(line);
    in_pairs(pairs);
    in_ring(ring);
    MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", total);
    MPI_Comm_free(&pairs);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
