/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests one receive from each rank in turn; which of them is complete first, and how many
 * tests were in vain, is what it sees. The status comes from a receive of any tag.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static void receive(int round)
{
    MPI_Request request[MOST];
    MPI_Status status;
    int got[MOST];
    int left = ranks - 1, vain = 0;

    for (int i = 1; i < ranks; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, round % 2 ? MPI_ANY_SOURCE : i, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &request[i]);
    for (int i = 1; left > 0; i = i % (ranks - 1) + 1) {
        int flag = 0;
        if (request[i] == MPI_REQUEST_NULL)
            continue;
        MPI_Test(&request[i], &flag, &status);
        vain += !flag;
        if (flag) {
            left--;
            saw(i);
            saw(vain);
            saw_message(&status, got[i]);
        }
        usleep(20);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive(i);
        else
            MPI_Send(&i, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end();
}
