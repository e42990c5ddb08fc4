/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 3 waits for a message of rank 0 before it enters the barrier of the intercommunicator.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,3}
 * CALL: 0 MPI_Barrier HERE
 * CALL: 2 MPI_Barrier HERE
 * CALL: 3 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm half;
    MPI_Comm both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &both);
    if (rank == 3) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Barrier(both); /* HERE */
    MPI_Finalize();
    return 0;
}
