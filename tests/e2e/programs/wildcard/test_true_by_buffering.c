/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Test finds the second message of rank 0, which is sent only because the library buffered the
 * first one; that one is received after the barrier.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Send FIRST
 * CALL: 1 MPI_Barrier
 * SAYS_LINE: FIRST
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int value[2] = {0, 0};
    int rank, done = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* FIRST */
        MPI_Send(&value[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&value[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
