/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from anybody, in blocking calls.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 8 };

int main(int argc, char **argv)
{
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
        saw_message(&status, got);
    }
    return end();
}
