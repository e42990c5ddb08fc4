/* SPDX-License-Identifier: BSD-3-Clause */
/* Ten thousand good exchanges with reused requests, then a receive too many on both sides.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait HERE
 * CALL: 1 MPI_Wait HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int box[1] = {0};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10000; i++) {
        MPI_Irecv(&box[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Irecv(&box[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
