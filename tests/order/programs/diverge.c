/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variable DIVERGE makes rank 1 do otherwise in the middle of its receives: "call"
 * probes before them, "place" receives in another line, "more" receives one message more, "fewer"
 * names the sources, "taken" names one of them, whose message is recorded for another receive,
 * "polls" sends only when it has polled for a message that rank 0 sends after two receives. With
 * SLOW, rounds take long.
 *
 * RANKS: 4 */
#include "digest.h"

#include <string.h>

enum { ROUNDS = 6, MIDDLE = 3 };

static int is_wanted(const char *what)
{
    const char *how = getenv("DIVERGE");

    return how != NULL && strcmp(how, what) == 0;
}

static int does(const char *what, int round)
{
    return me == 1 && round == MIDDLE && is_wanted(what);
}

static void receive(int source, int tag)
{
    MPI_Status status;
    int got;

    MPI_Recv(&got, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
    saw_message(&status, got);
}

static void poll_and_receive(int source, int tag)
{
    int found = 0;

    while (!found)
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    receive(source, tag);
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
    for (int i = named; i < ranks - 1; i++) {
        receive(MPI_ANY_SOURCE, round);
        if (i == 1 && me == 0 && round == MIDDLE && is_wanted("polls"))
            MPI_Send(&round, 1, MPI_INT, 1, 77, MPI_COMM_WORLD);
    }
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
        if (does("polls", i))
            poll_and_receive(0, 77);
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
