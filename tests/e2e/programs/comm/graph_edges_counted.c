/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 names an edge to rank 1 twice, and rank 1 names it once. No call uses the graph, but the
 * tool says so when it is made; one more edge does not fit.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: graph-mismatch error
 * STOP: rank 0 names rank 1 twice as a destination \(MPI_Dist_graph_create_adjacent at graph_edges_counted.c:\d+\), but rank 1 names rank 0 once as a source
 * SAYS: One more edge of this graph does not fit
 * SAYS: 1 finding
 * OUTPUT: stopped
 */
#include <mpi.h>

/* MPI_UNWEIGHTED is no array, although mpi.h lets the compiler think so. */
#pragma GCC diagnostic ignored "-Wstringop-overread"
#include <stdio.h>

#include "../stop.h"

int main(int argc, char **argv)
{
    int rank;
    int has_come = 0;
    const int ones[2] = {1, 1};
    const int zeros[2] = {0, 0};
    MPI_Comm graph;

    stop_init();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, ones, MPI_UNWEIGHTED, 2, ones,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    else
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, zeros, MPI_UNWEIGHTED, 0, zeros,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    while (!has_come) {
        usleep(10000);
        has_come = rank == 0 && stop_has_come();
        MPI_Bcast(&has_come, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        puts("stopped");
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
