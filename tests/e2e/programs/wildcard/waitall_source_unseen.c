/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message the wildcard receive of rank 1 took cannot be seen while MPI_Waitall hangs. Of the
 * two that it may have taken, that of rank 2 explains why.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 1 MPI_Waitall HERE
 * SAYS: MPI_Irecv at waitall_source_unseen.c:\d+ of rank 1 takes the message from rank 2
 * SAYS: The job hangs
 * SAYS_LINE: ANY
 * PLAIN: hangs
 */
#include "../turn.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2] = {0, 0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]); /* ANY */
        MPI_Irecv(&value[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
    } else {
        usleep(100000);
        if (rank == 0)
            turn_wait("sent");
        MPI_Send(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 2)
            turn_pass("sent");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
