/* SPDX-License-Identifier: BSD-3-Clause */
/* The first receive may take either message; if it takes that of rank 2, nobody is left for the
 * second one. In this run rank 2 is late.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 1 MPI_Recv SECOND
 * SAYS: MPI_Recv at lucky_order.c:\d+ of rank 1 takes the message from rank 2
 * SAYS_LINE: FIRST
 * MESSAGES: 0 OUT > 1 FIRST; 2 OUT > 1 SECOND
 */
#include "../turn.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, /* FIRST */
                 MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
    } else {
        if (rank == 2)
            turn_wait("sent");
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* OUT */
        if (rank == 0)
            turn_pass("sent");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
