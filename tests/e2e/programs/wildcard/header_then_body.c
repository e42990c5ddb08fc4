/* SPDX-License-Identifier: BSD-3-Clause */
/* A message of anybody says how many follow from the same rank, which are then received from it.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 60
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
    int rank, size, in, bodies = 0;
    int header[2]; /* who, how many */

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; rank == 0 && i < ROUNDS * (size - 1); i++) {
        MPI_Recv(header, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < header[1]; k++, bodies++)
            MPI_Recv(&in, 1, MPI_INT, header[0], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; rank > 0 && i < ROUNDS; i++) {
        header[0] = rank;
        header[1] = rank;
        MPI_Send(header, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
        for (int k = 0; k < rank; k++)
            MPI_Send(&k, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d\n", bodies);
    MPI_Finalize();
    return 0;
}
