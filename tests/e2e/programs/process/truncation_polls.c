/* SPDX-License-Identifier: BSD-3-Clause */
/* The program itself polls for a message that is too long: the library and the report name its
 * call, also with --must:poll.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OPTIONS: --must:poll
 * FINDING: truncation error
 * SAYS: MPI_Test at truncation_polls.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0, done = 0;
    int pair[2] = {1, 2};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
