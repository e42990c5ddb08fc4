/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes the message of rank 2 and then receives from rank 1. If rank 1 gets its own message
 * early and then sends to rank 0 before rank 2 does, the first receive takes that one, and no other
 * comes.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Recv SECOND
 * CALL: 2 MPI_Wait
 * SAYS: MPI_Recv at sender_set_free_by_any.c:\d+ of rank 0 takes the message from rank 1
 * SAYS_LINE: FIRST
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, /* FIRST */
                 MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
        break;
    case 1:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    default:
        usleep(200000);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
