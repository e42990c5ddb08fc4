/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep through the ranks in both directions, as of a transport code, without its computation:
 * each rank receives a message of 128 bytes from the rank before it and passes it on, twice to the
 * left and three times to the right. With `any`, it receives from MPI_ANY_SOURCE. [rounds [any]] */
#include "loop.h"

#include <string.h>

enum { DOUBLES = 16, BLOCKS = 2 };

static int rank, size;

static void pass_on(int direction, int is_any)
{
    static double data[DOUBLES];
    const int from = rank - direction, to = rank + direction, tag = 1 + direction;

    if (from >= 0 && from < size)
        MPI_Recv(data, DOUBLES, MPI_DOUBLE, is_any ? MPI_ANY_SOURCE : from, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (to >= 0 && to < size)
        MPI_Send(data, DOUBLES, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = loop_rounds(argc, argv, 60000);
    const int is_any = argc > 2 && strcmp(argv[2], "any") == 0;
    double begin = loop_begin();
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < BLOCKS; i++)
            pass_on(-1, is_any);
        for (int i = 0; i <= BLOCKS; i++)
            pass_on(1, is_any);
    }
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
