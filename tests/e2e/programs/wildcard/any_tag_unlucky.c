/* SPDX-License-Identifier: BSD-3-Clause */
/* The first receive takes any message, the second one needs that of tag 1. In this run it comes
 * first.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 2 MPI_Recv SECOND
 * SAYS_LINE: SECOND
 */
#include "../turn.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, /* SECOND */
                 MPI_STATUS_IGNORE);
    } else {
        usleep(100000);
        if (rank == 1)
            turn_wait("sent");
        MPI_Send(&value, 1, MPI_INT, 2, rank + 1, MPI_COMM_WORLD);
        if (rank == 0)
            turn_pass("sent");
    }
    MPI_Finalize();
    return 0;
}
