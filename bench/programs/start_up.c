/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that only begins and ends, and in between sleeps for as many seconds as its argument
 * says; the time of its loop is that of MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    double begin = now();
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("seconds %.6f\n", now() - begin);
    sleep(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0);
    MPI_Finalize();
    return 0;
}
