/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message the wildcard receive of rank 1 took cannot be seen while MPI_Waitall hangs, but a
 * rank that polls asks for it: it was that of rank 2, which the other receive needs.
 *
 * RANKS: 3
 * OPTIONS: --must:poll
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 1 MPI_Waitall HERE
 * CALL: 2 MPI_Barrier
 * SAYS_LINE: HERE
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
