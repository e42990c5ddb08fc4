/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stencil code does without its computation: eight receives and eight sends of 64 bytes are
 * started, then one Waitall. The neighbours are the next ranks in turn, so that any number of
 * ranks above one will do. With `sum`, the ranks then add a number of each, as a solver does for
 * its residual. [rounds [sum]] */
#include "loop.h"

#include <stdbool.h>
#include <string.h>

enum { NEIGHBOURS = 8, DOUBLES = 8 };

static void exchange(int rank, int size)
{
    static double in[NEIGHBOURS][DOUBLES];
    static double out[NEIGHBOURS][DOUBLES];
    MPI_Request request[2 * NEIGHBOURS];

    for (int i = 0; i < NEIGHBOURS; i++) {
        int distance = 1 + i % (size - 1);
        MPI_Irecv(in[i], DOUBLES, MPI_DOUBLE, (rank + size - distance) % size, i, MPI_COMM_WORLD,
                  &request[i]);
    }
    for (int i = 0; i < NEIGHBOURS; i++) {
        int distance = 1 + i % (size - 1);
        MPI_Isend(out[i], DOUBLES, MPI_DOUBLE, (rank + distance) % size, i, MPI_COMM_WORLD,
                  &request[NEIGHBOURS + i]);
    }
    MPI_Waitall(2 * NEIGHBOURS, request, MPI_STATUSES_IGNORE);
}

static void add(void)
{
    double own = 1, sum;

    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = loop_rounds(argc, argv, 200000);
    const bool adds = argc > 2 && strcmp(argv[2], "sum") == 0;
    double begin = loop_begin();
    for (long i = 0; i < rounds && size > 1; i++) {
        exchange(rank, size);
        if (adds)
            add();
    }
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
