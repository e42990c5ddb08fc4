/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variable DIVERGE makes rank 1 do otherwise in the middle of its receives: "call"
 * probes before them, "place" receives in another line, "more" receives one message more, "fewer"
 * names the sources, "taken" names one of them, whose message is recorded for another receive. With
 * SLOW, rounds take long.
 *
 * RANKS: 4 */
#include "digest.h"

#include <string.h>

enum { ROUNDS = 6, MIDDLE = 3 };

static int does(const char *what, int round)
{
    const char *how = getenv("DIVERGE");

    return me == 1 && round == MIDDLE && how != NULL && strcmp(how, what) == 0;
}

static void receive(int source, int tag)
{
    MPI_Status status;
    int got;

    MPI_Recv(&got, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
    saw_message(&status, got);
}

static void receive_all(int round)
{
    MPI_Status status;
    int named = does("fewer", round) ? ranks - 1 : does("taken", round) ? 1 : 0;
    int got;

    if (does("call", round))
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    for (int i = 0; i < named; i++)
        receive(i < me ? i : i + 1, round);
    if (does("place", round)) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
        named = 1;
    }
    for (int i = named; i < ranks - 1; i++)
        receive(MPI_ANY_SOURCE, round);
    if (does("more", round))
        MPI_Sendrecv(&round, 1, MPI_INT, me, 99, &got, 1, MPI_INT, MPI_ANY_SOURCE, 99,
                     MPI_COMM_WORLD, &status);
    if (getenv("SLOW") != NULL)
        usleep(400000);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        if (i == MIDDLE && me == 3)
            usleep(30000); /* the last one, so that rank 0's message has been taken for "taken" */
        for (int k = 0; k < ranks; k++) {
            pause_perhaps();
            if (k != me)
                MPI_Send(&i, 1, MPI_INT, k, i, MPI_COMM_WORLD);
        }
        receive_all(i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (me == 0)
        puts("through");
    return end();
}
