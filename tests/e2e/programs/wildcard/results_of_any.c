/* SPDX-License-Identifier: BSD-3-Clause */
/* Master and workers: one receive for each worker, from whoever comes.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 10
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 0, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < 5; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += value;
        }
        printf("%d\n", sum);
    }
    MPI_Finalize();
    return 0;
}
