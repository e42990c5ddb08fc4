/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes requests and tells rank 1 who asked; rank 1 answers. Who asks stands in the message.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 30
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
    int rank, size, who, requests;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    requests = ROUNDS * (size - 2);
    for (int i = 0; rank == 0 && i < requests; i++) {
        MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&who, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 1 && i < requests; i++) {
        MPI_Recv(&who, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&who, 1, MPI_INT, who, 2, MPI_COMM_WORLD);
    }
    for (int i = 0; rank > 1 && i < ROUNDS; i++) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&who, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        printf("%d\n", requests);
    MPI_Finalize();
    return 0;
}
