/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 probes for anybody, makes room for the length it is told, and receives from the source it
 * is told.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 63
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 6, LONGEST = 8 };

int main(int argc, char **argv)
{
    MPI_Status status;
    int rank, size, count, sum = 0;
    int value[LONGEST] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 1; round <= ROUNDS; round++) {
        if (rank > 0)
            MPI_Send(value, round, MPI_INT, 0, rank, MPI_COMM_WORLD);
        for (int i = 1; rank == 0 && i < size; i++) {
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            MPI_Recv(value, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            sum += count;
        }
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
