/* SPDX-License-Identifier: BSD-3-Clause */
/* A probe of anybody's message, and a receive of the one that it found; the probe of one source
 * with any tag, too.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6 };

int main(int argc, char **argv)
{
    MPI_Status status;
    int got[2];

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < 2 * ROUNDS; i++) {
        int sent[2] = {me, i};
        pause_perhaps();
        MPI_Send(sent, 1 + i % 2, MPI_INT, 0, i / 4, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        saw(status.MPI_SOURCE);
        MPI_Recv(got, 2, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        saw_message(&status, got[0]);
        MPI_Probe(status.MPI_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(got, 2, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        saw_message(&status, got[1]);
    }
    return end();
}
