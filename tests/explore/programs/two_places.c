/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests one request at two places of a loop, and fails if it is complete at the second one.
 * At each place it is complete at the first test, or when it was tested at both in vain.
 *
 * RANKS: 2
 * EXPLORE: 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=): 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, done = 0, place = 0;

    begin(&argc, &argv);
    if (me == 1) {
        usleep(getenv("LATE") != NULL ? 300000 : 0);
        send_to(0, 1);
        return end();
    }
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    usleep(50000);
    while (!done) {
        place = 1;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            break;
        place = 2;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    end();
    return place == 1 ? 0 : 7;
}
