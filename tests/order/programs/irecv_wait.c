/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking receives from anybody: a Wait at once, a Waitall, and Waits that come late and in the
 * opposite order, after other messages.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 6 };

static int got[3];
static MPI_Request request[3];
static MPI_Status status[3];

static void post(int i)
{
    MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
}

static void wait_for(int i)
{
    MPI_Wait(&request[i], &status[i]);
    saw_message(&status[i], got[i]);
}

static void receive(int round)
{
    for (int i = 0; i < 3; i++) {
        post(i);
        if (round % 3 == 0)
            wait_for(i);
    }
    if (round % 3 == 1) {
        MPI_Waitall(3, request, status);
        for (int i = 0; i < 3; i++)
            saw_message(&status[i], got[i]);
    }
    if (round % 3 == 2) {
        for (int i = 2; i >= 0; i--) {
            pause_perhaps();
            wait_for(i);
        }
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive(i);
        else
            MPI_Send(&i, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
    }
    return end();
}
