/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive is freed before its message is there: which one it takes decides what the next receive
 * gets, but is no choice that can be made again.
 *
 * RANKS: 3
 * EXPLORE: 1 order, 1 ended, incomplete, exit 0
 * SAYS: taken by a receive that was freed */
#include "small.h"

int main(int argc, char **argv)
{
    static int value;
    MPI_Request request;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me != 0)
        send_to(0, me);
    MPI_Barrier(MPI_COMM_WORLD);
    return end();
}
