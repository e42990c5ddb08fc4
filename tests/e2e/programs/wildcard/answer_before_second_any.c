/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 takes the message of rank 2 first and then sends to rank 0, which is still in its own
 * send: only buffering lets this go on.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1}
 * CALL: 0 MPI_Send FIRST
 * CALL: 1 MPI_Send BACK
 * SAYS_LINE: BACK
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        usleep(200000);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FIRST */
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* BACK */
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
