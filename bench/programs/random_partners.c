/* SPDX-License-Identifier: BSD-3-Clause */
/* In each round a random rank sends to another random one, so nothing repeats. [rounds] */
#include "loop.h"

#include <stdint.h>

static uint32_t below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 32) * n >> 32);
}

int main(int argc, char **argv)
{
    uint64_t state = 1; /* the same in each rank */
    int rank, size, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    long rounds = loop_rounds(argc, argv, 1000000);
    double begin = loop_begin();
    for (long i = 0; i < rounds; i++) {
        int from = (int)below(&state, (uint32_t)size);
        int to = (from + 1 + (int)below(&state, (uint32_t)size - 1)) % size;
        if (rank == from)
            MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
        else if (rank == to)
            MPI_Recv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
