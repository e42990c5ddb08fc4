/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are disconnected while others live on.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 40
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int sum = 0;
    MPI_Comm copy;
    MPI_Comm part;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_split(copy, rank == 2, 0, &part);
        MPI_Irecv(&in, 1, MPI_INT, (rank + 2) % 3, i, copy, &request);
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % 3, i, copy);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&copy);
        sum += in;
        MPI_Barrier(part);
        MPI_Comm_disconnect(&part);
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
