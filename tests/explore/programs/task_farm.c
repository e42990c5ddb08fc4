/* SPDX-License-Identifier: BSD-3-Clause */
/* Two workers, three tasks: whoever is ready gets the next one.
 *
 * RANKS: 3
 * EXPLORE: 4 orders, 4 ended, exit 0 */
#include "small.h"

enum { TASKS = 3, STOP = -1 };

static void master(void)
{
    int next = 0, working = 0;

    for (int i = 1; i < ranks; i++, working++)
        send_to(i, next++);
    while (working > 0) {
        int worker = receive_from(MPI_ANY_SOURCE);
        working -= next >= TASKS;
        send_to(worker, next < TASKS ? next++ : STOP);
    }
}

static void worker(void)
{
    for (;;) {
        int task;
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == STOP)
            return;
        send_to(0, task * task);
    }
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
