/* SPDX-License-Identifier: BSD-3-Clause */
/* One barrier after the other. [barriers] */
#include "loop.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long rounds = loop_rounds(argc, argv, 1000000);
    double begin = loop_begin();
    for (long i = 0; i < rounds; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
