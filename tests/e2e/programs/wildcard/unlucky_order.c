/* SPDX-License-Identifier: BSD-3-Clause */
/* The first receive takes the message of rank 2, and nobody is left for the second one: rank 0 is
 * late. Nothing of this is hidden, the call told its source.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 1 MPI_Recv SECOND
 * CALL: 2 MPI_Barrier
 * SAYS_LINE: SECOND
 */
#include "../turn.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
    } else {
        if (rank == 0)
            turn_wait("sent");
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 2)
            turn_pass("sent");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
