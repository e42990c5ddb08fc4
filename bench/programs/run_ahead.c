/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that run far ahead: each even rank sends short messages that its right neighbour only
 * begins to receive when all have been sent, again and again. Every message is checked. [messages
 * [rounds]] */
#include "loop.h"

#include <unistd.h>

enum { PAUSE_US = 20000 };

static void receive(long messages, long round)
{
    for (long i = 0; i < messages; i++) {
        long value;
        MPI_Recv(&value, 1, MPI_LONG, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (value != round * messages + i) {
            fprintf(stderr, "message %ld is not what was sent\n", i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long messages = loop_rounds(argc, argv, 10000);
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 20;
    double begin = loop_begin();
    for (long round = 0; round < rounds && (rank ^ 1) < size; round++) {
        for (long i = 0; i < messages && rank % 2 == 0; i++) {
            long value = round * messages + i;
            MPI_Send(&value, 1, MPI_LONG, rank + 1, 0, MPI_COMM_WORLD);
        }
        if (rank % 2 == 0) { /* what was sent is received before more is */
            MPI_Recv(NULL, 0, MPI_BYTE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        usleep(PAUSE_US);
        receive(messages, round);
        MPI_Send(NULL, 0, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD);
    }
    loop_end(begin);
    MPI_Finalize();
    return 0;
}
