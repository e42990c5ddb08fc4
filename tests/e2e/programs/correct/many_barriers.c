/* SPDX-License-Identifier: BSD-3-Clause */
/* Five hundred barriers and reductions in turns.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 500; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
