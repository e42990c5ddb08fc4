/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of persistent requests, with starts and waits of other kinds. Late in a loop, a rank
 * receives into the buffer of a started receive; at the end of the last one, it waits for a request
 * that it has started, and whose message nobody sends.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait LAST
 * CALL: 1 MPI_Wait LAST
 * FINDING: deadlock error
 * FINDING: buffer-overlap error
 * SAYS_LINE: OVERLAP
 */
#include <mpi.h>

enum { ITERATIONS = 1500, MESSAGES = 3 };

static MPI_Request request[2 * MESSAGES];
static int in[MESSAGES], out[MESSAGES];
static int other;

static void start_all(int i)
{
    MPI_Startall(2 * MESSAGES, request);
    if (i == ITERATIONS - 300)
        MPI_Sendrecv(&other, 1, MPI_INT, other, 8, &in[1], 1, MPI_INT, other, 8, /* OVERLAP */
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2 * MESSAGES, request, MPI_STATUSES_IGNORE);
}

static void start_each(void)
{
    for (int k = 0; k < 2 * MESSAGES; k++)
        MPI_Start(&request[k]);
    for (int k = 2 * MESSAGES - 1; k >= 0; k--)
        MPI_Wait(&request[k], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int k = 0; k < MESSAGES; k++) {
        MPI_Recv_init(&in[k], 1, MPI_INT, other, k, MPI_COMM_WORLD, &request[k]);
        MPI_Send_init(&out[k], 1, MPI_INT, other, k, MPI_COMM_WORLD, &request[MESSAGES + k]);
    }
    for (int i = 0; i < ITERATIONS; i++)
        start_all(i);
    for (int i = 0; i < ITERATIONS; i++)
        start_each();
    MPI_Start(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE); /* LAST */
    MPI_Finalize();
    return 0;
}
