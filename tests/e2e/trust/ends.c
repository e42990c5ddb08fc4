/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that ends in one way or another, when FILE is there. Usage: ends
 * normal|abort|crash [FILE] */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void wait_for(const char *file)
{
    const struct timespec pause = {.tv_nsec = 20000000};

    while (access(file, F_OK) != 0)
        nanosleep(&pause, NULL);
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
    if (argc > 2)
        wait_for(argv[2]);
    if (strcmp(way, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(way, "crash") == 0 && rank == 1)
        raise(SIGSEGV);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
