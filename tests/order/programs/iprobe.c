/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 asks again and again whether there is a message, and counts how often in vain.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 6 };

int main(int argc, char **argv)
{
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++) {
        int found = 0, vain = -1;
        for (; !found; vain++) {
            int source = i % 3 == 2 && i < ROUNDS ? vain & 1 ? 1 : 2 : MPI_ANY_SOURCE;
            MPI_Iprobe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
            usleep(50);
        }
        saw(vain);
        MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        saw_message(&status, got);
    }
    return end();
}
