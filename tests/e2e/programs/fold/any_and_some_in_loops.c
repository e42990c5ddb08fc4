/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops in which MPI_Waitany, MPI_Testsome and a probe come before a call that completes the rest.
 * Late in one, a rank receives into the buffer of a receive that is not complete; at the end, both
 * ranks wait for any of two messages that nobody sends.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Waitany LAST
 * CALL: 1 MPI_Waitany LAST
 * FINDING: deadlock error
 * FINDING: buffer-overlap error
 * SAYS_LINE: OVERLAP
 */
#include <mpi.h>

enum { ITERATIONS = 4000, FEW = 2 };

static int in[FEW], out[FEW];
static int other, rank;

static void receive(MPI_Request *request)
{
    for (int k = 0; k < FEW; k++)
        MPI_Irecv(&in[k], 1, MPI_INT, other, k, MPI_COMM_WORLD, &request[k]);
}

static void send(int tag)
{
    MPI_Send(&out[tag], 1, MPI_INT, other, tag, MPI_COMM_WORLD);
}

static void wait_any(int i)
{
    MPI_Request request[FEW];
    int index;

    receive(request);
    send(0);
    MPI_Waitany(FEW, request, &index, MPI_STATUS_IGNORE);
    if (i == ITERATIONS - 300)
        MPI_Sendrecv(&rank, 1, MPI_INT, other, 8, &in[1], 1, MPI_INT, other, 8, /* OVERLAP */
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send(1);
    MPI_Waitall(FEW, request, MPI_STATUSES_IGNORE);
}

static void test_some(void)
{
    int index[FEW], completed = 0;
    MPI_Request request[FEW];

    receive(request);
    send(1);
    while (completed == 0)
        MPI_Testsome(FEW, request, &completed, index, MPI_STATUSES_IGNORE);
    send(0);
    MPI_Waitall(FEW, request, MPI_STATUSES_IGNORE);
}

static void probe(void)
{
    MPI_Request request;
    MPI_Status status;

    MPI_Isend(&out[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&in[0], 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&out[1], 1, MPI_INT, other, 1, &in[1], 1, MPI_INT, MPI_ANY_SOURCE, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request[FEW];
    int index;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int i = 0; i < ITERATIONS; i++)
        wait_any(i);
    for (int i = 0; i < ITERATIONS; i++)
        test_some();
    for (int i = 0; i < ITERATIONS; i++)
        probe();
    for (int i = 0; i < ITERATIONS; i++)
        wait_any(i + ITERATIONS);
    receive(request);
    MPI_Waitany(FEW, request, &index, MPI_STATUS_IGNORE); /* LAST */
    MPI_Finalize();
    return 0;
}
