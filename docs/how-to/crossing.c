/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 needs parts of both neighbours, rank 1 takes orders of any rank, rank 2 waits for all. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int part[2];
    int order;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&part[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&part[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&order, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&order, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        part[1] = 2;
        MPI_Send(&part[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
