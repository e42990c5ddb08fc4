/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive is cancelled while its message is on the way; if it was too late for that, its message
 * is there. EARLY=1: the message is there before.
 *
 * RANKS: 2
 * NIGHTLY (variable EARLY=1): 1+ orders, 1+ ended, incomplete, exit 0
 * EXPLORE (variable LATE=1): 1+ orders, 1+ ended, incomplete, exit 0
 * SAYS: MPI_Cancel was not tried */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Status status;
    int value, cancelled;

    begin(&argc, &argv);
    if (me == 1) {
        usleep(getenv("LATE") != NULL ? 300000 : 0);
        send_to(0, 1);
        return end();
    }
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    usleep(getenv("EARLY") != NULL ? 300000 : 0);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (cancelled)
        receive_from(MPI_ANY_SOURCE);
    return end();
}
