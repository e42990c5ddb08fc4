/* SPDX-License-Identifier: BSD-3-Clause */
/* One MPI_Test, and it is forgotten that it may fail. EARLY: the first run succeeds. LATE: it does
 * not.
 *
 * RANKS: 2
 * EXPLORE (variable LATE=): 2 orders, 1 ended, 1 exit, exit 66
 * EXPLORE (variable EARLY=): 2 orders, 1 ended, 1 exit, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, done = 0;

    begin(&argc, &argv);
    if (me == 1) {
        usleep(getenv("LATE") != NULL ? 300000 : 0);
        send_to(0, 1);
        return end();
    }
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    usleep(getenv("EARLY") != NULL ? 300000 : 0);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end();
    return done ? 0 : 7;
}
