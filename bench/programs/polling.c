/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages around a ring for which nobody waits: MPI_Test until the receive of the first is
 * complete, MPI_Iprobe from any source until the second is there. [rounds] */
#include "loop.h"

static void by_test(int left, int right)
{
    MPI_Request request;
    int in, out = 0, done = 0;

    MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void by_probe(int right)
{
    MPI_Request request;
    MPI_Status status;
    int in, out = 0, there = 0;

    MPI_Isend(&out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &request);
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = loop_rounds(argc, argv, 300000);
    double begin = loop_begin();
    for (long i = 0; i < rounds; i++) {
        by_test((rank + size - 1) % size, (rank + 1) % size);
        by_probe((rank + 1) % size);
    }
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
