/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 takes messages with matched probes, and with receives from any source that it waits for.
 * The loop is longer than the history for other matches. Then each rank receives before it sends.
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

enum { ITERATIONS = 60000 };

static void ask(void)
{
    int out = 1;
    int in;

    MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void answer(void)
{
    int out = 1;
    int in[2];
    MPI_Message message;
    MPI_Request request;

    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&in[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ITERATIONS; i++) {
        if (rank == 0)
            ask();
        else
            answer();
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
