/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 finalizes without sending what rank 1 waits for.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Finalize
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
