/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring in which every receive is posted before the send.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int box[1] = {0};
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int right = (rank + 1) % 4;
    int left = (rank + 3) % 4;

    MPI_Irecv(&box[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send(&out, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d\n", box[0]);
    MPI_Finalize();
    return 0;
}
