/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 waits for a broadcast that rank 0, the root, never starts: it finalizes.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Finalize
 * CALL: 1 MPI_Wait HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Ibcast(&in, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
