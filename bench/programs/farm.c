/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 hands out tasks: it takes a request from any rank and answers it. If the tasks are empty,
 * this is nothing but wildcard receives. [tasks a worker] [microseconds of a task] */
#include "loop.h"

static void serve(long tasks)
{
    MPI_Status status;
    int request, task = 0;

    for (; tasks > 0; tasks--) {
        MPI_Recv(&request, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
}

static void compute(long us)
{
    double end = MPI_Wtime() + 1e-6 * (double)us;

    while (us > 0 && MPI_Wtime() < end)
        continue;
}

static void work(long tasks, long us)
{
    int request = 0, task;

    for (; tasks > 0; tasks--) {
        MPI_Send(&request, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute(us);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long tasks = loop_rounds(argc, argv, 300000);
    long us = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    double begin = loop_begin();
    if (rank == 0)
        serve(tasks * (size - 1));
    else
        work(tasks, us);
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
