/* SPDX-License-Identifier: BSD-3-Clause */
/* A wildcard receive is cancelled when it has its message already, so the message is received; that
 * of rank 2 is left for the next one. Had the receive been cancelled, it would take both.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Status status;
    int rank, value = 0, is_cancelled = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &is_cancelled);
        for (int i = 0; i < 1 + is_cancelled; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
