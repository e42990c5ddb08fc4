/* SPDX-License-Identifier: BSD-3-Clause */
/* In each round rank 0 takes one result of each other rank in the order in which they come; then
 * all meet.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 100
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 10; round++) {
        if (rank > 0)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        for (int i = 1; rank == 0 && i < size; i++) {
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += in;
        }
        MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
