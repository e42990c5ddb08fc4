/* SPDX-License-Identifier: BSD-3-Clause */
/* As testsome.c, but rank 0 answers only the first one of the requests that a test completed. The
 * other rank waits for its answer for ever if both are complete at once.
 *
 * RANKS: 3
 * NIGHTLY: 10 orders, 8+ ended, 2+ deadlock, 0+ repeated, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2], index[2], count, taken = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        receive_from(0);
        return end();
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    while (taken < 2) {
        MPI_Testsome(2, request, &count, index, MPI_STATUSES_IGNORE);
        taken += count;
        if (count > 0)
            send_to(index[0] + 1, taken);
    }
    return end();
}
