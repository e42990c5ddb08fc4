/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests up to three times, sends a message after each unsuccessful test, and then waits. Its
 * request is complete at one of the tests, or at none. That it is at the third one is wrong. In the
 * first run it has to wait. EARLY: it is complete at the first test.
 *
 * RANKS: 2
 * EXPLORE: 4 orders, 3 ended, 1 exit, exit 66
 * NIGHTLY (variable EARLY=1): 4 orders, 3 ended, 1 exit, exit 66 */
#include "small.h"

enum { TESTS = 3, WORK = 1, STOP };

int main(int argc, char **argv)
{
    MPI_Request request;
    int value = WORK, done = 0, tests = 1;

    begin(&argc, &argv);
    if (me == 1) {
        usleep(getenv("EARLY") != NULL ? 0 : 300000);
        send_to(0, 1);
        while (value != STOP)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return end();
    }
    usleep(getenv("EARLY") != NULL ? 200000 : 0);
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done && tests < TESTS; tests++)
        send_to(1, WORK);
    if (!done)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    send_to(1, STOP);
    end();
    return done && tests == TESTS ? 7 : 0;
}
