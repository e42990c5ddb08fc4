/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 turns to rank 0 while a wildcard receive is pending. In this run that takes the message of
 * rank 2, and the program reads its status, but only after it could have waited for ever.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 1 MPI_Wait HERE
 * CALL: 2 MPI_Send
 * SAYS: MPI_Irecv at pending_any_status.c:\d+ of rank 1 takes the message from rank 0
 * SAYS: Before the deadlock, the program does not read the status of these receives
 * SAYS_LINE: ANY
 */
#include "../turn.h"

#include <mpi.h>

static void receive(void)
{
    MPI_Request any, of_0;
    MPI_Status status;
    int value[4];

    MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &any); /* ANY */
    MPI_Irecv(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &of_0);
    for (int tag = 1; tag <= 2; tag++)
        MPI_Recv(&value[1 + tag], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &status);
    MPI_Wait(&of_0, &status); /* HERE */
    MPI_Wait(&any, &status);
}

int main(int argc, char **argv)
{
    int value = 0, rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        receive();
    if (rank == 0)
        turn_wait("sent");
    for (int tag = 0; tag <= 2 && rank == 0; tag++)
        MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        turn_pass("sent");
    }
    MPI_Finalize();
    return 0;
}
