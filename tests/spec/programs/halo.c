/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for the C codes of SPEChpc: halos by nonblocking messages, with OpenMP if it is on. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 2000, STEPS = 3 };

static void exchange(double *cells, int left, int right)
{
    MPI_Request requests[4];

    MPI_Irecv(&cells[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&cells[CELLS + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&cells[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&cells[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    double cells[CELLS + 2];
    double sum = 0;
    double total = 0;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel for
    for (int i = 0; i < CELLS + 2; i++)
        cells[i] = sqrt(rank + argc);
    for (int step = 0; step < STEPS; step++)
        exchange(cells, (rank + size - 1) % size, (rank + 1) % size);
    sum = cells[0] * cells[0];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, total %.1f\n", size, total);
    MPI_Finalize();
    return 0;
}
