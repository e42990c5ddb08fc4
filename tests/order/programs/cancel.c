/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 cancels receives that may or may not have their message, with and without a wildcard. What
 * was cancelled is received again.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 10 };

static void receive(int round)
{
    int source[2] = {round % 2 ? MPI_ANY_SOURCE : 1, round % 2 ? MPI_ANY_SOURCE : 2};
    MPI_Request request[2];
    MPI_Status status;
    int got[2], again;

    for (int i = 0; i < 2; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, source[i], round, MPI_COMM_WORLD, &request[i]);
    usleep(300);
    for (int i = 0; i < 2; i++) {
        int cancelled = 0;
        pause_perhaps();
        MPI_Cancel(&request[i]);
        MPI_Wait(&request[i], &status);
        MPI_Test_cancelled(&status, &cancelled);
        saw(cancelled);
        if (cancelled)
            MPI_Recv(&again, 1, MPI_INT, source[i], round, MPI_COMM_WORLD, &status);
        saw_message(&status, i);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive(i);
        else
            MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end();
}
