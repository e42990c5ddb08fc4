/* SPDX-License-Identifier: BSD-3-Clause */
/* Testsome of receives from anybody; what was completed together is posted again.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 8, MOST = 3 };

static int got[MOST];
static MPI_Request request[MOST];

static void post(int i)
{
    MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
}

static void receive(int messages)
{
    MPI_Status status[MOST];
    int index[MOST];

    for (int i = 0; i < MOST; i++)
        post(i);
    for (int n = 0, posted = MOST, vain = 0, count = 0; n < messages; n += count) {
        MPI_Testsome(MOST, request, &count, index, status);
        vain += count == 0;
        for (int k = 0; k < count; k++) {
            saw(index[k]);
            saw(vain);
            saw_message(&status[k], got[index[k]]);
            if (posted++ < messages)
                post(index[k]);
        }
        usleep(100);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 0, me + i, MPI_COMM_WORLD);
    }
    if (me == 0)
        receive(ROUNDS * (ranks - 1));
    return end();
}
