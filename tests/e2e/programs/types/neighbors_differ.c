/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 7.6: along each edge of a topology, what is sent is what is received. The
 * receives are too long, or as long, so that the library does not notice it.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * FINDING: type-mismatch error
 * SAYS: rank 1 sends 1 x MPI_INT \(MPI_Neighbor_allgather at neighbors_differ.c:\d+\), but rank 2 receives 2 x MPI_INT
 * SAYS: rank 3 sends 1 x MPI_FLOAT \(MPI_Neighbor_alltoall at neighbors_differ.c:\d+\), but rank 2 receives 1 x MPI_INT
 * SAYS: rank 1 sends 1 x MPI_INT \(MPI_Neighbor_allgatherv at neighbors_differ.c:\d+\), but rank 2 receives 2 x MPI_INT
 * SAYS: rank 0 sends 1 x MPI_INT \(MPI_Ineighbor_alltoallv at neighbors_differ.c:\d+\), but rank 1 receives 2 x MPI_INT
 * SAYS: rank 2 sends 1 x MPI_INT \(MPI_Neighbor_alltoallw at neighbors_differ.c:\d+\), but rank 3 receives 1 x MPI_FLOAT
 * SAYS: 5 findings
 * EXIT: 66
 */
#include <mpi.h>

static int rank, word[8], all[8];
static MPI_Comm line, star;

/* Not periodic: the ends have one neighbour. */
static void make_line(void)
{
    const int size = 4, is_periodic = 0;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &line);
}

/* Rank 0 sends to all others, and receives nothing. */
static void make_star(void)
{
    const int centre = 0, others[3] = {1, 2, 3}, weights[3] = {1, 1, 1};
    int is_centre = rank == 0;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, !is_centre, &centre, weights,
                                   is_centre ? 3 : 0, others, weights, MPI_INFO_NULL, 0,
                                   &star);
}

int main(int argc, char **argv)
{
    const int at[3] = {0, 2, 4}, one[3] = {1, 1, 1};
    const MPI_Aint bytes[3] = {0, 8, 16};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_line();
    make_star();

    /* Rank 3 sends as much as rank 2 expects of it. */
    MPI_Neighbor_allgather(word, rank == 3 ? 2 : 1, MPI_INT, all, rank == 2 ? 2 : 1, MPI_INT, line);
    MPI_Neighbor_alltoall(word, 1, rank == 3 ? MPI_FLOAT : MPI_INT, all, 1, MPI_INT, line);

    const int room[2] = {rank == 2 ? 2 : 1, 1};
    MPI_Neighbor_allgatherv(word, 1, MPI_INT, all, room, at, MPI_INT, line);

    const int of_centre[1] = {rank == 1 ? 2 : 1};
    MPI_Request request;
    MPI_Ineighbor_alltoallv(word, one, at, MPI_INT, all, of_centre, at, MPI_INT, star, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Datatype sent[2] = {MPI_INT, MPI_INT};
    MPI_Datatype received[2] = {rank == 3 ? MPI_FLOAT : MPI_INT, MPI_INT};
    MPI_Neighbor_alltoallw(word, one, bytes, sent, all, one, bytes, received, line);

    MPI_Comm_free(&star);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
