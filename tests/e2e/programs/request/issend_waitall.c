/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks start synchronous sends to each other and wait for them before they receive.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Waitall HERE
 * CALL: 1 MPI_Waitall HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Issend(&out, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Issend(&out, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
