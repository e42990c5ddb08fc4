/* SPDX-License-Identifier: BSD-3-Clause */
/* In the third round rank 0 waits for the barrier that it started, rank 1 for a message of rank 0.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait HERE
 * CALL: 1 MPI_Recv THERE
 * CALL: 2 MPI_Wait HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <mpi-ext.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Request barrier;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPIX_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier);
    for (int round = 0; round < 3; round++) {
        if (round == 2 && rank == 1)
            MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
        MPI_Start(&barrier);
        MPI_Wait(&barrier, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Request_free(&barrier);
    MPI_Finalize();
    return 0;
}
