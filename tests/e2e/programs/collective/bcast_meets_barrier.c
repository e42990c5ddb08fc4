/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks call different collectives. That is an error of its own and must be named as such,
 * not as a deadlock.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * SAYS: MPI_Bcast
 * SAYS: MPI_Barrier
 * INTERRUPT: 2
 * PLAIN: hangs
 * EXIT: 66 130
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    puts("started");
    fflush(stdout);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(&in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
