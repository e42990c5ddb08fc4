/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives anything from anybody: short messages, and ones that are too long to be buffered;
 * each third receive is for one of the tags only.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6, LONG = 20000 };

static int buffer[LONG];

int main(int argc, char **argv)
{
    MPI_Status status;
    int count;

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        buffer[0] = i;
        MPI_Send(buffer, i % 2 ? LONG : 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++) {
        int tag = i < ranks - 1 && i % 3 == 2 ? 0 : MPI_ANY_TAG;
        MPI_Recv(buffer, LONG, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        saw(count);
        saw_message(&status, buffer[0]);
    }
    return end();
}
