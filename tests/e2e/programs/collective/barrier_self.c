/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier on MPI_COMM_SELF waits for nobody.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_SELF);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
