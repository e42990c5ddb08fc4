/* SPDX-License-Identifier: BSD-3-Clause */
/* The first receive may take the message of rank 1 or of rank 2: the last calls show both.
 *
 * RANKS: 3
 * OPTIONS: --must:races on
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: message-race note
 * LAST: 0: MPI_Recv FIRST; MPI_Recv SECOND; MPI_Finalize
 * MESSAGES: 1 OUT > 0 FIRST; 2 OUT > 0 SECOND
 */
#include "../turn.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); /* FIRST */
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD,    /* SECOND */
                 MPI_STATUS_IGNORE);
    } else {
        if (rank == 2)
            turn_wait("sent");
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* OUT */
        if (rank == 1)
            turn_pass("sent");
    }
    MPI_Finalize();
    return 0;
}
