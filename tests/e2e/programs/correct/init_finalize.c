/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that only begins and ends.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: begun
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("begun\n");
    MPI_Finalize();
    return 0;
}
