/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests a hundred times for the message of rank 1, and then waits. Rank 1 sends at once, so
 * that it nearly always comes before. With BUG, rank 0 waits for a message of rank 2 instead, which
 * sends none. The message is there at the first test, at a later one, or at none.
 *
 * RANKS: 3
 * EXPLORE (variable BUG=1): 3 orders, 2 ended, 1 deadlock, exit 66
 * EXPLORE: 3 orders, 3 ended, exit 0
 * SAYS: Every order was run, assuming that no result depends on how often the same test .* in a row\. */
#include "small.h"

enum { TESTS = 100, PAUSE_US = 200000 };

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, done = 0;

    begin(&argc, &argv);
    if (me == 1)
        send_to(0, me);
    if (me == 0) {
        usleep(PAUSE_US);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < TESTS && !done; i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && getenv("BUG") != NULL)
            receive_from(2);
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return end();
}
