/* SPDX-License-Identifier: BSD-3-Clause */
/* Matched probes of anybody's messages, which are received later and in another order.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6 };

static void receive(void)
{
    MPI_Message message[3];
    MPI_Request request;
    MPI_Status status;
    int got;

    for (int i = 0; i < 3; i++) {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message[i], &status);
        saw_message(&status, i);
    }
    for (int i = 2; i > 0; i--) {
        MPI_Mrecv(&got, 1, MPI_INT, &message[i], &status);
        saw_message(&status, got);
    }
    MPI_Imrecv(&got, 1, MPI_INT, &message[0], &request);
    MPI_Wait(&request, &status);
    saw_message(&status, got);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive();
        else
            MPI_Send(&i, 1, MPI_INT, 0, me * i, MPI_COMM_WORLD);
    }
    return end();
}
