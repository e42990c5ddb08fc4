/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 leaves without entering the barrier.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Barrier HERE
 * CALL: 1 MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* HERE */
    MPI_Finalize();
    return 0;
}
