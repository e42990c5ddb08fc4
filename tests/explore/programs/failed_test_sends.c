/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests once, and sends to rank 2 only if that fails. Rank 2 receives the messages of ranks
 * 0 and 1 in any order, and it is wrong if that of rank 0 is the first one. So that order needs the
 * unsuccessful test, which is no choice of its own. The test succeeds: one order. It fails: two,
 * and in the one in which the message of rank 1 is the first one, only a buffer lets rank 0 go on.
 *
 * RANKS: 3
 * EXPLORE: 3 orders, 1 ended, 1 deadlock, 1 exit, exit 66
 * NIGHTLY (variable LATE=): 3 orders, 1 ended, 1 deadlock, 1 exit, exit 66 */
#include "small.h"

static void ask(void)
{
    MPI_Request request;
    int value, done = 0;

    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    usleep(100000);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done)
        send_to(2, 1);
    MPI_Send(&done, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Returns the source of the first message. */
static int receive_all(void)
{
    MPI_Request request;
    MPI_Status status;
    int value, done;

    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&done, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, &status);
    if (!done)
        receive_from(1 - status.MPI_SOURCE);
    return status.MPI_SOURCE;
}

int main(int argc, char **argv)
{
    int first = 1;

    begin(&argc, &argv);
    if (me == 0)
        ask();
    if (me == 1) {
        send_to(2, 1);
        usleep(getenv("LATE") != NULL ? 300000 : 0);
        send_to(0, 1);
    }
    if (me == 2)
        first = receive_all();
    end();
    return first == 1 ? 0 : 7;
}
