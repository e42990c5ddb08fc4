/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitall over a barrier and a wildcard receive; rank 1 receives before it enters the
 * barrier.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Waitall HERE
 * CALL: 1 MPI_Recv
 * CALL: 2 MPI_Wait
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int box[2] = {0};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&box[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
        break;
    case 1:
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Ibarrier(MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
