/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stencil code does without its computation: eight receives and eight sends of 64 bytes are
 * started, then one Waitall. The neighbours are the next ranks in turn, so that any number of
 * ranks above one will do. [rounds [variant]]
 *   sum          then the ranks add a number of each, as a solver does for its residual
 *   overlap      that sum is started before the exchange, and completed after it
 *   two          two sets of buffers take turns, as in a solver with an old and a new grid
 *   persistent   by persistent requests */
#include "loop.h"

#include <string.h>

enum { NEIGHBOURS = 8, DOUBLES = 8 };

static double in[2][NEIGHBOURS][DOUBLES], out[2][NEIGHBOURS][DOUBLES];
static int rank, size;

/* The ranks from which the i-th message comes and to which it goes. */
static int before(int i)
{
    return (rank + size - 1 - i % (size - 1)) % size;
}

static int after(int i)
{
    return (rank + 1 + i % (size - 1)) % size;
}

/* With this set of buffers. */
static void exchange(int set)
{
    MPI_Request request[2 * NEIGHBOURS];

    for (int i = 0; i < NEIGHBOURS; i++)
        MPI_Irecv(in[set][i], DOUBLES, MPI_DOUBLE, before(i), i, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < NEIGHBOURS; i++)
        MPI_Isend(out[set][i], DOUBLES, MPI_DOUBLE, after(i), i, MPI_COMM_WORLD,
                  &request[NEIGHBOURS + i]);
    MPI_Waitall(2 * NEIGHBOURS, request, MPI_STATUSES_IGNORE);
}

static void exchange_and_add(void)
{
    double own = 1, sum;

    exchange(0);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void exchange_while_adding(void)
{
    double own = 1, sum;
    MPI_Request request;

    MPI_Iallreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    exchange(0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void repeat_persistent(long rounds)
{
    MPI_Request request[2 * NEIGHBOURS];

    for (int i = 0; i < NEIGHBOURS; i++) {
        MPI_Recv_init(in[0][i], DOUBLES, MPI_DOUBLE, before(i), i, MPI_COMM_WORLD, &request[i]);
        MPI_Send_init(out[0][i], DOUBLES, MPI_DOUBLE, after(i), i, MPI_COMM_WORLD,
                      &request[NEIGHBOURS + i]);
    }
    for (long round = 0; round < rounds; round++) {
        MPI_Startall(2 * NEIGHBOURS, request);
        MPI_Waitall(2 * NEIGHBOURS, request, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2 * NEIGHBOURS; i++)
        MPI_Request_free(&request[i]);
}

static void repeat(long rounds, const char *variant)
{
    if (strcmp(variant, "persistent") == 0)
        repeat_persistent(rounds);
    else if (strcmp(variant, "sum") == 0)
        for (long round = 0; round < rounds; round++)
            exchange_and_add();
    else if (strcmp(variant, "overlap") == 0)
        for (long round = 0; round < rounds; round++)
            exchange_while_adding();
    else if (strcmp(variant, "two") == 0)
        for (long round = 0; round < rounds; round++)
            exchange((int)(round % 2));
    else
        for (long round = 0; round < rounds; round++)
            exchange(0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = loop_rounds(argc, argv, 200000);
    double begin = loop_begin();
    if (size > 1)
        repeat(rounds, argc > 2 ? argv[2] : "");
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
