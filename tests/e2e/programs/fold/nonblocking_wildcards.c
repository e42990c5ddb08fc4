/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops in which rank 0 starts a receive from any source and waits for it: with a status, without,
 * with other calls in between now and then. Late in one, a receive uses the buffer of the other
 * before it is complete. At the end, rank 0 waits for a message that nobody sends.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Wait LAST
 * CALL: 1 MPI_Recv ANSWER
 * CALL: 2 MPI_Recv ANSWER
 * FINDING: deadlock error
 * FINDING: buffer-overlap error
 * SAYS_LINE: OVERLAP
 */
#include <mpi.h>

enum { ITERATIONS = 6000, RARE = 700, LATE = ITERATIONS - 300 };

static int rank, task, result, other;

static void start(MPI_Request *request)
{
    MPI_Irecv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request);
}

/* One rank after the other, or the other way round now and then. */
static void serve(int i)
{
    const int turn = i % RARE == 1;

    for (int k = 0; k < 2; k++) {
        MPI_Request request;
        MPI_Status status;
        MPI_Send(&task, 1, MPI_INT, 1 + (k ^ turn), 1, MPI_COMM_WORLD);
        start(&request);
        MPI_Wait(&request, &status);
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
    }
}

static void serve_blindly(int i)
{
    MPI_Request request;
    int done = 0;

    for (int k = 0; k < 2; k++) {
        MPI_Send(&task, 1, MPI_INT, 1 + k, 1, MPI_COMM_WORLD);
        start(&request);
        if (i % RARE == 2)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (i == LATE && k == 0)
            MPI_Sendrecv(&task, 1, MPI_INT, 0, 8, &result, 1, MPI_INT, 0, 8, /* OVERLAP */
                         MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&task, 1, MPI_INT, 1 + k, 2, MPI_COMM_WORLD);
    }
}

static void work(void)
{
    MPI_Recv(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&other, 1, MPI_INT, 0, 3 + rank, MPI_COMM_WORLD);
    MPI_Recv(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2 * ITERATIONS; i++) {
        if (rank != 0)
            work();
        else if (i < ITERATIONS)
            serve(i);
        else
            serve_blindly(i - ITERATIONS);
    }
    if (rank != 0)
        MPI_Recv(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* ANSWER */
    start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LAST */
    MPI_Finalize();
    return 0;
}
