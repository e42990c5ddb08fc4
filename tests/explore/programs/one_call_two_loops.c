/* SPDX-License-Identifier: BSD-3-Clause */
/* One call of MPI_Test is in a loop that gives up after five tests, and then in one that never
 * does. Rank 0 waits for a message that nobody sends if the first one has given up. That the second
 * one does not give up does not hide it.
 *
 * RANKS: 2
 * EXPLORE: 5 orders, 4+ ended, 1 deadlock, 0+ repeated, exit 66
 * SAYS: time out only where a run showed it: MPI_Test at .*one_call_two_loops.c */
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
    int value;

    begin(&argc, &argv);
    for (int tag = 0; tag < 2; tag++) {
        if (me == 1) {
            MPI_Send(&me, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
            continue;
        }
        usleep(PAUSE_US);
        MPI_Irecv(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
        if (!poll_for(&request, tag == 0 ? TESTS : 0))
            MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return end();
}
