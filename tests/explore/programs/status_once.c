/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 asks once whether the message of rank 1 is there. In the first run it is. LATE: it is not.
 *
 * RANKS: 2
 * EXPLORE: 2 orders, 1 ended, 1 exit, exit 66
 * NIGHTLY (variable LATE=): 2 orders, 1 ended, 1 exit, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, found = 1;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        usleep(100000);
        MPI_Request_get_status(request, &found, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        usleep(getenv("LATE") != NULL ? 300000 : 0);
        send_to(0, me);
    }
    end();
    return found ? 0 : 7;
}
