/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv of 8 bytes to the right, from the left. [rounds] */
#include "loop.h"

int main(int argc, char **argv)
{
    int rank, size;
    double in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = loop_rounds(argc, argv, 500000);
    double out = rank;
    double begin = loop_begin();
    for (long i = 0; i < rounds; i++)
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, 0, &in, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
