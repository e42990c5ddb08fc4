/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent receives from anybody, started again in each round, one by one or all at once, and
 * completed in another order.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 8 };

static int got[3];
static MPI_Request request[3];

static void receive(int round)
{
    MPI_Status status[3];

    if (round % 2 == 0)
        MPI_Startall(3, request);
    for (int i = 2; round % 2 == 1 && i >= 0; i--)
        MPI_Start(&request[i]);
    if (round % 3 == 0)
        MPI_Waitall(3, request, status);
    for (int i = 0; round % 3 != 0 && i < 3; i++)
        MPI_Wait(&request[i], &status[i]);
    for (int i = 0; i < 3; i++)
        saw_message(&status[i], got[i]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; me == 0 && i < 3; i++)
        MPI_Recv_init(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, i == 1 ? MPI_ANY_TAG : 4, MPI_COMM_WORLD,
                      &request[i]);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive(i);
        else
            MPI_Send(&i, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < 3; i++)
        MPI_Request_free(&request[i]);
    return end();
}
