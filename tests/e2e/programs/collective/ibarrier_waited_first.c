/* SPDX-License-Identifier: BSD-3-Clause */
/* As ibarrier_overlaps, but rank 0 completes the barrier before it sends.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE); /* HERE */
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
