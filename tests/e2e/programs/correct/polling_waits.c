/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of wait, with calls that poll: wildcards, large messages.
 *
 * RANKS: 3
 * OPTIONS: --must:poll
 * EXPECT: clean
 * OUTPUT: sum 3684
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 100, LARGE = 20000 };

static int size;
static int rank;

/* Rank 0 takes from anybody, in each way in turn. */
static int take(int round, int *buffer)
{
    MPI_Request request[2];
    MPI_Status status;
    int index = 0;
    int n = 0;

    switch (round % 4) {
    case 0:
        MPI_Recv(buffer, LARGE, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        return buffer[0];
    case 1:
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(buffer, LARGE, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        return buffer[0];
    case 2:
        MPI_Irecv(buffer, LARGE, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
        request[1] = MPI_REQUEST_NULL;
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        return buffer[0];
    default:
        MPI_Irecv(buffer, LARGE, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Waitsome(1, request, &n, &index, MPI_STATUSES_IGNORE);
        return buffer[0];
    }
}

static void give(int round, int *buffer)
{
    buffer[0] = round % 42;
    if (round % 2 == 0)
        MPI_Send(buffer, round % 3 == 0 ? LARGE : 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        MPI_Ssend(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static int exchange(void)
{
    MPI_Request request[4];
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    int in[3] = {0, 0, 0};
    int out = rank;

    MPI_Sendrecv(&out, 1, MPI_INT, right, 1, &in[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&in[2], 1, MPI_INT, right, 3, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(&out, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    return in[0] == left && in[1] == left && in[2] == right;
}

int main(int argc, char **argv)
{
    int *buffer = calloc(LARGE, sizeof(*buffer));
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0)
            give(i, buffer);
        for (int from = 1; rank == 0 && from < size; from++)
            sum += take(i, buffer);
        if (!exchange())
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    free(buffer);
    return 0;
}
