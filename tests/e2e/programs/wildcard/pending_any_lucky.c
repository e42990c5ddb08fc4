/* SPDX-License-Identifier: BSD-3-Clause */
/* A wildcard receive is pending while rank 1 waits for a message of rank 0. In this run it takes
 * that of rank 2, which comes first.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 1 MPI_Recv HERE
 * CALL: 2 MPI_Send
 * SAYS: MPI_Irecv at pending_any_lucky.c:\d+ of rank 1 takes the message from rank 0
 * SAYS: in this run it took one from rank 2
 * SAYS_LINE: ANY
 */
#include "../turn.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int value[2] = {0, 0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* ANY */
        MPI_Recv(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        usleep(100000);
        if (rank == 0)
            turn_wait("sent");
        MPI_Send(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 2)
            turn_pass("sent");
    }
    MPI_Finalize();
    return 0;
}
