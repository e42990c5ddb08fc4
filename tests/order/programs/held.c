/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes messages of any rank. After the first ones, rank 3 makes calls for a while, and each
 * call is seen in the output.
 *
 * RANKS: 4 */
#include "digest.h"

#include <unistd.h>

enum { MESSAGES = 20, FIRST = 15, CALLS = 150, PAUSE_US = 10000 };

static void take(void)
{
    MPI_Status status;
    int value;

    for (int i = 0; i < (ranks - 2) * MESSAGES; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        saw_message(&status, value);
        if (i + 1 == FIRST)
            MPI_Send(NULL, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);
    }
}

static void send(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        pause_perhaps();
        MPI_Ssend(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

static void go_on(void)
{
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < CALLS; i++) {
        MPI_Barrier(MPI_COMM_SELF);
        printf("call %d\n", i);
        fflush(stdout);
        usleep(PAUSE_US);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0)
        take();
    else if (me == 3)
        go_on();
    else
        send();
    return end();
}
