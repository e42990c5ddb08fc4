/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier synchronises whatever is said of other collectives: a real deadlock.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * OPTIONS: --must:collectives dataflow --must:sends buffered
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me;
    int word = 7, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* HERE */
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
