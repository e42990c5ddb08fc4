/* SPDX-License-Identifier: BSD-3-Clause */
/* Testany of one receive from each rank, posted again when it is complete.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static int got[MOST];
static MPI_Request request[MOST];

static void post(int i)
{
    MPI_Irecv(&got[i], 1, MPI_INT, i + 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
}

int main(int argc, char **argv)
{
    MPI_Status status;
    int left[MOST];

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ranks - 1; i++) {
        left[i] = ROUNDS - 1;
        post(i);
    }
    for (int n = 0, index = 0, flag = 0, vain = 0; me == 0 && n < ROUNDS * (ranks - 1); n += flag) {
        MPI_Testany(ranks - 1, request, &index, &flag, &status);
        vain += !flag;
        if (flag) {
            saw(index);
            saw(vain);
            saw_message(&status, got[index]);
            if (left[index]-- > 0)
                post(index);
        }
        usleep(20);
    }
    return end();
}
