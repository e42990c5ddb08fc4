/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests three times, sends rank 1 a message, and begins again, for ever. In the first run
 * the request is complete at the first test; then it is at a later one of the first row. Then it
 * is at one of the second row. That all rows are given up is tried, but rank 0 goes on: what it
 * does then is no further order. Rank 1 takes all these messages.
 *
 * RANKS: 2
 * EXPLORE: 3 orders, 4 ended, 1 repeated, exit 0 */
#include "small.h"

enum { TESTS = 3, WORK = 1, STOP };

int main(int argc, char **argv)
{
    MPI_Request request;
    int value = WORK, done = 0;

    begin(&argc, &argv);
    if (me == 1) {
        send_to(0, 1);
        while (value != STOP)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return end();
    }
    usleep(300000);
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!done) {
        for (int i = 0; i < TESTS && !done; i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            send_to(1, WORK);
    }
    send_to(1, STOP);
    return end();
}
