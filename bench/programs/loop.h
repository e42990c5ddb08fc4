/* SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmark programs share: the number of rounds from the command line, and the time of
 * the loop, from the barrier before it to the end of the slowest rank, on stdout of rank 0. */
#ifndef ORK_BENCH_LOOP_H
#define ORK_BENCH_LOOP_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* argv[1], else `preset`. */
static inline long loop_rounds(int argc, char **argv, long preset)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : preset;

    return n > 0 ? n : preset;
}

static inline double loop_begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* Prints "seconds 1.234567". */
static inline void loop_end(double begin)
{
    double mine = MPI_Wtime() - begin;
    double slowest = 0;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("seconds %.6f\n", slowest);
}

#endif
