/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of every kind, one in another: persistent and nonblocking operations, collective calls,
 * wildcards, communicators that are made in the loop, and iterations that differ. After the first
 * wildcard receive nothing is folded, because the search for other matches needs every record; so
 * there is none in the first round.
 *
 * RANKS: 4
 * FOLDS: yes
 * EXPECT: clean
 * OUTPUT: sum 1713600
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

enum { OUTER = 20, INNER = 20 };

static int rank;
static int size;
static int next;
static int previous;

static int shift(int value)
{
    int in;

    MPI_Sendrecv(&value, 1, MPI_INT, next, 0, &in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return in;
}

/* Twice as much comes out as goes in. */
static int exchange(int value)
{
    MPI_Request request[3];
    int in[2];
    int sum;

    MPI_Irecv(&in[0], 1, MPI_INT, next, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[2]);
    MPI_Send(&value, 1, MPI_INT, previous, 1, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    return (in[0] + in[1]) * sum / (value * size);
}

static int gather_from_any(int value)
{
    int sum = value;

    for (int i = 1; rank == 0 && i < size; i++) {
        int in;
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in;
    }
    if (rank != 0)
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return sum / size;
}

static int on_a_communicator(int value)
{
    MPI_Comm comm;
    int sum;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    return sum / size;
}

static int start(MPI_Request request[2], int *out, const int *in, int value)
{
    *out = value;
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    return *in;
}

/* Every value is 1. */
static long iterate(MPI_Request request[2], int *out, const int *in, bool is_special)
{
    long sum = 0;

    for (int i = 0; i < INNER; i++)
        sum += shift(1);
    for (int i = 0; i < INNER; i++)
        sum += exchange(1) / 2;
    for (int i = 0; i < INNER; i++)
        sum += start(request, out, in, 1);
    if (is_special)
        sum += gather_from_any(1) - 1 + on_a_communicator(1) - 1;
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int out = 0;
    int in = 0;
    long sum = 0;
    long all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    MPI_Recv_init(&in, 1, MPI_INT, previous, 3, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(&out, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &request[1]);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 200; i++)
            sum += shift(1) * 60;
        for (int i = 0; i < OUTER; i++)
            sum += iterate(request, &out, &in, k > 0 && i % 10 == 0) * 4;
        for (int i = 0; i < 1500; i++)
            sum += shift(1) * 84;
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %ld\n", all);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Finalize();
    return 0;
}
