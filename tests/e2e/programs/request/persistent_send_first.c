/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank of a ring completes its persistent send before it starts its receive.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1,2,3}
 * CALL: 0 MPI_Wait HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % 4, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&in, 1, MPI_INT, (rank + 3) % 4, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Start(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE); /* HERE */
    MPI_Start(&request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
