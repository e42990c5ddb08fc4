/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany gets the message of rank 1; if the wildcard receive took that of rank 0, the other
 * receive would get none. In this run rank 0 is late.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 2 MPI_Wait HERE
 * SAYS: MPI_Irecv at waitany_lucky.c:\d+ of rank 2 takes the message from rank 0
 * SAYS_LINE: ANY
 */
#include "../turn.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2] = {0, 0};
    int rank, index = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]); /* ANY */
        MPI_Irecv(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        MPI_Wait(&request[1 - index], MPI_STATUS_IGNORE); /* HERE */
    } else {
        usleep(100000);
        if (rank == 0)
            turn_wait("sent");
        MPI_Send(&value[0], 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        if (rank == 1)
            turn_pass("sent");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
