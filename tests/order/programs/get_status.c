/* SPDX-License-Identifier: BSD-3-Clause */
/* Request_get_status tells that a receive is complete, and leaves the request to a later Wait.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static void receive(void)
{
    MPI_Request request[MOST];
    MPI_Status status;
    int got[MOST], is_known[MOST] = {0};
    int left = ranks - 1, vain = 0;

    for (int i = 0; i < ranks - 1; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, i ? MPI_ANY_SOURCE : 1, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &request[i]);
    for (int i = 0, flag = 0; left > 0; i = (i + 1) % (ranks - 1)) {
        if (is_known[i])
            continue;
        MPI_Request_get_status(request[i], &flag, &status);
        vain += !flag;
        if (flag) {
            is_known[i] = 1;
            left--;
            saw(vain);
            saw_message(&status, i);
        }
        usleep(20);
    }
    for (int i = 0; i < ranks - 1; i++) {
        MPI_Wait(&request[i], &status);
        saw_message(&status, got[i]);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive();
        else
            MPI_Send(&i, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return end();
}
