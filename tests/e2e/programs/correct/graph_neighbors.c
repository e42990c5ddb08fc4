/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives, blocking and nonblocking, on a graph and on a distributed graph.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 2 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    MPI_Request request[1];
    int take[2] = {0, 0};
    MPI_Comm chain;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int index[4] = {1, 3, 5, 6};
    int edge[6] = {1, 0, 2, 1, 3, 2};
    int next = (rank + 1) % 4;
    int previous = (rank + 3) % 4;
    int weight = 1;

    out = rank + 1;
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edge, 0, &chain);
    MPI_Neighbor_allgather(&out, 1, MPI_INT, take, 1, MPI_INT, chain);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, &weight, 1, &next, &weight,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Ineighbor_alltoall(&out, 1, MPI_INT, &take[1], 1, MPI_INT, ring, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&chain);
    if (rank == 0)
        printf("%d %d\n", take[0], take[1]);
    MPI_Finalize();
    return 0;
}
