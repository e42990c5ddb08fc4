/* SPDX-License-Identifier: BSD-3-Clause */
/* Empty messages are messages: they match, and they can be counted.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 0 7
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int count;
    MPI_Status status;
    MPI_Request request[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Ssend(NULL, 0, MPI_INT, 1, i, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        printf("%d %d\n", count, status.MPI_TAG);
    } else {
        for (int i = 2; i >= 0; i--)
            MPI_Irecv(NULL, 0, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
