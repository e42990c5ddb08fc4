/* SPDX-License-Identifier: BSD-3-Clause */
/* The wildcard receive takes the message that the next receive needs, while rank 1 hangs in the
 * MPI_Waitall over both: a rank that polls can tell.
 *
 * RANKS: 3
 * OPTIONS: --must:poll
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 0 MPI_Barrier
 * CALL: 1 MPI_Waitall HERE
 * CALL: 2 MPI_Barrier
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int rank;
    int in[2] = {0, 0};
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
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
        break;
    default:
        usleep(50000); /* rank 1 is there first */
        MPI_Ssend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
