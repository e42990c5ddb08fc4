/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from any source returns that its message was too long, while an earlier one is not
 * completed yet: if it is not known which of two messages each took, that one was too long is.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: truncation warning
 * SAYS: rank 0 receives at most 1 x MPI_INT \(MPI_Recv at
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in;
    int three[3] = {1, 2, 3};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Irecv(three, 3, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(three, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(three, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
