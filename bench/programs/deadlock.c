/* SPDX-License-Identifier: BSD-3-Clause */
/* A deadlock at a known moment: every rank receives from its right neighbour, the last one a while
 * after the others, when these have long been blocked. Just before, it prints that moment of
 * CLOCK_MONOTONIC: "blocks 123.456789". With "partial" only the lower half of the ranks is in it,
 * and the others go on computing. deadlock [all | partial] */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_US = 1000000, COMPUTING_S = 8 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(double seconds)
{
    double end = now() + seconds;

    while (now() < end)
        usleep(1000); /* as a rank with a core of its own does: without taking it from the others */
}

int main(int argc, char **argv)
{
    int rank, size, in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int cycle = argc > 1 && strcmp(argv[1], "partial") == 0 ? size / 2 : size;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == cycle - 1) {
        usleep(PAUSE_US);
        printf("blocks %.6f\n", now());
        fflush(stdout);
    }
    if (rank < cycle)
        MPI_Recv(&in, 1, MPI_INT, (rank + 1) % cycle, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        compute(COMPUTING_S);
    MPI_Finalize();
    return 0;
}
