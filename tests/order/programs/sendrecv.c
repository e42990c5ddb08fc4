/* SPDX-License-Identifier: BSD-3-Clause */
/* Everybody sends to everybody else, and receives from anybody in the same call.
 *
 * RANKS: 5 */
#include "digest.h"

enum { ROUNDS = 4 };

int main(int argc, char **argv)
{
    MPI_Status status;

    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 1; k < ranks; k++) {
            int to = (me + k) % ranks;
            int sent = 100 * me + i, got = sent;
            pause_perhaps();
            if (i % 2 == 0)
                MPI_Sendrecv(&sent, 1, MPI_INT, to, me, &got, 1, MPI_INT, MPI_ANY_SOURCE,
                             MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            else
                MPI_Sendrecv_replace(&got, 1, MPI_INT, to, me, MPI_ANY_SOURCE, MPI_ANY_TAG,
                                     MPI_COMM_WORLD, &status);
            saw_message(&status, got);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end();
}
