/* SPDX-License-Identifier: BSD-3-Clause */
/* Ten steps of a periodic one-dimensional stencil: receives and sends are all nonblocking and
 * completed together.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 78.000000 78.000000
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request[4];
    int size;
    double cell[10];
    double halo[2];
    double sum[10];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    for (int i = 0; i < 10; i++)
        cell[i] = rank * 10 + i;
    for (int step = 0; step < 10; step++) {
        MPI_Irecv(&halo[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&halo[1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(&cell[9], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(&cell[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[3]);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        cell[0] = (cell[0] + halo[0]) / 2;
        cell[9] = (cell[9] + halo[1]) / 2;
    }
    MPI_Reduce(cell, sum, 10, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f %.6f\n", sum[0], sum[9]);
    MPI_Finalize();
    return 0;
}
