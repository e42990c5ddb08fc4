/* SPDX-License-Identifier: BSD-3-Clause */
/* As iprobe.c, with matched probes; the receives come when all messages have been found.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 64 };

static int find(MPI_Message *message)
{
    MPI_Status status;
    int found = 0, vain = -1;

    for (; !found; vain++) {
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, message, &status);
        usleep(50);
    }
    saw_message(&status, vain);
    return found;
}

int main(int argc, char **argv)
{
    MPI_Message message[MOST];
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++)
        find(&message[i]);
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++) {
        MPI_Mrecv(&got, 1, MPI_INT, &message[i], &status);
        saw_message(&status, got);
    }
    return end();
}
