/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph of MPI_Graph_create in which rank 1 has rank 0 as a neighbour, but not the reverse. That
 * is allowed as long as no neighbourhood collective is called on it (MPI-3.1 section 7.6).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: graph-mismatch error
 * SAYS: rank 1 has rank 0 among its neighbours \(MPI_Neighbor_allgather at graph_one_direction.c:\d+\), but rank 0 does not have rank 1 among its neighbours
 * SAYS: 1 finding
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in[2];
    const int index[2] = {0, 1};
    const int edges[1] = {0};
    MPI_Comm graph;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
