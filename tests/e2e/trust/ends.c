/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that ends in one way or another, after a while. Usage: ends normal|abort|crash|never
 * [SECONDS] */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void rest(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};

    nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "normal";
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("under way\n");
        fflush(stdout);
    }
    rest(argc > 2 ? atof(argv[2]) : 0.5);
    if (strcmp(way, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(way, "crash") == 0 && rank == 1)
        raise(SIGSEGV);
    if (strcmp(way, "never") == 0)
        rest(1000);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
