/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes whatever of two messages is complete, until both are.
 *
 * RANKS: 3
 * The first test takes one of them or both. Each test that takes some is the first one there, or
 * comes after unsuccessful ones: 2 x (2 x 2 + 1) orders.
 *
 * EXPLORE: 10 orders, 10+ ended, 0+ repeated, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2], index[2], count, taken = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    while (taken < 2) {
        MPI_Testsome(2, request, &count, index, MPI_STATUSES_IGNORE);
        taken += count;
    }
    return end();
}
