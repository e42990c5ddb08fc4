/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes a message of each other rank, and then tests for another one of rank 1: without end
 * if that of rank 1 came first, else at most five times. It is one call of MPI_Test, after as many
 * choices. If the loop gives up, rank 0 waits for a message that nobody sends. That it does not
 * give up in the other order does not hide it.
 *
 * RANKS: 3
 * EXPLORE: 5 orders, 4+ ended, 1 deadlock, 0+ repeated, exit 66
 * SAYS: time out only where a run showed it: MPI_Test at .*one_loop_two_limits.c */
#include "small.h"

enum { TESTS = 5, PAUSE_US = 100000 };

static int poll_for(MPI_Request *request, int most)
{
    int done = 0;

    for (int i = 0; (most == 0 || i < most) && !done; i++)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return done;
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int first, value;

    begin(&argc, &argv);
    if (me != 0) {
        usleep(me == 1 ? 0 : PAUSE_US);
        send_to(0, me);
        if (me == 1)
            MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        return end();
    }
    first = receive_from(MPI_ANY_SOURCE);
    receive_from(MPI_ANY_SOURCE);
    usleep(PAUSE_US);
    MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    if (!poll_for(&request, first == 1 ? 0 : TESTS))
        MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
