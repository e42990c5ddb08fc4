/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 names rank 0 as a source of a distributed graph, and rank 0 does not name rank 1 as a
 * destination (MPI-3.1 section 7.5.4): rank 1 waits for data that rank 0 never sends.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: graph-mismatch error
 * SAYS: rank 1 names rank 0 as a source \(MPI_Dist_graph_create_adjacent at graph_edge_one_end.c:\d+\), but rank 0 does not name rank 1 as a destination \(MPI_Dist_graph_create_adjacent at graph_edge_one_end.c:\d+\)
 * SAYS: 1 finding
 * PLAIN: hangs
 */
#include <mpi.h>

/* MPI_UNWEIGHTED is no array, although mpi.h lets the compiler think so. */
#pragma GCC diagnostic ignored "-Wstringop-overread"

int main(int argc, char **argv)
{
    int rank;
    int in[3];
    int none = 0;
    const int source = 0;
    MPI_Comm graph;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 1, &source, MPI_UNWEIGHTED, 0, &none,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
