/* SPDX-License-Identifier: BSD-3-Clause */
/* As waitany_none with MPI_Waitsome.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Waitsome HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int box[2] = {0};
    MPI_Request request[2];
    int count;
    int index[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&box[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&box[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitsome(2, request, &count, index, MPI_STATUSES_IGNORE); /* HERE */
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
