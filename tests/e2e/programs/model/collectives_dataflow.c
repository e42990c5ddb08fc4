/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of a broadcast need not wait for the others if collectives wait for their data only.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 7
 * OPTIONS: --must:collectives dataflow
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me;
    int word = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* HERE */
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
        printf("%d\n", word);
    }
    MPI_Finalize();
    return 0;
}
