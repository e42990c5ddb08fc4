/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, but only one rank can have sent: the one that it told to.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 3 };

int main(int argc, char **argv)
{
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        for (int rank = 1; me == 0 && rank < ranks; rank++) {
            MPI_Send(&i, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            saw_message(&status, got);
        }
        if (me != 0) {
            MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&got, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        }
    }
    return end();
}
