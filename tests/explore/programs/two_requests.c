/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests two requests in turn at one place of the program, until one of them is complete. The
 * second request is late in the first run: that it is complete first is only found if it is tried.
 * Each request is complete at its first test, or when both were tested in vain.
 *
 * RANKS: 3
 * NIGHTLY: 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=): 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable FIRST_LATE=): 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2], done = 0, i = 1;

    begin(&argc, &argv);
    if (me != 0) {
        usleep(getenv(me == 1 ? "FIRST_LATE" : "LATE") != NULL ? 500000 : 0);
        send_to(0, me);
        return end();
    }
    for (i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    usleep(100000);
    for (i = 1; !done;) {
        i = 1 - i;
        MPI_Test(&request[i], &done, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    end();
    return i == 0 ? 0 : 7;
}
