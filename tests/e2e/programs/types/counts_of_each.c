/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 5.5 to 5.10: in the variants with an array of counts, each element is compared
 * with what the other process passes. The receives are too long, so that the library does not
 * notice it.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * FINDING: type-mismatch error
 * SAYS: rank 2 sends 2 x MPI_INT \(MPI_Gatherv at counts_of_each.c:\d+\), but rank 0 receives 3 x MPI_INT
 * SAYS: rank 0 sends 1 x MPI_INT \(MPI_Scatterv at counts_of_each.c:\d+\), but rank 2 receives 2 x MPI_INT
 * SAYS: rank 0 sends 2 x MPI_INT \(MPI_Alltoallv at counts_of_each.c:\d+\), but rank 1 receives 3 x MPI_INT
 * SAYS: rank 0 sends 2 x MPI_INT \(MPI_Ialltoallv at counts_of_each.c:\d+\), but rank 1 receives 3 x MPI_INT
 * SAYS: rank 1 sends 1 x MPI_INT \(MPI_Alltoallw at counts_of_each.c:\d+\), but rank 2 receives 1 x MPI_FLOAT
 * SAYS: 5 findings
 * EXIT: 66
 */
#include <mpi.h>

static int rank, word[12], all[12];

static void with_root(void)
{
    const int room[3] = {2, 2, 3}, part[3] = {2, 2, 1}, at[3] = {0, 3, 6};

    MPI_Gatherv(word, 2, MPI_INT, all, room, at, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(word, part, at, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static void among_all(void)
{
    const int part[3] = {2, 2, 2}, at[3] = {0, 3, 6}, one[3] = {1, 1, 1}, bytes[3] = {0, 4, 8};
    int room[3] = {rank == 1 ? 3 : 2, 2, 2};
    MPI_Datatype sent[3] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Datatype received[3] = {MPI_INT, rank == 2 ? MPI_FLOAT : MPI_INT, MPI_INT};
    MPI_Request request;

    MPI_Alltoallv(word, part, at, MPI_INT, all, room, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Ialltoallv(word, part, at, MPI_INT, all, room, at, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Alltoallw(word, one, bytes, sent, all, one, bytes, received, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    with_root();
    among_all();
    MPI_Finalize();
    return 0;
}
