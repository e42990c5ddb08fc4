/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent receive is started while it is active (MPI-3.1 section 3.9). There is one message
 * for it, and one receive: nothing else is wrong.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: request-misuse error
 * SAYS: MPI_Start \(started_twice.c:\d+\) of rank 0 starts a request that is active
 * SAYS: 1 finding \(1 error\)
 * SAYS_LINE: AGAIN
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv_init(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Start(&request); /* AGAIN */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
