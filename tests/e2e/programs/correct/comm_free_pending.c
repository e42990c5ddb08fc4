/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is freed while a receive on it is pending; the operation goes on.
 *
 * RANKS: 2
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
    MPI_Request request[2];
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Irecv(&box[0], 1, MPI_INT, 1 - rank, 0, copy, &request[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, copy, &request[1]);
    MPI_Comm_free(&copy);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    if (rank == 0)
        printf("%d\n", box[0]);
    MPI_Finalize();
    return 0;
}
