/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that cannot buffer the large message completes its send only when it is received, which
 * is after the call that waits for it or for the other message. So its index can be returned by
 * some libraries only. A run in which it cannot is no hang: it counts as one that diverged. With
 * MPI_Testany there is one in the order with unsuccessful tests, and one in the order without.
 *
 * RANKS: 2
 * EXPLORE: 1 order, 2 ended, 1 diverged, incomplete, exit 0
 * NIGHTLY (variable TESTS=1): 2 orders, 4+ ended, 2+ diverged, 0+ repeated, incomplete, exit 0 */
#include "small.h"

enum { LARGE = 1 << 23 };

static char large[LARGE];

static void complete_one(MPI_Request *request)
{
    int index, flag = 0;

    if (getenv("TESTS") == NULL)
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    while (getenv("TESTS") != NULL && !flag)
        MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value = 0;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Isend(large, LARGE, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
        complete_one(request);
        send_to(1, value);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        send_to(0, 1);
        receive_from(0);
        MPI_Recv(large, LARGE, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return end();
}
