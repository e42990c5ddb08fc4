/* SPDX-License-Identifier: BSD-3-Clause */
/* Waitany of one receive from each rank, in each round until none is left; then of receives from
 * anybody.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static void receive(int round)
{
    MPI_Request request[MOST];
    MPI_Status status;
    int got[MOST];
    int index;

    for (int i = 0; i < ranks - 1; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, round % 2 ? MPI_ANY_SOURCE : i + 1, 3, MPI_COMM_WORLD,
                  &request[i]);
    for (int i = 0; i < ranks - 1; i++) {
        MPI_Waitany(ranks - 1, request, &index, &status);
        saw(index);
        saw_message(&status, got[index]);
    }
    MPI_Waitany(ranks - 1, request, &index, &status);
    saw(index == MPI_UNDEFINED);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive(i);
        else
            MPI_Send(&i, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end();
}
