/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests its request in a loop, and probes once for a message of rank 2, after the first
 * test. So the probe is not made again: a run that shall find the message later cannot do so. It
 * goes on freely, and is the same as an earlier one. The request is complete at once; or later, and
 * the probe is unsuccessful; or the probe is successful, and the request complete at the next test
 * or later. If the probe of the first run is successful, no run has to find the message later.
 *
 * RANKS: 3
 * EXPLORE: 4 orders, 4+ ended, 0+ repeated, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int value, done = 0, found = 0, rounds = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done) {
        if (rounds++ == 0)
            MPI_Iprobe(2, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
    receive_from(2);
    return end();
}
