/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 collects a number from each other rank. Rank 1 has the most work, so it is the last. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    double sum = 0;
    double part;
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 2; i < size; i++) {
            MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += part;
        }
        MPI_Recv(&part, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("the sum is %g\n", sum + part);
    } else {
        usleep(rank == 1 ? 500000 : 1000); /* the work */
        part = 1.0 / rank;
        MPI_Send(&part, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
