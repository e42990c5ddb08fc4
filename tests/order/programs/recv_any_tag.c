/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 passes on what it receives from anybody, with the sender as the tag. Rank 0 knows the
 * source, not the tag.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6 };

static void pass_on(void)
{
    MPI_Status status;
    int got;

    for (int i = 0; i < ROUNDS * (ranks - 2); i++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Send(&got, 1, MPI_INT, 0, 10 + status.MPI_SOURCE, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    if (me == 1)
        pass_on();
    for (int i = 0; me > 1 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 2); i++) {
        MPI_Recv(&got, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        saw_message(&status, got);
    }
    return end();
}
