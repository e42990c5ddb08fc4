/* SPDX-License-Identifier: BSD-3-Clause */
/* The master takes requests until all workers are idle, and then gives work to all, in the order of
 * their ranks. No status is looked at.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 12
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 12 };

int main(int argc, char **argv)
{
    int rank, size, in, round;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (round = 0; round < ROUNDS; round++) {
        if (rank > 0) {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        for (int i = 1; i < size; i++)
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i < size; i++)
            MPI_Send(&round, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d\n", round);
    MPI_Finalize();
    return 0;
}
