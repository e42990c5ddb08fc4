/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 hands out tasks to whoever is ready; the tag of a result says which task it is of.
 *
 * RANKS: 5 */
#include "digest.h"

enum { TASKS = 24, STOP = 1000 };

static void master(void)
{
    MPI_Status status;
    int result, next = 0, working = 0;

    for (int i = 1; i < ranks; i++, working++)
        MPI_Send(NULL, 0, MPI_INT, i, next++, MPI_COMM_WORLD);
    while (working > 0) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        saw_message(&status, result);
        if (next >= TASKS)
            working--;
        MPI_Send(NULL, 0, MPI_INT, status.MPI_SOURCE, next < TASKS ? next++ : STOP, MPI_COMM_WORLD);
    }
}

static void worker(void)
{
    MPI_Status status;

    for (;;) {
        MPI_Recv(NULL, 0, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        saw(status.MPI_TAG);
        if (status.MPI_TAG == STOP)
            return;
        int result = status.MPI_TAG * status.MPI_TAG;
        pause_perhaps();
        MPI_Send(&result, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0)
        master();
    else
        worker();
    return end();
}
