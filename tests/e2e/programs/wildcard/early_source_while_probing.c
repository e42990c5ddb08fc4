/* SPDX-License-Identifier: BSD-3-Clause */
/* The wildcard receive takes the message that the next receive needs, while rank 1 looks for
 * another one. When it enters MPI_Waitall, its source is known.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 1 MPI_Waitall HERE
 * CALL: 2 MPI_Barrier
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int rank;
    int found = 0;
    int in[3] = {0, 0, 0};
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Recv(&in[0], 1, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Isend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        break;
    case 1:
        MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
        while (!found)
            MPI_Iprobe(2, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        MPI_Recv(&in[2], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
        break;
    default:
        MPI_Ssend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Ssend(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
