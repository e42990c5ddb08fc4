/* SPDX-License-Identifier: BSD-3-Clause */
/* Logical arguments may be written in different ways. A distributed graph has other edges at each
 * rank; where there is none, any array may stand for the weights. The keys of ranks may differ, and
 * so may what is kept of a grid.
 *
 * RANKS: 4
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

static int rank;

static void make_grid(void)
{
    MPI_Comm grid, row;
    int dims[5] = {2, 2, 1, 1, 1}, periods[5] = {0, rank + 1, 0, 0, 0}, remain[5] = {0, 1, 0, 0, 0};

    MPI_Cart_create(MPI_COMM_WORLD, 5, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Cart_create(MPI_COMM_SELF, 1, &dims[2], periods, rank % 2, &grid);
    MPI_Comm_free(&grid);
    MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &grid);
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
}

static void make_graph(void)
{
    MPI_Comm graph;
    int index[2] = {1, 2}, edges[2] = {1, 0};

    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, rank + 1, &graph);
    if (graph != MPI_COMM_NULL)
        MPI_Comm_free(&graph);
}

/* Rank 0 sends to the others. */
static void make_star(void)
{
    MPI_Comm graph;
    int source = 0, destinations[3] = {1, 2, 3}, weights[3] = {1, 2, 3};

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank != 0, &source,
                                   rank != 0 ? &weights[rank - 1] : MPI_WEIGHTS_EMPTY,
                                   rank == 0 ? 3 : 0, destinations,
                                   rank == 0   ? weights
                                   : rank == 1 ? MPI_WEIGHTS_EMPTY
                                               : MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_grid();
    make_graph();
    make_star();
    MPI_Comm_split_type(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, -rank,
                        MPI_INFO_NULL, &part);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
