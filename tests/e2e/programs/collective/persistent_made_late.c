/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a persistent collective may wait for nobody: a message is sent after it on one rank and
 * received before it on the other.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 7
 */
#include <mpi.h>
#include <mpi-ext.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 7;
    int sum = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPIX_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0)
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
