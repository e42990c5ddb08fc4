/* SPDX-License-Identifier: BSD-3-Clause */
/* The handle of an active send is freed; the message arrives, and an answer tells the sender
 * so.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Request_free(&request[0]);
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", in);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        in = in + 1;
        MPI_Send(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
