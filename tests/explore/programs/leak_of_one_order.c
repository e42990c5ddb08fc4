/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 leaks a request, at another line in each order: whichever comes first, only the other
 * order has the other leak.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 warning, exit 0
 * SAYS: 2 orders: 1 ends without an error, 1 has another warning\.
 * SAYS: warning: outcome 1 \(1 run, run 2\): request-leak: .*leak_of_one_order\.c:(21|23)
 * SAYS: deciding choice \(1 run that forced only this choice had the same outcome\):|a run that forced no choice had the same outcome
 * SAYS: Every order was run\.
 */
#include "small.h"

static int left;

static void leak(int first)
{
    MPI_Request request;

    if (first == 1)
        MPI_Irecv(&left, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(&left, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        leak(receive_from(MPI_ANY_SOURCE));
        receive_from(MPI_ANY_SOURCE);
    } else {
        send_to(0, me);
    }
    return end();
}
