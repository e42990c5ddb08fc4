/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests fifty times for the message of rank 1, which is nearly always there. If it gives up,
 * it sends rank 2 a message, and waits for one of it for ever. Rank 2 takes one message of any
 * rank: that of rank 0 can only come if rank 0 has given up, which is kept when this is tried.
 *
 * RANKS: 3
 * EXPLORE: 4 orders, 2 ended, 2 deadlock, exit 66 */
#include "small.h"

enum { TESTS = 50, PAUSE_US = 200000 };

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, done = 0;

    begin(&argc, &argv);
    if (me == 1) {
        send_to(0, me);
        send_to(2, me);
    }
    if (me == 2)
        receive_from(MPI_ANY_SOURCE);
    if (me == 0) {
        usleep(PAUSE_US);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < TESTS && !done; i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (me == 0 && !done) {
        send_to(2, me);
        receive_from(2);
    }
    return end();
}
