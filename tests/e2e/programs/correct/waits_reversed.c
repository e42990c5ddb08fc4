/* SPDX-License-Identifier: BSD-3-Clause */
/* Many messages to one rank, completed in another order than they were issued.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 128070
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int many[40];
    int sum = 0;
    MPI_Request request[40];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 20; i++)
        many[i] = rank * 100 + i;
    if (rank == 0) {
        for (int i = 0; i < 40; i++)
            MPI_Irecv(&many[i], 1, MPI_INT, 1 + i % 2, i / 2, MPI_COMM_WORLD, &request[i]);
        for (int i = 39; i >= 0; i--)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        for (int i = 0; i < 40; i++)
            sum += i * many[i];
        printf("%d\n", sum);
    } else {
        for (int i = 19; i >= 0; i--)
            MPI_Isend(&many[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
        for (int i = 0; i < 20; i++)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
