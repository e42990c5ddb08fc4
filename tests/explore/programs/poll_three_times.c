/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests up to three times, sends a message after each unsuccessful test, and then waits. In
 * the first run it has to wait: its request could have been complete at the first test, and at the
 * next one. That it was complete at a later test than the first one is wrong.
 *
 * RANKS: 2
 * EXPLORE: 3 orders, 2 ended, 1 exit, exit 66 */
#include "small.h"

enum { TESTS = 3, WORK = 1, STOP };

int main(int argc, char **argv)
{
    MPI_Request request;
    int value = WORK, done = 0, tests = 1;

    begin(&argc, &argv);
    if (me == 1) {
        usleep(300000);
        send_to(0, 1);
        while (value != STOP)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return end();
    }
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done && tests < TESTS; tests++)
        send_to(1, WORK);
    if (!done)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    send_to(1, STOP);
    end();
    return done && tests > 1 ? 7 : 0;
}
