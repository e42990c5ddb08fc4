/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed graph that one rank describes for all, and every neighbourhood collective on it,
 * blocking and nonblocking.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 2 neighbours: sum 30
 */
#include <mpi.h>
#include <stdio.h>

/* Rank 0 knows all edges of a ring in both directions. */
static MPI_Comm create_ring(int rank)
{
    int sources[4] = {0, 1, 2, 3};
    int degrees[4] = {2, 2, 2, 2};
    int targets[8] = {1, 3, 2, 0, 3, 1, 0, 2};
    int weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    MPI_Comm ring;

    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 4 : 0, sources, degrees, targets, weights,
                          MPI_INFO_NULL, 0, &ring);
    return ring;
}

static int exchange(MPI_Comm ring, int mine)
{
    int out[2] = {mine, mine};
    int in[2][2];
    int counts[2] = {1, 1};
    int places[2] = {0, 1};
    MPI_Aint bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Request request[2];
    int sum = 0;

    MPI_Neighbor_allgatherv(&mine, 1, MPI_INT, in[0], counts, places, MPI_INT, ring);
    sum += in[0][0] + in[0][1];
    MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in[0], counts, places, MPI_INT, ring);
    sum += in[0][0] + in[0][1];
    MPI_Neighbor_alltoallw(out, counts, bytes, types, in[0], counts, bytes, types, ring);
    sum += in[0][0] + in[0][1];
    MPI_Ineighbor_allgather(&mine, 1, MPI_INT, in[0], 1, MPI_INT, ring, &request[0]);
    MPI_Ineighbor_alltoallv(out, counts, places, MPI_INT, in[1], counts, places, MPI_INT, ring,
                            &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    sum += in[0][0] + in[0][1] + in[1][0] + in[1][1];
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    int status;
    int in;
    int out;
    int weighted;
    int sum;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ring = create_ring(rank);
    MPI_Topo_test(ring, &status);
    MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
    sum = exchange(ring, rank + 1);
    MPI_Comm_free(&ring);
    if (rank == 2 && status == MPI_DIST_GRAPH && in == out)
        printf("%d neighbours: sum %d\n", in, sum);
    MPI_Finalize();
    return 0;
}
