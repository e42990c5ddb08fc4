/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits for any message, ranks of the first half for any message and one of their left
 * neighbour, the others in a barrier. */
#include <mpi.h>

static void receive_two(int left)
{
    MPI_Request request[2];
    int message[2];

    MPI_Irecv(&message[0], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&message[1], 1, MPI_INT, left, 4, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank < size / 2)
        receive_two(rank - 1);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
