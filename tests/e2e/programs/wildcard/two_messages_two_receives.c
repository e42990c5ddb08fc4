/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 has two receives and rank 1 two messages: whichever takes which, none is left. Rank 2 is
 * long between the first receive that returns and the wait for the other.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 1 2
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int value[2] = {1, 2};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Isend(&value[0], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&value[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(1500000);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        printf("%d %d\n", value[0], value[1]);
    }
    MPI_Finalize();
    return 0;
}
