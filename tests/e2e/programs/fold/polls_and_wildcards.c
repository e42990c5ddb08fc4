/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of polls, and then of wildcard receives, whose iterations are folded; then each rank
 * receives before it sends. The second loop is longer than the history for other matches, which
 * needs every record until it is full.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { POLLED = 8000, SERVED = 16000 };

static void poll_each(int partner)
{
    MPI_Request request;
    MPI_Status status;
    int in, out = 0, done = 0, there = 0;

    MPI_Irecv(&in, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, &request);
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void serve(int rank)
{
    MPI_Status status = {.MPI_SOURCE = 0};
    int value = 0;

    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    else
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);
}

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < POLLED; i++)
        poll_each(1 - rank);
    for (int i = 0; i < SERVED; i++)
        serve(rank);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
