/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of 8 bytes there and back, between ranks 0 and 1, 2 and 3, ... [round trips] */
#include "loop.h"

static void bounce(int rank, int partner, long rounds)
{
    double ball = 0;

    for (long i = 0; i < rounds; i++) {
        if (rank % 2 == 0)
            MPI_Send(&ball, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
        MPI_Recv(&ball, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank % 2 == 1)
            MPI_Send(&ball, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double begin = loop_begin();
    if ((rank ^ 1) < size)
        bounce(rank, rank ^ 1, loop_rounds(argc, argv, 1000000));
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
