/* SPDX-License-Identifier: BSD-3-Clause */
/* Two workers and a master who probes for their results; the workers test for their task. However
 * often they do so in vain, it is the same order: the master finds each worker first, and the other
 * one second, each at the first probe or later, and each of the two tests is successful at once or
 * later.
 *
 * RANKS: 3
 * NIGHTLY: 32 orders, 32+ ended, 0+ repeated, exit 0 */
#include "small.h"

static int probe(void)
{
    MPI_Status status;
    int found = 0;

    while (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status), !found)
        usleep(50);
    return status.MPI_SOURCE;
}

static void master(void)
{
    for (int i = 1; i < ranks; i++)
        send_to(i, i);
    for (int i = 1; i < ranks; i++)
        receive_from(probe());
}

static void worker(void)
{
    MPI_Request request;
    int task, done = 0;

    MPI_Irecv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    send_to(0, task);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0)
        master();
    else
        worker();
    return end();
}
