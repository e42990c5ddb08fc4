/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 7.4: all arguments of MPI_Cart_create and MPI_Graph_create must be the same at
 * all ranks, and `reorder` of the distributed graphs.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: different values of dims to MPI_Cart_create on MPI_COMM_WORLD: 2 x 2 at ranks 0, 1 and 3 \(.*\), 4 x 1 at rank 2
 * SAYS: different values of periods to MPI_Cart_create on MPI_COMM_WORLD: one list at ranks 0-2 \(.*\), another list at rank 3
 * SAYS: different values of reorder to MPI_Cart_create on MPI_COMM_WORLD: false at ranks 0, 2 and 3 \(.*\), true at rank 1
 * SAYS: different values of edges to MPI_Graph_create on MPI_COMM_WORLD: one list at ranks 1-3 \(.*\), another list at rank 0
 * SAYS: different values of reorder to MPI_Dist_graph_create_adjacent on MPI_COMM_WORLD: false at ranks 0-2 \(.*\), true at rank 3
 * SAYS: different values of weights to MPI_Dist_graph_create on MPI_COMM_WORLD: MPI_UNWEIGHTED at ranks 1-3 \(.*\), weights at rank 0
 * SAYS: All ranks must pass the same dims \(MPI-3.1 section 7.4\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

static int rank;
static int *volatile unweighted; /* GCC takes it for an array */

static void make_grid(int x, int y, int period, int reorder)
{
    MPI_Comm grid;
    int dims[2] = {x, y}, periods[2] = {0, period};

    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, &grid);
    MPI_Comm_free(&grid);
}

static void make_graph(int last)
{
    MPI_Comm graph;
    int index[4] = {1, 2, 3, 4}, edges[4] = {1, 0, 3, last};

    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
    MPI_Comm_free(&graph);
}

static void make_distributed(int reorder)
{
    MPI_Comm graph;
    int source = (rank + 3) % 4, destination = (rank + 1) % 4;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, unweighted, 1, &destination,
                                   unweighted, MPI_INFO_NULL, reorder, &graph);
    MPI_Comm_free(&graph);
}

static void make_weighted(const int *weights)
{
    MPI_Comm graph;
    int source = rank, degree = 1, destination = (rank + 1) % 4;

    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, &destination, weights, MPI_INFO_NULL,
                          0, &graph);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    int weight = 1;

    unweighted = MPI_UNWEIGHTED;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        make_grid(4, 1, 0, 0);
    else
        make_grid(2, 2, 0, 0);
    make_grid(2, 2, rank == 3, 0);
    make_grid(2, 2, 1, rank == 1);
    make_graph(rank == 0 ? 1 : 2);
    make_distributed(rank == 3);
    make_weighted(rank == 0 ? &weight : unweighted);
    MPI_Finalize();
    return 0;
}
