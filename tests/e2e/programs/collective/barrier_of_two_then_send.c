/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of rank 0 to rank 2 is never received, and rank 2 sends to rank 1, which does
 * not receive either: with buffers all come to MPI_Finalize.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0 1 2
 * MAYBE: resource-leak
 * ROOTS: {1,2}
 * CALL: 1 MPI_Finalize
 * CALL: 2 MPI_Send HERE
 * SAYS_LINE: HERE
 * MAYBE: lost-message
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Comm pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
    switch (rank) {
    case 0:
        MPI_Barrier(pair);
        MPI_Send(&out, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        printf("%d\n", out);
        break;
    case 1:
        MPI_Barrier(pair);
        break;
    default:
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
