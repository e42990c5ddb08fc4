/* SPDX-License-Identifier: BSD-3-Clause */
/* Warm water in a ring of pipes, one for each rank. It flows to the right. */
#include <mpi.h>
#include <stdio.h>

#define CELLS 100

int main(int argc, char **argv)
{
    double pipe[CELLS + 1] = {0}; /* pipe[0] is the last cell of the left neighbour */
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    pipe[CELLS / 2] = rank + 1;
    for (int step = 0; step < 1000; step++) {
        MPI_Recv(&pipe[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&pipe[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
        for (int i = CELLS; i > 0; i--)
            pipe[i] += 0.5 * (pipe[i - 1] - pipe[i]);
    }
    if (rank == 0)
        printf("at the end of pipe 0: %.4f degrees\n", pipe[CELLS]);
    MPI_Finalize();
}
