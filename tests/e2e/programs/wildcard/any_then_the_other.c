/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes the message of whichever of ranks 1 and 2 is first, and then that of the other; rank
 * 3 does the same with what these two send on.
 *
 * RANKS: 4
 * OPTIONS: --must:probe thorough
 * EXPECT: clean
 * OUTPUT: 60
 */
#include <mpi.h>
#include <stdio.h>

static int take_both(void)
{
    MPI_Status status;
    int first, second;

    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&second, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return first + second;
}

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 20; round++) {
        if (rank == 1 || rank == 2) {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Send(&rank, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
        } else {
            sum += take_both();
        }
    }
    if (rank == 3)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
