/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 asks rank 2 for its message only when a receive from any source is complete, but completes
 * the request later. So that receive cannot take the message of rank 2. It is found complete at
 * once, or later.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 2+ ended, 0+ repeated, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, found = 0;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        while (!found)
            MPI_Request_get_status(request, &found, MPI_STATUS_IGNORE);
        send_to(2, 0);
        receive_from(MPI_ANY_SOURCE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (me == 1)
        send_to(0, me);
    if (me == 2) {
        receive_from(0);
        send_to(0, me);
    }
    return end();
}
