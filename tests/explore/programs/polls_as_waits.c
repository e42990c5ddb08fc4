/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 probes until it has the messages of three ranks; rank 1 tests until it has an answer. The
 * first orders that are run are those of the messages: each loop of polls waits. Then each of the
 * four loops polls in vain first, or does not: 6 times 16 orders.
 *
 * RANKS: 4
 * EXPLORE (bounds runs=6): 6 orders, 6 ended, 1+ left, incomplete, exit 0
 * NIGHTLY: 96 orders, 96+ ended, 0+ repeated, exit 0
 * SAYS: Every known order was run in which tests and probes wait .*: 6\. */
#include "small.h"

static int probe(void)
{
    MPI_Status status;
    int found = 0;

    while (!found)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status);
    return status.MPI_SOURCE;
}

static void await_answer(void)
{
    MPI_Request request;
    int answer, done = 0;

    MPI_Irecv(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    send_to(0, me);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        for (int i = 1; i < ranks; i++)
            receive_from(probe());
        send_to(1, 0);
    } else if (me == 1) {
        await_answer();
    } else {
        send_to(0, me);
    }
    return end();
}
