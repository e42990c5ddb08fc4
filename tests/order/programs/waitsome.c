/* SPDX-License-Identifier: BSD-3-Clause */
/* Waitsome of receives and sends: how many are completed together is another outcome in each run.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static void exchange(int round)
{
    MPI_Request request[2 * MOST];
    MPI_Status status[2 * MOST];
    int got[2 * MOST] = {0};
    int index[2 * MOST];
    int count, n = 0;

    for (int i = 1; i < ranks; i++) {
        MPI_Irecv(&got[n], 1, MPI_INT, round % 2 ? MPI_ANY_SOURCE : i, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &request[n]);
        n++;
        MPI_Issend(&round, 1, MPI_INT, i, 2, MPI_COMM_WORLD, &request[n++]);
    }
    for (int left = n; left > 0; left -= count) {
        MPI_Waitsome(n, request, &count, index, status);
        saw(count);
        for (int k = 0; k < count; k++) {
            saw(index[k]);
            if (index[k] % 2 == 0)
                saw_message(&status[k], got[index[k]]);
        }
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        int got;
        pause_perhaps();
        if (me == 0) {
            exchange(i);
        } else {
            MPI_Send(&i, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
            pause_perhaps();
            MPI_Recv(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* a message of the next round could be received in this one */
    }
    return end();
}
