/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of several kinds, each made by each of two ranks: also in ring.F90 and ring.py. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, other, got = -1, sum = 0;
    MPI_Request request[2];
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &got, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("got %d, sum %d\n", got, sum);
    MPI_Finalize();
    return 0;
}
